package graph

// NodeSet is a set of nodes of one workflow.
type NodeSet struct {
	workflow *Workflow
	bits     []uint64
}

// NewNodeSet makes an empty set for the nodes of a workflow.
func NewNodeSet(w *Workflow) NodeSet {
	last := 0
	for _, n := range w.Nodes {
		last = max(last, n.Index)
	}
	return NodeSet{workflow: w, bits: make([]uint64, last/64+1)}
}

// Has reports whether a node is in the set; nil and nodes of other workflows are not.
func (s NodeSet) Has(n *Node) bool {
	return n != nil && n.Workflow == s.workflow && s.bits[n.Index/64]&(1<<(n.Index%64)) != 0
}

// Add puts a node of the set's workflow into it.
func (s NodeSet) Add(n *Node) { s.bits[n.Index/64] |= 1 << (n.Index % 64) }

// Behind are the nodes that items of n can come to over main edges, n itself
// only on a cycle.
func Behind(n *Node) NodeSet {
	set := NewNodeSet(n.Workflow)
	todo := []*Node{n}
	for len(todo) > 0 {
		from := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range from.Out {
			if e.Kind == Main && !set.Has(e.To) {
				set.Add(e.To)
				todo = append(todo, e.To)
			}
		}
	}
	return set
}
