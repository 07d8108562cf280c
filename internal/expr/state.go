package expr

// The evaluator's state is the content of variables and objects. Where a
// condition is unknown, both ways are taken from the same state: every write is
// noted in a log, a path's writes are captured and undone, and the captured
// states of all paths that go on are joined.

// binding is a variable.
type binding struct {
	name  string
	value Value
	born  int
}

// environment is a block's variables.
type environment struct {
	parent *environment
	vars   []*binding
}

func (env *environment) find(name string) *binding {
	for ; env != nil; env = env.parent {
		for i := len(env.vars) - 1; i >= 0; i-- {
			if env.vars[i].name == name {
				return env.vars[i]
			}
		}
	}
	return nil
}

// undo is the state of one variable or object before a write.
type undo struct {
	variable *binding
	value    Value
	object   *object
	content  *content
}

// state is what a path has written since a mark.
type state struct {
	variables map[*binding]Value
	objects   map[*object]*content
	untouched bool // a loop that ran no iteration
}

// region is a piece of code that paths can leave early: a function by return, a
// loop by break, an iteration by continue, a try block by throw.
type region struct {
	mark    int
	clock   int
	depth   int
	pending []path
	may     bool // anything in it may throw, at an unknown point
}

// path is a way out of a region.
type path struct {
	state state
	value Value
}

func (e *evaluator) tick() int {
	e.clock++
	return e.clock
}

func (e *evaluator) contentOf(o *object) *content {
	if len(e.overlay) > 0 {
		if c, ok := e.overlay[o]; ok {
			return c
		}
	}
	return o.content
}

func (e *evaluator) writeObject(o *object, c *content) {
	if e.recording > 0 {
		e.log = append(e.log, undo{object: o, content: e.contentOf(o)})
	}
	if e.overlay == nil {
		e.overlay = map[*object]*content{}
	}
	e.overlay[o] = c
}

func (e *evaluator) writeVariable(b *binding, v Value) {
	if e.recording > 0 {
		e.log = append(e.log, undo{variable: b, value: b.value})
	}
	b.value = v
}

func (e *evaluator) declare(env *environment, name string, v Value) {
	for _, b := range env.vars {
		if b.name == name {
			e.writeVariable(b, v)
			return
		}
	}
	env.vars = append(env.vars, &binding{name: name, value: v, born: e.tick()})
}

func (e *evaluator) open() *region {
	e.recording++
	return &region{mark: len(e.log), clock: e.clock, depth: e.recording}
}

// capture gives the writes since the mark.
func (e *evaluator) capture(mark int) state {
	var s state
	for _, entry := range e.log[mark:] {
		if entry.variable != nil {
			if s.variables == nil {
				s.variables = map[*binding]Value{}
			}
			s.variables[entry.variable] = entry.variable.value
			continue
		}
		if s.objects == nil {
			s.objects = map[*object]*content{}
		}
		s.objects[entry.object] = e.contentOf(entry.object)
	}
	return s
}

// rollback undoes the writes since the mark.
func (e *evaluator) rollback(mark int) {
	for i := len(e.log) - 1; i >= mark; i-- {
		entry := e.log[i]
		if entry.variable != nil {
			entry.variable.value = entry.value
			continue
		}
		e.overlay[entry.object] = entry.content
	}
	e.log = e.log[:mark]
}

// leave notes a path that leaves the region here.
func (e *evaluator) leave(r *region, v Value) {
	if len(r.pending) >= maxPendingPaths {
		e.exhaust()
		return
	}
	r.pending = append(r.pending, path{state: e.capture(r.mark), value: v})
}

// close ends the region: the state becomes the join of the current one, if
// alive, and of all pending paths. It tells whether any path goes on.
func (e *evaluator) close(r *region, alive bool) bool {
	defer func() {
		e.recording--
		if e.recording == 0 {
			e.log = e.log[:0]
		}
	}()
	if len(r.pending) == 0 {
		return alive
	}
	states := make([]state, 0, len(r.pending)+1)
	for _, p := range r.pending {
		states = append(states, p.state)
	}
	if alive {
		states = append(states, e.capture(r.mark))
	}
	e.rollback(r.mark)
	e.joinStates(states, r.clock)
	return true
}

// fork runs each way from the same state and joins the states of those that go on.
func (e *evaluator) fork(ways ...func() bool) bool {
	r := e.open()
	e.branches++
	alive := false
	for _, way := range ways {
		if way() && !e.thrown {
			e.leave(r, Value{})
			alive = true
		}
		e.thrown = false
		e.rollback(r.mark)
	}
	e.branches--
	e.close(r, false)
	return alive
}

// joinStates writes the join of several states, each relative to the current one.
func (e *evaluator) joinStates(states []state, clock int) {
	if len(states) == 1 {
		e.apply(states[0])
		return
	}
	variables := map[*binding]bool{}
	objects := map[*object]bool{}
	for _, s := range states {
		for b := range s.variables {
			variables[b] = true
		}
		for o := range s.objects {
			objects[o] = true
		}
	}
	// Objects first: values that are compared while joining refer to them.
	joinedObjects := make(map[*object]*content, len(objects))
	for o := range objects {
		joinedObjects[o] = e.joinObject(o, states, clock)
	}
	joinedVariables := make(map[*binding]Value, len(variables))
	for b := range variables {
		joinedVariables[b] = e.joinVariable(b, states)
	}
	for o, c := range joinedObjects {
		e.writeObject(o, c)
	}
	for b, v := range joinedVariables {
		e.writeVariable(b, v)
	}
}

func (e *evaluator) joinObject(o *object, states []state, clock int) *content {
	var result *content
	for _, s := range states {
		c, written := s.objects[o]
		if !written {
			if o.born > clock || o.summary && s.untouched {
				continue
			}
			c = e.contentOf(o)
		}
		if result == nil {
			result = c
			continue
		}
		result = e.joinContent(result, c, 0)
	}
	return result
}

func (e *evaluator) joinVariable(b *binding, states []state) Value {
	var result Value
	for i, s := range states {
		v, written := s.variables[b]
		if !written {
			v = b.value
		}
		if i == 0 {
			result = v
			continue
		}
		result = e.join(result, v)
	}
	return result
}

func (e *evaluator) apply(s state) {
	for o, c := range s.objects {
		e.writeObject(o, c)
	}
	for b, v := range s.variables {
		e.writeVariable(b, v)
	}
}

// changed tells whether anything that existed before the region was written since.
func (e *evaluator) changed(r *region) bool {
	for _, entry := range e.log[r.mark:] {
		if entry.variable != nil && entry.variable.born <= r.clock {
			return true
		}
		if entry.object != nil && entry.object.born <= r.clock {
			return true
		}
	}
	return false
}
