package source

// At is the smallest value below v, or v itself, that holds the byte at offset.
// The key of a member counts as part of the member, so an offset in a key gives
// the value under it. Outside v the result is absent.
func (v Value) At(offset int) Value {
	if !v.holds(offset, offset+1) {
		return Value{}
	}
	return v.Around(Span{File: v.doc.File, Start: offset, End: offset + 1})
}

// Around is the smallest value below v, or v itself, that holds the whole span,
// with keys counted as At counts them. A span that v does not hold, or one of
// another file, gives an absent value.
func (v Value) Around(s Span) Value {
	if v.doc == nil || s.File != v.doc.File || !v.holds(s.Start, s.End) {
		return Value{}
	}
	for {
		inner, ok := v.childAround(s)
		if !ok {
			return v
		}
		v = inner
	}
}

func (v Value) childAround(s Span) (Value, bool) {
	for c := range v.Children() {
		if c.holds(s.Start, s.End) {
			return c, true
		}
		if c.begin() > s.Start {
			break
		}
	}
	return Value{}, false
}

func (v Value) holds(start, end int) bool {
	return v.doc != nil && v.begin() <= start && start < int(v.node().end) && end <= int(v.node().end)
}

// begin is where the value starts, with its key where it has one.
func (v Value) begin() int {
	n := v.node()
	if n.keyEnd > 0 {
		return int(n.keyStart)
	}
	return int(n.start)
}
