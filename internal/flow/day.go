package flow

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// dayForm says how a method cuts a time, by daybuckets.tsv.
type dayForm string

const (
	dayCall     dayForm = "call"
	dayProperty dayForm = "property"
	dayUnit     dayForm = "unit"
	dayFormat   dayForm = "format"
	dayFirstTen dayForm = "firstTen"
	dayBeforeT  dayForm = "beforeT"
	dayAround   dayForm = "around"
)

// cutToDay reports whether what is called on the text from start to end cuts a
// time to a day or longer. It reads the chain of members behind the text, and
// that behind a function around it which keeps the time.
func (t *Tracer) cutToDay(code string, start, end int) bool {
	if start < 0 || end > len(code) || start >= end {
		return false
	}
	if t.chainCuts(code[start:end]) {
		return true // the field itself ends in such a member, as in $now.day
	}
	for range maxNesting {
		rest := code[end:]
		if t.chainCuts(rest) {
			return true
		}
		var ok bool
		if start, end, ok = t.around(code, start, end+len(rest)-len(afterChain(rest))); !ok {
			return false
		}
	}
	return false
}

// chainCuts reads .name, .name(arguments) and [index] in turn.
func (t *Tracer) chainCuts(text string) bool {
	for {
		name, arguments, called, rest, ok := member(text)
		if !ok {
			return false
		}
		if t.cuts(name, arguments, called) {
			return true
		}
		text = rest
	}
}

func afterChain(text string) string {
	for {
		_, _, _, rest, ok := member(text)
		if !ok {
			return text
		}
		text = rest
	}
}

// member reads one member access at the start of a text.
func member(text string) (name, arguments string, called bool, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t\r\n")
	text = strings.TrimPrefix(text, "?")
	if strings.HasPrefix(text, "[") {
		n := bracketed(text)
		return "", "", false, text[n:], n > 0
	}
	if !strings.HasPrefix(text, ".") {
		return "", "", false, text, false
	}
	text = strings.TrimLeft(text[1:], " \t\r\n")
	n := 0
	for n < len(text) && identifierByte(text[n]) {
		n++
	}
	name, rest = text[:n], text[n:]
	if n == 0 {
		return "", "", false, text, false
	}
	if n = bracketed(rest); n > 0 && rest[0] == '(' {
		return name, rest[1 : n-1], true, rest[n:], true
	}
	return name, "", false, rest, true
}

func identifierByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// bracketed is the length of the bracket at the start of a text with what it
// holds, 0 where there is none, or it does not close soon.
func bracketed(text string) int {
	text = text[:min(len(text), maxArguments)]
	if text == "" || text[0] != '(' && text[0] != '[' {
		return 0
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '\'', '"', '`':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0
}

// around widens the text to a call around it, such as DateTime.fromISO( … ), of
// which it is the first argument.
func (t *Tracer) around(code string, start, end int) (from, to int, ok bool) {
	before := strings.TrimRight(code[:start], " \t\r\n")
	if !strings.HasSuffix(before, "(") {
		return 0, 0, false
	}
	open := len(before) - 1
	callee := strings.TrimRight(before[:open], " \t\r\n")
	at := len(callee)
	for at > 0 && (identifierByte(callee[at-1]) || callee[at-1] == '.') {
		at--
	}
	name := callee[at:]
	if strings.HasSuffix(strings.TrimRight(callee[:at], " \t\r\n"), "new") {
		name = "new " + name
		at = strings.LastIndex(callee[:at], "new")
	}
	if name != "" && t.tables.days[name] != dayAround {
		return 0, 0, false
	}
	n := bracketed(code[open:])
	if n == 0 || open+n < end {
		return 0, 0, false
	}
	return at, open + n, true
}

func (t *Tracer) cuts(name, arguments string, called bool) bool {
	form, ok := t.tables.days[name]
	if !ok || called == (form == dayProperty) {
		return false
	}
	switch form {
	case dayCall, dayProperty:
		return true
	case dayUnit:
		return longUnit(literal(arguments))
	case dayFormat:
		return dateFormat(literal(arguments))
	case dayFirstTen:
		return strings.ReplaceAll(arguments, " ", "") == "0,10"
	case dayBeforeT:
		return literal(arguments) == "T"
	}
	return false
}

// literal is the text of the string at the start of an argument list.
func literal(arguments string) string {
	s := strings.TrimSpace(arguments)
	if len(s) < 2 || s[0] != '\'' && s[0] != '"' && s[0] != '`' {
		return ""
	}
	if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
		return s[1 : end+1]
	}
	return ""
}

// longUnit reports whether a unit of luxon or moment is a day or longer.
func longUnit(unit string) bool {
	switch strings.TrimSuffix(strings.ToLower(unit), "s") {
	case "day", "week", "month", "quarter", "year", "date", "d", "w", "isoweek", "weeknumber", "weekday":
		return true
	}
	return unit == "M" || unit == "y" || unit == "Q"
}

// timeTokens are the letters that show a time of day in a format of luxon or moment.
const timeTokens = "HhmsSuaAtTfFxX"

// dateFormat reports whether a format shows a date and no time of day.
func dateFormat(format string) bool {
	quoted, letters := false, 0
	for _, r := range format {
		switch {
		case r == '\'' || r == '[' || r == ']':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune(timeTokens, r):
			return false
		case r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
			letters++
		}
	}
	return letters > 0
}

// cutsToDay reports whether a Date & Time node's own parameters cut its value to
// a day or longer.
func (t *Tracer) cutsToDay(n *graph.Node) bool {
	switch {
	case n.Parameter("operation").Str() == "getCurrentDate":
		v := n.Parameter("includeTime")
		return v.Exists() && !v.IsTrue()
	case n.Parameter("operation").Str() == "roundDate":
		unit := n.Parameter("toNearest").Str()
		if n.Parameter("mode").Str() == "roundUp" {
			unit = n.Parameter("to").Str()
		}
		return longUnit(unit)
	case n.Parameter("operation").Str() == "extractDate":
		return longUnit(n.Parameter("part").Str())
	}
	for _, key := range []string{"customFormat", "format", "toFormat"} {
		if f := n.Parameter(key).Str(); f != "" && f != "custom" {
			return dateFormat(f)
		}
	}
	return false
}
