package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// fingerprint identifies a finding without positions: the rule, the workflow by
// its id (or name, or file), the node by its name, and what tells two findings
// of one rule on one node apart. Equal ones are numbered.
func fingerprint(f *Finding, seen map[string]int) string {
	w := f.Node.Workflow
	workflow := w.ID
	if workflow == "" {
		workflow = w.Name
	}
	if workflow == "" {
		workflow = w.File.Name
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule.ID, workflow, f.Node.Name, f.Key}, "\x00")))
	id := hex.EncodeToString(sum[:12])
	seen[id]++
	if n := seen[id]; n > 1 {
		return id + ":" + strconv.Itoa(n)
	}
	return id
}
