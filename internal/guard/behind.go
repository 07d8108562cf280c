package guard

import "github.com/n8nlint/n8nlint/internal/graph"

// behind are the nodes that items of n can come to, n itself only on a cycle.
func (m *model) behind(n *graph.Node) graph.NodeSet {
	set, ok := m.behindOf[n]
	if !ok {
		set = graph.Behind(n)
		m.behindOf[n] = set
	}
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
