package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. Absent is the kind of the zero Value.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// SyntaxError says where and why a file is not JSON.
type SyntaxError struct {
	File   *File
	Offset int    // byte offset of the offending byte
	Reason string // lower case, without the position
}

func (e *SyntaxError) Error() string {
	p := e.File.Position(e.Offset, Runes)
	return fmt.Sprintf("%s:%d:%d: %s", e.File.Name, p.Line, p.Column, e.Reason)
}

// node is one JSON value in the table; links are indexes, 0 is none (the root
// is never a child).
type node struct {
	start, end       int32
	keyStart, keyEnd int32
	parent           int32
	child, next      int32
	count            int32
	kind             Kind
}

// Document is a parsed file: a table of its values with byte offsets.
type Document struct {
	File  *File
	nodes []node
}

// ParseJSON reads one JSON value that fills the file. It accepts what n8n's
// JSON.parse accepts, duplicate keys and lone surrogates included; nesting is
// limited to 10,000. The error is a *SyntaxError.
func ParseJSON(f *File) (*Document, error) {
	p := parser{doc: &Document{File: f}, data: f.data}
	p.doc.nodes = make([]node, 0, len(f.data)/32+16)
	p.dec = jsontext.NewDecoder(bytes.NewBuffer(f.data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := p.run(); err != nil {
		return nil, p.explain(err)
	}
	return p.doc, nil
}

type parser struct {
	doc   *Document
	data  []byte
	dec   *jsontext.Decoder
	stack []frame
	end   int // of the one value
}

type frame struct {
	node, last int32
	key        [2]int32
	wantValue  bool
}

func (p *parser) run() error {
	if len(bytes.TrimSpace(p.data)) == 0 {
		return errEmpty
	}
	for {
		from := int(p.dec.InputOffset())
		tok, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		start, end := p.begin(from), int(p.dec.InputOffset())
		p.token(tok.Kind(), int32(start), int32(end))
		if len(p.stack) == 0 {
			break
		}
	}
	p.end = int(p.dec.InputOffset())
	if _, err := p.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

var (
	errEmpty    = errors.New("empty")
	errTrailing = errors.New("trailing")
)

// begin skips the separators that the decoder has already accepted.
func (p *parser) begin(i int) int {
	for i < len(p.data) {
		switch p.data[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
			continue
		}
		break
	}
	return i
}

func (p *parser) token(k jsontext.Kind, start, end int32) {
	switch k {
	case '}', ']':
		top := p.stack[len(p.stack)-1]
		p.doc.nodes[top.node].end = end
		p.stack = p.stack[:len(p.stack)-1]
		return
	}
	if n := len(p.stack); n > 0 {
		top := &p.stack[n-1]
		if p.doc.nodes[top.node].kind == Object && !top.wantValue {
			top.key, top.wantValue = [2]int32{start, end}, true
			return
		}
	}
	i := p.add(kindOf(k), start, end)
	if k == '{' || k == '[' {
		p.stack = append(p.stack, frame{node: i, last: -1})
	}
}

func (p *parser) add(k Kind, start, end int32) int32 {
	i := int32(len(p.doc.nodes))
	n := node{kind: k, start: start, end: end, parent: -1}
	if d := len(p.stack); d > 0 {
		top := &p.stack[d-1]
		n.parent, n.keyStart, n.keyEnd = top.node, top.key[0], top.key[1]
		if top.last < 0 {
			p.doc.nodes[top.node].child = i
		} else {
			p.doc.nodes[top.last].next = i
		}
		top.last, top.wantValue = i, false
		p.doc.nodes[top.node].count++
	}
	p.doc.nodes = append(p.doc.nodes, n)
	return i
}

func kindOf(k jsontext.Kind) Kind {
	switch k {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case '0':
		return Number
	case 't', 'f':
		return Bool
	}
	return Null
}

func (p *parser) explain(err error) error {
	f := p.doc.File
	at := func(offset int, reason string) error { return &SyntaxError{File: f, Offset: offset, Reason: reason} }
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, errEmpty):
		return at(0, "the file is empty; export the workflow again")
	case errors.Is(err, errTrailing):
		return at(p.begin(p.end), "more text after the end of the JSON value; remove it or split the file")
	case bytes.HasPrefix(f.data, []byte("version https://git-lfs")):
		return at(0, "a Git LFS pointer stands in place of the file; run git lfs pull")
	case errors.As(err, &syntax):
		offset := int(syntax.ByteOffset)
		return at(offset, reason(syntax, f.data, offset))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return at(len(f.data), "the JSON ends in the middle; the file is cut off")
	}
	return at(int(p.dec.InputOffset()), "not JSON: "+err.Error())
}

func reason(e *jsontext.SyntacticError, data []byte, offset int) string {
	text := strings.TrimPrefix(e.Err.Error(), "jsontext: ")
	where := ""
	if ptr := string(e.JSONPointer); ptr != "" {
		where = " (in " + strconv.Quote(ptr) + ")"
	}
	switch {
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return "the JSON ends in the middle; the file is cut off" + where
	case strings.Contains(text, "max depth"):
		return "nested deeper than 10,000 levels"
	case offset < len(data) && data[offset] < 0x20 && strings.Contains(text, "string"):
		return "a raw control character inside a JSON string; write it as an escape such as \\n" + where
	}
	return "not valid JSON: " + text + where
}

// Root is the document's value.
func (d *Document) Root() Value { return Value{doc: d} }

// Value is a place in a document. The zero Value is absent: every read of it
// gives an absent or empty result, so paths need no checks on the way.
type Value struct {
	doc *Document
	i   int32
}

func (v Value) node() *node { return &v.doc.nodes[v.i] }

// Kind is the value's kind, Absent for the zero Value.
func (v Value) Kind() Kind {
	if v.doc == nil {
		return Absent
	}
	return v.node().kind
}

// Exists reports whether the value stands in the file, null included.
func (v Value) Exists() bool { return v.doc != nil }

// Span is the value's place, quotes or brackets included.
func (v Value) Span() Span {
	if v.doc == nil {
		return Span{}
	}
	n := v.node()
	return Span{File: v.doc.File, Start: int(n.start), End: int(n.end)}
}

// KeySpan is the place of the key under which the value stands, quotes
// included; zero for array elements and the root.
func (v Value) KeySpan() Span {
	if v.doc == nil || v.node().keyEnd == 0 {
		return Span{}
	}
	n := v.node()
	return Span{File: v.doc.File, Start: int(n.keyStart), End: int(n.keyEnd)}
}

// Key is the decoded key under which the value stands.
func (v Value) Key() string {
	s := v.KeySpan()
	if s.IsZero() {
		return ""
	}
	return unquote(s.File.data[s.Start:s.End])
}

// Raw are the value's bytes.
func (v Value) Raw() []byte {
	s := v.Span()
	if s.IsZero() {
		return nil
	}
	return s.File.data[s.Start:s.End]
}

// Str is the decoded text of a string, "" for every other kind.
func (v Value) Str() string {
	if v.Kind() != String {
		return ""
	}
	return unquote(v.Raw())
}

// Text is the decoded text of a string, the literal text of a number or a
// boolean, "" for every other kind.
func (v Value) Text() string {
	switch v.Kind() {
	case String:
		return unquote(v.Raw())
	case Number, Bool:
		return string(v.Raw())
	}
	return ""
}

// Float is the number, or the number that a string holds.
func (v Value) Float() (float64, bool) {
	if k := v.Kind(); k != Number && k != String {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(v.Text()), 64)
	return f, err == nil
}

// IsTrue reports whether the value is the boolean true.
func (v Value) IsTrue() bool { return v.Kind() == Bool && string(v.Raw()) == "true" }

// Len is the number of elements or members.
func (v Value) Len() int {
	if v.doc == nil {
		return 0
	}
	return int(v.node().count)
}

// Children are the elements of an array or the member values of an object, in
// file order, duplicate keys included.
func (v Value) Children() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.doc == nil {
			return
		}
		for i := v.node().child; i != 0; i = v.doc.nodes[i].next {
			if !yield(Value{v.doc, i}) {
				return
			}
		}
	}
}

// Get follows keys through objects. Of duplicate keys the last counts, as it
// does for n8n.
func (v Value) Get(keys ...string) Value {
	for _, k := range keys {
		v = v.member(k)
	}
	return v
}

func (v Value) member(key string) (found Value) {
	if v.Kind() != Object {
		return Value{}
	}
	for c := range v.Children() {
		if v.doc.keyIs(c.i, key) {
			found = c
		}
	}
	return found
}

func (d *Document) keyIs(i int32, key string) bool {
	n := &d.nodes[i]
	raw := d.File.data[n.keyStart+1 : n.keyEnd-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw) == key
	}
	return unquote(d.File.data[n.keyStart:n.keyEnd]) == key
}

// Index is the n-th element of an array, from 0.
func (v Value) Index(n int) Value {
	if v.Kind() != Array {
		return Value{}
	}
	for c := range v.Children() {
		if n == 0 {
			return c
		}
		n--
	}
	return Value{}
}

// Parent is the object or array around the value.
func (v Value) Parent() Value {
	if v.doc == nil || v.node().parent < 0 {
		return Value{}
	}
	return Value{v.doc, v.node().parent}
}

// Pointer is the value's place as an RFC 6901 JSON pointer.
func (v Value) Pointer() string {
	var parts []string
	for p := v.Parent(); p.Exists(); v, p = p, p.Parent() {
		if p.Kind() == Object {
			parts = append(parts, strings.NewReplacer("~", "~0", "/", "~1").Replace(v.Key()))
			continue
		}
		parts = append(parts, strconv.Itoa(p.position(v.i)))
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(parts[i])
	}
	return b.String()
}

func (v Value) position(child int32) int {
	n := 0
	for c := range v.Children() {
		if c.i == child {
			return n
		}
		n++
	}
	return -1
}

// Inner is the place of the bytes start to end of the decoded string, behind
// all escapes. Offsets outside the string give the string's ends.
func (v Value) Inner(start, end int) Span {
	s := v.Span()
	if v.Kind() != String {
		return s
	}
	raw := v.Raw()
	return Span{File: s.File, Start: s.Start + rawOffset(raw, start), End: s.Start + rawOffset(raw, end)}
}
