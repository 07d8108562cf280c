package guard

import (
	_ "embed"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/catalog/httpcall"
)

//go:embed data/nodeproviders.tsv
var nodeProvidersTSV string

// Offer is a key that a service would enforce.
type Offer struct {
	Service  string
	Position string
	// NativeNode: n8n's own node for the service cannot send it.
	NativeNode bool
	// Sure: the service's page says so and leaves nothing open.
	Sure bool
}

var nodeProviders = sync.OnceValue(func() map[string]Offer {
	m := map[string]Offer{}
	for _, f := range catalog.Rows(nodeProvidersTSV) {
		m[f[0]] = Offer{Service: f[1], Position: f[2], NativeNode: true, Sure: f[3] == "high"}
	}
	return m
})

// KeyOffered is the idempotency key that the service of an effect would enforce;
// ok is false where it has none or a claim by a natural key.
func (f *Facts) KeyOffered(e *Effect) (Offer, bool) {
	if e.HTTP == nil {
		o, ok := nodeProviders()[e.Node.Type]
		return o, ok
	}
	p := e.HTTP.Verdict.Provider
	if p == nil || p.Class != httpcall.ClassEnforcing || len(p.Names) == 0 {
		return Offer{}, false
	}
	switch p.Mechanism {
	case httpcall.MechanismHeader, httpcall.MechanismBody, httpcall.MechanismQuery:
		return Offer{Service: p.Service, Position: string(p.Mechanism) + " " + p.Names[0], Sure: p.Confidence == httpcall.High}, true
	}
	return Offer{}, false
}
