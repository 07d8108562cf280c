package sarif

import (
	"regexp"
	"strings"
)

// body is a rule's page without its first heading, which viewers print
// themselves.
func body(page string) string {
	page = strings.TrimSpace(strings.ReplaceAll(page, "\r\n", "\n"))
	if first, rest, _ := strings.Cut(page, "\n"); strings.HasPrefix(first, "# ") {
		page = strings.TrimSpace(rest)
	}
	return page
}

// line kinds that begin something of their own.
var (
	fence = regexp.MustCompile("^\\s*(```|~~~)")
	item  = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s`)
	block = regexp.MustCompile(`^\s*(?:#{1,6}\s|\||>|<|(?:---|\*\*\*|___)\s*$)`)
)

// unwrap puts each paragraph and list item on one line: GitHub shows every line
// break of a help text as one. Code, tables and headings stay as they are.
func unwrap(page string) string {
	var out []string
	inFence, open := false, false // open: the last line can be gone on with
	for line := range strings.SplitSeq(page, "\n") {
		isFence := fence.MatchString(line)
		indented := !open && strings.HasPrefix(line, "    ")
		switch {
		case isFence:
			inFence, open = !inFence, false
		case inFence || indented || strings.TrimSpace(line) == "" || block.MatchString(line):
			open = false
		case open && !item.MatchString(line):
			out[len(out)-1] += " " + strings.TrimSpace(line)
			open = !hardBreak(line)
			continue
		default:
			open = !hardBreak(line)
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return strings.Join(out, "\n")
}

func hardBreak(line string) bool {
	return strings.HasSuffix(line, "  ") || strings.HasSuffix(line, `\`)
}

var (
	heading = regexp.MustCompile(`^#{1,6}\s+`)
	link    = regexp.MustCompile(`\[([^\[\]]*)\]\(([^()\s]*)\)`)
	strong  = regexp.MustCompile(`\*\*([^*\n]+)\*\*`)
	stress  = regexp.MustCompile(`(^|[\s(])[*_]([^*_\s][^*_\n]*)[*_]`)
)

// plain is a page as text for viewers without Markdown. Code stays as it is.
func plain(page string) string {
	var out []string
	inFence := false
	for line := range strings.SplitSeq(unwrap(page), "\n") {
		switch {
		case fence.MatchString(line):
			inFence = !inFence
			continue
		case inFence:
			out = append(out, "    "+line)
			continue
		}
		out = append(out, plainLine(line))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

func plainLine(line string) string {
	line = heading.ReplaceAllString(line, "")
	line = link.ReplaceAllString(line, "$1 ($2)")
	parts := strings.Split(line, "`")
	for i := 0; i < len(parts); i += 2 { // the odd ones are code
		parts[i] = strong.ReplaceAllString(parts[i], "$1")
		parts[i] = stress.ReplaceAllString(parts[i], "$1$2")
	}
	return strings.Join(parts, "")
}

// firstParagraph is the first run of ordinary text of a page, as plain text.
func firstParagraph(page string) string {
	inFence := false
	for line := range strings.SplitSeq(unwrap(body(page)), "\n") {
		if fence.MatchString(line) {
			inFence = !inFence
			continue
		}
		if inFence || strings.TrimSpace(line) == "" || block.MatchString(line) || item.MatchString(line) {
			continue
		}
		return plainLine(strings.TrimSpace(line))
	}
	return ""
}
