package sql

import (
	"strings"

	"github.com/DataDog/go-sqllexer"
)

// Dialect is the family of databases whose lexical rules a text follows.
type Dialect int

// The dialects. MariaDB is MySQL; TimescaleDB, CrateDB, QuestDB and Redshift are
// Postgres; SQLite and everything else is Other.
const (
	Other Dialect = iota
	Postgres
	MySQL
	SQLServer
	Snowflake
)

var dialectNames = [...]string{"other", "postgres", "mysql", "sqlserver", "snowflake"}

// String returns the name that functions.tsv uses for the dialect.
func (d Dialect) String() string {
	if d < 0 || int(d) >= len(dialectNames) {
		return dialectNames[Other]
	}
	return dialectNames[d]
}

func (d Dialect) lexerDBMS() sqllexer.DBMSType {
	switch d {
	case MySQL:
		return sqllexer.DBMSMySQL
	case SQLServer:
		return sqllexer.DBMSSQLServer
	case Snowflake:
		return sqllexer.DBMSSnowflake
	default:
		// Standard strings: a backslash is an ordinary character.
		return sqllexer.DBMSPostgres
	}
}

// fold gives a name the form in which two spellings of one object are equal.
// Only Postgres tells "Orders" from orders in practice.
func (d Dialect) fold(name string, quoted bool) string {
	if quoted && d == Postgres {
		return name
	}
	return strings.ToLower(name)
}

// resultName gives a projection's name the form in which it reaches the item.
func (d Dialect) resultName(name string, quoted bool) string {
	switch {
	case quoted:
		return name
	case d == Postgres:
		return strings.ToLower(name)
	case d == Snowflake:
		return strings.ToUpper(name)
	default:
		return name
	}
}

// questionMarkIsPlaceholder is false for Postgres, where ? is a jsonb operator.
func (d Dialect) questionMarkIsPlaceholder() bool { return d != Postgres }
