package catalog

import (
	"strconv"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
	"github.com/n8nlint/n8nlint/internal/sql"
)

// Catalog looks nodes up. It caches what it has read and may be used by several
// goroutines.
type Catalog struct {
	rows sync.Map // versioned → []Row
	data tables
}

// New makes a catalog of the embedded tables.
func New() *Catalog { return &Catalog{data: readTables()} }

// Operation is what one node does, as its type, version and parameters say,
// with n8n's defaults for what the export leaves out.
type Operation struct {
	Kind   Kind
	Impact Impact
	// Trigger is set for triggers.
	Trigger Class
	// Resource and Name are the resource and operation, "" where there are none.
	Resource, Name string
	// Service is the service's name where an address tells it.
	Service string
	// At is the parameter that shows what the node does: operation, method,
	// query, a call inside code; or the node's name.
	At source.Span
	// Why says in half a sentence why the node is unknown, or why the table
	// judges it as it does.
	Why string
	// Unsure is set where a default decided, not a fact about the service.
	Unsure bool
	// Approval: the node sends, waits for a person's answer and goes on with it.
	Approval bool
	// Target is the table, sheet or list that a row operation works on.
	Target Target
	// Destinations are the parameters that say who gets a message.
	Destinations []source.Value
	// Log is set where the target keeps one row a run by purpose.
	Log bool

	HTTP   *Request    // of HTTP nodes and HTTP calls
	Script *sql.Script // of query nodes
}

// Writes reports whether the operation changes something outside.
func (op Operation) Writes() bool { return op.Kind == Idempotent || op.Kind == Repeatable }

// Of classifies a node. Disabled nodes are classified like others.
func (c *Catalog) Of(n *graph.Node) Operation {
	row, why := c.Row(n)
	if why != "" {
		return Operation{Kind: Unknown, At: n.Place(), Why: why}
	}
	op := Operation{
		Kind: row.Kind, Impact: row.Impact, Trigger: row.Trigger, Why: row.Note,
		Resource: dash(row.Resource), Name: dash(row.Operation),
		At: operationPlace(n), Approval: row.Has("approval"),
	}
	switch row.Kind {
	case Query:
		c.query(n, &op)
	case HTTP:
		c.http(n, &op)
	case Code:
		c.code(n, &op)
	case Call:
		op.At = callPlace(n)
	}
	c.target(n, &op)
	return op
}

// operationPlace is the parameter that names the operation.
func operationPlace(n *graph.Node) source.Span {
	for _, key := range []string{"operation", "resource"} {
		if v := n.Parameter(key); v.Exists() {
			return v.Span()
		}
	}
	return n.Place()
}

func callPlace(n *graph.Node) source.Span {
	if v, _ := n.Locator("workflowId"); v.Exists() {
		return v.Span()
	}
	return n.Place()
}

// toolSuffix is what n8n appends to a node's type when it hangs on an agent
// (N8N.md section 7).
const toolSuffix = "Tool"

// Row finds the node's line in the table, or says why there is none.
func (c *Catalog) Row(n *graph.Node) (Row, string) {
	rows := c.typeRows(n.Type, n.TypeVersion)
	if len(rows) == 0 && strings.HasSuffix(n.Type, toolSuffix) {
		rows = c.typeRows(strings.TrimSuffix(n.Type, toolSuffix), n.TypeVersion)
	}
	if len(rows) == 0 && startsWorkflows(n) {
		return Row{Type: n.Type, Kind: Trigger, Trigger: Event, Note: "a community trigger, taken for one that receives events"}, ""
	}
	if len(rows) == 0 {
		return Row{}, "the node type " + strconv.Quote(n.Type) + " is not one of n8n's own"
	}
	return choose(rows, n)
}

// startsWorkflows recognises a community trigger: n8n wants their types to end
// in Trigger, and nothing leads into one.
func startsWorkflows(n *graph.Node) bool {
	return strings.HasSuffix(n.Type, "Trigger") && len(n.MainIn()) == 0 && len(n.MainOut()) > 0
}

// typeRows are the rows of a node type in a version.
func (c *Catalog) typeRows(nodeType string, version float64) []Row {
	key := versioned{nodeType, version}
	if known, ok := c.rows.Load(key); ok {
		return known.([]Row)
	}
	rows := rowsOf(nodeType)
	if len(rows) > 0 {
		rows = ofVersion(rows, version)
	}
	c.rows.Store(key, rows)
	return rows
}

type versioned struct {
	nodeType string
	version  float64
}

// ofVersion keeps the rows of one typeVersion; of a version that the table does
// not know, those of the nearest one below it, or else the lowest.
func ofVersion(rows []Row, version float64) []Row {
	if exact := fitting(rows, version); len(exact) > 0 {
		return exact
	}
	best, lowest := -1.0, -1.0
	for _, r := range rows {
		for v := range strings.SplitSeq(r.versions, ",") {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil {
				continue
			}
			if f <= version && f > best {
				best = f
			}
			if lowest < 0 || f < lowest {
				lowest = f
			}
		}
	}
	if best < 0 {
		best = lowest
	}
	return fitting(rows, best)
}

func fitting(rows []Row, version float64) (out []Row) {
	for _, r := range rows {
		if r.fits(version) {
			out = append(out, r)
		}
	}
	return out
}

func choose(rows []Row, n *graph.Node) (Row, string) {
	rows, why := narrow(rows, n.Parameter("resource"), func(r Row) (string, bool) { return r.Resource, r.DefaultResource })
	if why != "" {
		return Row{}, why
	}
	if row, ok := byParameter(rows, n); ok {
		return row, ""
	}
	rows, why = narrow(rows, n.Parameter("operation"), func(r Row) (string, bool) { return r.Operation, r.Default })
	if why != "" {
		return Row{}, why
	}
	return rows[0], ""
}

// byParameter chooses where another parameter than the operation decides: its
// rows are written "mode=insert", and "-" stands for an expression.
func byParameter(rows []Row, n *graph.Node) (Row, bool) {
	var preset, dynamic Row
	found := false
	for _, r := range rows {
		name, value, ok := strings.Cut(r.Operation, "=")
		if !ok {
			dynamic = r
			continue
		}
		found = true
		have := n.Parameter(name).Str()
		if have == value {
			return r, true
		}
		if strings.HasPrefix(have, "=") {
			preset = dynamic
		} else if have == "" && r.Default {
			preset = r
		}
	}
	return preset, found && preset.Type != ""
}

// narrow keeps the rows of the value that a parameter has, or of its default.
func narrow(rows []Row, parameter source.Value, key func(Row) (name string, isDefault bool)) ([]Row, string) {
	var out []Row
	value, plain := parameter.Str(), true
	if strings.HasPrefix(value, "=") {
		plain = false
	}
	for _, r := range rows {
		name, isDefault := key(r)
		switch {
		case name == "-":
			return rows, "" // the node has no such parameter
		case !plain:
		case value == "" && isDefault, value != "" && name == value:
			out = append(out, r)
		}
	}
	switch {
	case len(out) > 0:
		return out, ""
	case !plain:
		return nil, "what the node does is an expression (" + parameter.Key() + ")"
	case value == "":
		return nil, "the export names no operation and n8n has no default for it"
	}
	return nil, "n8n has no " + parameter.Key() + " " + strconv.Quote(value) + " in this version of the node"
}

// Request is an HTTP request as a node's parameters write it.
type Request struct {
	httpcall.Request
	Verdict httpcall.Verdict
	// Holes are the expressions in the request's texts; hole n of a
	// httpcall.Text is Holes[n-1].
	Holes []Hole
}
