package guard

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
)

//go:embed data/words.tsv
var wordsTSV string

type role string

// The roles of words.tsv.
const (
	keyWord     role = "key"
	stateWord   role = "state"
	claimedWord role = "claimed"
	tableWord   role = "table"
	openState   role = "open"
	makingWord  role = "making"
	runWord     role = "run"
)

var roleWords = sync.OnceValue(func() map[role][]string {
	m := map[role][]string{}
	for _, f := range catalog.Rows(wordsTSV) {
		m[role(f[0])] = append(m[role(f[0])], " "+f[1]+" ")
	}
	return m
})

// says reports whether a name holds a word of the role, whole words only.
func says(name string, r role) bool {
	text := " " + strings.Join(catalog.Words(name), " ") + " "
	for _, w := range roleWords()[r] {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
