package catalog

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/expr"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// CodeOf is the JavaScript of a Code or Function node and how n8n runs it;
// absent for other nodes and other languages.
func CodeOf(n *graph.Node) (code source.Value, mode expr.CodeMode) {
	switch baseType(n.Type) {
	case "n8n-nodes-base.function":
		return n.Parameter("functionCode"), expr.Function
	case "n8n-nodes-base.functionItem":
		return n.Parameter("functionCode"), expr.FunctionItem
	case "n8n-nodes-base.code", "@n8n/n8n-nodes-langchain.toolCode", "@n8n/n8n-nodes-langchain.code":
		if lang := n.Parameter("language").Str(); lang != "" && lang != "javaScript" {
			return source.Value{}, 0
		}
		if n.Parameter("mode").Str() == "runOnceForEachItem" {
			return n.Parameter("jsCode"), expr.EachItem
		}
		return n.Parameter("jsCode"), expr.AllItems
	}
	return source.Value{}, 0
}

// code looks for HTTP calls in a node's JavaScript; the weightiest decides.
func (c *Catalog) code(n *graph.Node, op *Operation) {
	op.Kind = Compute
	code, mode := CodeOf(n)
	if !mayCall(code.Raw()) {
		return
	}
	p, err := expr.Parse(code.Str(), expr.Body)
	if err != nil {
		op.Kind, op.Why = Unknown, "its code cannot be read: "+err.Error()
		return
	}
	best := -1
	for _, call := range p.RunCode(expr.Symbolic{}, mode).Calls {
		r := c.codeRequest(call)
		if r == nil {
			continue
		}
		candidate := Operation{At: code.Inner(call.Start, call.End), Resource: op.Resource, Name: op.Name}
		candidate.judge(r)
		if weight := slices.Index([]Kind{Read, Compute, Ephemeral, Unknown, Idempotent, Repeatable}, candidate.Kind); weight > best {
			best, *op = weight, candidate
		}
	}
}

// mayCall saves the parse of code that names none of the callers.
func mayCall(raw []byte) bool {
	s := string(raw)
	for _, word := range []string{"elpers", "fetch", "axios", "got"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

func (c *Catalog) codeRequest(call expr.Call) *Request {
	known, ok := c.data.codeCalls[call.Callee]
	if !ok {
		return nil
	}
	r := &Request{}
	r.Method, r.MethodKnown = known.method, true
	for i, shape := range known.shape {
		if i >= len(call.Arguments) {
			break
		}
		switch arg := call.Arguments[i]; shape {
		case "url":
			r.URL = codeText(arg)
		case "body":
			r.Body = httpcall.Body{Kind: httpcall.BodyJSON, Fields: codeFields(arg), Open: true}
		case "options":
			r.options(arg, known.method == "")
		}
	}
	if r.Method == "" && r.MethodKnown {
		r.Method = "GET"
	}
	return r
}

func (r *Request) options(o expr.Value, readMethod bool) {
	if readMethod {
		m := o.Field("method")
		text, known := m.AsString()
		r.Method, r.MethodKnown = strings.ToUpper(text), known || m.Kind() == expr.KindUndefined
	}
	for _, key := range []string{"url", "uri"} {
		if v := o.Field(key); v.Kind() != expr.KindUndefined {
			r.URL = codeText(v)
		}
	}
	r.Headers = codeFields(o.Field("headers"))
	r.Query = codeFields(o.Field("qs"))
	for _, key := range []string{"body", "data", "json"} {
		if v := o.Field(key); v.Kind() == expr.KindObject {
			r.Body = httpcall.Body{Kind: httpcall.BodyJSON, Fields: codeFields(v), Open: true}
		}
	}
}

// codeText is a text of which the code tells the whole, or nothing.
func codeText(v expr.Value) httpcall.Text {
	if s, ok := v.AsString(); ok {
		return httpcall.Literal(s)
	}
	return httpcall.Text{Parts: []httpcall.Part{{Hole: unknownHole}}}
}

// unknownHole stands for a value inside code, which has no parameter of its own.
const unknownHole = 1 << 20

func codeFields(v expr.Value) (out []httpcall.Field) {
	for _, f := range v.Fields() {
		out = append(out, httpcall.Field{Name: httpcall.Literal(f.Name), Value: codeText(f.Value)})
	}
	return out
}
