// Package sqloracle compares internal/sql with PostgreSQL's own parser. It is a
// module of its own because that parser costs two seconds and 260 MB to start.
package sqloracle
