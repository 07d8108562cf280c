package main

import (
	"io"
	"strings"
	"unicode"
)

// verbs says what the name of an operation tells about its effect. Keys are
// whole operation names or their first word, in lower case.
type verbs map[string]verdict

func readVerbs(file string, in io.Reader) (verbs, error) {
	records, err := readTable(file, in, "verb", "kind", "impact", "flags", "note")
	if err != nil {
		return nil, err
	}
	table := make(verbs, len(records))
	for _, rec := range records {
		verb := strings.ToLower(rec.get("verb"))
		if verb == "" {
			return nil, rec.errorf("no verb")
		}
		if _, twice := table[verb]; twice {
			return nil, rec.errorf("verb %q is there twice", verb)
		}
		v, err := verdictOf(rec, "verb")
		if err != nil {
			return nil, err
		}
		table[verb] = v
	}
	return table, nil
}

// lookup finds the verdict for a whole operation name, else for its first word.
func (t verbs) lookup(operation string) (verdict, bool) {
	if v, ok := t[strings.ToLower(operation)]; ok {
		return v, true
	}
	v, ok := t[firstWord(operation)]
	return v, ok
}

// firstWord returns the first word of a camelCase or snake_case name in lower
// case: getAllRows gives get.
func firstWord(name string) string {
	for i, r := range name {
		if i > 0 && (unicode.IsUpper(r) || r == '_' || r == '-' || r == ':') {
			return strings.ToLower(name[:i])
		}
	}
	return strings.ToLower(name)
}
