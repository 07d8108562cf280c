package report

import (
	"github.com/fatih/color"

	"github.com/n8nlint/n8nlint/internal/lint"
)

// style colours text, or leaves it alone.
type style struct {
	heading, faint *color.Color
	severity       map[lint.Severity]*color.Color
}

func newStyle(enabled bool) style {
	paint := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if enabled {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return style{
		heading: paint(color.Bold),
		faint:   paint(color.Faint),
		severity: map[lint.Severity]*color.Color{
			lint.Error:   paint(color.FgRed, color.Bold),
			lint.Warning: paint(color.FgYellow, color.Bold),
			lint.Note:    paint(color.FgCyan, color.Bold),
		},
	}
}
