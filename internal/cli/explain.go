package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/rules"
)

func newExplain(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Print a rule's page: what it finds, why, and how to fix it",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("explain takes the name of one rule, not %d; see n8nlint rules", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ids(rules.All()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			for _, r := range rules.All() {
				if r.ID == args[0] {
					_, err := fmt.Fprint(s.Out, r.Doc)
					return err
				}
			}
			return fmt.Errorf("no rule is called %q; see n8nlint rules%s", args[0], suggestion(args[0], ids(rules.All())))
		},
	}
}

func ids(all []*lint.Rule) (out []string) {
	for _, r := range all {
		out = append(out, r.ID)
	}
	slices.Sort(out)
	return out
}

// ruleInfo is a row of n8nlint rules --output json.
type ruleInfo struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Family   string `json:"family"`
	Severity string `json:"severity"`
	Default  bool   `json:"default"`
	HelpURI  string `json:"helpUri"`
}

func newRules(s Streams) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all := rules.All()
			slices.SortFunc(all, func(a, b *lint.Rule) int { return strings.Compare(a.ID, b.ID) })
			switch format {
			case "text":
				return rulesText(s, all)
			case "json":
				return rulesJSON(s, all)
			}
			return fmt.Errorf("--output %q: choose text or json", format)
		},
	}
	c.Flags().StringVarP(&format, "output", "o", "text", "`FORMAT`: text, json")
	return c
}

func rulesText(s Streams, all []*lint.Rule) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, r := range all {
		state := ""
		if !r.Default {
			state = " (off unless selected)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s%s\n", r.ID, r.Family, r.Severity, r.Title, state)
	}
	return w.Flush()
}

func rulesJSON(s Streams, all []*lint.Rule) error {
	list := make([]ruleInfo, 0, len(all))
	for _, r := range all {
		list = append(list, ruleInfo{ID: r.ID, Title: r.Title, Family: string(r.Family), Severity: r.Severity.String(), Default: r.Default, HelpURI: helpURI(r.ID)})
	}
	e := json.NewEncoder(s.Out)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
