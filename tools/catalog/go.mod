module github.com/n8nlint/n8nlint/tools/catalog

go 1.25.0
