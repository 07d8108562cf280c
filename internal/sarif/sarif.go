// Package sarif writes results as SARIF 2.1.0, in the shape and within the
// limits that GitHub code scanning states for it.
package sarif

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/internal/report/clean"
	"github.com/n8nlint/n8nlint/internal/report/place"
	"github.com/n8nlint/n8nlint/internal/source"
)

// Options say which tool speaks.
type Options struct {
	// Tool is the driver's name, n8nlint where it is empty.
	Tool string
	// Version is written as it is; where it is a semantic version it is said to
	// be one and loses the v in front.
	Version string
	// InformationURI leads to the tool's home; it may be empty.
	InformationURI string
	// HelpURI gives the address of a rule's page for its id, "" for none. It may be nil.
	HelpURI func(rule string) string
}

// GitHub's limits. It takes files with up to 25,000 results and keeps 5,000 by
// severity; up to 1,000 locations of a result and 10,000 of its flow, of which
// it keeps 1,000.
const (
	mostResults   = 25_000
	mostLocations = 1_000
	mostSteps     = 1_000
)

// sourceRoot is the base that relative URIs count from. It is described but not
// located, so that no path of this machine is written.
const sourceRoot = "%SRCROOT%"

// Write writes one run: the rules, the findings with the strongest first, and
// the problems as notifications. Columns count UTF-16 units from 1. Findings over
// GitHub's limit are left out, and a notification says so. The error is the
// writer's.
func Write(w io.Writer, r *lint.Result, o Options) error {
	log, err := sarif.New(sarif.Version210)
	if err != nil {
		return err
	}
	log.AddRun(newRun(r, o))
	var buffer bytes.Buffer
	if err := log.Write(&buffer); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	buffer.WriteByte('\n')
	_, err = w.Write(clean.JSON(buffer.Bytes()))
	return err
}

func newRun(r *lint.Result, o Options) *sarif.Run {
	driver := newDriver(o)
	run := sarif.NewRun(*sarif.NewTool(driver)).
		WithColumnKind("utf16CodeUnits").
		WithAutomationDetails(sarif.NewRunAutomationDetails().WithID("n8nlint/")).
		WithOriginalUriBaseIds(map[string]*sarif.ArtifactLocation{
			sourceRoot: sarif.NewArtifactLocation().WithDescriptionText("The folder that the linter was started in: the root of the repository."),
		})
	b := &builder{columns: place.NewColumns(source.UTF16), index: map[string]int{}}
	for i, rule := range rulesOf(r) {
		b.index[rule.ID] = i
		driver.Rules = append(driver.Rules, descriptor(rule, o.HelpURI))
	}
	run.Results = b.results(r.Findings)
	run.Invocations = []*sarif.Invocation{invocation(r)}
	return run
}

var semantic = regexp.MustCompile(`^v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)$`)

func newDriver(o Options) *sarif.ToolComponent {
	name := o.Tool
	if name == "" {
		name = "n8nlint"
	}
	driver := sarif.NewDriver(name)
	driver.Rules = []*sarif.ReportingDescriptor{}
	switch m := semantic.FindStringSubmatch(o.Version); {
	case m != nil:
		driver.WithVersion(m[1]).WithSemanticVersion(m[1])
	case o.Version != "":
		driver.WithVersion(o.Version)
	}
	if o.InformationURI != "" {
		driver.WithInformationURI(o.InformationURI)
	}
	return driver
}

type builder struct {
	columns *place.Columns
	index   map[string]int // of a rule in the driver, by id
}

// results are written strongest first, and otherwise as they come. The
// fingerprints count in the order of the findings, so that a changed severity
// moves none of them.
func (b *builder) results(findings []lint.Finding) []*sarif.Result {
	lines := make([]string, len(findings))
	order := make([]int, len(findings))
	prints := newFingerprints()
	for i := range findings {
		order[i] = i
		if at := placeOf(findings[i].At, findings[i].Node); !at.IsZero() {
			lines[i] = prints.next(ruleOf(&findings[i]).ID, at.File, at.File.LineOf(at.Start))
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return findings[order[i]].Severity > findings[order[j]].Severity })
	results := make([]*sarif.Result, 0, min(len(findings), mostResults))
	for _, i := range order[:min(len(order), mostResults)] {
		results = append(results, b.result(&findings[i], lines[i]))
	}
	return results
}

func (b *builder) result(f *lint.Finding, lineHash string) *sarif.Result {
	rule := ruleOf(f)
	related := f.Related[:min(len(f.Related), mostLocations)]
	result := sarif.NewRuleResult(rule.ID).
		WithRuleIndex(b.index[rule.ID]).
		WithLevel(f.Severity.String()).
		WithMessage(sarif.NewTextMessage(message(f, related))).
		WithLocations([]*sarif.Location{b.location(f.At, f.Node)})
	result.Properties = sarif.Properties{"confidence": f.Confidence.String()}
	if prints := partialFingerprints(f, lineHash); len(prints) > 0 {
		result.WithPartialFingerPrints(prints)
	}
	for i, place := range related {
		location := b.location(place.At, place.Node).WithId(i + 1)
		if text := textOf(place.Message, place.Node); text != "" {
			location.WithMessage(sarif.NewTextMessage(text))
		}
		result.AddRelatedLocation(location)
	}
	if len(f.Flow) > 0 {
		result.AddCodeFlow(b.codeFlow(f.Flow))
	}
	return result
}

func partialFingerprints(f *lint.Finding, lineHash string) map[string]any {
	prints := map[string]any{}
	if lineHash != "" {
		prints["primaryLocationLineHash"] = lineHash
	}
	if f.Fingerprint != "" {
		prints["n8nlint/v1"] = f.Fingerprint
	}
	return prints
}

// codeFlow shows the way from source to sink. Of a way that is too long the
// middle is left out.
func (b *builder) codeFlow(steps []lint.Step) *sarif.CodeFlow {
	if len(steps) > mostSteps {
		steps = append(append([]lint.Step{}, steps[:mostSteps-1]...), steps[len(steps)-1])
	}
	thread := sarif.NewThreadFlow()
	for i, step := range steps {
		location := b.location(step.At, step.Node)
		if text := textOf(step.Message, step.Node); text != "" {
			location.WithMessage(sarif.NewTextMessage(text))
		}
		importance := "important"
		if i == 0 || i == len(steps)-1 {
			importance = "essential"
		}
		thread.AddLocation(&sarif.ThreadFlowLocation{Location: location, Importance: importance})
	}
	return sarif.NewCodeFlow().WithThreadFlows([]*sarif.ThreadFlow{thread})
}

// invocation tells how complete the run was. A cut of the report leaves the run
// successful.
func invocation(r *lint.Result) *sarif.Invocation {
	successful := len(r.Problems) == 0
	out := &sarif.Invocation{ExecutionSuccessful: &successful}
	notify := func(level, text string, locations ...*sarif.Location) {
		n := sarif.NewNotification().WithLevel(level).WithTextMessage(text)
		out.ToolExecutionNotifications = append(out.ToolExecutionNotifications, n.WithLocations(locations))
	}
	for i, p := range r.Problems {
		if i == mostResults {
			notify("error", fmt.Sprintf("%d more problems are not listed", len(r.Problems)-i))
			break
		}
		notify("error", problemText(p), problemLocations(p)...)
	}
	if n := len(r.Findings); n > mostResults {
		notify("warning", fmt.Sprintf("%d of %d findings are in this file, the strongest first; the limit of GitHub code scanning is %d", mostResults, n, mostResults))
	}
	return out
}

// problemText says the column: that of a problem counts runes, so it cannot
// stand in a region.
func problemText(p lint.Problem) string {
	text := safe(p.Message)
	if text == "" {
		text = "the run is not complete"
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" (line %d, column %d)", p.Line, max(p.Column, 1))
	}
	return text
}

func problemLocations(p lint.Problem) []*sarif.Location {
	if p.File == "" {
		return nil
	}
	physical := sarif.NewPhysicalLocation().WithArtifactLocation(artifact(p.File))
	if p.Line > 0 {
		physical.WithRegion(sarif.NewRegion().WithStartLine(p.Line))
	}
	return []*sarif.Location{sarif.NewLocationWithPhysicalLocation(physical)}
}

// mostLinks is the number of related places that a message links; GitHub shows
// only those.
const mostLinks = 10

// message is the finding's sentence with links to its related places behind it.
func message(f *lint.Finding, related []lint.Related) string {
	text := safe(f.Message)
	if text == "" {
		text = sentence(ruleOf(f).Title, ruleOf(f).ID)
	}
	if len(related) == 0 {
		return text
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "!") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	var links []string
	for i, r := range related[:min(len(related), mostLinks)] {
		links = append(links, fmt.Sprintf("[%s](%d)", linkText(r, i+1), i+1))
	}
	text += " See " + strings.Join(links, ", ")
	if more := len(f.Related) - len(links); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + "."
}

// linkText is the node's name: brackets in it would end the link.
func linkText(r lint.Related, n int) string {
	text := ""
	if r.Node != nil {
		text = clean.Clip(r.Node.Name, clean.Name)
	}
	if text == "" {
		text = fmt.Sprintf("place %d", n)
	}
	return strings.NewReplacer("[", "(", "]", ")", `\`, "/").Replace(text)
}
