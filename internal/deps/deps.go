// Package deps keeps the requirements in go.mod until each has its first user.
package deps

import (
	_ "github.com/DataDog/go-sqllexer"
	_ "github.com/bmatcuk/doublestar/v4"
	_ "github.com/dop251/goja/ast"
	_ "github.com/dop251/goja/parser"
	_ "github.com/fatih/color"
	_ "github.com/go-git/go-git/v5/plumbing/format/gitignore"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/owenrumney/go-sarif/v2/sarif"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "github.com/tidwall/gjson"
	_ "golang.org/x/term"
	_ "pgregory.net/rapid"
)
