package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// load reads n8n-nodes.tsv from facts, verbs.tsv and review/*.tsv from rules,
// and judges every row.
func load(facts, rules fs.FS) ([]judged, error) {
	operations, err := readFile(facts, "n8n-nodes.tsv", readFacts)
	if err != nil {
		return nil, err
	}
	byVerb, err := readFile(rules, "verbs.tsv", readVerbs)
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(rules, "review/*.tsv")
	if err != nil {
		return nil, fmt.Errorf("find the review files: %w", err)
	}
	byReview := make(review)
	var faults []error
	for _, file := range files {
		_, err := readFile(rules, file, func(name string, in io.Reader) (struct{}, error) {
			return struct{}{}, byReview.read(name, in)
		})
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return judge(operations, byVerb, byReview)
}

func readFile[T any](from fs.FS, name string, read func(string, io.Reader) (T, error)) (T, error) {
	file, err := from.Open(name)
	if err != nil {
		var none T
		return none, fmt.Errorf("open %s: %w", name, err)
	}
	defer file.Close()
	return read(name, file)
}
