package catalog

import (
	"strings"

	"github.com/n8nlint/n8nlint/internal/graph"
)

// EventID is the field of a trigger's item that names its event, as an
// expression writes it behind $json; "" where the table does not know it.
func (c *Catalog) EventID(trigger *graph.Node) string {
	id := c.data.eventIDs[trigger.Type]
	if name, value, ok := strings.Cut(id.when, "="); ok && trigger.Parameter(name).Text() != value {
		return ""
	}
	return id.field
}

// eventID is where a trigger's item names its event, and the parameter that puts it there.
type eventID struct{ field, when string }

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
