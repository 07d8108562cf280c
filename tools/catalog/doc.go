// Command catalog writes the node table of internal/catalog: for every
// resource and operation of n8n's own nodes, what running it does to the
// outside world.
//
//	go run . -facts ../../../shared/facts -out ../../internal/catalog/data/nodes.tsv
//
// Three sources meet, the later one wins:
//
//  1. n8n-nodes.tsv, the list of what exists (extracted from the node
//     packages), whose group and flags say which nodes are triggers;
//  2. verbs.tsv, what the name of an operation says about its effect;
//  3. review/*.tsv, what is known about the service or read in the node's
//     source, where the name alone would mislead.
//
// A row of a review file names a type, a resource and an operation; resource
// and operation may be "*". The most specific row wins, a row that matches
// nothing is an error, and so are two rows for the same place. Where a node has
// no operation and another parameter decides, the operation is written
// "mode=insert" and becomes a row of its own; the row with "-" then speaks for
// a parameter that is an expression. "operation=create" adds an operation that
// the editor loads at run time.
//
// Flags of the table: approval (the node waits for a person's answer), refused
// (a natural key: the repeat fails with an error, so the effect happens once),
// tool (the node can be attached to an agent), hidden (n8n no longer offers it).
// Basis of a verdict: verb, group (how n8n registers the trigger), service
// (known of the service or read in the node's source, the note says what),
// source (measured, the note names the section of N8N.md).
package main
