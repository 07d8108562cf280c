package httpcall

import (
	"slices"
	"strings"
)

// Classify says what the request does. It never fails: what nothing is known about gets the meaning that HTTP gives its
// method, with low confidence where that is a guess.
func Classify(r Request) Verdict {
	v := newView(r)
	verdict := loaded().classify(v)
	verdict.Provider = loaded().providerFor(v)
	return verdict
}

func (t *tables) classify(v view) Verdict {
	row, names, doubt := t.endpoints.find(v)
	if row != nil {
		return t.byEndpoint(v, row, names, doubt)
	}
	if !v.methodKnown {
		return Verdict{Kind: KindUnknown, Confidence: High, Basis: BasisMethod, Why: "the method is an expression"}
	}
	if verdict, ok := t.bySegment(v); ok {
		return verdict
	}
	return t.byMethod(v)
}

// find returns the first row that fits, exactly named hosts first, and what its path names. doubt is true when a row
// before it may fit as well and the text does not show it.
func (e endpointTable) find(v view) (row *endpointRow, names map[string]segment, doubt bool) {
	for _, rows := range [][]*endpointRow{e.exact[v.address.host], e.wildcard, e.anyHost} {
		for _, row := range rows {
			if !row.host.matches(v.address.host) || !takesMethod(row.methods, v) {
				continue
			}
			names, ok := row.path.match(v.address.segments)
			if !ok {
				continue
			}
			switch row.condition.holds(v) {
			case yes:
				return row, names, doubt
			case maybe:
				doubt = true
			}
		}
	}
	return nil, nil, false
}

func takesMethod(methods []string, v view) bool {
	if methods[0] == "*" {
		return true
	}
	return v.methodKnown && slices.Contains(methods, v.method)
}

func (t *tables) byEndpoint(v view, row *endpointRow, names map[string]segment, doubt bool) Verdict {
	verdict := Verdict{
		Kind: row.kind, Impact: row.impact, Confidence: row.confidence, Basis: BasisEndpoint,
		Service: row.service, Why: row.note,
	}
	if row.kind == kindGraphQL {
		verdict = t.byGraphQL(v, row)
	}
	if doubt || v.address.cut {
		verdict.Confidence = verdict.Confidence.lower()
	}
	verdict.Destination = findDestination(v, row.destination, names)
	return verdict
}

func findDestination(v view, wanted []string, names map[string]segment) Destination {
	destination := Destination{Declared: len(wanted) > 0}
	for _, place := range wanted {
		where, name, _ := strings.Cut(place, ":")
		if where == string(PlacePath) {
			if part, ok := names[name]; ok {
				position := Position{Place: PlacePath, Name: name, Index: -1, Value: part.text}
				destination.Positions = append(destination.Positions, position)
			}
			continue
		}
		found, _ := v.find(where, name)
		destination.Positions = append(destination.Positions, found...)
	}
	return destination
}

// bySegment decides by the last segments of the path, whatever the host.
func (t *tables) bySegment(v view) (Verdict, bool) {
	path := make([]segment, 0, len(v.address.segments))
	for _, part := range v.address.segments {
		path = append(path, segment{s: strings.ToLower(part.s)})
	}
	for _, row := range t.segments {
		if len(path) < len(row.path) || !takesMethod(row.methods, v) {
			continue
		}
		if _, ok := row.path.match(path[len(path)-len(row.path):]); !ok {
			continue
		}
		return Verdict{Kind: row.kind, Confidence: row.confidence, Basis: BasisSegment, Why: row.note}, true
	}
	return Verdict{}, false
}

func (t *tables) byMethod(v view) Verdict {
	for _, row := range t.methods {
		if row.method != v.method {
			continue
		}
		verdict := Verdict{Kind: row.kind, Impact: row.impact, Confidence: row.confidence, Basis: BasisMethod, Why: row.note}
		if row.kind == KindRepeatable {
			t.applyWord(v, &verdict)
		}
		if v.address.host == "" && len(v.address.segments) == 0 {
			// Nothing of the address is known, so it may as well be a service that reads by POST.
			verdict.Confidence = Low
		}
		return verdict
	}
	return Verdict{Kind: KindUnknown, Confidence: High, Basis: BasisMethod, Why: "no known method"}
}

// applyWord gives a write at an unknown host the impact that its last segment can hardly be without.
func (t *tables) applyWord(v view, verdict *Verdict) {
	if len(v.address.segments) == 0 {
		return
	}
	last := strings.ToLower(v.address.segments[len(v.address.segments)-1].s)
	for _, row := range t.words {
		if row.word != last {
			continue
		}
		verdict.Impact, verdict.Confidence, verdict.Basis, verdict.Why = row.impact, Low, BasisWord, row.note
		return
	}
}
