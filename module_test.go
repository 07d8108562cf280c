package n8nlint_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/n8nlint/n8nlint"

// mayImport says for each folder, with all below it that has no line of its own,
// which packages of the module it may import. A word stands for one package, with
// /... for those below it as well.
var mayImport = map[string][]string{
	"internal/source":           {},
	"internal/graph":            {"internal/source"},
	"internal/expr":             {},
	"internal/sql":              {},
	"internal/catalog":          {"internal/source", "internal/graph", "internal/expr", "internal/sql", "internal/catalog/httpcall"},
	"internal/catalog/httpcall": {},
	"internal/flow":             append(facts("flow"), "internal/flow/..."),
	"internal/guard":            append(facts("guard"), "internal/guard/..."),
	"internal/lint":             facts("lint"),
	"internal/report":           {"internal/lint", "internal/graph", "internal/source", "internal/report/..."},
	"internal/sarif":            {"internal/lint", "internal/graph", "internal/source", "internal/report/clean", "internal/report/place"},
	"internal/lsp":              {"internal/lint", "internal/graph", "internal/source"},
	"rules":                     {"internal/lint", "rules/..."},
	"internal/cli":              {"internal/...", "rules"},
	"cmd/n8nlint":               {"internal/cli"},
}

// ruleFamilies may import what is below lint, and no other family.
var ruleFamilies = append(facts("lint"), "internal/lint", "internal/guard", "internal/flow")

// facts are the layers of analysis below one of flow, guard and lint.
func facts(above string) []string {
	below := []string{"internal/source", "internal/graph", "internal/expr", "internal/sql", "internal/catalog", "internal/catalog/httpcall"}
	switch above {
	case "guard":
		below = append(below, "internal/flow")
	case "lint":
		below = append(below, "internal/flow", "internal/guard")
	}
	return below
}

// outside are the parts of the standard library that reach out of the process.
var outside = []string{"os", "os/exec", "os/signal", "os/user", "net", "net/http", "net/rpc", "net/smtp", "plugin", "syscall", "path/filepath", "io/ioutil"}

// mayReachOut are the folders that may import them.
var mayReachOut = []string{"cmd", "internal/cli"}

// goFile is one file of the module that goes into the program.
type goFile struct {
	name   string // relative to the module, with forward slashes
	folder string
	syntax *ast.File
}

func (f goFile) imports() (paths []string) {
	for _, spec := range f.syntax.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// moduleFiles are the module's files without tests, and without the modules
// under tools/.
func moduleFiles(t *testing.T) (files []goFile) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipFolder(path, d.Name())
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		files = append(files, goFile{name: filepath.ToSlash(path), folder: filepath.ToSlash(filepath.Dir(path)), syntax: syntax})
		return err
	})
	require.NoError(t, err)
	require.Greater(t, len(files), 50)
	return files
}

func skipFolder(path, name string) error {
	if path == "." {
		return nil
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || name == "testdata" || strings.HasPrefix(name, ".") {
		return fs.SkipDir
	}
	return nil
}

// TestImportsGoOneWay holds source ← graph ← catalog, expr, sql ← flow ← guard ←
// lint ← rules ← cli.
func TestImportsGoOneWay(t *testing.T) {
	for _, f := range moduleFiles(t) {
		for _, fault := range importFaults(f.name, f.folder, f.imports()) {
			t.Error(fault)
		}
	}
}

func importFaults(name, folder string, imports []string) (faults []string) {
	allowed, known := allowedImports(folder)
	if !known {
		faults = append(faults, fmt.Sprintf("%s: module_test.go has no line that says what %s may import", name, folder))
	}
	for _, path := range imports {
		if slices.Contains(outside, path) && !slices.ContainsFunc(mayReachOut, func(f string) bool { return within(folder, f) }) {
			faults = append(faults, fmt.Sprintf("%s imports %q, but only the command line may reach out of the process", name, path))
		}
		inner, isOurs := strings.CutPrefix(path, modulePath+"/")
		if isOurs && known && !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(inner, pattern) }) {
			faults = append(faults, fmt.Sprintf("%s imports %q, but %s may import %s", name, inner, folder, orNothing(allowed)))
		}
	}
	return faults
}

// allowedImports finds the line of the folder or of the nearest one above it.
func allowedImports(folder string) (allowed []string, known bool) {
	if strings.HasPrefix(folder, "rules/") {
		return ruleFamilies, true
	}
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if allowed, known = mayImport[f]; known {
			return allowed, true
		}
	}
	return nil, false
}

func matches(path, pattern string) bool {
	if folder, below := strings.CutSuffix(pattern, "/..."); below {
		return within(path, folder)
	}
	return path == pattern
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func orNothing(allowed []string) string {
	if len(allowed) == 0 {
		return "nothing of the module"
	}
	return "only " + strings.Join(allowed, ", ")
}

func TestImportFaultsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		folder, path, want string
	}{
		"upward":             {"internal/source", modulePath + "/internal/graph", `x.go imports "internal/graph", but internal/source may import nothing of the module`},
		"downward":           {"internal/graph", modulePath + "/internal/source", ""},
		"the layer above":    {"internal/graph", modulePath + "/internal/guard", `x.go imports "internal/guard", but internal/graph may import only internal/source`},
		"expressions":        {"internal/expr", modulePath + "/internal/graph", `x.go imports "internal/graph"`},
		"below a folder":     {"internal/report/clean", modulePath + "/rules", `x.go imports "rules"`},
		"own part":           {"internal/report", modulePath + "/internal/report/clean", ""},
		"the command line":   {"internal/lint", modulePath + "/internal/cli", `x.go imports "internal/cli"`},
		"a rule":             {"rules/claim", modulePath + "/internal/guard", ""},
		"another family":     {"rules/claim", modulePath + "/rules/retry", `x.go imports "rules/retry"`},
		"a rule's report":    {"rules/claim", modulePath + "/internal/report", `x.go imports "internal/report"`},
		"files in a rule":    {"rules/claim", "os", `x.go imports "os", but only the command line`},
		"the network":        {"internal/guard", "net/http", `x.go imports "net/http", but only`},
		"files in a report":  {"internal/sarif", "os", `x.go imports "os", but only`},
		"files in the cli":   {"internal/cli", "os", ""},
		"an unknown package": {"internal/new", "fmt", "x.go: module_test.go has no line that says what internal/new may import"},
		"a similar name":     {"internal/lint", modulePath + "/internal/guardian", `x.go imports "internal/guardian"`},
	} {
		t.Run(name, func(t *testing.T) {
			faults := importFaults("x.go", c.folder, []string{c.path})
			if c.want == "" {
				require.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], c.want)
		})
	}
}

// TestOneProgram: a pre-commit hook runs go install ./..., which must install
// n8nlint and nothing else.
func TestOneProgram(t *testing.T) {
	found := false
	for _, f := range moduleFiles(t) {
		if f.syntax.Name.Name != "main" {
			continue
		}
		found = true
		if f.folder != "cmd/n8nlint" {
			t.Errorf("%s is package main; only cmd/n8nlint may be", f.name)
		}
	}
	require.True(t, found)
}

// TestNoInit: what a package knows is made when it is asked for.
func TestNoInit(t *testing.T) {
	for _, f := range moduleFiles(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "init" && fn.Recv == nil {
				t.Errorf("%s has an init function", f.name)
			}
		}
	}
}
