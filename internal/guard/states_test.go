package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoleOf(t *testing.T) {
	cases := map[string]StateRole{
		"pending": OpenState, "in_progress": OpenState, "IN PROGRESS": OpenState, "To be sent": OpenState, "queued": OpenState,
		"done": DoneState, "Sent": DoneState, "✅ Sent": DoneState, "simulated_sent": DoneState, "processed": DoneState,
		"review": ReviewState, "needs-review": ReviewState, "failed": ReviewState, "not sent": ReviewState, "failedToBeSent": ReviewState, "dead_letter": ReviewState,
		"": OtherState, "blue": OtherState, "resent": OtherState, "approved": OtherState,
	}
	for text, role := range cases {
		require.Equal(t, role, RoleOf(text), "%q", text)
	}
}

func TestStateOf(t *testing.T) {
	cases := []struct {
		column, text string
		known, set   bool
		role         StateRole
	}{
		{"status", "done", true, true, DoneState},
		{"status", "", false, true, OtherState},
		{"sent", "true", true, true, DoneState},
		{"sent", "false", true, false, OpenState},
		{"sent_at", "null", true, false, OpenState},
		{"sent_at", "", false, true, DoneState},
		{"email_sent", "", false, false, OtherState},
		{"last_error", "", false, true, ReviewState},
		{"name", "done", true, true, OtherState},
	}
	for _, c := range cases {
		require.Equal(t, c.role, stateOf(c.column, c.text, c.known, c.set).Role, "%+v", c)
	}
}
