package flow

import (
	"slices"
	"strings"
)

// volatileField is a line of volatilefields.tsv: a field of a delivery that a
// repeat of the same event does not keep.
type volatileField struct {
	path       []string // "**" at the start: at any depth
	reason     string
	confidence string
}

func readVolatileField(f []string) volatileField {
	v := volatileField{reason: f[2], confidence: f[3]}
	if f[1] != "-" {
		v.path = strings.Split(f[1], "/")
	}
	return v
}

// VolatileField reports whether an origin is a field of the event that another
// delivery of the same event does not keep, such as a request id, or the whole
// delivery with all of them; reason says why, in half a sentence.
func VolatileField(o Origin) (reason string, ok bool) {
	f, ok := volatileFieldOf(o)
	return f.reason, ok
}

// VolatileFieldConfidence is how sure VolatileField is of an origin: "high",
// "medium" or "low"; "" where it is none.
func VolatileFieldConfidence(o Origin) string {
	f, _ := volatileFieldOf(o)
	return f.confidence
}

func volatileFieldOf(o Origin) (volatileField, bool) {
	if o.Kind != TriggerField || o.Node == nil {
		return volatileField{}, false
	}
	for _, f := range embedded().volatile[o.Node.Type] {
		if f.fits(o.Path) {
			return f, true
		}
	}
	return volatileField{}, false
}

// fits compares names without case: headers are lower case whatever the sender
// wrote, and body fields differ in spelling between a sender's versions.
func (f volatileField) fits(path []string) bool {
	pattern := f.path
	if len(pattern) > 0 && pattern[0] == "**" {
		pattern = pattern[1:]
		if len(path) < len(pattern) {
			return false
		}
		path = path[len(path)-len(pattern):]
	}
	return slices.EqualFunc(pattern, path, func(want, have string) bool {
		if prefix, ok := strings.CutSuffix(want, "*"); ok && want != "*" {
			return len(have) >= len(prefix) && strings.EqualFold(prefix, have[:len(prefix)])
		}
		return strings.EqualFold(want, have)
	})
}
