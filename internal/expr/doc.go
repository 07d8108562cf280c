// Package expr reads n8n templates and the JavaScript inside them and inside
// Code nodes, and evaluates that JavaScript on abstract values.
//
// Code is parsed, never searched: a name in a string or a comment is no name.
// One value domain answers two questions. Given an abstract item ("the loser's
// item of this claim"), is a condition true, false or unknown? And given
// symbolic items, where does a value come from: a field of a node, a source
// that is made anew on every execution, a constant?
//
// Nothing is executed and nothing outside the given text is touched. Parsing
// and evaluation are bounded by the constants in limits.go; what exceeds them
// is an error value or an unknown value, never a panic.
//
// Every span in this package is a pair of byte offsets into the decoded string
// that was given to ParseTemplate or Parse.
package expr
