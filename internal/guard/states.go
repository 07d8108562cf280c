package guard

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/states.tsv
var statesTSV string

// StateRole is what a state says of the work on its row.
type StateRole int

const (
	// OtherState is a state of which the words say nothing.
	OtherState StateRole = iota
	// OpenState says that the work waits or is under way.
	OpenState
	// DoneState says that the effect was accepted.
	DoneState
	// ReviewState says that the outcome is unknown or a failure, and a person decides.
	ReviewState
)

var stateWords = sync.OnceValue(func() map[StateRole][]string {
	roles := map[string]StateRole{"open": OpenState, "done": DoneState, "review": ReviewState}
	m := map[StateRole][]string{}
	for _, f := range catalog.Rows(statesTSV) {
		m[roles[f[0]]] = append(m[roles[f[0]]], " "+f[1]+" ")
	}
	return m
})

// RoleOf is the role of a state by its words. Words of review decide before all
// others, so that "failed to be sent" is no success; of the rest the longest do,
// so that "to be sent" is none either.
func RoleOf(state string) StateRole {
	text := " " + strings.Join(catalog.Words(state), " ") + " "
	if longest(text, ReviewState) > 0 {
		return ReviewState
	}
	done, open := longest(text, DoneState), longest(text, OpenState)
	switch {
	case done == 0 && open == 0:
		return OtherState
	case open > done:
		return OpenState
	}
	return DoneState
}

// longest is the length of the longest words of a role in a text, 0 for none.
func longest(text string, role StateRole) (length int) {
	for _, w := range stateWords()[role] {
		if strings.Contains(text, w) {
			length = max(length, strings.Count(w, " "))
		}
	}
	return length
}

// flagRole is the role that a column of its own stands for when it is set, such
// as sent or done_at; OtherState for ordinary columns.
func flagRole(column string) StateRole {
	if role := RoleOf(column); role == DoneState || role == ReviewState {
		return role
	}
	return OtherState
}

// holdsState reports whether a column tells how far the work on its row is.
func holdsState(column string) bool { return says(column, stateWord) || flagRole(column) != OtherState }

// State is a state that is written into a column, or asked of it.
type State struct {
	Column string
	// Text is the state as it is known from the file; Known is false where it is
	// made when the workflow runs.
	Text  string
	Known bool
	// Negated: the condition wants any other state.
	Negated bool
	Role    StateRole
	// At is the text that holds the state.
	At source.Span
}

// stateOf judges a text in a column. A column that is a state by itself is set by
// anything but false, null and nothing; set says whether that is certain.
func stateOf(column, text string, known, set bool) State {
	s := State{Column: column, Text: text, Known: known}
	switch {
	case says(column, stateWord):
		if known {
			s.Role = RoleOf(text)
		}
	case known && unset(text):
		s.Role = OpenState
	case known || set:
		s.Role = flagRole(column)
	}
	return s
}

func unset(text string) bool {
	switch strings.ToLower(text) {
	case "", "false", "0", "null", "no", "n":
		return true
	}
	return false
}
