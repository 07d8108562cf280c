package httpcall

import (
	"fmt"
	"strings"
)

// answer is a truth value with a third case for what the text does not show.
type answer int

const (
	no answer = iota
	maybe
	yes
)

func (a answer) not() answer { return yes - a }

// condition is what a row asks of a request beyond method and address. All of its terms have to hold.
type condition []term

// term is written "place:name", "place:name=value|value", "place:name~token|token", "bodyname:word|word" (a part of the
// name of a body field at any depth) or "mutation:field|@directive" (of the GraphQL document; fields may have "*");
// a leading "!" turns it round. Places: header, query, body, param (query or body).
type term struct {
	negated bool
	place   string
	name    string
	// operator is 0 (present), '=' (equal) or '~' (a token of a comma, semicolon or space separated list).
	operator byte
	values   []string
}

func parseCondition(s string) (condition, error) {
	if s == "" {
		return nil, nil
	}
	var all condition
	for _, text := range strings.Split(s, " & ") {
		t, err := parseTerm(text)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func parseTerm(s string) (term, error) {
	var t term
	rest, negated := strings.CutPrefix(s, "!")
	t.negated = negated
	place, rest, found := strings.Cut(rest, ":")
	if !found || rest == "" {
		return t, fmt.Errorf("condition %q: want place:name", s)
	}
	t.place, t.name = place, rest
	switch place {
	case "bodyname", "mutation":
		t.values = strings.Split(rest, "|")
		return t, nil
	case "header", "query", "body", "param":
	default:
		return t, fmt.Errorf("condition %q: unknown place %q", s, place)
	}
	if i := strings.IndexAny(rest, "=~"); i > 0 {
		t.name, t.operator, t.values = rest[:i], rest[i], strings.Split(rest[i+1:], "|")
	}
	return t, nil
}

func (c condition) holds(v view) answer {
	result := yes
	for _, t := range c {
		result = min(result, t.holds(v))
	}
	return result
}

func (t term) holds(v view) answer {
	result := t.holdsPlain(v)
	if t.negated {
		return result.not()
	}
	return result
}

func (t term) holdsPlain(v view) answer {
	result := no
	if t.place == "mutation" {
		return v.hasOperation(t.values)
	}
	if t.place == "bodyname" {
		for _, word := range t.values {
			result = max(result, v.hasBodyName(word))
		}
		return result
	}
	found, open := v.find(t.place, t.name)
	for _, position := range found {
		result = max(result, t.compare(position.Value))
	}
	if open {
		result = max(result, maybe)
	}
	return result
}

func (t term) compare(value Text) answer {
	if t.operator == 0 {
		return yes
	}
	f := flatten(value)
	candidates := []string{strings.TrimSpace(f.s)}
	if t.operator == '~' {
		candidates = strings.FieldsFunc(f.s, func(c rune) bool { return c == ',' || c == ';' || c == ' ' })
	}
	result := no
	for _, candidate := range candidates {
		if hasHole(candidate) {
			result = max(result, maybe)
		}
		for _, wanted := range t.values {
			if strings.EqualFold(candidate, wanted) {
				return yes
			}
		}
	}
	return result
}
