package sql

// statements splits [i, j) at its semicolons and reads each part.
func (p *parser) statements(i, j int) []*Statement {
	var found []*Statement
	for i < j {
		if p.punctuation(i, ';') {
			i++
			continue
		}
		end := p.statementEnd(i, j)
		found = append(found, p.statement(i, end))
		i = end
	}
	return found
}

// statementEnd finds the semicolon behind the statement at i or, in T-SQL, the next
// statement.
func (p *parser) statementEnd(i, j int) int {
	if p.dialect == SQLServer {
		return p.batchEnd(i, j)
	}
	return p.find(i, j, func(k int) bool { return p.punctuation(k, ';') })
}

// statement reads [i, j) as one statement.
func (p *parser) statement(i, j int) *Statement {
	s := &Statement{dialect: p.dialect}
	s.Start, s.End = p.span(i, j)
	if i >= j || !p.enter() {
		return s
	}
	defer p.leave()
	for i < j && p.punctuation(i, '(') && p.tokens[i].match == j-1 {
		i, j = i+1, j-1
	}
	if p.is(i, "WITH") {
		i = p.with(s, i, j)
	}
	p.body(s, i, j)
	return s
}

// body reads the statement behind its WITH.
func (p *parser) body(s *Statement, i, j int) {
	switch {
	case i >= j:
	case p.isAny(i, "SELECT", "VALUES", "TABLE") || p.punctuation(i, '('):
		p.query(s, i, j)
	case p.is(i, "INSERT"):
		s.Verb = Insert
		p.insert(s, i+1, j)
	case p.is(i, "REPLACE") && !p.punctuation(i+1, '('):
		s.Verb = Replace
		p.insert(s, i+1, j)
	case p.is(i, "UPDATE"):
		s.Verb = Update
		p.update(s, i+1, j)
	case p.is(i, "DELETE"):
		s.Verb = Delete
		p.delete(s, i+1, j)
	case p.is(i, "MERGE"):
		s.Verb = Merge
		p.merge(s, i+1, j)
	default:
		p.otherBody(s, i, j)
	}
}

func (p *parser) otherBody(s *Statement, i, j int) {
	switch {
	case p.is(i, "TRUNCATE"):
		s.Verb = Truncate
		p.truncate(s, i+1, j)
	case p.isAny(i, "CALL", "EXEC", "EXECUTE"):
		s.Verb = Call
		p.callStatement(s, i+1, j)
	case p.is(i, "DO"): // an anonymous block may do anything
		s.Verb = Call
	case p.isAny(i, "CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "COMMENT", "RENAME"):
		s.Verb = DDL
		p.ddl(s, i, j)
	case p.isAny(i, "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "ABORT", "END"):
		s.Verb = Transaction
	case p.isAny(i, "SET", "DECLARE", "USE", "RESET", "PRAGMA"):
		s.Verb = Set
	case p.isAny(i, "SHOW", "EXPLAIN", "DESCRIBE", "DESC"):
		s.Verb = Show
	case p.is(i, "IF") && p.dialect == SQLServer:
		s.Verb = Conditional
		p.conditional(s, i+1, j)
	}
}

// with reads the entries of WITH and returns the index of the statement behind them.
func (p *parser) with(s *Statement, i, j int) int {
	i++
	if p.is(i, "RECURSIVE") {
		i++
	}
	for p.nameable(i, j) {
		cte := CTE{Name: p.identifier(i)}
		cte.Start, cte.End = p.span(i, i+1)
		open := p.findWord(i+1, j, "AS") + 1
		for open < j && p.isAny(open, "NOT", "MATERIALIZED") {
			open++
		}
		from, to, ok := p.group(open, j)
		if !ok {
			return j
		}
		cte.Statement = p.statement(from, to)
		s.With = append(s.With, cte)
		i = p.find(to+1, j, func(k int) bool {
			return p.punctuation(k, ',') || p.startsQuery(k, j) || p.is(k, "TABLE") || p.punctuation(k, '(')
		})
		if !p.punctuation(i, ',') || i >= j {
			return i
		}
		i++
	}
	return i
}

// query reads SELECT, VALUES, TABLE and their combinations by UNION and the like.
func (p *parser) query(s *Statement, i, j int) {
	s.Verb = Select
	arms := p.arms(i, j)
	if len(arms) > 1 {
		p.commonTail(s, &arms[len(arms)-1])
	}
	p.selectArm(s, arms[0][0], arms[0][1])
	for _, arm := range arms[1:] {
		other := &Statement{dialect: p.dialect}
		other.Start, other.End = p.span(arm[0], arm[1])
		if !p.enter() {
			return
		}
		p.body(other, arm[0], arm[1])
		p.leave()
		s.Others = append(s.Others, other)
	}
}

// commonTail cuts ORDER BY, LIMIT and FOR, which stand behind the last arm but belong
// to the whole, off that arm.
func (p *parser) commonTail(s *Statement, last *[2]int) {
	for _, c := range p.clauses(last[0], last[1]) {
		switch c.keyword {
		case "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR":
			p.tail(s, c.start, last[1])
			last[1] = c.start
			return
		}
	}
}

func (p *parser) arms(i, j int) [][2]int {
	var arms [][2]int
	start := i
	for k := i; k < j; k = p.next(k) {
		if !p.isAny(k, "UNION", "INTERSECT", "EXCEPT", "MINUS") || k == start {
			continue
		}
		arms = append(arms, [2]int{start, k})
		start = k + 1
		for start < j && p.isAny(start, "ALL", "DISTINCT") {
			start++
		}
	}
	return append(arms, [2]int{start, j})
}

func (p *parser) selectArm(s *Statement, i, j int) {
	switch {
	case i >= j:
	case p.punctuation(i, '('):
		p.bracketedArm(s, i, j)
	case p.is(i, "VALUES"):
		end := p.find(i+1, j, p.endsRows)
		s.Rows = p.rows(i+1, end)
		p.tail(s, end, j)
	case p.is(i, "TABLE"):
		s.Projections = []Projection{{Star: true, Expr: Value{Kind: ColumnRef, Column: "*"}}}
		clauses := p.clauses(i+1, j)
		p.from(s, i+1, headEnd(clauses, j))
		p.tail(s, headEnd(clauses, j), j)
		s.takeFirstTable()
	default:
		p.selectClauses(s, i+1, j)
	}
}

// bracketedArm reads (SELECT …) ORDER BY …: what is inside is the statement.
func (p *parser) bracketedArm(s *Statement, i, j int) {
	from, to, ok := p.group(i, j)
	if !ok || !p.enter() {
		return
	}
	defer p.leave()
	if p.is(from, "WITH") {
		from = p.with(s, from, to)
	}
	p.body(s, from, to)
	p.tail(s, to+1, j)
}

// clause is one of the clauses a query or a change may have behind its head.
type clause struct {
	start, body, end int // keyword, first token behind it, end
	keyword          string
}

// clauses finds the clauses at the level of [i, j). What stands before the first is the head.
func (p *parser) clauses(i, j int) []clause {
	var found []clause
	for k := i; k < j; k = p.next(k) {
		keyword, width := p.clauseAt(k, j)
		if width == 0 {
			continue
		}
		if len(found) > 0 {
			found[len(found)-1].end = k
		}
		found = append(found, clause{start: k, body: k + width, end: j, keyword: keyword})
		if width > 1 {
			k += width - 2
		}
	}
	return found
}

func (p *parser) clauseAt(k, j int) (string, int) {
	if p.tokens[k].kind != wordToken || p.is(k-1, "AS") { // AS offset: any word may be an alias
		return "", 0
	}
	switch {
	case p.is(k, "FROM") && !p.is(k-1, "DISTINCT"), p.is(k, "FROM") && !p.isAny(k-2, "IS", "NOT"):
		return "FROM", 1
	case p.isAny(k, "WHERE", "HAVING", "LIMIT", "FETCH", "RETURNING", "USING", "INTO"), p.dialectClause(k, j):
		return p.keyword(k), 1
	case p.is(k, "SET") && !p.is(k-1, "CHARACTER"):
		return "SET", 1
	case p.words(k, j, "GROUP", "BY"), p.words(k, j, "ORDER", "BY"):
		return p.keyword(k), 2
	case p.is(k, "FOR") && p.isAny(k+1, "UPDATE", "SHARE", "NO", "KEY", "JSON", "XML", "BROWSE"):
		return "FOR", 1
	case p.words(k, j, "LOCK", "IN", "SHARE"):
		return "LOCK", 1
	case p.words(k, j, "ON", "CONFLICT"), p.words(k, j, "ON", "DUPLICATE"):
		return p.keyword(k + 1), 2
	case p.is(k, "OPTION") && p.punctuation(k+1, '('):
		return "OPTION", 1
	}
	return "", 0
}

// dialectClause tells the clauses whose word is an ordinary name elsewhere.
func (p *parser) dialectClause(k, j int) bool {
	switch {
	case p.is(k, "OUTPUT"):
		return p.dialect == SQLServer
	case p.is(k, "QUALIFY"):
		return p.dialect == Snowflake || p.dialect == Other
	case p.is(k, "WINDOW"):
		return p.nameable(k+1, j) && p.is(k+2, "AS")
	case p.is(k, "OFFSET"):
		return k+1 < j && p.tokens[k+1].kind != operatorToken && !p.punctuation(k+1, ',') && !p.isAny(k+1, "FROM", "AS", "IS", "IN", "AND", "OR")
	}
	return false
}

// keyword is token k in upper case.
func (p *parser) keyword(k int) string {
	return upper(p.text[p.tokens[k].start:p.tokens[k].end])
}

func headEnd(clauses []clause, j int) int {
	if len(clauses) == 0 {
		return j
	}
	return clauses[0].start
}

// selectClauses reads a SELECT from behind its keyword.
func (p *parser) selectClauses(s *Statement, i, j int) {
	clauses := p.clauses(i, j)
	p.projections(s, i, headEnd(clauses, j))
	for _, c := range joinClauses(clauses) {
		switch c.keyword {
		case "FROM":
			p.from(s, c.body, c.end)
		case "INTO":
			p.selectInto(s, c)
		default:
			p.commonClause(s, c)
		}
	}
	s.takeFirstTable()
}

// joinClauses gives the USING of a join back to its FROM.
func joinClauses(clauses []clause) []clause {
	var joined []clause
	for _, c := range clauses {
		last := len(joined) - 1
		if c.keyword == "USING" && last >= 0 && joined[last].keyword == "FROM" {
			joined[last].end = c.end
			continue
		}
		joined = append(joined, c)
	}
	return joined
}

// selectInto: SELECT … INTO table makes a table; INTO @variable and MySQL's OUTFILE do not.
func (p *parser) selectInto(s *Statement, c clause) {
	at := c.body
	for p.isAny(at, "TEMP", "TEMPORARY", "UNLOGGED", "TABLE") && at < c.end {
		at++
	}
	table, next := p.tableName(at, c.end)
	if next == at || p.dialect == MySQL {
		return
	}
	s.Targets = append(s.Targets, table)
}

// commonClause reads a clause that means the same in every statement.
func (p *parser) commonClause(s *Statement, c clause) {
	switch c.keyword {
	case "WHERE":
		s.Where = p.predicate(c.body, c.end)
	case "HAVING", "QUALIFY":
		s.Having = p.predicate(c.body, c.end)
	case "GROUP":
		s.GroupBy = true
	case "ORDER":
		s.OrderBy = true
	case "LIMIT", "FETCH":
		s.Limit = true
	case "FOR":
		p.lock(s, c.body, c.end)
	case "LOCK":
		s.Lock.Share = true
	case "RETURNING", "OUTPUT":
		p.returning(s, c)
	}
}

func (p *parser) lock(s *Statement, i, j int) {
	switch {
	case p.is(i, "UPDATE"), p.words(i, j, "NO", "KEY", "UPDATE"):
		s.Lock.ForUpdate = true
	case p.is(i, "SHARE"), p.words(i, j, "KEY", "SHARE"):
		s.Lock.Share = true
	default:
		return
	}
	for k := i; k < j; k++ {
		s.Lock.SkipLocked = s.Lock.SkipLocked || p.words(k, j, "SKIP", "LOCKED")
		s.Lock.NoWait = s.Lock.NoWait || p.is(k, "NOWAIT")
	}
}

// tail reads the clauses behind a bracketed query or VALUES.
func (p *parser) tail(s *Statement, i, j int) {
	for _, c := range p.clauses(i, j) {
		p.commonClause(s, c)
	}
}

func (s *Statement) takeFirstTable() {
	if len(s.From) > 0 && s.Table.Name == "" {
		s.Table = s.From[0]
	}
}

// projections reads a SELECT list with its DISTINCT and TOP.
func (p *parser) projections(s *Statement, i, j int) {
	for i < j {
		switch {
		case p.words(i, j, "DISTINCT", "ON"):
			s.Distinct = true
			i += 2
			if i < j {
				i = p.next(i)
			}
		case p.is(i, "DISTINCT"):
			s.Distinct = true
			i++
		case p.isAny(i, "ALL", "SQL_CALC_FOUND_ROWS", "HIGH_PRIORITY"):
			i++
		case p.is(i, "TOP") && i+1 < j:
			s.Limit = true
			i = p.next(i + 1)
			for i < j && (p.is(i, "PERCENT") || p.words(i, j, "WITH", "TIES")) {
				i++
			}
		default:
			s.Projections = p.projectionList(min(i, j), j)
			return
		}
	}
}

func (p *parser) projectionList(i, j int) []Projection {
	var found []Projection
	for _, part := range p.list(i, j) {
		found = append(found, p.projection(part[0], part[1]))
	}
	return found
}

// projection reads expr, expr alias, expr AS alias, alias = expr of SQL Server, * and t.*.
func (p *parser) projection(i, j int) Projection {
	projection := Projection{}
	projection.Start, projection.End = p.span(i, j)
	if p.operator(i, "*") {
		projection.Star = true
		projection.Expr = Value{Kind: ColumnRef, Column: "*", Text: "*", Start: projection.Start, End: projection.Start + 1}
		return projection
	}
	if p.dialect == SQLServer && i+2 < j && p.nameable(i, j) && p.operator(i+1, "=") && p.tokens[i].kind != placeholderToken {
		projection.Name, _ = p.written(i)
		projection.Expr = p.value(i+2, j)
		return projection
	}
	value, next := p.expression(i, j)
	switch {
	case next >= j:
		projection.Expr = value
		projection.Name = p.madeUpName(value, i, j)
	case p.is(next, "AS") && next+1 < j:
		projection.Expr = value
		projection.Name = p.alias(next + 1)
	case next == j-1 && (p.nameable(next, j) || p.tokens[next].kind == stringToken):
		projection.Expr = value
		projection.Name = p.alias(next)
	default:
		p.lateAlias(&projection, i, j)
	}
	projection.Star = projection.Expr.Kind == ColumnRef && projection.Expr.Column == "*"
	return projection
}

// lateAlias reads an item that is no plain expression but may end in AS alias.
func (p *parser) lateAlias(projection *Projection, i, j int) {
	end := j
	if p.is(j-2, "AS") && j-2 > i {
		projection.Name = p.alias(j - 1)
		end = j - 2
	}
	projection.Expr = p.value(i, end)
}

func (p *parser) alias(i int) string {
	if p.tokens[i].kind == stringToken {
		return p.stringLiteral(i).Literal
	}
	name, quoted := p.written(i)
	return p.dialect.resultName(name, quoted)
}

// madeUpName is the name the database gives an item without an alias; empty where
// it depends on more than the text.
func (p *parser) madeUpName(value Value, i, j int) string {
	switch {
	case value.Kind == ColumnRef:
		return p.columnResultName(value, i, j)
	case p.dialect != Postgres:
		if p.dialect == MySQL {
			return p.textOf(i, j)
		}
		return ""
	case value.Kind == CallValue:
		return value.Call
	case value.Kind == Subquery && value.Call == "exists":
		return value.Call
	case value.Kind == Subquery && len(value.Sub.Projections) > 0:
		return value.Sub.Projections[0].Name
	case value.Kind == Case:
		return "case"
	case value.Cast != "":
		return postgresTypeName(value.Cast)
	}
	return ""
}

// columnResultName is the column's own name as it reaches the item.
func (p *parser) columnResultName(value Value, i, j int) string {
	if value.Column == "*" {
		return ""
	}
	for k := j - 1; k >= i; k-- {
		if p.nameable(k, j) && p.identifier(k) == value.Column {
			return p.alias(k)
		}
	}
	return value.Column
}

// postgresTypeName is the name under which Postgres knows a type.
func postgresTypeName(name string) string {
	switch name {
	case "int", "integer":
		return "int4"
	case "bigint":
		return "int8"
	case "boolean":
		return "bool"
	case "double precision", "float":
		return "float8"
	case "decimal":
		return "numeric"
	case "character varying":
		return "varchar"
	}
	return name
}

// returning reads RETURNING, or OUTPUT up to its INTO.
func (p *parser) returning(s *Statement, c clause) {
	s.HasReturning = true
	s.Returning = append(s.Returning, p.projectionList(c.body, c.end)...)
}
