package sql

// insert reads INSERT and REPLACE from behind the verb.
func (p *parser) insert(s *Statement, i, j int) {
	i = p.insertModifiers(s, i, j)
	table, next := p.tableName(i, j)
	s.Table = table
	i = p.insertAlias(s, next, j)
	if p.is(i, "WITH") && p.punctuation(i+1, '(') && i+1 < j { // hints of SQL Server
		p.hints(s, i+1)
		i = p.next(i + 1)
	}
	if from, to, ok := p.group(i, j); ok && !p.startsQuery(from, to) {
		s.Columns = p.columnNames(from, to)
		i = to + 1
	}
	for i < j && p.isAny(i, "OVERRIDING", "SYSTEM", "USER", "VALUE", "PARTITION") {
		i = p.next(i)
	}
	if p.is(i, "OUTPUT") {
		i = p.output(s, i, j)
	}
	source := i
	end := p.find(i, j, func(k int) bool {
		return p.words(k, j, "ON", "CONFLICT") || p.words(k, j, "ON", "DUPLICATE") || p.is(k, "RETURNING")
	})
	p.insertSource(s, source, end)
	p.insertTail(s, end, j)
}

func (p *parser) insertModifiers(s *Statement, i, j int) int {
	for i < j {
		switch {
		case p.is(i, "IGNORE"):
			s.Ignore = true
		case p.words(i, j, "OR", "IGNORE"):
			s.Ignore = true
			i++
		case p.words(i, j, "OR", "REPLACE"):
			s.Verb = Replace
			i++
		case p.is(i, "OR"):
			i++
		case p.isAny(i, "INTO", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "OVERWRITE"):
		case p.is(i, "TABLE") && p.nameable(i+1, j):
		default:
			return i
		}
		i++
	}
	return i
}

func (p *parser) insertAlias(s *Statement, i, j int) int {
	switch {
	case p.is(i, "AS") && p.nameable(i+1, j):
		s.Table.Alias = p.identifier(i + 1)
		return i + 2
	case p.isAlias(i, j) && !p.isAny(i, "OUTPUT", "EXEC", "EXECUTE", "AS", "TABLE", "ON", "RETURNING", "VALUE") && p.dialect == Postgres:
		s.Table.Alias = p.identifier(i)
		return i + 1
	}
	return i
}

// output reads SQL Server's OUTPUT before VALUES, SELECT, FROM or WHERE.
func (p *parser) output(s *Statement, i, j int) int {
	end := p.find(i+1, j, func(k int) bool { return p.isAny(k, "VALUES", "SELECT", "DEFAULT", "INTO", "EXEC", "WITH") })
	p.returning(s, clause{start: i, body: i + 1, end: end})
	if !p.is(end, "INTO") || end >= j {
		return end
	}
	return p.find(end, j, func(k int) bool { return p.isAny(k, "VALUES", "SELECT", "DEFAULT", "EXEC", "WITH") })
}

func (p *parser) insertSource(s *Statement, i, j int) {
	switch {
	case i >= j:
	case p.isAny(i, "VALUES", "VALUE"):
		s.Rows = p.rows(i+1, p.find(i+1, j, p.endsRows))
	case p.words(i, j, "DEFAULT", "VALUES"):
		s.DefaultRow = true
	case p.is(i, "SET"): // MySQL's INSERT … SET a = 1
		p.insertSet(s, i+1, p.findWord(i+1, j, "AS"))
	case p.startsQuery(i, j), p.is(i, "TABLE"), p.punctuation(i, '('):
		s.InsertSelect = p.statement(i, j)
	}
}

func (p *parser) insertSet(s *Statement, i, j int) {
	var row []Value
	for _, assignment := range p.assignments(i, j) {
		s.Columns = append(s.Columns, Column{Name: assignment.Column, Start: assignment.Start, End: assignment.End, Dynamic: assignment.Dynamic})
		row = append(row, assignment.Value)
	}
	s.Rows = [][]Value{row}
}

// endsRows reports whether token k ends a list of rows.
func (p *parser) endsRows(k int) bool {
	return p.isAny(k, "ON", "RETURNING", "AS", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION", "EXCEPT", "INTERSECT")
}

// rows reads (…), (…); a placeholder or interpolation in place of a row is a row of
// one value.
func (p *parser) rows(i, j int) [][]Value {
	var rows [][]Value
	for _, part := range p.list(i, j) {
		at := part[0]
		if p.is(at, "ROW") {
			at++
		}
		from, to, ok := p.group(at, part[1])
		if !ok {
			rows = append(rows, []Value{p.value(at, part[1])})
			continue
		}
		rows = append(rows, p.valuesOf(p.list(from, to)))
	}
	return rows
}

func (p *parser) insertTail(s *Statement, i, j int) {
	returning := p.findWord(i, j, "RETURNING")
	if returning < j {
		p.returning(s, clause{start: returning, body: returning + 1, end: j})
	}
	switch {
	case p.words(i, returning, "ON", "CONFLICT"):
		s.Conflict = p.conflict(i, returning)
	case p.words(i, returning, "ON", "DUPLICATE"):
		update := p.findWord(i, returning, "UPDATE")
		s.DuplicateKey = p.assignments(min(update+1, returning), returning)
	}
}

// conflict reads ON CONFLICT … DO …. Without its DO it is cut off.
func (p *parser) conflict(i, j int) *Conflict {
	conflict := &Conflict{}
	conflict.Start, conflict.End = p.span(i, j)
	i += 2
	do := p.findWord(i, j, "DO")
	if from, to, ok := p.group(i, do); ok {
		conflict.Columns = columnsToNames(p.columnNames(from, to))
		if p.is(to+1, "WHERE") {
			conflict.TargetWhere = p.predicate(to+2, do)
		}
	} else if p.words(i, do, "ON", "CONSTRAINT") && p.nameable(i+2, do) {
		conflict.Constraint = p.identifier(i + 2)
	}
	if !p.words(do, j, "DO", "UPDATE") {
		return conflict
	}
	conflict.Action = DoUpdate
	where := p.findWord(do, j, "WHERE")
	set := p.findWord(do, where, "SET")
	conflict.Assignments = p.assignments(min(set+1, where), where)
	conflict.Where = p.predicate(min(where+1, j), j)
	return conflict
}

// assignments reads a = 1, (b, c) = (2, 3), (d, e) = (SELECT …).
func (p *parser) assignments(i, j int) []Assignment {
	var found []Assignment
	for _, part := range p.list(i, j) {
		found = append(found, p.assignment(part[0], part[1])...)
	}
	return found
}

func (p *parser) assignment(i, j int) []Assignment {
	start, end := p.span(i, j)
	equals := p.find(i, j, func(k int) bool { return p.operator(k, "=") || p.operator(k, ":=") })
	if equals >= j {
		return []Assignment{{Value: p.value(i, j), Dynamic: true, Start: start, End: end}}
	}
	if from, to, ok := p.group(i, equals); ok {
		return p.rowAssignment(p.columnNames(from, to), equals+1, j)
	}
	column := p.columnName(i, equals)
	return []Assignment{{Column: column.Name, Dynamic: column.Dynamic, Value: p.value(equals+1, j), Start: start, End: end}}
}

func (p *parser) rowAssignment(columns []Column, i, j int) []Assignment {
	value := p.value(i, j)
	values := value.Args
	if value.Kind != CallValue && !isRow(value) || value.Kind == CallValue && value.Call != "row" {
		values = nil
	}
	var found []Assignment
	for k, column := range columns {
		assignment := Assignment{Column: column.Name, Dynamic: column.Dynamic, Value: value, Start: column.Start, End: column.End}
		if k < len(values) {
			assignment.Value = values[k]
		}
		found = append(found, assignment)
	}
	return found
}

// update reads UPDATE from behind the verb.
func (p *parser) update(s *Statement, i, j int) {
	for i < j {
		switch {
		case p.is(i, "TOP") && i+1 < j:
			s.Limit = true
			i = p.next(i+1) - 1
		case p.is(i, "IGNORE"):
			s.Ignore = true
		case p.is(i, "OR"):
			i++
		case p.isAny(i, "LOW_PRIORITY", "ONLY"):
		default:
			p.updateClauses(s, i, j)
			return
		}
		i++
	}
}

func (p *parser) updateClauses(s *Statement, i, j int) {
	clauses := p.clauses(i, j)
	p.targets(s, i, headEnd(clauses, j))
	for _, c := range joinClauses(clauses) {
		switch c.keyword {
		case "SET":
			s.Assignments = p.assignments(c.body, c.end)
		case "FROM":
			p.from(s, c.body, c.end)
		default:
			p.commonClause(s, c)
		}
	}
	s.resolveTarget()
}

// targets reads what stands between the verb and its clauses: the first table is
// the target, MySQL's joined tables are read as well.
func (p *parser) targets(s *Statement, i, j int) {
	p.from(s, i, j)
	if len(s.From) == 0 {
		return
	}
	s.Table = s.From[0]
	s.From = s.From[1:]
	if len(s.From) == 0 {
		s.From = nil
	}
}

// resolveTarget: UPDATE t SET … FROM task t and DELETE t FROM task t name an alias.
func (s *Statement) resolveTarget() {
	if s.dialect == Postgres {
		return
	}
	for _, table := range s.From {
		if table.Alias != "" && table.Alias == s.Table.Name && s.Table.Schema == "" {
			s.Table = table
			return
		}
	}
}

// delete reads DELETE from behind the verb.
func (p *parser) delete(s *Statement, i, j int) {
	for i < j && (p.isAny(i, "TOP", "LOW_PRIORITY", "QUICK", "IGNORE", "ONLY") || p.punctuation(i, '(')) {
		s.Limit = s.Limit || p.is(i, "TOP")
		s.Ignore = s.Ignore || p.is(i, "IGNORE")
		if p.is(i, "TOP") && p.tokens[min(i+1, j-1)].kind == numberToken {
			i++
		}
		i = p.next(i)
	}
	clauses := p.clauses(i, j)
	if head := headEnd(clauses, j); head > i {
		p.targets(s, i, head)
	}
	for _, c := range clauses {
		switch {
		case c.keyword == "FROM" && s.Table.Name == "" && s.Table.Subquery == nil:
			p.targets(s, c.body, c.end)
		case c.keyword == "FROM", c.keyword == "USING":
			p.from(s, c.body, c.end)
		default:
			p.commonClause(s, c)
		}
	}
	s.resolveTarget()
}

// merge reads MERGE from behind the verb.
func (p *parser) merge(s *Statement, i, j int) {
	for i < j && p.isAny(i, "INTO", "ONLY") {
		i++
	}
	using := p.findWord(i, j, "USING")
	p.targets(s, i, using)
	when := p.find(min(using+1, j), j, func(k int) bool { return p.is(k, "WHEN") })
	on := p.findWord(min(using+1, j), when, "ON")
	p.from(s, min(using+1, on), on)
	s.MergeOn = p.predicate(min(on+1, when), when)
	p.mergeBranches(s, when, j)
}

func (p *parser) mergeBranches(s *Statement, i, j int) {
	for i < j {
		switch {
		case p.is(i, "RETURNING"), p.is(i, "OUTPUT"):
			end := p.findWord(i, j, "OPTION")
			p.returning(s, clause{start: i, body: i + 1, end: end})
			return
		case p.is(i, "WHEN"):
			end := p.find(i+1, j, func(k int) bool { return p.isAny(k, "WHEN", "RETURNING", "OUTPUT") })
			p.mergeBranch(s, p.findWord(i, end, "THEN")+1, end)
			i = end
		default:
			i = p.next(i)
		}
	}
}

func (p *parser) mergeBranch(s *Statement, i, j int) {
	switch {
	case i >= j:
	case p.is(i, "UPDATE"):
		set := p.findWord(i, j, "SET")
		s.Assignments = append(s.Assignments, p.assignments(min(set+1, j), j)...)
	case p.is(i, "INSERT"):
		at := i + 1
		if from, to, ok := p.group(at, j); ok {
			s.Columns = p.columnNames(from, to)
			at = to + 1
		}
		if values := p.findWord(at, j, "VALUES"); values < j {
			s.Rows = p.rows(values+1, j)
		}
	}
}

// truncate reads the tables of TRUNCATE.
func (p *parser) truncate(s *Statement, i, j int) {
	for i < j && p.isAny(i, "TABLE", "ONLY", "IF", "EXISTS") {
		i++
	}
	p.tableList(s, i, j)
}

func (p *parser) tableList(s *Statement, i, j int) {
	for k, part := range p.list(i, j) {
		at := part[0]
		if p.is(at, "ONLY") {
			at++
		}
		table, _ := p.tableName(at, part[1])
		if k == 0 {
			s.Table = table
			continue
		}
		s.Targets = append(s.Targets, table)
	}
}

// callStatement reads CALL name(…) and EXEC name @a = 1, 2.
func (p *parser) callStatement(s *Statement, i, j int) {
	if p.isAny(i, "PROCEDURE", "IMMEDIATE") {
		i++
	}
	if p.operator(i+1, "=") && i < j && p.tokens[i].kind == placeholderToken { // EXEC @result = name
		i += 2
	}
	table, next := p.tableName(i, j)
	table.Function = true
	s.Table = table
	if from, to, ok := p.group(next, j); ok {
		s.CallArgs = p.valuesOf(p.list(from, to))
		return
	}
	for _, part := range p.list(next, j) {
		at := part[0]
		if p.operator(at+1, "=") && at+2 < part[1] {
			at += 2
		}
		s.CallArgs = append(s.CallArgs, p.value(at, part[1]))
	}
}
