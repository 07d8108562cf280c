package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnRow(t *testing.T) {
	sheet := func(name, operation, ref string) object {
		columns := object{"mappingMode": "defineBelow", "value": object{"ref": ref}}
		if operation != "append" {
			columns["matchingColumns"] = []string{"ref"}
		}
		return node(name, "googleSheets", 4.5, object{
			"operation": operation, "columns": columns,
			"documentId": object{"__rl": true, "mode": "id", "value": "d1"}, "sheetName": object{"__rl": true, "mode": "id", "value": "s1"},
		})
	}
	maker := node("Make", "code", 2, object{"jsCode": "return [{ json: { ref: Math.random() } }];"})
	const made, other = "={{ $('Make').item.json.ref }}", "={{ $('Hook').item.json.body.ref }}"
	branch := node("If", "if", 2.2, object{"conditions": object{"conditions": []object{condition("={{ $json.ref }}", "number", "exists")}}})
	for name, c := range map[string]struct {
		spec *spec
		want string // the node that has put the row there, "" for none
	}{
		"an append before":                 {workflow(hook(), maker, sheet("First", "append", made), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> First -> Key"), "First"},
		"an upsert before":                 {workflow(hook(), maker, sheet("First", "appendOrUpdate", made), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> First -> Key"), "First"},
		"an upsert behind":                 {workflow(hook(), maker, sheet("Key", "appendOrUpdate", made), sheet("Last", "appendOrUpdate", made), "Hook -> Make -> Key -> Last"), ""},
		"another value":                    {workflow(hook(), maker, sheet("First", "append", other), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> First -> Key"), ""},
		"an append on one branch":          {workflow(hook(), maker, branch, sheet("First", "append", made), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> If", "If:0 -> First -> Key", "If:1 -> Key"), ""},
		"an upsert on a branch beside":     {workflow(hook(), maker, sheet("First", "appendOrUpdate", made), noOp("Far"), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> First", "Make -> Far -> Key"), "First"},
		"an upsert on the branch that not": {workflow(hook(), maker, branch, sheet("First", "appendOrUpdate", made), noOp("Far"), sheet("Key", "appendOrUpdate", made), "Hook -> Make -> If", "If:0 -> First", "If:1 -> Far -> Key"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := analyze(t, c.spec)[0]
			for _, use := range f.Keys() {
				if use.Node.Name != "Key" {
					continue
				}
				first, ok := f.OwnRow(use)
				require.Equal(t, c.want != "", ok)
				if ok {
					require.Equal(t, c.want, first.Name)
				}
				return
			}
			t.Fatal("no key")
		})
	}
}

func TestByHand(t *testing.T) {
	hand := node("Hand", "manualTrigger", 1, nil)
	f := analyze(t, workflow(hook(), hand, mail("Both"), mail("One"), "Hook -> Both", "Hand -> Both", "Hand -> One"))[0]
	require.False(t, f.ByHand(effectOf(f, "Both").Node))
	require.True(t, f.ByHand(effectOf(f, "One").Node))
}
