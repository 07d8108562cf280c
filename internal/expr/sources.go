package expr

import (
	_ "embed"
	"strings"
	"sync"
)

// sourcesTable lists what code can read that is neither its items nor made of
// them. Columns: name; form (value: a global or a member; tree: an object, every
// member of which counts; call: a function; call0, new0: a function or
// constructor without arguments; method: a method of any value); kind; type; source.
//
//go:embed sources.tsv
var sourcesTable string

type sourceKey struct{ form, name string }

type knownSource struct {
	kind OriginKind
	typ  string
}

var sources = sync.OnceValue(func() map[sourceKey]knownSource {
	table := map[sourceKey]knownSource{}
	kinds := map[string]OriginKind{
		"volatile": OriginVolatile, "stable": OriginStable, "model": OriginModel, "environment": OriginEnvironment,
	}
	for i, line := range strings.Split(sourcesTable, "\n") {
		columns := strings.Split(line, "\t")
		if i == 0 || len(columns) < 5 {
			continue
		}
		table[sourceKey{columns[1], columns[0]}] = knownSource{kind: kinds[columns[2]], typ: columns[3]}
	}
	return table
})

func findSource(form, name string) (knownSource, bool) {
	found, ok := sources()[sourceKey{form, name}]
	return found, ok
}

// valueOfSource is a value of a source's type; what n8n or the language always
// gives is truthy.
func (s knownSource) value(origin Origin) Value {
	var v Value
	switch s.typ {
	case "string":
		v = NonEmptyString()
	case "number":
		v = NumberBetween(0, SomeNumber().high)
	case "boolean":
		v = SomeBool()
	case "object":
		v = Value{truthy: true}
	}
	return v.WithOrigins(origin)
}
