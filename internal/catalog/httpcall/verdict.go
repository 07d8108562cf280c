package httpcall

// Kind says what a request does to the world when it is sent a second time.
type Kind string

// The kinds of requests. Read, compute and ephemeral requests are no side effects.
const (
	// KindRead changes nothing.
	KindRead Kind = "read"
	// KindCompute makes an answer (a model's text, a picture, a token) that nobody but the caller sees.
	KindCompute Kind = "compute"
	// KindIdempotent changes something; twice is the same as once.
	KindIdempotent Kind = "idempotent"
	// KindRepeatable changes something again each time.
	KindRepeatable Kind = "repeatable"
	// KindEphemeral shows something for a moment: typing, a read mark, a reaction.
	KindEphemeral Kind = "ephemeral"
	// KindUnknown cannot be told from the text.
	KindUnknown Kind = "unknown"
)

// Impact says what a repetition costs. Requests that write nothing have none.
type Impact string

// The impacts, strongest first.
const (
	ImpactMoney   Impact = "money"
	ImpactMessage Impact = "message"
	ImpactRecord  Impact = "record"
	ImpactNotice  Impact = "notice"
	ImpactNone    Impact = ""
)

// Confidence says how sure the evidence for a verdict or a provider is.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// lower returns the next weaker confidence.
func (c Confidence) lower() Confidence {
	if c == High {
		return Medium
	}
	return Low
}

// Basis names the table that decided a verdict.
type Basis string

// The bases.
const (
	// BasisEndpoint is a row of endpoints.tsv.
	BasisEndpoint Basis = "endpoint"
	// BasisGraphQL is the operation in the body, by mutations.tsv.
	BasisGraphQL Basis = "graphql"
	// BasisSegment is the end of the path, by segments.tsv.
	BasisSegment Basis = "segment"
	// BasisWord is the default of the method with an impact from words.tsv.
	BasisWord Basis = "word"
	// BasisMethod is the default of the method, by methods.tsv.
	BasisMethod Basis = "method"
)

// Verdict is what one request does.
type Verdict struct {
	Kind       Kind
	Impact     Impact
	Confidence Confidence
	Basis      Basis
	// Service is the service's name, empty for an unknown one.
	Service string
	// Why is half a sentence for people that gives the reason.
	Why string
	// Provider is what ProviderFor says.
	Provider *Provider
	// Destination is where a message's addressee stands.
	Destination Destination
}

// Destination tells where in a request the addressee of a message stands: a chat id, a channel, a phone number.
type Destination struct {
	// Declared is true when the endpoint's row names such a place.
	Declared bool
	// Positions are the places of this request that hold it. Empty with Declared set: the body is not readable,
	// or the request leaves it out.
	Positions []Position
}

// Place is a part of a request.
type Place string

// The places.
const (
	PlaceHeader Place = "header"
	PlaceQuery  Place = "query"
	PlaceBody   Place = "body"
	PlacePath   Place = "path"
)

// Position is one value inside a request.
type Position struct {
	Place Place
	// Name is the field's name as the request writes it, or the name of the path segment.
	Name string
	// Index is the index into Request.Headers, Request.Query or Body.Fields; -1 when the value stands in the URL
	// or in the body's text.
	Index int
	Value Text
}
