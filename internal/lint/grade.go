package lint

import "github.com/n8nlint/n8nlint/internal/catalog"

// grades is the table of RULES.md, section Severity: what is repeated, and what
// repeats it. A missing cell is no finding.
var grades = map[catalog.Impact]map[catalog.Class]Severity{
	catalog.Money: {
		catalog.Event: Error, catalog.Form: Error, catalog.Poll: Warning, catalog.Schedule: Warning, catalog.Called: Warning,
	},
	catalog.Message: {
		catalog.Event: Warning, catalog.Form: Warning, catalog.Poll: Note, catalog.Schedule: Note, catalog.Called: Note,
	},
	catalog.Record: {
		catalog.Event: Warning, catalog.Form: Note, catalog.Poll: Note, catalog.Called: Note,
	},
	catalog.Notice: {
		catalog.Event: Note, catalog.Form: Note, catalog.Poll: Note,
	},
}

// Grade is the severity of an effect that nothing protects; ok is false where a
// repeat is not worth a finding.
func Grade(impact catalog.Impact, class catalog.Class) (s Severity, ok bool) {
	s, ok = grades[impact][class]
	return s, ok
}

// Lower is one grade less, Note at the least.
func (s Severity) Lower() Severity { return max(s-1, Note) }
