package sarif

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/clean"
)

// GitHub's limits on the texts of a rule, in characters.
const (
	longestDescription = 1024
	longestRuleName    = 255
)

// unknown stands in for a finding that names no rule.
var unknown = &lint.Rule{ID: "unknown", Title: "a finding without a rule"}

func ruleOf(f *lint.Finding) *lint.Rule {
	if f.Rule == nil || f.Rule.ID == "" {
		return unknown
	}
	return f.Rule
}

// rulesOf are the rules that ran and those that findings name, sorted by id, each once.
func rulesOf(r *lint.Result) []*lint.Rule {
	byID := map[string]*lint.Rule{}
	for _, rule := range r.Rules {
		byID[rule.ID] = rule
	}
	for i := range r.Findings {
		if rule := ruleOf(&r.Findings[i]); byID[rule.ID] == nil {
			byID[rule.ID] = rule
		}
	}
	rules := make([]*lint.Rule, 0, len(byID))
	for _, rule := range byID {
		rules = append(rules, rule)
	}
	sort.Slice(rules, func(i, j int) bool { return rules[i].ID < rules[j].ID })
	return rules
}

// descriptor describes a rule. Every text that a viewer demands is filled, from
// the title where the page has nothing.
func descriptor(rule *lint.Rule, helpURI func(string) string) *sarif.ReportingDescriptor {
	title := sentence(rule.Title, rule.ID)
	page := body(rule.Doc)
	full, markdown, text := firstParagraph(rule.Doc), unwrap(page), plain(page)
	if full == "" {
		full = title
	}
	if text == "" {
		markdown, text = title, title
	}
	d := sarif.NewRule(rule.ID).
		WithName(clean.Cut(pascalCase(rule.ID), longestRuleName)).
		WithDescription(clean.Cut(title, longestDescription)).
		WithFullDescription(sarif.NewMultiformatMessageString(clean.Cut(full, longestDescription))).
		WithTextHelp(text).
		WithMarkdownHelp(markdown).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(rule.Severity.String())).
		WithProperties(sarif.Properties{
			"tags":             tags(rule),
			"precision":        rule.Confidence.String(),
			"problem.severity": problemSeverity(rule.Severity),
		})
	if helpURI != nil {
		if uri := helpURI(rule.ID); uri != "" {
			d.WithHelpURI(uri)
		}
	}
	return d
}

// sentence begins with a capital and ends with a full stop.
func sentence(s, otherwise string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		s = otherwise
	}
	if s == "" {
		return "?"
	}
	s = capital(s)
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// tags are unique, as the schema wants them.
func tags(rule *lint.Rule) []string {
	out := []string{"reliability", "idempotency"}
	if family := string(rule.Family); family != "" && family != out[0] && family != out[1] {
		out = append(out, family)
	}
	return out
}

func problemSeverity(s lint.Severity) string {
	if s == lint.Note {
		return "recommendation"
	}
	return s.String()
}

// pascalCase is the rule's name, which must differ from its id.
func pascalCase(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		if part != "" {
			b.WriteString(capital(part))
		}
	}
	return b.String()
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
