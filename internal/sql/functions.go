package sql

import (
	_ "embed"
	"strings"
	"sync"
)

// functions.tsv lists what the databases' own functions do. Columns: name (lower
// case), dialect, form (call: with brackets, word: without, phrase), class and the
// page the row was taken from. Classes: pure (depends on its arguments only), context
// (depends on the session, such as row_count), volatile (new in every call or run),
// lock (takes or frees an advisory lock) and write (changes something).
//
//go:embed functions.tsv
var functionsTable string

// FunctionClass is what a function of the database does.
type FunctionClass int

// The classes. UserDefined stands for every function that the table does not know:
// it may be stored in the database and may write.
const (
	UserDefined FunctionClass = iota
	Pure
	Context
	Volatile
	Locking
	Writing
)

type functionKey struct {
	name    string
	dialect string
}

type functionTable struct {
	classes map[functionKey]FunctionClass
	words   map[functionKey]bool // called without brackets
}

var functions = sync.OnceValue(readFunctions)

func readFunctions() functionTable {
	table := functionTable{classes: map[functionKey]FunctionClass{}, words: map[functionKey]bool{}}
	for line := range strings.Lines(functionsTable) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) < 5 || fields[0] == "name" {
			continue
		}
		key := functionKey{name: fields[0], dialect: fields[1]}
		table.classes[key] = functionClass(fields[3])
		if fields[2] == "word" {
			table.words[key] = true
		}
	}
	return table
}

func functionClass(name string) FunctionClass {
	switch name {
	case "pure":
		return Pure
	case "context":
		return Context
	case "volatile":
		return Volatile
	case "lock":
		return Locking
	case "write":
		return Writing
	}
	return UserDefined
}

// Function returns the class of the function with the given name, in any case and
// without schema. For Other, whose databases differ, the other dialects are asked too.
func (d Dialect) Function(name string) FunctionClass {
	name = strings.ToLower(name)
	table := functions()
	if class, ok := table.classes[functionKey{name, d.String()}]; ok || d != Other {
		return class
	}
	for _, dialect := range dialectNames {
		if class, ok := table.classes[functionKey{name, dialect}]; ok {
			return class
		}
	}
	return UserDefined
}

// callsWithoutBrackets reports whether a word such as CURRENT_TIMESTAMP is a call.
func (d Dialect) callsWithoutBrackets(word string) bool {
	if len(word) > longestBareFunction {
		return false
	}
	return functions().words[functionKey{strings.ToLower(word), d.String()}]
}

const longestBareFunction = 32
