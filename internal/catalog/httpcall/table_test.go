package httpcall

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTablesAreReadable(t *testing.T) {
	loadedTables, err := load()
	require.NoError(t, err)
	require.NotEmpty(t, loadedTables.endpoints.exact)
	require.NotEmpty(t, loadedTables.endpoints.wildcard)
	require.NotEmpty(t, loadedTables.endpoints.anyHost)
	require.NotEmpty(t, loadedTables.segments)
	require.NotEmpty(t, loadedTables.mutations)
	require.NotEmpty(t, loadedTables.keyNames)
}

func allEndpoints(t *testing.T) []*endpointRow {
	t.Helper()
	loadedTables, err := load()
	require.NoError(t, err)
	rows := slices.Concat(loadedTables.endpoints.wildcard, loadedTables.endpoints.anyHost)
	for _, some := range loadedTables.endpoints.exact {
		rows = append(rows, some...)
	}
	return rows
}

// A row that no request reaches is one that an earlier row hides.
func TestEveryEndpointIsReachable(t *testing.T) {
	tables := loaded()
	hidden := map[string]bool{}
	reached := map[string]bool{}
	for _, row := range allEndpoints(t) {
		name := row.file + ":" + strings.Join([]string{string(row.host), strings.Join(row.path, "/"), strings.Join(row.methods, ",")}, " ")
		found, _, doubt := tables.endpoints.find(newView(requestFor(row.host, row.path, row.methods, row.condition)))
		if found == nil || doubt || found.file != row.file || found.line != row.line {
			hidden[name] = true
			if found != nil {
				t.Errorf("%s (line %d) is hidden by %s:%d", name, row.line, found.file, found.line)
				continue
			}
			t.Errorf("%s (line %d) is not reached", name, row.line)
			continue
		}
		reached[name] = true
	}
	require.Empty(t, hidden)
	require.Greater(t, len(reached), 350)
}

func TestEveryEndpointSaysWhyAndWhence(t *testing.T) {
	for _, row := range allEndpoints(t) {
		require.NotEmpty(t, row.note, "%s:%d", row.file, row.line)
		require.NotEmpty(t, row.source, "%s:%d", row.file, row.line)
		require.Equal(t, strings.ToLower(string(row.host)), string(row.host), "%s:%d", row.file, row.line)
	}
}

func TestEveryDestinationOfAPathIsInThePath(t *testing.T) {
	for _, row := range allEndpoints(t) {
		for _, place := range row.destination {
			where, name, found := strings.Cut(place, ":")
			require.True(t, found, "%s:%d: %q", row.file, row.line, place)
			require.Contains(t, []string{"path", "query", "body", "param", "header"}, where, "%s:%d", row.file, row.line)
			if where == "path" {
				require.Contains(t, row.path, "{"+name+"}", "%s:%d", row.file, row.line)
			}
		}
	}
}

func TestEveryProviderIsReachable(t *testing.T) {
	tables := loaded()
	for i, row := range tables.providers {
		reached := false
		for _, path := range row.paths {
			request := requestFor(hostPattern(row.Host), path, row.methods, row.condition)
			found := ProviderFor(request)
			reached = reached || found != nil && found.Host == row.Host && found.Path == row.Path && slices.Equal(found.Names, row.Names)
		}
		require.True(t, reached, "line %d: %s %s", i+2, row.Host, row.Path)
		require.NotEmpty(t, row.Source)
		require.NotEmpty(t, row.Service)
		if row.Class == ClassEnforcing {
			require.NotEmpty(t, row.Names, "%s %s", row.Host, row.Path)
		}
	}
	require.Len(t, Providers(), len(tables.providers))
}

// A fact that nobody checked to the end may not decide an error.
func TestUncheckedProvidersAreNotSure(t *testing.T) {
	for _, provider := range Providers() {
		text := provider.Retention + provider.Scope + provider.Note
		if strings.Contains(text, "not checked") || strings.Contains(text, "from memory") {
			require.Equal(t, Medium, provider.Confidence, provider.Service)
		}
	}
}

func TestBadRowsAreRefused(t *testing.T) {
	for name, condition := range map[string]string{
		"no place": "x", "unknown place": "cookie:x", "no name": "body:",
	} {
		_, err := parseCondition(condition)
		require.Error(t, err, name)
	}
	require.Error(t, checkVerdict("write", ImpactRecord, High))
	require.Error(t, checkVerdict(KindRead, ImpactRecord, High))
	require.Error(t, checkVerdict(KindRepeatable, ImpactNone, High))
	require.Error(t, checkVerdict(KindRepeatable, "fame", High))
	require.Error(t, checkVerdict(KindRepeatable, ImpactMoney, "sure"))
	require.Error(t, providerRow{Provider: Provider{Class: "strict", Confidence: High}}.check())
	require.Error(t, providerRow{Provider: Provider{Class: ClassEnforcing, Confidence: High}}.check())
	require.Error(t, providerRow{Provider: Provider{Class: ClassNone, Mechanism: "cookie", Confidence: High}}.check())
	require.Error(t, providerRow{Provider: Provider{Class: ClassNone, Confidence: Low}}.check())
}
