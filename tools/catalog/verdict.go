package main

import (
	"errors"
	"fmt"
	"strings"
)

// kinds are the classes of effect; the value says whether it is a write, which
// must name its impact.
var kinds = map[string]bool{
	"read":       false, // looks at something outside
	"compute":    false, // makes a value: conversion, model, search, media
	"ephemeral":  false, // shows for a moment: typing, read marks, reactions
	"logic":      false, // passes, splits or routes items inside n8n
	"trigger":    false, // starts the workflow
	"query":      false, // the SQL or query text decides
	"http":       false, // method, host and path decide
	"code":       false, // the script decides
	"call":       false, // the called workflow decides
	"unknown":    false, // cannot be known; the note says why
	"idempotent": true,  // a write that done twice is done once
	"repeatable": true,  // a write that a repeat does twice
}

var impacts = map[string]bool{"money": true, "message": true, "record": true, "notice": true}

var triggerClasses = map[string]bool{
	"event": true, "form": true, "poll": true, "schedule": true, "called": true, "manual": true, "error": true,
}

// verdict is what is said about one resource and operation.
type verdict struct {
	kind, impact, trigger string
	flags                 []string
	basis                 string // verb, group, service or source
	note                  string
}

// check tells what the verdict lacks or has too much.
func (v verdict) check() error {
	write, known := kinds[v.kind]
	switch {
	case v.kind == "":
		return errors.New("no kind")
	case !known:
		return fmt.Errorf("unknown kind %q", v.kind)
	case write && !impacts[v.impact]:
		return fmt.Errorf("a %s write needs an impact, not %q", v.kind, v.impact)
	case !write && v.impact != "":
		return fmt.Errorf("kind %s has no impact, yet %q is given", v.kind, v.impact)
	case v.kind == "trigger" && !triggerClasses[v.trigger]:
		return fmt.Errorf("a trigger needs a class, not %q", v.trigger)
	case v.kind != "trigger" && v.trigger != "":
		return fmt.Errorf("kind %s has no trigger class, yet %q is given", v.kind, v.trigger)
	case v.kind == "unknown" && v.note == "":
		return errors.New("unknown without a reason")
	}
	return nil
}

// verdictOf reads the columns kind, impact, trigger, flags and note.
func verdictOf(rec record, basis string) (verdict, error) {
	v := verdict{
		kind:    rec.get("kind"),
		impact:  rec.get("impact"),
		trigger: rec.get("trigger"),
		flags:   splitFlags(rec.get("flags")),
		basis:   basis,
		note:    rec.get("note"),
	}
	if err := v.check(); err != nil {
		return verdict{}, rec.errorf("%v", err)
	}
	return v, nil
}

func splitFlags(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}
