module github.com/n8nlint/n8nlint/tools/sqloracle

go 1.25.0

replace github.com/n8nlint/n8nlint => ../..

require (
	github.com/n8nlint/n8nlint v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/wasilibs/go-pgquery v0.0.0-20260728010200-155ebad2880e
)

require (
	github.com/DataDog/go-sqllexer v0.2.6 // indirect
	github.com/pganalyze/pg_query_go/v6 v6.2.2 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	github.com/wasilibs/wazero-helpers v0.0.0-20250123031827-cd30c44769bb // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.44.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)
