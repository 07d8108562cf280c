package httpcall

import (
	"fmt"
	"strings"
)

// Class says what a provider does with an idempotency key.
type Class string

// The classes of providers.
const (
	// ClassEnforcing refuses or replays a second request with the same key.
	ClassEnforcing Class = "enforcing"
	// ClassAdvisory takes the key as a note, or drops repetitions on a best effort.
	ClassAdvisory Class = "advisory"
	// ClassNone has no key.
	ClassNone Class = "none"
)

// Mechanism says where a provider looks for the key.
type Mechanism string

// The mechanisms.
const (
	MechanismHeader Mechanism = "header"
	MechanismBody   Mechanism = "body field"
	MechanismQuery  Mechanism = "query parameter"
	// MechanismPath is a key in the path: a PUT or PATCH of something that the client names.
	MechanismPath Mechanism = "path"
	// MechanismNatural is a field of the thing itself that the provider keeps unique.
	MechanismNatural Mechanism = "natural key"
	// MechanismColumns is a field that lists the columns by which repetitions are found.
	MechanismColumns Mechanism = "conflict columns"
	// MechanismDirective is a directive in a GraphQL document.
	MechanismDirective Mechanism = "GraphQL directive"
	MechanismNone      Mechanism = ""
)

// Provider is what a service's documentation says about repeated requests, for one part of its API.
type Provider struct {
	// Host and Path are the patterns of the row in providers.tsv.
	Host string
	Path string
	// Service is the name for people.
	Service   string
	Class     Class
	Mechanism Mechanism
	// Names are the names the key may have: header names, dotted body fields ("*" is one part), query parameters, segments
	// of the path, "directive.argument" of a GraphQL document, fields that list columns.
	Names []string
	// Retention is how long a key is remembered, Scope within which bounds, in the words of the fact.
	Retention string
	Scope     string
	// Confidence is high when the provider's page was read for this fact and leaves nothing open. A fact of medium
	// confidence may not decide an error.
	Confidence Confidence
	// NativeNode says what n8n's own node for the service can do.
	NativeNode string
	// Note is a remark on how to use the key.
	Note   string
	Source string
}

// KeyPosition is a place of a request where an idempotency key stands.
type KeyPosition struct {
	Position
	// Provider is the service that looks there, nil where only the name says that it is a key.
	Provider *Provider
	// Confidence is the provider's, or medium for a key by its name.
	Confidence Confidence
}

// ProviderFor returns what is known about repeated requests at the request's address and method, or nil.
func ProviderFor(r Request) *Provider {
	return loaded().providerFor(newView(r))
}

// Providers lists all facts, in the order of the table.
func Providers() []Provider {
	var all []Provider
	for _, row := range loaded().providers {
		all = append(all, row.Provider)
	}
	return all
}

func (t *tables) providerFor(v view) *Provider {
	for _, row := range t.providers {
		host := hostPattern(row.Host)
		if !host.matches(v.address.host) || !takesMethod(row.methods, v) {
			continue
		}
		if row.takesPath(v.address.segments) && row.condition.holds(v) == yes {
			provider := row.Provider
			return &provider
		}
	}
	return nil
}

func (r providerRow) takesPath(path []segment) bool {
	for _, pattern := range r.paths {
		if _, ok := pattern.match(path); ok {
			return true
		}
	}
	return false
}

func (r providerRow) check() error {
	switch r.Class {
	case ClassEnforcing, ClassAdvisory, ClassNone:
	default:
		return fmt.Errorf("unknown class %q", r.Class)
	}
	switch r.Mechanism {
	case MechanismHeader, MechanismBody, MechanismQuery, MechanismPath, MechanismNatural, MechanismColumns, MechanismDirective:
	case MechanismNone:
		if r.Class == ClassEnforcing {
			return fmt.Errorf("an enforcing provider without a mechanism")
		}
	default:
		return fmt.Errorf("unknown mechanism %q", r.Mechanism)
	}
	if r.Confidence != High && r.Confidence != Medium {
		return fmt.Errorf("unknown confidence %q", r.Confidence)
	}
	return nil
}

// KeyFields returns the fields of the request that are the provider's key position. p may be nil.
func KeyFields(p *Provider, r Request) []KeyPosition {
	if p == nil {
		return nil
	}
	v := newView(r)
	var found []Position
	switch p.Mechanism {
	case MechanismHeader:
		found = v.findAll("header", p.Names)
	case MechanismBody, MechanismNatural:
		found = v.findAll("body", p.Names)
	case MechanismQuery:
		found = v.findAll("query", p.Names)
	case MechanismColumns:
		found = v.columnFields(p.Names)
	case MechanismDirective:
		found = v.directiveArguments(p.Names)
	case MechanismPath:
		found = v.pathFields(p)
	}
	positions := make([]KeyPosition, 0, len(found))
	for _, position := range found {
		positions = append(positions, KeyPosition{Position: position, Provider: p, Confidence: p.Confidence})
	}
	return positions
}

func (v view) findAll(where string, names []string) []Position {
	var all []Position
	for _, name := range names {
		found, _ := v.find(where, name)
		all = append(all, found...)
	}
	return all
}

// pathFields returns the segments that the provider's path pattern names.
func (v view) pathFields(p *Provider) []Position {
	for _, path := range strings.Split(p.Path, ",") {
		names, ok := parsePath(path).match(v.address.segments)
		if !ok {
			continue
		}
		var all []Position
		for _, name := range p.Names {
			if part, ok := names[name]; ok {
				all = append(all, Position{Place: PlacePath, Name: name, Index: -1, Value: part.text})
			}
		}
		return all
	}
	return nil
}

// columnFields returns the body fields whose names a list of columns names: on_conflict=event_id is the body's
// event_id.
func (v view) columnFields(lists []string) []Position {
	var all []Position
	for _, list := range v.findAll("param", lists) {
		columns, known := list.Value.Known()
		if !known {
			continue
		}
		for _, column := range strings.Split(columns, ",") {
			all = append(all, v.lastNamed(strings.TrimSpace(column))...)
		}
	}
	return all
}

func (v view) lastNamed(name string) []Position {
	var all []Position
	for _, field := range v.body {
		parts := nameParts(field.name)
		if len(parts) > 0 && parts[len(parts)-1] == name {
			all = append(all, field.Position)
		}
	}
	return all
}

// NamedKeys returns the headers, query parameters and body fields, at any depth, that are named like an idempotency key,
// whoever the provider is. A header of that name is a key position at any host; elsewhere the name shows at least
// what the author meant. Their Provider is nil.
func NamedKeys(r Request) []KeyPosition {
	v := newView(r)
	var all []KeyPosition
	for _, fields := range [][]placed{v.headers, v.query, v.body} {
		for _, field := range fields {
			if field.known && loaded().keyName(field.Place, field.name) {
				all = append(all, KeyPosition{Position: field.Position, Confidence: Medium})
			}
		}
	}
	return all
}

func (t *tables) keyName(place Place, name string) bool {
	parts := nameParts(name)
	if len(parts) == 0 {
		return false
	}
	only, known := t.keyNames[plainName(parts[len(parts)-1])]
	return known && (only == "" || only == place)
}

// plainName makes Idempotency-Key, idempotency_key, "Idempotency key" and idempotencyKey one name.
func plainName(name string) string { return strings.ToLower(joined.Replace(name)) }

var joined = strings.NewReplacer("-", "", "_", "", " ", "")
