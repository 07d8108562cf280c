package key

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
)

// judged reports whether the rules about what a key is made of speak of a key:
// not where nothing of the world is repeated, and not where the run finds the row
// that it has put there itself.
func judged(facts *guard.Facts, use guard.KeyUse) bool {
	if facts.ByHand(use.Node) {
		return false
	}
	_, own := facts.OwnRow(use)
	return !own
}

// stableFix names what the key could be made of: a stable part that it has, or
// the identity of the event that the workflow's own trigger gives.
func stableFix(facts *guard.Facts, use guard.KeyUse) string {
	example := ": the sender's event id, or the business id with the operation"
	if ofRecord(use) {
		example = ": the id that the record has at its source"
	}
	if id := stableExpression(facts, use); id != "" {
		example = ", such as {{ " + id + " }}"
		if use.Effect != nil && use.Guard == nil {
			example += " with the operation behind it"
		}
	}
	return fmt.Sprintf("Make the %s of what names the event and stays the same when it comes again%s.", use.Position, example)
}

// ofRecord reports whether a key only finds a row: nothing waits for the answer
// whether the event is new.
func ofRecord(use guard.KeyUse) bool { return use.Column != "" && use.Guard == nil }

// stableExpression reads a field that a repeat keeps, "" where none is at hand.
func stableExpression(facts *guard.Facts, use guard.KeyUse) string {
	for _, o := range use.Trace.Origins {
		if o.Node == nil || o.Node.Workflow != use.Node.Workflow || len(o.Path) == 0 {
			continue
		}
		path := o.Path
		_, volatile := flow.VolatileField(o)
		body, under := facts.Under(o.Node)
		switch {
		case o.Kind == flow.Missing && under:
			path = append([]string{body}, path...)
		case o.Kind != flow.TriggerField || volatile:
			continue
		}
		if s, ok := fieldOf(o.Node, path); ok {
			return s
		}
	}
	if ofRecord(use) && use.Trace.Kinds(flow.Model) {
		return "" // what the model found out has a name of its own
	}
	return eventID(facts, use.Node)
}

// eventID is the identity of the event that starts every way to a node, "" where
// several triggers do or none is known.
func eventID(facts *guard.Facts, n *graph.Node) (id string) {
	for _, v := range facts.Visits(n) {
		found := facts.EventID(v.Root)
		if found == "" || id != "" && found != id {
			return ""
		}
		id = found
	}
	return id
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// fieldOf is a field of a node's item as an expression reads it.
func fieldOf(n *graph.Node, path []string) (code string, ok bool) {
	var b strings.Builder
	b.WriteString("$('" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(n.Name) + "').item.json")
	for _, name := range path {
		switch {
		case name == "*":
			return "", false
		case plainName.MatchString(name):
			b.WriteString("." + name)
		default:
			b.WriteString("[" + strconv.Quote(name) + "]")
		}
	}
	return b.String(), true
}
