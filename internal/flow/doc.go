// Package flow says where a value comes from. From a parameter of a node it goes
// back through expressions, Code nodes, Set nodes, merges, database answers and
// called workflows to what made the value: a field of the event, a source that
// is new every time, a language model, a constant.
//
// It is field-sensitive: what a Set node writes into one field says nothing about
// another. What nodes put where stands in the tables under data.
//
// Nothing is executed. A walk back visits every field of every node at most once
// and is bounded; where it cannot know it says Unknown.
package flow
