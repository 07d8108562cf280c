package httpcall

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHostsThatAreStripe(t *testing.T) {
	for _, url := range []string{
		"https://api.stripe.com/v1/charges",
		"HTTPS://API.Stripe.COM/v1/charges",
		"https://api.stripe.com:443/v1/charges",
		"https://api.stripe.com./v1/charges",
		"https://sk_test_x:@api.stripe.com/v1/charges",
		"https://evil.example.org@api.stripe.com/v1/charges",
		"  https://api.stripe.com/v1/charges\n",
		"https:\\\\api.stripe.com\\v1\\charges",
		"//api.stripe.com/v1/charges",
		"api.stripe.com/v1/charges",
		"https://api.stripe.com//v1//charges/",
		"https://api.stripe.com/v1/charges?expand[]=customer",
		"https://api.stripe.com/v1/charges#x",
	} {
		v := Classify(call("POST "+url, ""))
		require.Equal(t, ImpactMoney, v.Impact, url)
		require.NotNil(t, v.Provider, url)
		require.Equal(t, "Stripe v1", v.Provider.Service, url)
	}
}

func TestHostsThatAreNotStripe(t *testing.T) {
	for _, url := range []string{
		"https://evil-api.stripe.com.example.org/v1/payment_methods",
		"https://api.stripe.com.evil.org/v1/payment_methods",
		"https://evil-api.stripe.com/v1/payment_methods",
		"https://evilapi.stripe.com/v1/payment_methods",
		"https://api.stripe.com@evil.org/v1/payment_methods",
		"https://api.stripe.com:443@evil.org/v1/payment_methods",
		"https://evil.org/api.stripe.com/v1/payment_methods",
		"https://evil.org/?u=https://api.stripe.com/v1/payment_methods",
		"https://evil.org#@api.stripe.com/v1/payment_methods",
		"https://evil.org\\@api.stripe.com/v1/payment_methods",
		"https://{}.stripe.com/v1/payment_methods",
		"https://api.stripe.com.{}/v1/payment_methods",
		"https://api.stripe.com-{}/v1/payment_methods",
		"https://{}api.stripe.com/v1/payment_methods",
	} {
		v := Classify(call("POST "+url, ""))
		require.Nil(t, v.Provider, url)
		require.Empty(t, v.Service, url)
	}
}

func TestHostPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern hostPattern
		host    string
		want    bool
	}{
		{"*.myshopify.com", "shop.myshopify.com", true},
		{"*.myshopify.com", "a.b.myshopify.com", true},
		{"*.myshopify.com", "myshopify.com", false},
		{"*.myshopify.com", "evilmyshopify.com", false},
		{"*.myshopify.com", "shop.myshopify.com.evil.org", false},
		{"sqs.*.amazonaws.com", "sqs.eu-west-1.amazonaws.com", true},
		{"sqs.*.amazonaws.com", "sqs.amazonaws.com", false},
		{"sqs.*.amazonaws.com", "sqs.a.b.amazonaws.com", false},
		{"*-aiplatform.googleapis.com", "us-central1-aiplatform.googleapis.com", true},
		{"*-aiplatform.googleapis.com", "aiplatform.googleapis.com", false},
		{"*.example.com", ".example.com", false},
		{"*", "", true},
		{"api.example.com", "", false},
	} {
		require.Equal(t, c.want, c.pattern.matches(c.host), "%s %s", c.pattern, c.host)
	}
}

func TestPathsCountBySegment(t *testing.T) {
	for _, c := range []struct {
		pattern, url string
		want         bool
	}{
		{"v1/charges", "https://h.example/v1/charges", true},
		{"v1/charges", "https://h.example/v1/charges/1", false},
		{"v1/charges", "https://h.example/v1/surcharges", false},
		{"v1/*", "https://h.example/v1/{}", true},
		{"v1/charges", "https://h.example/v1/{}", false},
		{"**/graphql", "https://h.example/graphql", true},
		{"**/graphql", "https://h.example/a/b/graphql", true},
		{"**/graphql", "https://h.example/a/graphql/b", false},
		{"a/**/b", "https://h.example/a/x/y/b", true},
		{"a/**", "https://h.example/a", true},
		{"*/*:generateContent", "https://h.example/models/x:generateContent", true},
		{"", "https://h.example/", true},
		{"", "https://h.example/x", false},
	} {
		_, got := parsePath(c.pattern).match(parseAddress(template(c.url)).segments)
		require.Equal(t, c.want, got, "%s %s", c.pattern, c.url)
	}
}

// An expression directly behind a whole host may continue it, so the verdict is less sure.
func TestAnExpressionBehindTheHostLowersConfidence(t *testing.T) {
	sure := Classify(call("POST https://api.telegram.org/bot1/sendMessage", ""))
	unsure := Classify(call("POST https://api.telegram.org{}/bot1/sendMessage", ""))
	require.Equal(t, High, sure.Confidence)
	require.Equal(t, sure.Kind, unsure.Kind)
	require.Equal(t, Medium, unsure.Confidence)
}

// DNS knows no name this long, and comparing it with every pattern would cost time.
func TestTooLongHostsAreNoHosts(t *testing.T) {
	v := Classify(call("POST https://"+strings.Repeat("a.", 200)+"api.stripe.com/v1/payment_methods", ""))
	require.Nil(t, v.Provider)
	require.Empty(t, v.Service)
}
