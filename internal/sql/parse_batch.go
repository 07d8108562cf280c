package sql

// batchEnd finds where the T-SQL statement at i ends: statements may follow each
// other without a semicolon.
func (p *parser) batchEnd(i, j int) int {
	if p.is(i, "IF") {
		return p.conditionalEnd(i, j)
	}
	state := batchState{verb: i}
	for k := p.next(i); k < j; k = p.next(k) {
		if p.punctuation(k, ';') || p.startsNext(&state, k) {
			return k
		}
	}
	return j
}

// batchState remembers what the current statement may still contain.
type batchState struct {
	verb   int  // index of its first word, or of the main one behind WITH
	main   bool // behind WITH, the main verb was seen
	source bool // INSERT: VALUES, SELECT or EXEC was seen
	set    bool // UPDATE: SET was seen
}

func (p *parser) startsNext(state *batchState, k int) bool {
	if !p.isAny(k, "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "DECLARE", "SET", "EXEC", "EXECUTE", "IF", "BEGIN", "COMMIT", "ROLLBACK", "PRINT", "RETURN", "VALUES", "DEFAULT", "END", "ELSE") {
		return false
	}
	if p.is(state.verb, "WITH") && !state.main && p.isAny(k, "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE") {
		state.verb, state.main = k, true
		return false
	}
	previous := k - 1
	switch {
	case p.isAny(previous, "UNION", "ALL", "EXCEPT", "INTERSECT", "THEN", "FOR", "AS", "ON", "DEFAULT"):
		return false
	case p.isAny(k, "VALUES", "DEFAULT"):
		state.source = true
		return false
	case p.is(state.verb, "INSERT") && p.isAny(k, "SELECT", "EXEC", "EXECUTE") && !state.source:
		state.source = true
		return false
	case p.isAny(state.verb, "UPDATE", "MERGE") && p.is(k, "SET") && (!state.set || p.is(state.verb, "MERGE")):
		state.set = true
		return false
	}
	return true
}

// conditionalEnd finds the end of IF … [ELSE …].
func (p *parser) conditionalEnd(i, j int) int {
	end := p.branchEnd(p.conditionEnd(i+1, j), j)
	if other := p.otherBranch(end, j); other < j {
		return p.branchEnd(other, j)
	}
	return end
}

// otherBranch is the index behind the ELSE that follows a branch, or j.
func (p *parser) otherBranch(i, j int) int {
	if p.punctuation(i, ';') {
		i++
	}
	if i < j && p.is(i, "ELSE") {
		return i + 1
	}
	return j
}

// conditionEnd is where the branch behind the condition of IF begins.
func (p *parser) conditionEnd(i, j int) int {
	return p.find(i, j, func(k int) bool {
		return p.isAny(k, "BEGIN", "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "EXEC", "EXECUTE", "SET", "RETURN", "PRINT", "THROW", "RAISERROR")
	})
}

// branchEnd is the end of BEGIN … END or of one statement.
func (p *parser) branchEnd(i, j int) int {
	if i >= j {
		return j
	}
	if !p.is(i, "BEGIN") {
		return p.batchEnd(i, j)
	}
	return min(p.blockEnd(i, j)+1, j)
}

// blockEnd is the index of the END that closes the BEGIN at i.
func (p *parser) blockEnd(i, j int) int {
	depth := 0
	for k := i; k < j; k = p.next(k) {
		switch {
		case p.is(k, "BEGIN") && !p.isAny(k+1, "TRAN", "TRANSACTION"):
			depth++
		case p.is(k, "END"):
			depth--
			if depth == 0 {
				return k
			}
		}
	}
	return j
}

// conditional reads IF condition branch [ELSE branch] from behind IF.
func (p *parser) conditional(s *Statement, i, j int) {
	branch := p.conditionEnd(i, j)
	s.Where = p.predicate(i, branch)
	for branch < j {
		end := p.branchEnd(branch, j)
		if p.is(branch, "BEGIN") {
			s.Body = append(s.Body, p.statements(branch+1, p.blockEnd(branch, j))...)
		} else {
			s.Body = append(s.Body, p.statements(branch, end)...)
		}
		branch = p.otherBranch(end, j)
	}
}
