package guard

import (
	"fmt"
	"os"
	"testing"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

func TestDebug(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("WF"))
	ws, err := graph.Read(source.NewFile("f", data))
	if err != nil {
		t.Skip()
	}
	facts := Analyze(catalog.New(), ws, InOrder)
	for _, f := range facts {
		for _, n := range f.Workflow.Nodes {
			op := f.model.ops[n]
			fmt.Printf("%-40q %-12s %-10s %s %q\n", n.Name, op.Kind, op.Impact, op.Name, op.Why)
			if g := f.model.guards[n]; g != nil {
				fmt.Printf("    GUARD kind %d form %d proven %v win %v lose %v\n", g.Kind, g.Form, g.Proven, g.winner, g.loser)
			}
			for _, v := range f.model.reached[n] {
				g := ""
				if v.guard != nil && v.guard.Node != nil {
					g = v.guard.Node.Name
				}
				fmt.Printf("    %s standing %d guard %q lost %v derived %v failed %v item %.80s\n", v.root.Trigger.Name, v.standing, g, v.lost, v.derived, v.failed, v.item)
			}
		}
	}
}
