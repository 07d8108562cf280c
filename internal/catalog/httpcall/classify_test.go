package httpcall

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// template makes a text of which every {} is an expression.
func template(s string) Text {
	var t Text
	for i, literal := range strings.Split(s, "{}") {
		if i > 0 {
			t.Parts = append(t.Parts, Part{Hole: i})
		}
		if literal != "" {
			t.Parts = append(t.Parts, Part{Literal: literal})
		}
	}
	return t
}

// call reads "METHOD url" with an optional JSON body.
func call(line, body string) Request {
	method, url, _ := strings.Cut(line, " ")
	r := Request{Method: method, MethodKnown: true, URL: template(url)}
	if body != "" {
		r.Body = Body{Kind: BodyJSON, Text: template(body)}
	}
	return r
}

type classifyCase struct {
	line, body string
	kind       Kind
	impact     Impact
}

func requireVerdicts(t *testing.T, cases []classifyCase) {
	t.Helper()
	for _, c := range cases {
		v := Classify(call(c.line, c.body))
		require.Equal(t, [2]string{string(c.kind), string(c.impact)}, [2]string{string(v.Kind), string(v.Impact)}, "%s %s: %s", c.line, c.body, v.Why)
		require.NotEmpty(t, v.Why, c.line)
		require.NotEmpty(t, v.Confidence, c.line)
	}
}

func TestMoney(t *testing.T) {
	requireVerdicts(t, []classifyCase{
		{"POST https://api.stripe.com/v1/charges", "", KindRepeatable, ImpactMoney},
		{"POST https://api.stripe.com/v1/payment_intents", "", KindRepeatable, ImpactMoney},
		{"POST https://api.stripe.com/v1/payment_intents/{}/capture", "", KindIdempotent, ImpactMoney},
		{"POST https://api.stripe.com/v1/refunds", "", KindRepeatable, ImpactMoney},
		{"POST https://api.stripe.com/v1/invoices/{}/send", "", KindRepeatable, ImpactMessage},
		{"POST https://api.stripe.com/v1/customers", "", KindRepeatable, ImpactRecord},
		{"POST https://api.stripe.com/v1/customers/{}", "", KindIdempotent, ImpactRecord},
		{"POST https://api.stripe.com/v1/checkout/sessions", "", KindRepeatable, ImpactRecord},
		{"POST https://api.stripe.com/v1/billing_portal/sessions", "", KindCompute, ImpactNone},
		{"GET https://api.stripe.com/v1/charges/search?query=x", "", KindRead, ImpactNone},
		{"POST https://api-m.paypal.com/v2/checkout/orders", "", KindRepeatable, ImpactMoney},
		{"POST https://api-m.paypal.com/v2/checkout/orders/{}/capture", "", KindIdempotent, ImpactMoney},
		{"POST https://api-m.sandbox.paypal.com/v1/oauth2/token", "", KindCompute, ImpactNone},
		{"POST https://connect.squareup.com/v2/payments", "", KindRepeatable, ImpactMoney},
		{"POST https://connect.squareup.com/v2/orders/search", "", KindRead, ImpactNone},
		{"POST https://checkout-test.adyen.com/v71/payments", "", KindRepeatable, ImpactMoney},
		{"POST https://checkout-test.adyen.com/v71/paymentMethods", "", KindRead, ImpactNone},
		{"POST https://api.razorpay.com/v1/payouts", "", KindRepeatable, ImpactMoney},
		{"POST https://api.wise.com/v1/transfers", "", KindRepeatable, ImpactMoney},
		{"POST https://api.wise.com/v3/profiles/{}/quotes", "", KindCompute, ImpactNone},
		{"POST https://api.mollie.com/v2/payments", "", KindRepeatable, ImpactMoney},
		{"POST https://api.binance.com/api/v3/order?symbol=BTCUSDT", "", KindRepeatable, ImpactMoney},
		{"POST https://api.binance.com/api/v3/order/test", "", KindRead, ImpactNone},
		{"POST https://api.kraken.com/0/private/AddOrder", "", KindRepeatable, ImpactMoney},
		{"POST https://api.kraken.com/0/private/Balance", "", KindRead, ImpactNone},
		{"POST https://quickbooks.api.intuit.com/v3/company/{}/invoice", `{"Line": []}`, KindRepeatable, ImpactMoney},
		{"POST https://quickbooks.api.intuit.com/v3/company/{}/invoice", `{"Id": "1", "SyncToken": "0"}`, KindIdempotent, ImpactMoney},
		{"POST https://quickbooks.api.intuit.com/v3/company/{}/customer", `{"DisplayName": "{}"}`, KindRepeatable, ImpactRecord},
		{"POST https://quickbooks.api.intuit.com/v3/company/{}/query", "", KindRead, ImpactNone},
		{"PUT https://api.xero.com/api.xro/2.0/Invoices", "", KindRepeatable, ImpactMoney},
		{"POST https://api.xero.com/api.xro/2.0/Invoices", `{"Invoices": [{"InvoiceID": "{}"}]}`, KindIdempotent, ImpactMoney},
		{"POST https://{}.myshopify.com/admin/api/2024-01/orders.json", "", KindRepeatable, ImpactMoney},
		{"POST https://shop.example/wp-json/wc/v3/orders", "", KindRepeatable, ImpactMoney},
		{"POST https://shop.example/wp-json/wc/v3/orders/17", "", KindIdempotent, ImpactRecord},
		{"PUT https://shop.example/wp-json/wc/v3/orders/17", "", KindIdempotent, ImpactRecord},
	})
}

func TestMessages(t *testing.T) {
	requireVerdicts(t, []classifyCase{
		{"POST https://api.sendgrid.com/v3/mail/send", "", KindRepeatable, ImpactMessage},
		{"PUT https://api.sendgrid.com/v3/marketing/contacts", "", KindIdempotent, ImpactRecord},
		{"POST https://api.mailgun.net/v3/{}/messages", "", KindRepeatable, ImpactMessage},
		{"POST https://api.postmarkapp.com/email", "", KindRepeatable, ImpactMessage},
		{"POST https://api.resend.com/emails", "", KindRepeatable, ImpactMessage},
		{"POST https://api.brevo.com/v3/smtp/email", "", KindRepeatable, ImpactMessage},
		{"POST https://api.brevo.com/v3/contacts", `{"email": "{}", "updateEnabled": true}`, KindIdempotent, ImpactRecord},
		{"POST https://api.mailjet.com/v3.1/send", "", KindRepeatable, ImpactMessage},
		{"POST https://gmail.googleapis.com/gmail/v1/users/me/messages/send", "", KindRepeatable, ImpactMessage},
		{"POST https://gmail.googleapis.com/gmail/v1/users/me/messages/{}/modify", "", KindIdempotent, ImpactRecord},
		{"POST https://api.twilio.com/2010-04-01/Accounts/{}/Messages.json", "", KindRepeatable, ImpactMessage},
		{"POST https://verify.twilio.com/v2/Services/{}/VerificationCheck", "", KindRead, ImpactNone},
		{"GET https://rest.nexmo.com/sms/json?to=1", "", KindRepeatable, ImpactMessage},
		{"POST https://api.vapi.ai/call", "", KindRepeatable, ImpactMessage},
		{"POST https://api.retellai.com/v2/create-phone-call", "", KindRepeatable, ImpactMessage},
		{"POST https://api.bland.ai/v1/calls", "", KindRepeatable, ImpactMessage},
		{"GET https://api.telegram.org/bot{}/sendMessage?chat_id=1&text=x", "", KindRepeatable, ImpactNotice},
		{"POST https://api.telegram.org/bot123:abc/sendPhoto", "", KindRepeatable, ImpactNotice},
		{"POST https://api.telegram.org/bot{}/sendChatAction", "", KindEphemeral, ImpactNone},
		{"POST https://api.telegram.org/bot{}/setMessageReaction", "", KindEphemeral, ImpactNone},
		{"POST https://api.telegram.org/bot{}/editMessageText", "", KindIdempotent, ImpactRecord},
		{"POST https://api.telegram.org/bot{}/getUpdates", "", KindRead, ImpactNone},
		{"POST https://api.telegram.org/bot{}/setWebhook", "", KindIdempotent, ImpactRecord},
		{"POST https://api.telegram.org/bot{}/{}", "", KindUnknown, ImpactNone},
		{"GET https://api.telegram.org/file/bot{}/{}", "", KindRead, ImpactNone},
		{"POST https://slack.com/api/chat.postMessage", "", KindRepeatable, ImpactNotice},
		{"POST https://slack.com/api/chat.update", "", KindIdempotent, ImpactNotice},
		{"POST https://slack.com/api/reactions.add", "", KindEphemeral, ImpactNone},
		{"POST https://slack.com/api/users.lookupByEmail", "", KindRead, ImpactNone},
		{"POST https://hooks.slack.com/services/T/B/x", "", KindRepeatable, ImpactNotice},
		{"POST https://discord.com/api/webhooks/1/x", "", KindRepeatable, ImpactNotice},
		{"POST https://discord.com/api/v10/channels/1/messages", "", KindRepeatable, ImpactNotice},
		{"POST https://discord.com/api/v10/channels/1/typing", "", KindEphemeral, ImpactNone},
		{"POST https://graph.facebook.com/v22.0/{}/messages", `{"to": "{}", "type": "text"}`, KindRepeatable, ImpactMessage},
		{"POST https://graph.facebook.com/v22.0/{}/messages", `{"status": "read", "message_id": "{}"}`, KindEphemeral, ImpactNone},
		{"POST https://graph.facebook.com/v22.0/me/messages", `{"recipient": {"id": "{}"}, "sender_action": "typing_on"}`, KindEphemeral, ImpactNone},
		{"POST https://graph.facebook.com/v22.0/{}/media", "", KindCompute, ImpactNone},
		{"POST https://graph.facebook.com/v22.0/{}/media_publish", "", KindRepeatable, ImpactMessage},
		{"POST https://wa.example.org/message/sendText/{}", "", KindRepeatable, ImpactMessage},
		{"POST https://wa.example.org/chat/sendPresence/{}", "", KindEphemeral, ImpactNone},
		{"POST {}/message/sendText/{}", "", KindRepeatable, ImpactMessage},
		{"POST http://waha:3000/api/sendText", "", KindRepeatable, ImpactMessage},
		{"POST http://waha:3000/api/sendSeen", "", KindEphemeral, ImpactNone},
		{"POST http://waha:3000/api/startTyping", "", KindEphemeral, ImpactNone},
		{"POST https://api.z-api.io/instances/{}/token/{}/send-text", "", KindRepeatable, ImpactMessage},
		{"POST https://api.line.me/v2/bot/message/reply", "", KindIdempotent, ImpactNotice},
		{"POST https://api.pushover.net/1/messages.json", "", KindRepeatable, ImpactNotice},
		{"POST https://ntfy.sh/topic", "", KindRepeatable, ImpactNotice},
		{"POST https://chat.googleapis.com/v1/spaces/x/messages", "", KindRepeatable, ImpactNotice},
		{"POST https://graph.microsoft.com/v1.0/teams/{}/channels/{}/messages", "", KindRepeatable, ImpactNotice},
	})
}

func TestPublishing(t *testing.T) {
	requireVerdicts(t, []classifyCase{
		{"POST https://api.linkedin.com/v2/ugcPosts", "", KindRepeatable, ImpactMessage},
		{"POST https://api.linkedin.com/v2/assets?action=registerUpload", "", KindCompute, ImpactNone},
		{"POST https://api.x.com/2/tweets", "", KindRepeatable, ImpactMessage},
		{"POST https://api.twitter.com/2/tweets", "", KindRepeatable, ImpactMessage},
		{"POST https://upload.twitter.com/1.1/media/upload.json", "", KindCompute, ImpactNone},
		{"POST https://oauth.reddit.com/api/submit", "", KindRepeatable, ImpactMessage},
		{"POST https://www.reddit.com/api/v1/access_token", "", KindCompute, ImpactNone},
		{"POST https://bsky.social/xrpc/com.atproto.server.createSession", "", KindCompute, ImpactNone},
		{"POST https://bsky.social/xrpc/com.atproto.repo.createRecord", `{"collection": "app.bsky.feed.post"}`, KindRepeatable, ImpactMessage},
		{"POST https://bsky.social/xrpc/com.atproto.repo.createRecord", `{"collection": "app.bsky.feed.like"}`, KindEphemeral, ImpactNone},
		{"POST https://www.googleapis.com/upload/youtube/v3/videos?part=snippet", "", KindRepeatable, ImpactMessage},
		{"POST https://open.tiktokapis.com/v2/post/publish/video/init/", "", KindRepeatable, ImpactMessage},
		{"POST https://api.ayrshare.com/api/post", "", KindRepeatable, ImpactMessage},
		{"POST https://backend.blotato.com/v2/posts", "", KindRepeatable, ImpactMessage},
		{"POST https://backend.blotato.com/v2/media", "", KindCompute, ImpactNone},
		{"POST https://api.upload-post.com/api/upload", "", KindRepeatable, ImpactMessage},
		{"POST https://blog.example/wp-json/wp/v2/posts", "", KindRepeatable, ImpactRecord},
		{"POST https://blog.example/wp-json/wp/v2/posts/{}", "", KindIdempotent, ImpactRecord},
		{"POST https://social.example/api/v1/statuses", "", KindRepeatable, ImpactMessage},
	})
}

func TestDefaults(t *testing.T) {
	requireVerdicts(t, []classifyCase{
		{"GET https://api.example.com/v1/orders", "", KindRead, ImpactNone},
		{"HEAD https://api.example.com/v1/orders", "", KindRead, ImpactNone},
		{"POST https://api.example.com/v1/orders", "", KindRepeatable, ImpactRecord},
		{"PUT https://api.example.com/v1/orders/1", "", KindIdempotent, ImpactRecord},
		{"PATCH https://api.example.com/v1/orders/1", "", KindIdempotent, ImpactRecord},
		{"DELETE https://api.example.com/v1/orders/1", "", KindIdempotent, ImpactRecord},
		{"BREW https://api.example.com/v1/coffee", "", KindUnknown, ImpactNone},
	})
	require.Equal(t, KindRead, Classify(Request{MethodKnown: true, URL: Literal("https://example.com/x")}).Kind)
	require.Equal(t, KindRepeatable, Classify(Request{Method: "post", MethodKnown: true, URL: Literal("https://example.com/x")}).Kind)
	require.Equal(t, KindUnknown, Classify(Request{URL: Literal("https://example.com/x")}).Kind)
	require.Equal(t, Low, Classify(call("POST {}", "")).Confidence)
}
