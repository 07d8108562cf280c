package sqloracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/n8nlint/n8nlint/internal/sql"
)

// Shape is what both parsers must say about one statement.
type Shape struct {
	Verb           string
	Table          string
	Columns        []string // column list of INSERT, columns of SET
	Values         []string // first row or assignments: the placeholders in each value
	ConflictAction string
	Conflict       []string
	Returning      bool
	Lock           string
	Equalities     []string
	Projections    int
	Clauses        string // LIMIT, GROUP BY, ORDER BY, DISTINCT
	From           []string
	Unique         []string
	// AllLocks and AllEqualities are those of the statement and everything inside it;
	// only statements of the top level have them.
	AllLocks      []string
	AllEqualities []string
}

const (
	dynamicName    = "<dynamic>"
	expressionName = "<expression>"
)

// OurShapes describes every statement: top level first, then CTE bodies, the SELECT of
// an INSERT and the arms of UNION, each directly behind its owner.
func OurShapes(script *sql.Script) []Shape {
	var shapes []Shape
	for _, statement := range script.Statements {
		first := len(shapes)
		shapes = appendOurs(shapes, statement)
		for inner := range statement.All() {
			shapes[first].gather(ourShape(inner))
		}
	}
	return shapes
}

// gather adds what stands inside a statement.
func (s *Shape) gather(inner Shape) {
	if inner.Lock != "" {
		s.AllLocks = append(s.AllLocks, inner.Lock)
	}
	s.AllEqualities = append(s.AllEqualities, inner.Equalities...)
	slices.Sort(s.AllLocks)
	slices.Sort(s.AllEqualities)
}

func appendOurs(shapes []Shape, s *sql.Statement) []Shape {
	shapes = append(shapes, ourShape(s))
	for _, cte := range s.With {
		shapes = appendOurs(shapes, cte.Statement)
	}
	if s.InsertSelect != nil {
		shapes = appendOurs(shapes, s.InsertSelect)
	}
	for _, other := range s.Others {
		shapes = appendOurs(shapes, other)
	}
	return shapes
}

func ourShape(s *sql.Statement) Shape {
	shape := Shape{Verb: s.Verb.String(), Returning: s.HasReturning, Projections: len(s.Projections)}
	switch s.Verb {
	case sql.Insert, sql.Update, sql.Delete, sql.Merge, sql.Truncate:
		shape.Table = ourTable(s.Table)
	}
	for _, column := range s.Columns {
		shape.Columns = append(shape.Columns, ourName(column.Name, column.Dynamic))
	}
	for _, assignment := range s.Assignments {
		shape.Columns = append(shape.Columns, ourName(assignment.Column, assignment.Dynamic))
		shape.Values = append(shape.Values, numbers(assignment.Value.Placeholders()))
	}
	if len(s.Rows) > 0 {
		shape.Values = nil
		for _, value := range s.Rows[0] {
			shape.Values = append(shape.Values, numbers(value.Placeholders()))
		}
	}
	if s.Conflict != nil {
		shape.ConflictAction = [...]string{"nothing", "update"}[s.Conflict.Action]
		for _, column := range s.Conflict.Columns {
			shape.Conflict = append(shape.Conflict, ourName(column, false))
		}
	}
	shape.Lock = lockText(s.Lock.ForUpdate, s.Lock.Share, s.Lock.SkipLocked, s.Lock.NoWait)
	for _, equality := range s.Where.Equalities() {
		shape.Equalities = append(shape.Equalities, ourName(equality.Column, false))
	}
	slices.Sort(shape.Equalities)
	shape.Clauses = clausesText(s.Limit, s.GroupBy, s.OrderBy, s.Distinct)
	for _, table := range s.From {
		shape.From = append(shape.From, ourFrom(table))
	}
	slices.Sort(shape.From)
	if s.CreateTable != nil && s.Verb == sql.DDL {
		for _, set := range append(slices.Clone(s.CreateTable.Unique), s.CreateTable.PartialUnique...) {
			shape.Unique = append(shape.Unique, strings.Join(names(set), ","))
		}
		slices.Sort(shape.Unique)
	}
	return shape
}

func names(set []string) []string {
	var found []string
	for _, name := range set {
		found = append(found, ourName(name, false))
	}
	return found
}

func ourFrom(table sql.TableName) string {
	switch {
	case table.Subquery != nil:
		return "<subquery>"
	case table.Function:
		return table.Name + "()"
	}
	return ourTable(table)
}

func ourTable(table sql.TableName) string {
	if table.Dynamic {
		return dynamicName
	}
	if table.Schema == "" {
		return table.Name
	}
	return table.Schema + "." + table.Name
}

func ourName(name string, dynamic bool) string {
	switch {
	case dynamic, strings.Contains(name, "{{"), strings.HasPrefix(name, "$"):
		return dynamicName
	case strings.ContainsAny(name, "()"), strings.Contains(name, "::"):
		return expressionName
	}
	return name
}

func numbers(placeholders []int) string { return fmt.Sprint(placeholders) }

func lockText(update, share, skip, noWait bool) string {
	var words []string
	for _, word := range []struct {
		set  bool
		text string
	}{{update, "update"}, {share, "share"}, {skip, "skip"}, {noWait, "nowait"}} {
		if word.set {
			words = append(words, word.text)
		}
	}
	return strings.Join(words, " ")
}

func clausesText(limit, group, order, distinct bool) string {
	return fmt.Sprintf("limit=%t group=%t order=%t distinct=%t", limit, group, order, distinct)
}
