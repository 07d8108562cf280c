package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

func terminal(fd int) bool { return term.IsTerminal(fd) }

// useColor follows --color, then NO_COLOR, then the force variables, then the
// terminal.
func useColor(mode string, w io.Writer) bool {
	switch {
	case mode == "always":
		return true
	case mode == "never", os.Getenv("NO_COLOR") != "":
		return false
	case forced("CLICOLOR_FORCE"), forced("FORCE_COLOR"):
		return true
	}
	return isTerminal(w) && os.Getenv("TERM") != "dumb"
}

func forced(name string) bool {
	v := os.Getenv(name)
	return v != "" && v != "0"
}
