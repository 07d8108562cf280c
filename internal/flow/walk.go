package flow

import (
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

// side says at which end of a node an item is looked at.
type side uint8

const (
	// arriving: the item that comes in.
	arriving side = iota
	// leaving: the item that goes out.
	leaving
	// failing: the item on the error output.
	failing
	// looping and finishing: the items on the two outputs of Loop Over Items.
	looping
	finishing
)

// place is a field of the items at one end of a node.
type place struct {
	node *graph.Node
	side side
	path string // see joinPath
}

const pathSeparator = "\x00"

// joinPath makes a path comparable; the empty path is the whole item.
func joinPath(path []string) string { return strings.Join(path, pathSeparator) }

func splitPath(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, pathSeparator)
}

// step leads from a value to one thing that it is made of: an origin, or a field
// further up.
type step struct {
	// origin ends the walk; nil where the step leads on to a place.
	origin *Origin
	to     place
	hop    Hop // none where Node is nil
	// fallback and day hold for everything beyond the step.
	fallback, day bool
	// either: the value comes from one of several steps; what is missing beyond
	// this one does not count where another one has it.
	either bool
}

// visit is a step taken, with the one that led to it.
type visit struct {
	step
	before *visit
	either bool
}

// walk follows steps back to the origins, the shortest ways first, and main
// values before those that only stand in for a missing one.
func (t *Tracer) walk(user *graph.Node, first []step) (origins []Origin, incomplete bool) {
	w := walker{tracer: t, user: user, seen: map[place]bool{}}
	w.push(first, nil)
	for w.next() {
	}
	if len(w.origins) == 0 && len(first) > 0 && !w.incomplete {
		w.end(&visit{step: step{origin: &Origin{Kind: Unknown, Node: user, Name: "nothing comes here"}}})
	}
	return w.found(), w.incomplete
}

type walker struct {
	tracer     *Tracer
	user       *graph.Node
	seen       map[place]bool
	queues     [4][]*visit
	origins    []Origin
	optional   []bool // parallel to origins
	incomplete bool
}

func (w *walker) push(steps []step, before *visit) {
	for i := range steps {
		v := &visit{step: steps[i], before: before, either: steps[i].either}
		if before != nil {
			v.fallback = v.fallback || before.fallback
			v.day = v.day || before.day
			v.either = v.either || before.either
		}
		w.queues[v.rank()] = append(w.queues[v.rank()], v)
	}
}

// rank orders visits so that the first one to a place says the most of it.
func (v *visit) rank() int {
	rank := 0
	if v.day {
		rank++
	}
	if v.fallback {
		rank += 2
	}
	return rank
}

func (w *walker) next() bool {
	for i, q := range w.queues {
		if len(q) == 0 {
			continue
		}
		w.queues[i] = q[1:]
		w.take(q[0])
		return true
	}
	return false
}

func (w *walker) take(v *visit) {
	if v.origin != nil {
		w.end(v)
		return
	}
	if w.seen[v.to] {
		return
	}
	if len(w.seen) >= maxVisits || strings.Count(v.to.path, pathSeparator) >= maxPath {
		w.incomplete = true
		return
	}
	w.seen[v.to] = true
	w.push(w.tracer.lead(v.to), v)
}

func (w *walker) end(v *visit) {
	o := *v.origin
	o.Fallback = o.Fallback || v.fallback
	o.DayBucket = o.DayBucket || v.day
	o.PerTry = o.PerTry && o.Node == w.user
	for i := range w.origins {
		if same(&w.origins[i], &o) {
			w.optional[i] = w.optional[i] && v.either
			return
		}
	}
	if len(w.origins) >= maxOrigins {
		w.incomplete = true
		return
	}
	o.Hops = v.hops()
	if o.At.IsZero() {
		o.At = lastText(o.Hops)
	}
	w.origins = append(w.origins, o)
	w.optional = append(w.optional, v.either)
}

// lastText is the last text on a way that names what it reads, not a node that
// only passes it on.
func lastText(way []Hop) source.Span {
	for _, h := range slices.Backward(way) {
		if h.At != h.Node.Place() {
			return h.At
		}
	}
	if len(way) > 0 {
		return way[len(way)-1].At
	}
	return source.Span{}
}

// found drops what is missing on one of several ways that give the same field,
// and takes for the main value what stands in for one that is never there.
func (w *walker) found() []Origin {
	if !slices.ContainsFunc(w.origins, func(o Origin) bool { return !o.Fallback && o.Kind != Missing }) {
		for i := range w.origins {
			w.origins[i].Fallback = false
		}
	}
	present := slices.ContainsFunc(w.origins, func(o Origin) bool { return o.Kind != Missing })
	var kept []Origin
	for i, o := range w.origins {
		if o.Kind == Missing && w.optional[i] && present {
			continue
		}
		kept = append(kept, o)
	}
	return kept
}

// hops lists the stations of the way to a visit, from the use on.
func (v *visit) hops() []Hop {
	var way []Hop
	for ; v != nil; v = v.before {
		if v.hop.Node != nil {
			way = append(way, v.hop)
		}
	}
	slices.Reverse(way)
	if len(way) > maxHops {
		way = slices.Concat(way[:maxHops/2], way[len(way)-maxHops/2:])
	}
	return way
}

func same(a, b *Origin) bool {
	return a.Kind == b.Kind && a.Node == b.Node && a.Name == b.Name && (a.At == b.At || a.Kind == TriggerField || a.Kind == Missing || b.At.IsZero()) &&
		slices.Equal(a.Path, b.Path) && a.DayBucket == b.DayBucket
}

// lead gives the steps from a place, each place once.
func (t *Tracer) lead(p place) []step {
	steps, ok := t.leads[p]
	if ok {
		return steps
	}
	path := splitPath(p.path)
	switch p.side {
	case arriving:
		steps = t.arriving(p.node, path)
	case leaving:
		steps = t.leaving(p.node, path)
	case failing:
		steps = t.failing(p.node, path)
	default:
		steps = t.loop(p.node, p.side, path)
	}
	if len(steps) > maxSteps {
		steps = append(steps[:maxSteps:maxSteps], unknown(p.node, "too many sources"))
	}
	t.leads[p] = steps
	return steps
}

// back leads to a field of the item that comes in to a node.
func back(n *graph.Node, path []string, hop Hop) step {
	return step{to: place{node: n, side: arriving, path: joinPath(path)}, hop: hop}
}

func ending(o Origin) step { return step{origin: &o} }

func unknown(n *graph.Node, why string) step {
	return ending(Origin{Kind: Unknown, Node: n, Name: why})
}
