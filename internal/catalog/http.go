package catalog

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

func (c *Catalog) http(n *graph.Node, op *Operation) {
	r := &Request{}
	var h holes
	switch {
	case baseType(n.Type) == graphQL:
		readGraphQL(n, r, &h)
	case baseType(n.Type) == facebookGraph:
		readFacebookGraph(n, r, &h)
	case n.Type == toolHTTPRequest:
		readToolRequest(n, r, &h)
	case n.TypeVersion < 3 && !strings.HasSuffix(n.Type, toolSuffix):
		readOldRequest(n, r, &h)
	default:
		readRequest(n, r, &h)
	}
	r.Holes = h
	op.At = requestPlace(n)
	op.judge(r)
	if op.Kind == Repeatable && r.Verdict.Confidence != httpcall.High {
		switch {
		case r.asksFor(c, c.data.readingWords):
			op.Kind, op.Impact, op.Why = Read, "", "the body asks for an operation that reads"
		case r.asksFor(c, c.data.settingWords) && r.namesOne():
			op.Kind, op.Why = Idempotent, "the body sets what it names by an id"
		}
	}
	if op.Unsure && op.Kind == Repeatable && n.Parameter("options", "response", "response", "responseFormat").Str() == "file" {
		op.Kind, op.Impact, op.Why = Compute, "", "the answer is a file that the call makes"
	}
}

const (
	graphQL         = "n8n-nodes-base.graphql"
	facebookGraph   = "n8n-nodes-base.facebookGraphApi"
	toolHTTPRequest = "@n8n/n8n-nodes-langchain.toolHttpRequest"
)

func (op *Operation) judge(r *Request) {
	r.Verdict = httpcall.Classify(r.Request)
	v := r.Verdict
	op.HTTP, op.Kind, op.Impact = r, Kind(v.Kind), Impact(v.Impact)
	op.Service, op.Why = v.Service, v.Why
	op.Unsure = v.Confidence == httpcall.Low || v.Basis == httpcall.BasisMethod
	for _, p := range v.Destination.Positions {
		for _, hole := range p.Value.Holes() {
			op.Destinations = append(op.Destinations, r.Holes[hole-1].Value)
		}
	}
}

// Judge classifies the request anew with the address that url says.
func (op *Operation) Judge(url string) {
	r := *op.HTTP
	r.URL = httpcall.Literal(url)
	at := op.At
	op.judge(&r)
	op.At, op.Unsure = at, true
}

// Host is the host that the request goes to, "" where the export does not show
// it.
func (r *Request) Host() string {
	if len(r.URL.Parts) == 0 || r.URL.Parts[0].Hole != 0 {
		return ""
	}
	_, address, found := strings.Cut(r.URL.Parts[0].Literal, "://")
	host, _, ended := strings.Cut(address, "/")
	if !found || host == "" || !ended && len(r.URL.Parts) > 1 || strings.ContainsAny(host, "@<>{} ") {
		return ""
	}
	return host
}

// AddressUnknown reports whether the export does not show where the request
// goes: the address is an expression as a whole, a placeholder or empty.
func (r *Request) AddressUnknown() bool {
	if r.Verdict.Basis != httpcall.BasisMethod {
		return false
	}
	if len(r.URL.Parts) == 0 || r.URL.Parts[0].Hole != 0 {
		return true
	}
	text := r.URL.Parts[0].Literal
	_, address, found := strings.Cut(text, "://")
	if !found {
		address = text
	}
	host, _, _ := strings.Cut(address, "/")
	return host == "" && len(r.URL.Parts) == 1 || strings.ContainsAny(host, "<>{}[] ") || !strings.ContainsAny(host, ".:") && host != "localhost" && !found
}

// Evaluate gives the address in a scope, where all of it is known.
func (r *Request) Evaluate(s expr.Scope) (url string, ok bool) {
	for _, p := range r.URL.Parts {
		if p.Hole == 0 {
			url += p.Literal
			continue
		}
		if p.Hole > len(r.Holes) {
			return "", false
		}
		part := r.Holes[p.Hole-1].Part
		if part.Program == nil {
			return "", false
		}
		text, known := part.Program.Eval(s).AsString()
		if !known {
			return "", false
		}
		url += text
	}
	return url, strings.Contains(url, "://")
}

// requestPlace is the method; where the export leaves it out, the address.
func requestPlace(n *graph.Node) source.Span {
	for _, key := range []string{"method", "requestMethod", "httpRequestMethod", "url", "endpoint"} {
		if v := n.Parameter(key); v.Exists() {
			return v.Span()
		}
	}
	return n.Place()
}

// method reads a method parameter; absent is GET (N8N.md section 2).
func (r *Request) method(v source.Value) {
	text := v.Str()
	r.Method, r.MethodKnown = strings.ToUpper(text), !strings.HasPrefix(text, "=")
	if text == "" {
		r.Method = "GET"
	}
}

// readRequest reads HTTP Request 3 and 4 and the tool made of it.
func readRequest(n *graph.Node, r *Request, h *holes) {
	r.method(n.Parameter("method"))
	r.URL = h.text(n.Parameter("url"))
	if n.Parameter("sendQuery").IsTrue() || n.Parameter("queryParameters").Len() > 0 {
		r.Query = append(h.fields(n.Parameter("queryParameters", "parameters")), h.json(n.Parameter("jsonQuery"))...)
	}
	if n.Parameter("sendHeaders").IsTrue() {
		r.Headers = append(h.fields(n.Parameter("headerParameters", "parameters")), h.json(n.Parameter("jsonHeaders"))...)
	}
	if n.Parameter("sendBody").IsTrue() {
		r.Body = readBody(n, h)
	}
}

func readBody(n *graph.Node, h *holes) httpcall.Body {
	switch n.Parameter("contentType").Str() {
	case "raw":
		return httpcall.Body{Kind: httpcall.BodyRaw, Text: h.text(n.Parameter("body"))}
	case "binaryData":
		return httpcall.Body{Kind: httpcall.BodyUnknown}
	case "form-urlencoded", "multipart-form-data":
		if n.Parameter("specifyBody").Str() == "string" {
			return httpcall.Body{Kind: httpcall.BodyRaw, Text: h.text(n.Parameter("body"))}
		}
		return httpcall.Body{Kind: httpcall.BodyForm, Fields: h.fields(n.Parameter("bodyParameters", "parameters"))}
	}
	if n.Parameter("specifyBody").Str() == "json" {
		return h.jsonBody(n.Parameter("jsonBody"))
	}
	return httpcall.Body{Kind: httpcall.BodyJSON, Fields: h.fields(n.Parameter("bodyParameters", "parameters"))}
}

// readOldRequest reads HTTP Request 1 and 2, which name everything differently.
func readOldRequest(n *graph.Node, r *Request, h *holes) {
	r.method(n.Parameter("requestMethod"))
	r.URL = h.text(n.Parameter("url"))
	if n.Parameter("jsonParameters").IsTrue() {
		r.Headers = h.json(n.Parameter("headerParametersJson"))
		r.Query = h.json(n.Parameter("queryParametersJson"))
		r.Body = h.jsonBody(n.Parameter("bodyParametersJson"))
		return
	}
	r.Headers = h.fields(n.Parameter("headerParametersUi", "parameter"))
	r.Query = h.fields(n.Parameter("queryParametersUi", "parameter"))
	if body := h.fields(n.Parameter("bodyParametersUi", "parameter")); len(body) > 0 {
		r.Body = httpcall.Body{Kind: httpcall.BodyJSON, Fields: body}
	}
}

// readToolRequest reads the HTTP tool of agents; what the model fills in is
// written as {placeholder} and is not known.
func readToolRequest(n *graph.Node, r *Request, h *holes) {
	r.method(n.Parameter("method"))
	r.URL = h.text(n.Parameter("url"))
	r.Query = append(h.fields(n.Parameter("parametersQuery", "values")), h.json(n.Parameter("jsonQuery"))...)
	r.Headers = append(h.fields(n.Parameter("parametersHeaders", "values")), h.json(n.Parameter("jsonHeaders"))...)
	if !n.Parameter("sendBody").IsTrue() {
		return
	}
	r.Body = httpcall.Body{Kind: httpcall.BodyJSON, Fields: h.fields(n.Parameter("parametersBody", "values")), Open: true}
	if v := n.Parameter("jsonBody"); v.Exists() {
		r.Body = h.jsonBody(v)
	}
}

// readGraphQL reads the GraphQL node: what counts is the operation in the query.
func readGraphQL(n *graph.Node, r *Request, h *holes) {
	r.Method, r.MethodKnown = "POST", true
	r.URL = h.text(n.Parameter("endpoint"))
	if text, known := r.URL.Known(); known && !strings.HasSuffix(text, "/graphql") {
		r.URL = httpcall.Literal(strings.TrimSuffix(text, "/") + "/graphql") // any address speaks GraphQL to this node
	}
	r.Body = httpcall.Body{Kind: httpcall.BodyJSON, Fields: []httpcall.Field{{Name: httpcall.Literal("query"), Value: h.text(n.Parameter("query"))}}}
}

// readFacebookGraph reads the Facebook Graph API node, which puts the address
// together from parts.
func readFacebookGraph(n *graph.Node, r *Request, h *holes) {
	r.method(n.Parameter("httpRequestMethod"))
	host := n.Parameter("hostUrl").Str()
	if host == "" {
		host = "graph.facebook.com"
	}
	version := n.Parameter("graphApiVersion").Str()
	if version == "" {
		version = "v0.0" // the app's own default; the path keeps its shape
	}
	r.URL = httpcall.Literal("https://" + host + "/" + version)
	for _, key := range []string{"node", "edge"} {
		if v := n.Parameter(key); v.Str() != "" {
			r.URL.Parts = append(append(r.URL.Parts, httpcall.Part{Literal: "/"}), h.text(v).Parts...)
		}
	}
	r.Query = h.fields(n.Parameter("options", "queryParameters", "parameter"))
	if v := n.Parameter("options", "queryParametersJson"); v.Exists() {
		r.Query = append(r.Query, h.json(v)...)
	}
}

// asksFor recognises calls that name what they do in the body, such as
// {"operation": "getAll"}, by the operation's first word.
func (r *Request) asksFor(c *Catalog, verbs map[string]bool) bool {
	for _, f := range r.BodyFields() {
		name, _ := f.Name.Known()
		value, known := f.Value.Known()
		if !known {
			continue
		}
		if strings.Contains(value, "_") && verbs[strings.ToLower(value)] {
			return true // also among the arguments of a general call
		}
		if !c.data.operationFields[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])] {
			continue
		}
		if words := Words(value); len(words) > 0 && verbs[words[0]] {
			return true
		}
	}
	return false
}

// namesOne reports whether the body holds an id.
func (r *Request) namesOne() bool {
	return slices.ContainsFunc(r.BodyFields(), func(f httpcall.Field) bool {
		name, _ := f.Name.Known()
		words := Words(name)
		return len(words) > 0 && words[len(words)-1] == "id"
	})
}

// BodyFields are the fields of the body, also where it is written as JSON text.
func (r *Request) BodyFields() []httpcall.Field {
	if len(r.Body.Fields) > 0 {
		return r.Body.Fields
	}
	fields, _ := httpcall.JSONFields(r.Body.Text)
	return fields
}
