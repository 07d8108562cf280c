package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func main() {
	facts := flag.String("facts", "../../../shared/facts", "folder with n8n-nodes.tsv")
	out := flag.String("out", "../../internal/catalog/data/nodes.tsv", "file to write, - for standard output")
	totals := flag.Bool("totals", false, "print how many rows there are of each kind")
	flag.Parse()
	if err := run(*facts, *out, *totals); err != nil {
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

func run(facts, out string, totals bool) error {
	rows, err := load(os.DirFS(facts), os.DirFS("."))
	if err != nil {
		return err
	}
	if totals {
		printTotals(os.Stderr, rows)
	}
	var table bytes.Buffer
	if err := write(&table, rows); err != nil {
		return err
	}
	if out == "-" {
		_, err := io.Copy(os.Stdout, &table)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, table.Bytes(), 0o644)
}
