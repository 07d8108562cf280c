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

// deep tells a field that is inside more others than anybody nests.
func (p place) deep() bool { return strings.Count(p.path, pathSeparator) >= maxPath }

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
	// whole: the item was taken as it is, with whatever fields it has; nobody has
	// named the field.
	whole bool
	// asked is the field of a whole item that is wanted of it, where the walk goes
	// on to the item and not to the field.
	asked string
}

// link is the way that is left to an origin, a list from the use on.
type link struct {
	hop    Hop
	next   *link
	length int
	// end is where the last hops of the way begin that an origin keeps.
	end *link
}

func (l *link) behind(hop Hop) *link {
	first := &link{hop: hop, next: l, length: 1}
	if l != nil {
		first.length = l.length + 1
	}
	first.end = first
	if first.length > maxHops/2 {
		first.end = l.end
	}
	return first
}

// leaf is an origin with the way to it.
type leaf struct {
	origin                Origin
	fallback, day, either bool
	whole                 bool
	asked                 string
	way                   *link
}

// behind puts a step in front of the way to a leaf.
func (l leaf) behind(s step) leaf {
	l.fallback = l.fallback || s.fallback
	l.day = l.day || s.day
	l.either = l.either || s.either
	l.whole = l.whole || s.whole
	if l.asked == "" {
		l.asked = s.asked
	}
	if s.hop.Node != nil {
		l.way = l.way.behind(s.hop)
	}
	return l
}

// reached is what a place comes from.
type reached struct {
	leaves     []leaf
	incomplete bool
}

// add takes a leaf in, unless there is one like it that says more.
func (r *reached) add(l leaf) {
	for i := range r.leaves {
		have := &r.leaves[i]
		if same(&have.origin, &l.origin) && have.day == l.day {
			have.fallback = have.fallback && l.fallback
			have.either = have.either && l.either
			have.whole = have.whole && l.whole
			return
		}
	}
	if len(r.leaves) >= maxOrigins {
		r.incomplete = true
		return
	}
	r.leaves = append(r.leaves, l)
}

// follow takes in what a step leads to.
func (t *Tracer) follow(r *reached, s step) {
	if s.origin != nil {
		r.add(leaf{origin: *s.origin}.behind(s))
		return
	}
	beyond := t.reach(s.to)
	r.incomplete = r.incomplete || beyond.incomplete
	for _, l := range beyond.leaves {
		r.add(l.behind(s))
	}
}

// walk follows steps back to the origins.
func (t *Tracer) walk(user *graph.Node, first []step) (origins []Origin, incomplete bool) {
	r := &reached{}
	for _, s := range first {
		t.follow(r, s)
	}
	if len(r.leaves) == 0 && len(first) > 0 && !r.incomplete {
		r.add(leaf{origin: Origin{Kind: Unknown, Node: user, Name: "nothing comes here"}})
	}
	return t.finished(r.leaves, user), r.incomplete
}

// finished makes origins of leaves. It drops what is missing on one of several
// ways that give the same field, and takes for the main value what stands in for
// one that is never there.
func (t *Tracer) finished(leaves []leaf, user *graph.Node) []Origin {
	present := slices.ContainsFunc(leaves, func(l leaf) bool { return l.origin.Kind != Missing })
	main := slices.ContainsFunc(leaves, func(l leaf) bool { return !l.fallback && l.origin.Kind != Missing })
	var origins []Origin
	for _, l := range leaves {
		if l.origin.Kind == Missing && l.either && present {
			continue
		}
		o := l.origin
		o.Fallback = l.fallback && main
		o.StandsIn = l.fallback && !main && o.Kind != Missing
		if l.whole && o.Kind == Model && t.unnamed(l) {
			o.Kind, o.Name = Unknown, "a field that a model may have given"
		}
		o.DayBucket = o.DayBucket || l.day
		o.PerTry = o.PerTry && o.Node == user
		o.Hops = l.hops()
		if o.At.IsZero() {
			o.At = lastText(o.Hops)
		}
		origins = append(origins, o)
	}
	return origins
}

// unnamed reports whether nothing says that a model's answer, of which a whole
// was taken, has the field that is wanted.
func (t *Tracer) unnamed(l leaf) bool {
	if l.asked == "" {
		return l.origin.loose
	}
	held, loose := t.holds(l.origin.Node, append(slices.Clone(l.origin.Path), splitPath(l.asked)...))
	return !held || loose
}

// hops lists the stations of the way, without the middle of a long one.
func (l leaf) hops() []Hop {
	var way []Hop
	for at := l.way; at != nil; at = at.next {
		if at.length > maxHops/2 && len(way) >= maxHops/2 {
			at = l.way.end
		}
		way = append(way, at.hop)
	}
	return way
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

// reach gives what a place comes from, each place once. Where one step leads on
// it is followed in a row, so that a long chain of nodes is walked only once;
// where the way forks, a search goes over all that is behind.
func (t *Tracer) reach(p place) *reached {
	var row []place
	inRow := map[place]bool{}
	at := p
	for t.results[at] == nil {
		if inRow[at] {
			t.results[at] = &reached{} // a circle that nothing comes into
			break
		}
		if len(row) >= maxRow || at.deep() {
			t.results[at] = &reached{incomplete: true}
			break
		}
		steps := t.lead(at)
		if len(steps) != 1 || steps[0].origin != nil {
			t.results[at] = t.search(at, steps)
			break
		}
		inRow[at] = true
		row = append(row, at)
		at = steps[0].to
	}
	for _, before := range slices.Backward(row) {
		if t.results[before] == nil {
			r := &reached{}
			s := t.lead(before)[0]
			beyond := t.results[s.to]
			r.incomplete = beyond.incomplete
			for _, l := range beyond.leaves {
				r.add(l.behind(s))
			}
			t.results[before] = r
		}
	}
	return t.results[p]
}

// visit is a step taken, with the one that led to it.
type visit struct {
	step
	before *visit
}

// search goes over all that steps lead to, the shortest ways first, and main
// values before those that only stand in for a missing one.
func (t *Tracer) search(from place, steps []step) *reached {
	w := walker{tracer: t, reached: &reached{}, seen: map[place]bool{from: true}, workflow: from.node.Workflow}
	w.push(steps, nil)
	for w.next() {
	}
	return w.reached
}

type walker struct {
	*reached
	tracer   *Tracer
	workflow *graph.Workflow
	seen     map[place]bool
	queues   [4][]*visit
}

func (w *walker) push(steps []step, before *visit) {
	if w.tracer.spent[w.workflow] += len(steps); w.tracer.spent[w.workflow] > maxWork {
		w.incomplete = true
		return
	}
	for i := range steps {
		if steps[i].origin == nil && w.seen[steps[i].to] {
			continue
		}
		v := &visit{step: steps[i], before: before}
		if before != nil {
			v.fallback = v.fallback || before.fallback
			v.day = v.day || before.day
			v.either = v.either || before.either
			v.whole = v.whole || before.whole
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
	switch {
	case v.origin != nil:
		w.add(v.leaf(leaf{origin: *v.origin}))
		return
	case w.seen[v.to]:
		return
	case len(w.seen) >= maxVisits || v.to.deep():
		w.incomplete = true
		return
	}
	w.seen[v.to] = true
	if known := w.tracer.results[v.to]; known != nil {
		w.incomplete = w.incomplete || known.incomplete
		for _, l := range known.leaves {
			w.add(v.leaf(l))
		}
		return
	}
	w.push(w.tracer.lead(v.to), v)
}

// leaf puts the way to a visit in front of a leaf.
func (v *visit) leaf(l leaf) leaf {
	for at := v; at != nil; at = at.before {
		l = l.behind(at.step)
	}
	return l
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
