package tui

import (
	"os"

	"github.com/charmbracelet/x/term"
)

// noColour reports whether the user wants no colours: https://no-color.org.
func noColour() bool { return os.Getenv("NO_COLOR") != "" }

// smart reports whether the terminal can move its cursor.
func smart() bool { return os.Getenv("TERM") != "dumb" }

// width returns how many cells a line of f has; 0: f is no terminal.
func width(f *os.File) int {
	cells, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return cells
}
