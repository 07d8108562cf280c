package sql

// ddl reads CREATE TABLE, CREATE UNIQUE INDEX, ALTER TABLE and DROP TABLE; of other
// definitions only the verb is known.
func (p *parser) ddl(s *Statement, i, j int) {
	verb := i
	i++
	unique := false
	for i < j && p.isAny(i, "OR", "REPLACE", "TEMP", "TEMPORARY", "UNLOGGED", "GLOBAL", "LOCAL", "TRANSIENT", "EXTERNAL", "UNIQUE", "CLUSTERED", "NONCLUSTERED") {
		unique = unique || p.is(i, "UNIQUE")
		i++
	}
	switch {
	case p.is(verb, "CREATE") && p.is(i, "TABLE"):
		p.createTable(s, p.skipExists(i+1, j), j)
	case p.is(verb, "CREATE") && p.is(i, "INDEX"):
		p.createIndex(s, i+1, j, unique)
	case p.is(verb, "ALTER") && p.is(i, "TABLE"):
		p.alterTable(s, p.skipExists(i+1, j), j)
	case p.is(verb, "DROP") && p.is(i, "TABLE"):
		p.tableList(s, p.skipExists(i+1, j), j)
	}
}

// skipExists steps over IF [NOT] EXISTS and ONLY.
func (p *parser) skipExists(i, j int) int {
	for i < j && p.isAny(i, "IF", "NOT", "EXISTS", "ONLY") {
		i++
	}
	return i
}

func (p *parser) createTable(s *Statement, i, j int) {
	table, next := p.tableName(i, j)
	s.Table = table
	s.CreateTable = &CreateTable{Table: table}
	if from, to, ok := p.group(next, j); ok && !p.startsQuery(from, to) {
		for _, part := range p.list(from, to) {
			p.tableElement(s.CreateTable, part[0], part[1])
		}
		next = to + 1
	}
	if as := p.findWord(next, j, "AS"); as < j {
		s.InsertSelect = p.statement(as+1, j)
	}
}

// tableElement reads one column or one constraint of a table.
func (p *parser) tableElement(create *CreateTable, i, j int) {
	if p.is(i, "CONSTRAINT") {
		i += 2
	}
	if i >= j || p.isAny(i, "CHECK", "FOREIGN", "EXCLUDE", "LIKE", "PERIOD", "INDEX", "FULLTEXT", "SPATIAL") {
		return
	}
	if p.isUnique(i, j) && !p.isColumnOfThatName(i, j) || p.is(i, "KEY") && p.keyColumns(i, j) < j {
		p.uniqueConstraint(create, i, j)
		return
	}
	if !p.nameable(i, j) {
		return
	}
	column := p.columnName(i, i+1)
	create.Columns = append(create.Columns, column)
	inline := p.find(i+1, j, func(k int) bool { return p.isUnique(k, j) })
	if inline < j && !p.is(inline-1, "REFERENCES") {
		create.Unique = append(create.Unique, []string{column.Name})
	}
}

// isUnique reports whether UNIQUE or PRIMARY KEY stands at i.
func (p *parser) isUnique(i, j int) bool {
	return p.is(i, "UNIQUE") || p.words(i, j, "PRIMARY", "KEY")
}

// isColumnOfThatName is true for a column called unique, which has a type behind it.
func (p *parser) isColumnOfThatName(i, j int) bool { return p.keyColumns(i, j) >= j }

// keyColumns is the index of the bracket of a key's columns.
func (p *parser) keyColumns(i, j int) int {
	return p.find(i, j, func(k int) bool { return p.punctuation(k, '(') })
}

func (p *parser) uniqueConstraint(create *CreateTable, i, j int) {
	if p.is(i, "KEY") { // MySQL's plain index
		return
	}
	if from, to, ok := p.group(p.keyColumns(i, j), j); ok {
		create.Unique = append(create.Unique, columnsToNames(p.columnNames(from, to)))
	}
}

// createIndex reads CREATE INDEX from behind INDEX; only a unique one is of interest.
func (p *parser) createIndex(s *Statement, i, j int, unique bool) {
	on := p.findWord(i, j, "ON")
	table, next := p.tableName(p.skipExists(min(on+1, j), j), j)
	s.Table = table
	from, to, ok := p.group(p.keyColumns(next, j), j)
	if !unique || !ok {
		return
	}
	s.CreateTable = &CreateTable{Table: table}
	columns := columnsToNames(p.columnNames(from, to))
	if p.findWord(to, j, "WHERE") < j {
		s.CreateTable.PartialUnique = [][]string{columns}
		return
	}
	s.CreateTable.Unique = [][]string{columns}
}

// alterTable reads ADD UNIQUE, ADD PRIMARY KEY and ADD COLUMN.
func (p *parser) alterTable(s *Statement, i, j int) {
	table, next := p.tableName(i, j)
	s.Table = table
	create := &CreateTable{Table: table}
	for _, part := range p.list(next, j) {
		at := part[0]
		if !p.is(at, "ADD") {
			continue
		}
		at++
		if p.is(at, "COLUMN") {
			at++
		}
		p.tableElement(create, p.skipExists(at, part[1]), part[1])
	}
	if len(create.Columns)+len(create.Unique) > 0 {
		s.CreateTable = create
	}
}
