package expr

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedPrograms evaluates one program on one scope from several goroutines
// and holds that neither is changed by that.
func TestSharedPrograms(t *testing.T) {
	program, err := Parse("for (const i of items) { i.json.a.push(1); i.json.b = $json; delete i.json.c } return items", Body)
	require.NoError(t, err)
	scope := Item(Object(Field{Name: "a", Value: Array(String("x"))}, Field{Name: "c", Value: Null()}))
	before := scope.CurrentItem().String()
	want := program.RunCode(scope, AllItems).Items.String()
	results := make([]string, 8)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = program.RunCode(scope, AllItems).Items.String() })
	}
	group.Wait()
	for _, result := range results {
		require.Equal(t, want, result)
	}
	require.Equal(t, before, scope.CurrentItem().String())
}
