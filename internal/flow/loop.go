package flow

import "github.com/n8nlint/n8nlint/internal/graph"

// loopSide tells the two outputs of Loop Over Items apart: in version 3 the
// first is done, in version 2 the second; version 1 has only the loop (N8N.md 7).
func loopSide(n *graph.Node, output int) side {
	switch {
	case n.TypeVersion >= 3 && output == 0, n.TypeVersion >= 2 && n.TypeVersion < 3 && output == 1:
		return finishing
	}
	return looping
}

// loop leads to the items on one output of Loop Over Items: the loop gives those
// that came from before it, the end those that the loop has sent back.
func (t *Tracer) loop(n *graph.Node, at side, path []string) []step {
	behind := t.behind(n)
	again := n.Parameter("options", "reset").Exists()
	var first, returned []step
	for _, e := range n.MainIn() {
		s := t.along(e, path)
		s.hop = passing(n)
		if behind.Has(e.From) && !again {
			returned = addOnce(returned, s)
			continue
		}
		first = addOnce(first, s)
	}
	switch {
	case at == finishing && len(returned) > 0, len(first) == 0:
		return returned
	}
	return first
}
