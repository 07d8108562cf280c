package guard

import "github.com/n8nlint/n8nlint/internal/graph"

// nodeSet is a set of nodes of one workflow.
type nodeSet struct {
	workflow *graph.Workflow
	bits     []uint64
}

func newNodeSet(w *graph.Workflow) nodeSet {
	last := 0
	if len(w.Nodes) > 0 {
		last = w.Nodes[len(w.Nodes)-1].Index
	}
	return nodeSet{workflow: w, bits: make([]uint64, last/64+1)}
}

func (s nodeSet) has(n *graph.Node) bool {
	return n != nil && n.Workflow == s.workflow && s.bits[n.Index/64]&(1<<(n.Index%64)) != 0
}

func (s nodeSet) add(n *graph.Node) { s.bits[n.Index/64] |= 1 << (n.Index % 64) }

// behind are the nodes that items of n can come to, n itself only on a cycle.
func (m *model) behind(n *graph.Node) nodeSet {
	set, ok := m.behindOf[n]
	if ok {
		return set
	}
	set = newNodeSet(n.Workflow)
	todo := []*graph.Node{n}
	for len(todo) > 0 {
		from := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range from.Out {
			if e.Kind == graph.Main && !set.has(e.To) {
				set.add(e.To)
				todo = append(todo, e.To)
			}
		}
	}
	m.behindOf[n] = set
	return set
}

// writes are the enabled nodes that change something outside.
func (m *model) writes() []*graph.Node {
	if m.writers == nil {
		m.writers = []*graph.Node{}
		for _, n := range m.workflow.Nodes {
			if !n.Disabled && m.ops[n].Writes() {
				m.writers = append(m.writers, n)
			}
		}
	}
	return m.writers
}
