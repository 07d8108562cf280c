package sqloracle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	pgquery "github.com/wasilibs/go-pgquery"
)

// node is a node of PostgreSQL's parse tree in the JSON form of libpg_query.
type node map[string]any

func (n node) child(name string) node {
	inner, _ := n[name].(map[string]any)
	return inner
}

func (n node) list(name string) []node {
	items, _ := n[name].([]any)
	var found []node
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

func (n node) text(name string) string {
	text, _ := n[name].(string)
	return text
}

var (
	interpolation = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	namedParam    = regexp.MustCompile(`\$\d+:(name|alias)`)
	listParam     = regexp.MustCompile(`(\$\d+):(csv|list|json|raw|value)`)
)

// mask makes a template into SQL that PostgreSQL can parse. Lengths stay.
func mask(text string) string {
	if strings.HasPrefix(text, "=") {
		text = " " + text[1:]
	}
	underscores := func(match string) string { return strings.Repeat("_", len(match)) }
	text = interpolation.ReplaceAllStringFunc(text, underscores)
	text = namedParam.ReplaceAllStringFunc(text, underscores)
	return listParam.ReplaceAllString(text, "$1")
}

// PostgresShapes describes the statements of text as PostgreSQL's parser reads them.
func PostgresShapes(text string) ([]Shape, error) {
	tree, err := pgquery.ParseToJSON(mask(text))
	if err != nil {
		return nil, fmt.Errorf("parse with PostgreSQL: %w", err)
	}
	var root node
	if err := json.Unmarshal([]byte(tree), &root); err != nil {
		return nil, fmt.Errorf("read PostgreSQL's parse tree: %w", err)
	}
	var shapes []Shape
	for _, raw := range root.list("stmts") {
		first := len(shapes)
		shapes = appendTheirs(shapes, raw.child("stmt"))
		eachStatement(raw, func(kind string, inner node) { shapes[first].gather(theirShape(kind, inner)) })
	}
	return shapes, nil
}

// eachStatement visits every statement below a node.
func eachStatement(value any, visit func(kind string, statement node)) {
	switch value := value.(type) {
	case node:
		eachStatement(map[string]any(value), visit)
	case []any:
		for _, item := range value {
			eachStatement(item, visit)
		}
	case map[string]any:
		for key, item := range value {
			object, isObject := item.(map[string]any)
			switch {
			case isObject && (key == "larg" || key == "rarg") && node(object).text("op") != "":
				visit("SelectStmt", object)
			case isObject && strings.HasSuffix(key, "Stmt"):
				visit(key, object)
			}
			eachStatement(item, visit)
		}
	}
}

func appendTheirs(shapes []Shape, statement node) []Shape {
	for kind, inner := range statement {
		object, _ := inner.(map[string]any)
		return appendStatement(shapes, kind, object)
	}
	return shapes
}

func appendStatement(shapes []Shape, kind string, s node) []Shape {
	arms := []node{s}
	if kind == "SelectStmt" {
		arms = leftmostFirst(s)
	}
	first := arms[0]
	shape := theirShape(kind, first)
	if len(arms) > 1 { // clauses of a UNION belong to the whole
		shape.Clauses = clausesText(limited(s), len(first.list("groupClause")) > 0, len(s.list("sortClause")) > 0, len(first.list("distinctClause")) > 0)
		shape.Lock = theirLock(s)
	}
	shapes = append(shapes, shape)
	for _, cte := range s.child("withClause").list("ctes") {
		shapes = appendTheirs(shapes, cte.child("CommonTableExpr").child("ctequery"))
	}
	if kind == "InsertStmt" {
		if query := s.child("selectStmt"); query != nil && len(query.child("SelectStmt").list("valuesLists")) == 0 {
			shapes = appendTheirs(shapes, query)
		}
	}
	if kind == "CreateTableAsStmt" {
		shapes = appendTheirs(shapes, s.child("query"))
	}
	for _, arm := range arms[1:] {
		shapes = append(shapes, theirShape("SelectStmt", arm))
	}
	return shapes
}

// leftmostFirst lists the arms of a UNION in the order of the text.
func leftmostFirst(s node) []node {
	if s.child("larg") == nil {
		return []node{s}
	}
	return append(leftmostFirst(s.child("larg")), leftmostFirst(s.child("rarg"))...)
}

var verbs = map[string]string{
	"SelectStmt": "select", "InsertStmt": "insert", "UpdateStmt": "update", "DeleteStmt": "delete", "MergeStmt": "merge",
	"TruncateStmt": "truncate", "CallStmt": "call", "DoStmt": "call", "TransactionStmt": "transaction",
	"VariableSetStmt": "set", "VariableShowStmt": "show", "ExplainStmt": "show", "ExecuteStmt": "call",
}

func theirVerb(kind string) string {
	if verb, known := verbs[kind]; known {
		return verb
	}
	for _, prefix := range []string{"Create", "Alter", "Drop", "Grant", "Comment", "Rename", "Index", "Define", "View"} {
		if strings.HasPrefix(kind, prefix) {
			return "ddl"
		}
	}
	return "unknown"
}

func theirShape(kind string, s node) Shape {
	shape := Shape{Verb: theirVerb(kind), Clauses: clausesText(false, false, false, false)}
	shape.Table = relation(s.child("relation"))
	shape.Returning = len(s.list("returningList")) > 0
	shape.Equalities = equalities(s.child("whereClause"))
	switch kind {
	case "SelectStmt":
		shape.Table = ""
		shape.Projections = len(s.list("targetList"))
		shape.Values = rowValues(s)
		shape.Lock = theirLock(s)
		shape.Clauses = clausesText(limited(s), len(s.list("groupClause")) > 0, len(s.list("sortClause")) > 0, len(s.list("distinctClause")) > 0)
		shape.From = tables(s.list("fromClause"))
	case "InsertStmt":
		theirInsert(&shape, s)
	case "UpdateStmt":
		for _, target := range s.list("targetList") {
			shape.Columns = append(shape.Columns, theirName(target.child("ResTarget").text("name")))
			shape.Values = append(shape.Values, numbers(theirPlaceholders(assigned(target))))
		}
		shape.From = tables(s.list("fromClause"))
	case "DeleteStmt":
		shape.From = tables(s.list("usingClause"))
	case "MergeStmt":
		theirMerge(&shape, s)
	case "TruncateStmt":
		if relations := s.list("relations"); len(relations) > 0 {
			shape.Table = relation(relations[0].child("RangeVar"))
		}
	default:
		shape.Table, shape.Equalities = "", nil
		shape.Unique = uniqueSets(kind, s)
	}
	return shape
}

func theirInsert(shape *Shape, s node) {
	for _, column := range s.list("cols") {
		shape.Columns = append(shape.Columns, theirName(column.child("ResTarget").text("name")))
	}
	shape.Values = rowValues(s.child("selectStmt").child("SelectStmt"))
	conflict := s.child("onConflictClause")
	if conflict == nil {
		return
	}
	shape.ConflictAction = map[string]string{"ONCONFLICT_NOTHING": "nothing", "ONCONFLICT_UPDATE": "update"}[conflict.text("action")]
	for _, element := range conflict.child("infer").list("indexElems") {
		shape.Conflict = append(shape.Conflict, elementName(element.child("IndexElem")))
	}
}

func theirMerge(shape *Shape, s node) {
	shape.From = tables([]node{s.child("sourceRelation")})
	var updated []string
	for _, when := range s.list("mergeWhenClauses") {
		branch := when.child("MergeWhenClause")
		inserts := len(branch.list("values")) > 0
		for _, target := range branch.list("targetList") {
			name := theirName(target.child("ResTarget").text("name"))
			if inserts {
				shape.Columns = append(shape.Columns, name)
				continue
			}
			updated = append(updated, name)
			shape.Values = append(shape.Values, numbers(theirPlaceholders(target)))
		}
		if len(branch.list("values")) > 0 {
			shape.Values = nil
			for _, value := range branch.list("values") {
				shape.Values = append(shape.Values, numbers(theirPlaceholders(value)))
			}
		}
	}
	shape.Columns = append(shape.Columns, updated...)
}

// assigned is the value of one assignment; in (a, b) = (1, 2) that of its column.
func assigned(target node) any {
	reference := target.child("ResTarget").child("val").child("MultiAssignRef")
	values := reference.child("source").child("RowExpr").list("args")
	column, _ := reference["colno"].(float64)
	if k := int(column) - 1; k >= 0 && k < len(values) {
		return values[k]
	}
	return target
}

func rowValues(s node) []string {
	rows := s.list("valuesLists")
	if len(rows) == 0 {
		return nil
	}
	var values []string
	for _, value := range rows[0].child("List").list("items") {
		values = append(values, numbers(theirPlaceholders(value)))
	}
	return values
}

func limited(s node) bool {
	return s["limitCount"] != nil || s["limitOffset"] != nil && s["limitCount"] != nil
}

func theirLock(s node) string {
	var update, share, skip, noWait bool
	for _, clause := range s.list("lockingClause") {
		lock := clause.child("LockingClause")
		switch lock.text("strength") {
		case "LCS_FORUPDATE", "LCS_FORNOKEYUPDATE":
			update = true
		case "LCS_FORSHARE", "LCS_FORKEYSHARE":
			share = true
		}
		skip = skip || lock.text("waitPolicy") == "LockWaitSkip"
		noWait = noWait || lock.text("waitPolicy") == "LockWaitError"
	}
	return lockText(update, share, skip, noWait)
}

func relation(r node) string {
	name := theirName(r.text("relname"))
	if schema := r.text("schemaname"); schema != "" && name != dynamicName {
		if theirName(schema) == dynamicName {
			return dynamicName
		}
		return schema + "." + name
	}
	return name
}

func theirName(name string) string {
	if strings.Contains(name, "____") {
		return dynamicName
	}
	return name
}

// tables lists the items of FROM, those inside joins too.
func tables(items []node) []string {
	var found []string
	for _, item := range items {
		found = append(found, tableItem(item)...)
	}
	slices.Sort(found)
	return found
}

func tableItem(item node) []string {
	switch {
	case item.child("RangeVar") != nil:
		return []string{relation(item.child("RangeVar"))}
	case item.child("RangeSubselect") != nil:
		return []string{"<subquery>"}
	case item.child("RangeFunction") != nil:
		return []string{functionItem(item.child("RangeFunction"))}
	case item.child("RangeTableSample") != nil:
		return tableItem(item.child("RangeTableSample").child("relation"))
	case item.child("JoinExpr") != nil:
		join := item.child("JoinExpr")
		return append(tableItem(join.child("larg")), tableItem(join.child("rarg"))...)
	}
	return nil
}

func functionItem(item node) string {
	for _, function := range item.list("functions") {
		for _, part := range function.child("List").list("items") {
			parts := part.child("FuncCall").list("funcname")
			if len(parts) > 0 {
				return parts[len(parts)-1].child("String").text("sval") + "()"
			}
		}
	}
	return "()"
}

func elementName(element node) string {
	if element["expr"] != nil {
		return expressionName
	}
	return theirName(element.text("name"))
}

// equalities lists the columns that must equal something at the top level.
func equalities(where node) []string {
	var found []string
	if and := where.child("BoolExpr"); and.text("boolop") == "AND_EXPR" {
		for _, argument := range and.list("args") {
			found = append(found, equalities(argument)...)
		}
	}
	if inner := negation(negation(where)); inner != nil {
		return equalities(inner)
	}
	comparison := where.child("A_Expr")
	kind := comparison.text("kind")
	if kind == "AEXPR_NOT_DISTINCT" || kind == "AEXPR_OP" && operatorName(comparison) == "=" {
		found = append(found, equalColumns(comparison.child("lexpr"), comparison.child("rexpr"))...)
	}
	slices.Sort(found)
	return found
}

// negation is what stands behind NOT, nil for anything else.
func negation(n node) node {
	not := n.child("BoolExpr")
	if not.text("boolop") != "NOT_EXPR" || len(not.list("args")) != 1 {
		return nil
	}
	return not.list("args")[0]
}

func operatorName(comparison node) string {
	parts := comparison.list("name")
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1].child("String").text("sval")
}

func equalColumns(left, right node) []string {
	leftRow, rightRow := left.child("RowExpr").list("args"), right.child("RowExpr").list("args")
	if len(leftRow) > 0 && len(leftRow) == len(rightRow) {
		var found []string
		for k := range leftRow {
			found = append(found, equalColumns(leftRow[k], rightRow[k])...)
		}
		return found
	}
	for _, side := range []node{left, right} {
		if name := columnOf(side); name != "" {
			return []string{name}
		}
	}
	return nil
}

// columnOf is the column a node is, casts not counted.
func columnOf(n node) string {
	for n.child("TypeCast") != nil {
		n = n.child("TypeCast").child("arg")
	}
	fields := n.child("ColumnRef").list("fields")
	if len(fields) == 0 {
		return ""
	}
	name := theirName(fields[len(fields)-1].child("String").text("sval"))
	if name == dynamicName && len(fields) == 1 { // an interpolation stands for a value
		return ""
	}
	return name
}

// theirPlaceholders lists the numbers of the ParamRefs below a node by their place in
// the text, each once.
func theirPlaceholders(n any) []int {
	type placed struct{ location, number int }
	var found []placed
	var visit func(any)
	visit = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if param, ok := value["ParamRef"].(map[string]any); ok {
				number, _ := param["number"].(float64)
				location, _ := param["location"].(float64)
				found = append(found, placed{int(location), int(number)})
			}
			for _, inner := range value {
				visit(inner)
			}
		case node:
			visit(map[string]any(value))
		case []any:
			for _, inner := range value {
				visit(inner)
			}
		}
	}
	visit(n)
	slices.SortFunc(found, func(a, b placed) int { return a.location - b.location })
	var numbers []int
	for _, param := range found {
		if !slices.Contains(numbers, param.number) {
			numbers = append(numbers, param.number)
		}
	}
	return numbers
}

// uniqueSets lists the unique column sets that a definition declares.
func uniqueSets(kind string, s node) []string {
	var found []string
	switch kind {
	case "CreateStmt":
		for _, element := range s.list("tableElts") {
			found = append(found, elementSets(element)...)
		}
	case "AlterTableStmt":
		for _, command := range s.list("cmds") {
			definition := command.child("AlterTableCmd").child("def")
			found = append(found, elementSets(definition)...)
		}
	case "IndexStmt":
		if s["unique"] == true {
			var columns []string
			for _, parameter := range s.list("indexParams") {
				columns = append(columns, elementName(parameter.child("IndexElem")))
			}
			found = append(found, strings.Join(columns, ","))
		}
	}
	slices.Sort(found)
	return found
}

func elementSets(element node) []string {
	if column := element.child("ColumnDef"); column != nil {
		for _, constraint := range column.list("constraints") {
			if isUnique(constraint.child("Constraint")) {
				return []string{column.text("colname")}
			}
		}
		return nil
	}
	constraint := element.child("Constraint")
	if !isUnique(constraint) {
		return nil
	}
	var columns []string
	for _, key := range constraint.list("keys") {
		columns = append(columns, key.child("String").text("sval"))
	}
	return []string{strings.Join(columns, ",")}
}

func isUnique(constraint node) bool {
	kind := constraint.text("contype")
	return kind == "CONSTR_UNIQUE" || kind == "CONSTR_PRIMARY"
}
