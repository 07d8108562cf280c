package httpcall

import (
	"fmt"
	"strings"
)

// requestFor builds a request that a row with these cells is about.
func requestFor(host, path pathlike, methods []string, c condition) Request {
	r := Request{
		Method: methods[0], MethodKnown: true,
		URL:  Literal("https://" + host.example() + "/" + path.example()),
		Body: Body{Kind: BodyJSON},
	}
	if r.Method == "*" {
		r.Method = "POST"
	}
	for _, t := range c {
		if !t.negated {
			satisfy(&r, t)
		}
	}
	return r
}

func satisfy(r *Request, t term) {
	value := "x"
	if t.operator != 0 {
		value = t.values[0]
	}
	field := Field{Name: Literal(t.name), Value: Literal(value)}
	switch t.place {
	case "header":
		r.Headers = append(r.Headers, field)
	case "query":
		r.Query = append(r.Query, field)
	case "bodyname":
		field.Name = Literal("items.0." + t.values[0])
		r.Body.Fields = append(r.Body.Fields, field)
	case "mutation":
		document := fmt.Sprintf("mutation M { %s(id: 1) { id } }", strings.ReplaceAll(t.values[0], "*", "Create"))
		r.Body.Fields = append(r.Body.Fields, Field{Name: Literal("query"), Value: Literal(document)})
	default:
		r.Body.Fields = append(r.Body.Fields, field)
	}
}

// pathlike is a pattern of a host or a path that can make an example of itself.
type pathlike interface{ example() string }

func (p hostPattern) example() string {
	if p.any() {
		return "unlisted.example.com"
	}
	return strings.ReplaceAll(string(p), "*", "xq")
}

func (p pathPattern) example() string {
	var parts []string
	for _, part := range p {
		switch _, named := segmentName(part); {
		case named:
			parts = append(parts, "xq")
		case part == "**":
			parts = append(parts, "xq")
		default:
			parts = append(parts, strings.ReplaceAll(part, "*", "xq"))
		}
	}
	return strings.Join(parts, "/")
}
