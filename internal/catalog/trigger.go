package catalog

// Class says how a workflow is started, and with that how an event can come twice.
type Class string

// The classes. Event triggers are at-least-once: the sender delivers again when
// it gets no answer in time.
const (
	Event    Class = "event"    // webhooks, app triggers, queues
	Form     Class = "form"     // forms and chats: people press twice
	Poll     Class = "poll"     // asks at intervals
	Schedule Class = "schedule" // clock, and sources that deliver at most once
	Called   Class = "called"   // by another workflow
	Manual   Class = "manual"   // by hand in the editor, tests, n8n's own events
	Failure  Class = "error"    // when another workflow fails
)
