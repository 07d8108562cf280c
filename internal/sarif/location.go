package sarif

import (
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/source"
)

// location is a place in a file, as narrow as it is given: an alert shows in a
// pull request only if all its lines have changed.
func (b *builder) location(at source.Span, n *graph.Node) *sarif.Location {
	location := sarif.NewLocation()
	at = placeOf(at, n)
	if !at.IsZero() {
		start, end := b.columns.Range(at)
		location.WithPhysicalLocation(sarif.NewPhysicalLocation().
			WithArtifactLocation(artifact(at.File.Name)).
			WithRegion(sarif.NewRegion().
				WithStartLine(start.Line).WithStartColumn(start.Column).
				WithEndLine(end.Line).WithEndColumn(end.Column)))
	}
	if n != nil && n.Name != "" {
		location.AddLogicalLocations(logical(n))
	}
	return location
}

// logical names the node inside its workflow.
func logical(n *graph.Node) *sarif.LogicalLocation {
	workflow := ""
	if n.Workflow != nil {
		workflow = n.Workflow.Name
		if workflow == "" {
			workflow = n.Workflow.ID
		}
	}
	name := clean.Clip(n.Name, clean.Name)
	full := name
	if workflow != "" {
		full = clean.Clip(workflow, clean.Name) + "/" + name
	}
	return sarif.NewLogicalLocation().WithName(name).WithFullyQualifiedName(full)
}

func artifact(name string) *sarif.ArtifactLocation {
	uri, relative := fileURI(name)
	location := sarif.NewSimpleArtifactLocation(uri)
	if relative {
		location.WithUriBaseId(sourceRoot)
	}
	return location
}

// placeOf is the span itself, or the node's name where the span is no place.
func placeOf(at source.Span, n *graph.Node) source.Span {
	if !at.IsZero() || n == nil {
		return at
	}
	return n.Place()
}

// textOf is a step's or a place's own words, or the node's name.
func textOf(message string, n *graph.Node) string {
	if message == "" && n != nil {
		return safe(clean.Cut(n.Name, clean.Name))
	}
	return safe(message)
}

// safe is text from a finding for a message. What would read as a link is taken
// apart: only the links to related places are meant.
func safe(text string) string {
	return strings.ReplaceAll(clean.Clip(text, clean.Message), "](", "] (")
}
