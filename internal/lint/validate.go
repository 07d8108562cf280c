package lint

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// Validate checks the metadata of a list of rules.
func Validate(rules []*Rule) error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case !kebab.MatchString(r.ID):
			errs = append(errs, fmt.Errorf("rule %q: the id is not kebab-case", r.ID))
		case seen[r.ID]:
			errs = append(errs, fmt.Errorf("rule %q: listed twice", r.ID))
		case r.Title == "" || strings.HasSuffix(r.Title, ".") || strings.ToLower(r.Title[:1]) != r.Title[:1]:
			errs = append(errs, fmt.Errorf("rule %q: the title is one line, lower case, without a full stop", r.ID))
		case !strings.HasPrefix(r.Doc, "# "+r.ID+"\n"):
			errs = append(errs, fmt.Errorf("rule %q: the page does not begin with its id", r.ID))
		case r.Check == nil || r.Family == "":
			errs = append(errs, fmt.Errorf("rule %q: no check or no family", r.ID))
		}
		seen[r.ID] = true
	}
	return errors.Join(errs...)
}
