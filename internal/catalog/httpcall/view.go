package httpcall

import "strings"

// view is a request made ready for matching.
type view struct {
	method      string
	methodKnown bool
	address     address
	headers     []placed
	query       []placed
	body        []placed
	// bodyOpen is true when the body may have fields that are not in body.
	bodyOpen bool
	bodyText Text
}

// placed is a field with its place in the request.
type placed struct {
	name  string
	known bool
	Position
}

func newView(r Request) view {
	v := view{
		method:      strings.ToUpper(strings.TrimSpace(r.Method)),
		methodKnown: r.MethodKnown,
		address:     parseAddress(r.URL),
		headers:     place(r.Headers, PlaceHeader, true),
		query:       place(r.Query, PlaceQuery, true),
		bodyText:    r.Body.Text,
	}
	if v.method == "" {
		v.method = "GET"
	}
	v.query = append(v.query, place(v.address.query, PlaceQuery, false)...)
	v.body, v.bodyOpen = bodyFields(r.Body)
	return v
}

func bodyFields(b Body) ([]placed, bool) {
	if len(b.Fields) > 0 {
		return place(b.Fields, PlaceBody, true), b.Open || b.Kind == BodyUnknown
	}
	switch b.Kind {
	case BodyNone, BodyForm:
		return nil, b.Open
	case BodyUnknown:
		return nil, true
	}
	if b.Text.Empty() {
		return nil, b.Open
	}
	fields, complete := JSONFields(b.Text)
	return place(fields, PlaceBody, false), b.Open || !complete
}

// place notes for each field where it stands; indexed is false for fields that are read out of a text.
func place(fields []Field, where Place, indexed bool) []placed {
	all := make([]placed, 0, min(len(fields), maxFields))
	for i, field := range fields[:min(len(fields), maxFields)] {
		index := -1
		if indexed {
			index = i
		}
		name, known := field.Name.Known()
		all = append(all, placed{
			name:     strings.TrimSpace(name),
			known:    known,
			Position: Position{Place: where, Name: strings.TrimSpace(name), Index: index, Value: field.Value},
		})
	}
	return all
}

// find returns the fields of a place with the given name or inside it. "param" is the query or the body. open is true
// when there may be others that the text does not show.
func (v view) find(where, name string) (found []Position, open bool) {
	switch where {
	case "header":
		return named(v.headers, name, true)
	case "query":
		return named(v.query, name, false)
	case "body":
		found, open = named(v.body, name, false)
		return found, open || v.bodyOpen
	case "param":
		inQuery, queryOpen := v.find("query", name)
		inBody, bodyOpen := v.find("body", name)
		return append(inQuery, inBody...), queryOpen || bodyOpen
	}
	return nil, false
}

func named(fields []placed, name string, fold bool) (found []Position, open bool) {
	for _, field := range fields {
		if !field.known {
			open = true
			continue
		}
		if underName(field.name, name, fold) {
			found = append(found, field.Position)
		}
	}
	return found, open
}

// hasBodyName reports whether a body field has the word as one part of its name, at any depth.
func (v view) hasBodyName(word string) answer {
	for _, field := range v.body {
		for _, part := range nameParts(field.name) {
			if part == word {
				return yes
			}
		}
	}
	if v.bodyOpen {
		return maybe
	}
	return no
}
