// Package sql says what the SQL text of an n8n node does: which statement, which
// table, which value goes into which column, what happens on a conflict, what
// comes back and what the rows are restricted to.
//
// It is a clause recogniser over tokens and not a grammar: text that it does not
// understand becomes a statement with the verb Other, or a value or predicate that
// only knows its span, and never an error. n8n expressions ({{ }}) and placeholders
// ($1, $1:name, ?, :name, @name) may stand anywhere. All offsets are byte offsets
// into the string that was given to Parse.
package sql
