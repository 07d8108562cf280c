package lint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/n8nlint/n8nlint/internal/lint"
)

func TestValidate(t *testing.T) {
	require.NoError(t, lint.Validate(nil))
	require.NoError(t, lint.Validate([]*lint.Rule{everyNode("one-rule"), everyNode("other-rule")}))
	for name, c := range map[string]struct {
		change func(*lint.Rule)
		want   string
	}{
		"upper case":        {func(r *lint.Rule) { r.ID = "Every-node" }, `rule "Every-node": the id is not kebab-case`},
		"one word":          {func(r *lint.Rule) { r.ID = "every" }, "not kebab-case"},
		"underscore":        {func(r *lint.Rule) { r.ID = "every_node" }, "not kebab-case"},
		"a hyphen too many": {func(r *lint.Rule) { r.ID = "every-node-" }, "not kebab-case"},
		"no id":             {func(r *lint.Rule) { r.ID = "" }, "not kebab-case"},
		"no title":          {func(r *lint.Rule) { r.Title = "" }, `rule "every-node": the title is`},
		"full stop":         {func(r *lint.Rule) { r.Title = "a title." }, "the title is"},
		"capital":           {func(r *lint.Rule) { r.Title = "A title" }, "the title is"},
		"no page":           {func(r *lint.Rule) { r.Doc = "" }, "the page does not begin with its id"},
		"another's page":    {func(r *lint.Rule) { r.Doc = "# every-nodes\n" }, "the page does not begin with its id"},
		"no check":          {func(r *lint.Rule) { r.Check = nil }, "no check or no family"},
		"no family":         {func(r *lint.Rule) { r.Family = "" }, "no check or no family"},
	} {
		t.Run(name, func(t *testing.T) {
			r := everyNode("every-node")
			c.change(r)
			require.ErrorContains(t, lint.Validate([]*lint.Rule{r}), c.want)
		})
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	bad := everyNode("bad")
	err := lint.Validate([]*lint.Rule{everyNode("one-rule"), everyNode("one-rule"), bad})
	require.EqualError(t, err, `rule "one-rule": listed twice`+"\n"+`rule "bad": the id is not kebab-case`)
}
