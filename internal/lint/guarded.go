package lint

import (
	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/guard"
)

// EffectGrade is the severity of an effect for one way to it; ok is false where
// a repeat is not worth a finding (RULES.md, Severity).
func EffectGrade(e *guard.Effect, x guard.Exposure) (s Severity, ok bool) {
	s, ok = Grade(e.Impact, x.Root.Class)
	if e.Log {
		// One row a run is what a log is for.
		return Note, ok && s > Note
	}
	return s, ok
}

// IsAlert reports whether a way leads to what tells an operator of a failure:
// no effect to protect.
func IsAlert(e *guard.Effect, x guard.Exposure) bool {
	return x.Failed && (e.Log || e.Impact == catalog.Notice || e.Impact == catalog.Message && e.Fixed)
}

// GuardGrade is the severity of a guard's fault, by the strongest effect behind
// it: an error where money is, a note where only notes are or a repeat would be
// none, a warning otherwise. ok is false where no effect is behind it.
func GuardGrade(held []guard.Held) (s Severity, ok bool) {
	for _, h := range held {
		if IsAlert(h.Effect, h.Exposure) {
			continue
		}
		s, ok = max(s, guardGrade(h)), true
	}
	return s, ok
}

func guardGrade(h guard.Held) Severity {
	grade, graded := EffectGrade(h.Effect, h.Exposure)
	switch {
	case !graded || grade == Note:
		return Note
	case h.Effect.Impact == catalog.Money:
		return Error
	}
	return Warning
}

// Behind lists the effects of a guard as related places, each once.
func Behind(held []guard.Held, what string) (list []Related) {
	seen := map[*guard.Effect]bool{}
	for _, h := range held {
		if !seen[h.Effect] {
			seen[h.Effect] = true
			list = append(list, Related{At: h.Effect.At, Node: h.Effect.Node, Message: what})
		}
	}
	return list
}

// Way is the path of an exposure as a finding's flow.
func Way(x guard.Exposure, first, last string) []Step {
	steps := make([]Step, len(x.Path))
	for i, n := range x.Path {
		steps[i] = Step{At: n.Place(), Node: n, Message: n.Name}
	}
	if len(steps) > 0 {
		steps[0].Message += ": " + first
		steps[len(steps)-1].Message += ": " + last
	}
	return steps
}
