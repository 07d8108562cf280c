package guard

import (
	"github.com/n8nlint/n8nlint/internal/graph"
)

// Swap is a loop whose work hangs at an output that never fires.
type Swap struct {
	// Edge leads to the work.
	Edge *graph.Edge
	// Loop is the output that fires for each batch; Wired is the one that the work
	// hangs at.
	Loop, Wired int
}

// Swapped reports whether a Loop Over Items node is wired for another version of
// itself: the output for the batches leads nowhere, or not back, while another
// output does (N8N.md section 7).
func (f *Facts) Swapped(n *graph.Node) (s Swap, ok bool) {
	if n.Type != loopNode || n.Disabled {
		return s, false
	}
	loop, _ := loopOutputs(n)
	s.Loop = loop
	wired, returns := false, false
	for _, e := range n.MainOut() {
		back := e.To == n || f.model.behind(e.To).Has(n)
		switch {
		case e.Output == loop:
			wired, returns = true, returns || back
		case s.Edge == nil || back && !f.model.behind(s.Edge.To).Has(n):
			s.Edge, s.Wired = e, e.Output
		}
	}
	if s.Edge == nil || returns {
		return s, false
	}
	return s, !wired || s.Edge.To == n || f.model.behind(s.Edge.To).Has(n)
}
