package sql

import "strings"

func upper(text string) string { return strings.ToUpper(text) }

// from reads the items of FROM, USING and UPDATE and the conditions of their joins.
func (p *parser) from(s *Statement, i, j int) {
	if !p.enter() {
		return
	}
	defer p.leave()
	for i < j {
		end := p.find(i, j, p.separatesTables)
		p.fromItem(s, i, end)
		i = end + 1
	}
}

// separatesTables reports whether token k stands between two items. The words before
// JOIN are no aliases and drop out as what follows an item.
func (p *parser) separatesTables(k int) bool {
	return p.punctuation(k, ',') || p.isAny(k, "JOIN", "STRAIGHT_JOIN", "APPLY")
}

func (p *parser) fromItem(s *Statement, i, j int) {
	for i < j && p.isAny(i, "LATERAL", "ONLY", "TABLE") {
		if p.is(i, "TABLE") && !p.punctuation(i+1, '(') {
			break
		}
		i++
	}
	if i >= j {
		return
	}
	if p.punctuation(i, '(') {
		p.bracketedItem(s, i, j)
		return
	}
	table, next := p.tableName(i, j)
	if next == i {
		return
	}
	if from, to, ok := p.group(next, j); ok && !p.isHint(next, j) {
		table.Function = true
		table.Name = strings.ToLower(table.Name)
		table.Args = p.valuesOf(p.list(from, to))
		next = to + 1
	}
	p.afterItem(s, &table, next, j)
	s.From = append(s.From, table)
}

// bracketedItem reads (SELECT …) alias, ROWS in brackets, or a join in brackets.
func (p *parser) bracketedItem(s *Statement, i, j int) {
	from, to, ok := p.group(i, j)
	if !ok {
		return
	}
	for p.punctuation(from, '(') && p.tokens[from].match == to-1 && from < to {
		from, to = from+1, to-1
	}
	next := p.next(i)
	if !p.startsQuery(from, to) && !p.is(from, "TABLE") && !p.startsWithBracketedQuery(from, to) {
		p.from(s, from, to)
		p.afterItem(s, &TableName{}, next, j)
		return
	}
	table := TableName{Subquery: p.statement(from, to)}
	table.Start, table.End = p.span(i, next)
	p.afterItem(s, &table, next, j)
	s.From = append(s.From, table)
}

// startsWithBracketedQuery tells (SELECT …) UNION … from (a JOIN b) JOIN c.
func (p *parser) startsWithBracketedQuery(i, j int) bool {
	if _, _, ok := p.group(i, j); !ok {
		return false
	}
	next := p.next(i)
	return next >= j || p.isAny(next, "UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT")
}

// afterItem reads alias, hints and join condition behind an item.
func (p *parser) afterItem(s *Statement, table *TableName, i, j int) {
	if p.is(i, "AS") && i+1 < j {
		i++
		table.Alias = p.identifier(i)
		i++
	} else if p.isAlias(i, j) {
		table.Alias = p.identifier(i)
		i++
	}
	for k := i; k < j; k = p.next(k) {
		switch {
		case p.is(k, "ON"):
			end := p.joinEnd(k+1, j)
			if on := p.predicate(k+1, end); on != nil {
				s.JoinOn = append(s.JoinOn, on)
			}
			return
		case p.isHint(k, j):
			p.hints(s, k)
		case p.is(k, "WITH"):
			p.hints(s, k+1)
		}
	}
}

// joinEnd drops LEFT OUTER and the like, which belong to the JOIN that follows.
func (p *parser) joinEnd(i, j int) int {
	for j > i && p.isAny(j-1, "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER", "NATURAL") {
		j--
	}
	return j
}

func (p *parser) isAlias(i, j int) bool {
	if i >= j {
		return false
	}
	if p.tokens[i].kind == nameToken {
		return true
	}
	return p.tokens[i].kind == wordToken && !p.isAny(i,
		"ON", "USING", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER", "NATURAL", "WITH", "TABLESAMPLE", "USE", "FORCE",
		"IGNORE", "PARTITION", "SET", "WHEN", "FOR", "ORDINALITY", "DEFAULT", "VALUES", "SELECT", "OVERRIDING", "LIMIT")
}

// isHint tells SQL Server's t (NOLOCK) from a function call.
func (p *parser) isHint(i, j int) bool {
	from, to, ok := p.group(i, j)
	return ok && p.dialect == SQLServer && from < to &&
		p.isAny(from, "NOLOCK", "UPDLOCK", "READPAST", "ROWLOCK", "XLOCK", "HOLDLOCK", "TABLOCK", "TABLOCKX", "SERIALIZABLE")
}

func (p *parser) hints(s *Statement, open int) {
	if !p.punctuation(open, '(') {
		return
	}
	for k := open + 1; k < p.tokens[open].match; k++ {
		s.Lock.ForUpdate = s.Lock.ForUpdate || p.isAny(k, "UPDLOCK", "XLOCK", "TABLOCKX")
		s.Lock.SkipLocked = s.Lock.SkipLocked || p.is(k, "READPAST")
		s.Lock.NoWait = s.Lock.NoWait || p.is(k, "NOWAIT")
	}
}
