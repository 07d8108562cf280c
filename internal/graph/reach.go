package graph

// Reachable are the nodes that items can come to from a node along main edges,
// the node itself included. Edges for which skip says true are not taken; skip
// may be nil. A disabled node passes its items on (N8N.md 1b).
func Reachable(from *Node, skip func(*Edge) bool) map[*Node]bool {
	seen := map[*Node]bool{from: true}
	todo := []*Node{from}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range n.Out {
			if e.Kind != Main || seen[e.To] || (skip != nil && skip(e)) {
				continue
			}
			seen[e.To] = true
			todo = append(todo, e.To)
		}
	}
	return seen
}

// CanReach are the nodes from which items can come to a node along main edges,
// the node itself included.
func CanReach(to *Node) map[*Node]bool {
	seen := map[*Node]bool{to: true}
	todo := []*Node{to}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range n.In {
			if e.Kind == Main && !seen[e.From] {
				seen[e.From] = true
				todo = append(todo, e.From)
			}
		}
	}
	return seen
}
