package main

import (
	"io"
	"slices"
	"strings"
)

// operation is one row of n8n-nodes.tsv: a resource and operation of a node
// type in the versions that have it.
type operation struct {
	typeName  string // with its package, such as n8n-nodes-base.slack
	versions  string // typeVersions, comma separated
	groups    []string
	flags     []string
	resource  string // "-" where the node has none
	operation string // "-" where the node has none
	standard  string // isDefault: 1 the default operation of its resource, R the default resource
}

func readFacts(file string, in io.Reader) ([]operation, error) {
	records, err := readTable(file, in, "type", "versions", "group", "flags", "resource", "operation", "isDefault")
	if err != nil {
		return nil, err
	}
	operations := make([]operation, 0, len(records))
	for _, rec := range records {
		operations = append(operations, operation{
			typeName:  rec.values["type"],
			versions:  rec.values["versions"],
			groups:    strings.Split(rec.get("group"), "+"),
			flags:     splitFlags(rec.get("flags")),
			resource:  rec.values["resource"],
			operation: rec.values["operation"],
			standard:  rec.values["isDefault"],
		})
	}
	return operations, nil
}

func (o operation) isTrigger() bool { return slices.Contains(o.groups, "trigger") }

// triggerVerdict classes a trigger by how n8n registers it. Triggers that
// register neither a webhook nor a poll hold a connection or a timer of their
// own and need a review row.
func (o operation) triggerVerdict() (verdict, bool) {
	v := verdict{kind: "trigger", basis: "group"}
	switch {
	case !o.isTrigger():
		return verdict{}, false
	case slices.Contains(o.groups, "schedule"):
		v.trigger = "schedule"
	case slices.Contains(o.flags, "polling"):
		v.trigger = "poll"
	case slices.Contains(o.flags, "webhook"):
		v.trigger = "event"
	default:
		return verdict{}, false
	}
	return v, true
}
