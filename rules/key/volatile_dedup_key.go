package key

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/flow"
	"github.com/n8nlint/n8nlint/internal/guard"
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed volatile_dedup_key.md
var volatileDoc string

// VolatileDedupKey reports keys made of something that a redelivery or a retry
// makes anew.
func VolatileDedupKey() *lint.Rule {
	return &lint.Rule{
		ID:         "volatile-dedup-key",
		Title:      "a key that is new each time",
		Family:     "key",
		Severity:   lint.Error,
		Confidence: lint.High,
		Default:    true,
		Doc:        volatileDoc,
		Check:      checkVolatile,
	}
}

func checkVolatile(p *lint.Pass) error {
	for _, use := range p.Facts.Keys() {
		if use.PerRun || !judged(p.Facts, use) || use.Guard != nil && !use.Guard.Proven && use.Guard.Form == guard.RedisIncrement {
			continue
		}
		if source, ok := volatileSource(p.Facts, use); ok {
			p.Report(volatileFinding(p.Facts, use, source))
		}
	}
	return nil
}

// volatile is the part of a key that changes, and why.
type volatile struct {
	origin flow.Origin
	reason string // empty for a source that is new in every run
	sure   lint.Confidence
}

// why is the reason as the rest of a clause.
func (v volatile) why() string {
	if v.reason == "" {
		return ", which is new in every run"
	}
	return " (" + v.reason + ")"
}

// place is the source itself where it stands in the key's own parameter.
func place(use guard.KeyUse, o flow.Origin) source.Span {
	if o.Node == use.Node && !o.At.IsZero() {
		return o.At
	}
	return use.At
}

// volatileSource finds the first part of a key that a repeat makes anew; a
// fallback only where nothing else is.
func volatileSource(facts *guard.Facts, use guard.KeyUse) (found volatile, ok bool) {
	for _, o := range use.Trace.Origins {
		v, is := volatileOrigin(facts, use, o)
		if is && (!ok || found.origin.Fallback && !o.Fallback) {
			found, ok = v, true
		}
	}
	return found, ok
}

func volatileOrigin(facts *guard.Facts, use guard.KeyUse, o flow.Origin) (volatile, bool) {
	if o.Kind == flow.Volatile {
		if use.Log && strings.HasPrefix(o.Name, "$execution") {
			return volatile{}, false // a log of runs has a row for each
		}
		if o.DayBucket && clockOnly(facts, use) {
			return volatile{}, false // names the day's run: a re-run has the same key
		}
		return volatile{origin: o, sure: lint.High}, true
	}
	reason, ok := flow.VolatileField(o)
	if !ok {
		return volatile{}, false
	}
	sure := map[string]lint.Confidence{"high": lint.High, "medium": lint.Medium, "low": lint.Low}[flow.VolatileFieldConfidence(o)]
	return volatile{origin: o, reason: reason, sure: sure}, true
}

// clockOnly reports whether only schedules, and hands, start the way to a key.
func clockOnly(facts *guard.Facts, use guard.KeyUse) bool {
	for _, v := range facts.Visits(use.Node) {
		if v.Root.Class != catalog.Schedule && v.Root.Class != catalog.Manual {
			return false
		}
	}
	return true
}

func volatileFinding(facts *guard.Facts, use guard.KeyUse, v volatile) lint.Finding {
	name := v.origin.Name
	if name == "" {
		name = fieldName(v.origin)
	}
	f := lint.Finding{
		At: place(use, v.origin), Node: use.Node, Severity: severity(facts, use), Confidence: v.sure,
		Message: fmt.Sprintf("the key of %q (%s) holds %s%s: a repeat gets another key and is not recognised; make the key of what names the event",
			use.Node.Name, use.Position, name, v.why()),
		Flow: origin(use, v.origin),
		Fix:  stableFix(facts, use) + " Keep $execution.id and $now in other fields, as evidence.",
		Key:  use.Position,
	}
	if v.origin.StandsIn {
		f.Message = standingIn(facts, use, v, name, f.Message)
	}
	if use.Named {
		f.Confidence = min(f.Confidence, lint.Medium)
	}
	if v.origin.Fallback {
		f.Severity, f.Confidence = min(f.Severity, lint.Warning), min(f.Confidence, lint.Medium)
		f.Message = fmt.Sprintf("where nothing else is there, the key of %q (%s) falls back to %s%s: such events are never recognised; let the run fail instead",
			use.Node.Name, use.Position, name, v.why())
	}
	return f
}

// standingIn says why a key always falls back: the field that it asks for first
// is never there.
func standingIn(facts *guard.Facts, use guard.KeyUse, v volatile, name, otherwise string) string {
	for _, o := range use.Trace.Origins {
		if o.Kind != flow.Missing || o.Fallback || len(o.Path) == 0 || o.Node == nil {
			continue
		}
		lack, remedy := fmt.Sprintf("the item of %q has no %q", o.Node.Name, strings.Join(o.Path, ".")), "make the key of what names the event"
		if body, ok := facts.Under(o.Node); ok {
			lack, remedy = fmt.Sprintf("a webhook's item has no %q at its top", o.Path[0]), "read it from "+body
		}
		return fmt.Sprintf("the key of %q (%s) always falls back to %s%s, because %s: a repeat gets another key and is not recognised; %s",
			use.Node.Name, use.Position, name, v.why(), lack, remedy)
	}
	return otherwise
}

// fieldName is a field of a node's item as an expression writes it.
func fieldName(o flow.Origin) string {
	if len(o.Path) == 0 {
		return "the whole delivery"
	}
	name := "$json"
	for _, p := range o.Path {
		name += "." + p
	}
	return name
}

// severity goes by what is repeated: an error, one grade lower where only a
// note's worth is behind the key.
func severity(facts *guard.Facts, use guard.KeyUse) lint.Severity {
	if use.Log {
		return lint.Note
	}
	strongest, graded := lint.Note, false
	for _, e := range facts.Effects {
		for _, x := range e.Exposures {
			if e.Node != use.Node && (use.Guard == nil || x.Guard != use.Guard) {
				continue
			}
			if s, ok := lint.EffectGrade(e, x); ok {
				strongest, graded = max(strongest, s), true
			}
		}
	}
	op := facts.Operation(use.Node)
	for _, v := range facts.Visits(use.Node) {
		if s, ok := lint.Grade(op.Impact, v.Root.Class); ok && op.Writes() {
			strongest, graded = max(strongest, s), true
		}
	}
	switch {
	case !graded:
		return lint.Note
	case strongest == lint.Note:
		return lint.Warning
	}
	return lint.Error
}

// origin shows where a value was made and every station up to the key.
func origin(use guard.KeyUse, o flow.Origin) (steps []lint.Step) {
	if o.Node != nil && !o.At.IsZero() {
		steps = append(steps, lint.Step{At: o.At, Node: o.Node, Message: o.Node.Name + ": made here"})
	}
	for i := len(o.Hops) - 1; i >= 0; i-- {
		h := o.Hops[i]
		steps = append(steps, lint.Step{At: h.At, Node: h.Node, Message: h.Node.Name + ": " + h.What})
	}
	return append(steps, lint.Step{At: use.At, Node: use.Node, Message: use.Node.Name + ": used as " + use.Position})
}
