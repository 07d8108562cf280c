package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
)

// link finds, for every call, the workflow of the set that it calls: by id, by
// the name that the editor showed, or by file.
func link(models []*model) {
	byID, byName, byFile := map[string]*model{}, map[string]*model{}, map[string]*model{}
	twice := map[string]bool{}
	for _, m := range models {
		w := m.workflow
		if w.ID != "" && byID[w.ID] == nil {
			byID[w.ID] = m
		}
		if w.Name != "" {
			twice[w.Name] = byName[w.Name] != nil
			byName[w.Name] = m
		}
		byFile[path.Base(w.File.Name)] = m
	}
	find := func(n *graph.Node) *model {
		switch n.Parameter("source").Str() {
		case "localFile":
			return byFile[path.Base(n.Parameter("workflowPath").Str())]
		case "parameter", "url":
			return nil
		}
		id, cached := n.Locator("workflowId")
		if m := byID[id.Text()]; m != nil {
			return m
		}
		name := strings.TrimSpace(cached)
		if i := strings.LastIndex(name, " — "); i >= 0 && byName[name] == nil {
			name = name[i+len(" — "):] // the editor shows "project — name"
		}
		if name == "" || twice[name] {
			return nil
		}
		return byName[name]
	}
	for _, m := range models {
		for _, n := range m.workflow.Nodes {
			if m.ops[n].Kind != catalog.Call || n.Disabled {
				continue
			}
			callee := find(n)
			if callee == nil {
				continue
			}
			m.callees[n] = callee
			if n.Type == callNode && callee != m { // who calls itself is started by others
				callee.callers = append(callee.callers, n)
			}
		}
	}
}

// connected groups the workflows that call each other, so that each group can be
// analysed by itself.
func connected(models []*model) (groups [][]*model) {
	seen := make(map[*model]bool, len(models))
	neighbours := make(map[*model][]*model, len(models))
	order := make(map[*model]int, len(models))
	for i, m := range models {
		order[m] = i
		for _, callee := range m.callees {
			neighbours[m] = append(neighbours[m], callee)
			neighbours[callee] = append(neighbours[callee], m)
		}
	}
	for _, m := range models {
		if seen[m] {
			continue
		}
		seen[m] = true
		group := []*model{m}
		for i := 0; i < len(group); i++ {
			for _, other := range neighbours[group[i]] {
				if !seen[other] {
					seen[other] = true
					group = append(group, other)
				}
			}
		}
		slices.SortFunc(group, func(a, b *model) int { return order[a] - order[b] })
		groups = append(groups, group)
	}
	return groups
}
