package claim

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed leaky_claim.md
var leakyDoc string

// LeakyClaim reports claims whose loser can go on to an effect.
func LeakyClaim() *lint.Rule {
	return &lint.Rule{
		ID:         "leaky-claim",
		Title:      "a claim whose loser goes on to the side effect",
		Family:     "claim",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        leakyDoc,
		Check:      checkLeaky,
	}
}

func checkLeaky(p *lint.Pass) error {
	for _, g := range p.Facts.Guards {
		if g.Kind != guard.Claim {
			continue
		}
		if leaks := leaksOf(p.Facts, g); len(leaks) > 0 {
			p.Report(leaky(g, leaks))
		}
	}
	return nil
}

// leak is an effect that the loser of a claim reaches.
type leak struct {
	effect   *guard.Effect
	exposure guard.Exposure
	severity lint.Severity
	graded   bool
	won      bool // the winner reaches it as well
}

// leaksOf collects the effects that only this claim was to protect. The
// strongest comes first.
func leaksOf(facts *guard.Facts, g *guard.Guard) (leaks []leak) {
	for _, e := range facts.Effects {
		if e.Agent != nil || e.Node == g.Node || e.Key.Protects() {
			continue
		}
		best := leak{effect: e}
		found := false
		for _, x := range e.Exposures {
			best.won = best.won || x.Guard == g && (x.Standing == guard.Winner || x.Standing == guard.Unsure)
			if x.Standing != guard.Loser || x.Guard != g || lint.IsAlert(e, x) || bypassed(e, x.Root) {
				continue
			}
			s, ok := grade(e, x)
			if !found || ok && (!best.graded || s > best.severity) {
				best.exposure, best.severity, best.graded, found = x, s, ok, true
			}
		}
		if found {
			leaks = append(leaks, best)
		}
	}
	for i := range leaks {
		if stronger(leaks[i], leaks[0]) {
			leaks[0], leaks[i] = leaks[i], leaks[0]
		}
	}
	return leaks
}

func stronger(a, b leak) bool {
	if a.graded != b.graded {
		return a.graded
	}
	return a.severity > b.severity
}

// bypassed: the trigger reaches the effect around every guard, which is
// unclaimed-side-effect's finding.
func bypassed(e *guard.Effect, root guard.Root) bool {
	for _, x := range e.Exposures {
		if x.Standing == guard.Plain && x.Root == root && !lint.IsAlert(e, x) {
			return true
		}
	}
	return false
}

func leaky(g *guard.Guard, leaks []leak) lint.Finding {
	first := leaks[0]
	f := lint.Finding{
		At: leakPlace(g, first.exposure.Cause), Node: g.Node,
		Severity: severityOf(first), Confidence: lint.High,
		Message: leakMessage(g, first),
		Flow:    lint.Way(first.exposure, "starts for each event", "runs for the loser too"),
		Fix:     leakFix(g, first),
	}
	for _, l := range leaks {
		f.Related = append(f.Related, lint.Related{At: l.effect.At, Node: l.effect.Node, Message: fmt.Sprintf("%s for the loser too", does(l.effect))})
	}
	return f
}

// severityOf: an error, one grade lower where only a note stands behind the
// claim, and a note where a repeat would be none.
func severityOf(l leak) lint.Severity {
	switch {
	case !l.graded:
		return lint.Note
	case l.severity == lint.Note:
		return lint.Warning
	}
	return lint.Error
}

func leakPlace(g *guard.Guard, c guard.Cause) source.Span {
	switch c {
	case guard.AlwaysOutput:
		return pair(g.Node.Setting("alwaysOutputData"))
	case guard.ErrorGoesOn:
		if v := g.Node.Setting("onError"); v.Exists() {
			return pair(v)
		}
		return pair(g.Node.Setting("continueOnFail"))
	}
	if s := g.Statement; s != nil {
		query := g.Node.Parameter("query")
		if c := s.Conflict; c != nil {
			return query.Inner(c.Start, c.End)
		}
		return query.Inner(s.Start, s.End)
	}
	return g.At
}

// pair is a key with its value.
func pair(v source.Value) source.Span {
	s := v.KeySpan()
	s.End = v.Span().End
	return s
}

func leakMessage(g *guard.Guard, l leak) string {
	name, effect := strconv.Quote(g.Node.Name), strconv.Quote(l.effect.Node.Name)
	switch {
	case l.exposure.Cause == guard.ErrorGoesOn:
		return fmt.Sprintf("when %s fails, as it does for a key that is already there, the run goes on to %s all the same; let the failure stop, or lead it elsewhere", name, effect)
	case l.exposure.Cause == guard.AlwaysOutput:
		return fmt.Sprintf("%s gives no item when the key is already there, but Always Output Data makes an empty one, and %s runs for the loser too; switch it off, or ask for the returned key in an IF", name, effect)
	case l.exposure.Cause == guard.GivesRow:
		return fmt.Sprintf("%s returns a row to winner and loser alike, so %s runs for both; use DO NOTHING, or return a flag that tells an insert from an update", name, effect)
	case l.exposure.Cause == guard.NothingReturned:
		return fmt.Sprintf("%s gives winner and loser the same item, so %s runs for both; %s", name, effect, returnAdvice(g))
	case l.exposure.Cause == guard.Unasked:
		return fmt.Sprintf("%s counts each delivery, but nothing asks whether the count is 1 before %s; put an IF between", name, effect)
	case !l.won:
		return fmt.Sprintf("%s hangs on the side of the loser of %s: it runs when the key is already there, and not when the event is new; connect it to the other output", effect, name)
	}
	return fmt.Sprintf("the loser of %s goes on to %s: when the key is already there, %s gives one item %s, and %s; put an IF that asks for the returned key between", name, effect, nodeLabel(g.Node), loserItem(g.Node), passed(l.exposure, g))
}

func returnAdvice(g *guard.Guard) string {
	if g.Form == guard.InsertIgnore {
		return "switch Detailed Output on and ask in an IF whether data.affectedRows is 1"
	}
	return "add RETURNING with the key, and ask for it in an IF"
}

// nodeLabel is how n8n calls the node.
func nodeLabel(n *graph.Node) string {
	version := strconv.FormatFloat(n.TypeVersion, 'f', -1, 64)
	switch n.Type {
	case "n8n-nodes-base.postgres":
		return "the Postgres node " + version
	case "n8n-nodes-base.mySql":
		return "the MySQL node " + version
	}
	return "the node"
}

// loserItem is what N8N.md section 1 measured for a statement without rows.
func loserItem(n *graph.Node) string {
	switch n.Type {
	case "n8n-nodes-base.postgres", "n8n-nodes-base.mySql":
		return `{"success": true}`
	}
	return "all the same"
}

// passed names the branches between claim and effect that let the loser on.
func passed(x guard.Exposure, g *guard.Guard) string {
	var names []string
	behind := false
	for _, n := range x.Path {
		if n == g.Node {
			behind = true
			continue
		}
		if behind && branches[n.Type] {
			names = append(names, strconv.Quote(n.Name))
		}
	}
	if len(names) == 0 {
		return "nothing asks for it"
	}
	return strings.Join(names, ", ") + " lets it on"
}

var branches = map[string]bool{
	"n8n-nodes-base.if": true, "n8n-nodes-base.filter": true, "n8n-nodes-base.switch": true, "n8n-nodes-base.code": true,
}

func leakFix(g *guard.Guard, l leak) string {
	switch {
	case l.exposure.Cause == guard.Unasked:
		return fmt.Sprintf("Between %q and %q put an IF node:\n  {{ Object.values($json)[0] }}  number  is equal to  1\nand connect its true output onwards.", g.Node.Name, l.effect.Node.Name)
	case g.Form == guard.InsertIgnore:
		return fmt.Sprintf("In %q add the option Detailed Output, then put an IF node behind it:\n  {{ $json.data.affectedRows }}  number  is equal to  1\nand connect its true output towards %q.", g.Node.Name, l.effect.Node.Name)
	}
	key := "key"
	if len(g.Returns) > 0 {
		key = g.Returns[0]
	} else if len(g.Key) > 0 {
		key = g.Key[0]
	}
	prefix := ""
	if g.Statement == nil || !g.Statement.HasReturning {
		prefix = fmt.Sprintf("Make %q return its key (INSERT … ON CONFLICT (%s) DO NOTHING RETURNING %s). ", g.Node.Name, key, key)
	}
	return fmt.Sprintf("%sBetween %q and %q put an IF node:\n  {{ $json.%s }}  string  exists\nand connect only its true output onwards; the loser ends at the false output.", prefix, g.Node.Name, l.effect.Node.Name, key)
}
