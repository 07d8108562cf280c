package guard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/n8nlint/n8nlint/internal/catalog"
	"github.com/n8nlint/n8nlint/internal/graph"
	"github.com/n8nlint/n8nlint/internal/source"
)

//go:embed data/browser.tsv
var browserTSV string

var browserWords = sync.OnceValue(func() (words []string) {
	for _, f := range catalog.Rows(browserTSV) {
		words = append(words, f[0])
	}
	return words
})

// ForBrowsers reports whether people's browsers call a webhook by design: it
// listens to GET alone and takes no body, lets pages of other origins in,
// answers with a page or a redirect, or its path says so.
func (f *Facts) ForBrowsers(webhook *graph.Node) bool {
	path, methods, _ := WebhookAddress(webhook)
	if !slices.ContainsFunc(methods, func(m string) bool { return m != "GET" && m != "HEAD" }) && !f.readsBody(webhook) {
		return true
	}
	if webhook.Parameter("options", "allowedOrigins").Str() != "" || slices.ContainsFunc(catalog.Words(path), func(w string) bool { return slices.Contains(browserWords(), w) }) {
		return true
	}
	return answersPage(webhook) || slices.ContainsFunc(f.Responders(webhook), answersPage)
}

// readsBody reports whether the workflow reads the body of a request: GET, the
// default method, was then left as it was.
func (f *Facts) readsBody(webhook *graph.Node) bool {
	return slices.ContainsFunc(f.model.webhookFields(webhook), func(path []string) bool { return len(path) > 0 && path[0] == "body" })
}

// answersPage reports whether a node's answer is a redirect or a page, or names
// the origins that may read it.
func answersPage(n *graph.Node) bool {
	if n.Parameter("respondWith").Str() == "redirect" {
		return true
	}
	page := false
	for h := range n.Parameter("options", "responseHeaders", "entries").Children() {
		page = page || isPageHeader(h)
	}
	return page
}

func isPageHeader(h source.Value) bool {
	name, value := strings.ToLower(h.Get("name").Str()), strings.ToLower(h.Get("value").Str())
	return name == "content-type" && strings.Contains(value, "text/html") || name == "access-control-allow-origin"
}
