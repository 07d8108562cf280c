package guard

import "slices"

// Unwritten is a state that a statement asks for and that nothing in the run
// writes.
type Unwritten struct {
	Row   *RowAccess
	State State
	// Written are the states that the run writes into the column.
	Written []string
	Claim   *Taken
}

// UnwrittenStates finds the guards and sweeps of the workflow that wait for a
// state that never comes. It needs a claim of the run that fills the table, and
// every value that the run writes into the column.
func (f *Facts) UnwrittenStates() (list []Unwritten) {
	for _, a := range f.rows {
		if a.Verb != UpdatesRows && !f.isSweep(a) || !f.Reached(a.Node) {
			continue
		}
		claims := f.ClaimsIn(a.Target)
		if len(claims) == 0 {
			continue
		}
		for _, column := range columnsOf(a.Asks) {
			asked := positive(a.Asks, column)
			written, complete := f.writtenTo(a, column)
			if len(asked) == 0 || !complete || slices.ContainsFunc(asked, func(s State) bool { return !s.Known || slices.Contains(written, s.Text) }) {
				continue
			}
			list = append(list, Unwritten{Row: a, State: asked[0], Written: written, Claim: claims[0]})
		}
	}
	return list
}

func (f *Facts) isSweep(a *RowAccess) bool {
	_, scheduled := f.scheduled(a.Node)
	return scheduled && a.Verb == ReadsRows && !a.Keyed
}

func columnsOf(states []State) (list []string) {
	for _, s := range states {
		if says(s.Column, stateWord) && !slices.Contains(list, s.Column) {
			list = append(list, s.Column)
		}
	}
	return list
}

func positive(asks []State, column string) (list []State) {
	for _, s := range asks {
		if s.Column == column && !s.Negated {
			list = append(list, s)
		}
	}
	return list
}

// writtenTo are the states that the run writes into a column of a table; complete
// is false where one of them is not known, or rows are made without one.
func (f *Facts) writtenTo(a *RowAccess, column string) (texts []string, complete bool) {
	made := false
	for _, other := range f.RowsIn(a.Target) {
		if other.Verb == ReadsRows || other.Verb == DeletesRows {
			continue
		}
		writes := positive(other.Writes, column)
		makes := other.Verb != UpdatesRows
		if other.Open || makes && len(writes) == 0 {
			return nil, false
		}
		made = made || makes
		for _, s := range writes {
			if !s.Known {
				return nil, false
			}
			texts = append(texts, s.Text)
		}
	}
	return texts, made
}
