package guard

import (
	"slices"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Contested reports whether a way to an effect leads through a branch at which the
// runs of a schedule may part from those of the way's own trigger: both come to
// it, and which of them goes on to the effect the file does not show.
func (f *Facts) Contested(e *Effect, x Exposure) bool {
	if x.Root.Class != catalog.Event && x.Root.Class != catalog.Form {
		return false
	}
	return sharesBranch(e, x, func(Root, []*graph.Node) bool { return true })
}

// Parted reports whether a way leads through a branch that asks, itself or by the
// Set nodes in front of it, for a field that only a schedule of the workflow
// brings, and behind which the schedule's runs come to the effect too: by the
// branch the triggers' runs part, and the weaker trigger's is the way to judge.
func (f *Facts) Parted(e *Effect, x Exposure) bool {
	return sharesBranch(e, x, func(schedule Root, way []*graph.Node) bool {
		return f.model.asksFieldsOf(schedule.Trigger, x.Root.Trigger, way)
	})
}

// sharesBranch reports whether a way leads through a branch that is also on the
// way of a schedule of the same workflow to the same effect. which chooses among
// such branches by the schedule and the way up to the branch.
func sharesBranch(e *Effect, x Exposure, which func(schedule Root, way []*graph.Node) bool) bool {
	for _, y := range e.Exposures {
		if y.Root == x.Root || y.Root.Class != catalog.Schedule || y.Root.Trigger.Workflow != x.Root.Trigger.Workflow {
			continue
		}
		for i, n := range x.Path {
			if (n.Type == ifNode || n.Type == switchNode) && !n.Disabled && slices.Contains(y.Path, n) && which(y.Root, x.Path[:i+1]) {
				return true
			}
		}
	}
	return false
}

// asksFieldsOf reports whether the last node of a way, or the Set nodes and those
// that pass items on directly in front of it, read a field that one trigger's
// item has and another one's has not.
func (m *model) asksFieldsOf(one, other *graph.Node, way []*graph.Node) bool {
	for i := len(way) - 1; i >= 0; i-- {
		n := way[i]
		if i < len(way)-1 && n.Type != setNode && !m.passes(n) {
			return false
		}
		if slices.ContainsFunc(m.fieldsAsked(n), func(field string) bool { return m.tracer().Has(one, field) && !m.tracer().Has(other, field) }) {
			return true
		}
	}
	return false
}

// fieldsAsked are the fields of the current item that a node's expressions read,
// also where they only decide.
func (m *model) fieldsAsked(n *graph.Node) (fields []string) {
	m.eachStringValue(n.Parameters, 0, func(v source.Value) {
		for _, p := range m.eval.template(v.Str()).Parts {
			if p.Program == nil {
				continue
			}
			for _, o := range plainReads(p.Text, p.Start, p.Program) {
				if o.Name == "" {
					fields = append(fields, o.Path[0])
				}
			}
		}
	})
	return fields
}
