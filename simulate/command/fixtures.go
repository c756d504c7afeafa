package command

import (
	"bufio"
	"fmt"
	"io"

	"cupelscope/fixtures"
)

// Fixtures lists the scenarios that come with the program, a line each: the
// name, and what it is. The error is that of w.
func Fixtures(w io.Writer) error {
	width := 0
	for _, name := range FixtureNames() {
		width = max(width, len(name))
	}
	out := bufio.NewWriter(w)
	for _, f := range fixtures.All() {
		fmt.Fprintf(out, "%-*s  %s\n", width, f.Name, f.Title) // Flush reports the error
	}
	return out.Flush()
}

// FixtureNames lists what --fixture may be, the one to open with first.
func FixtureNames() []string {
	var names []string
	for _, f := range fixtures.All() {
		names = append(names, f.Name)
	}
	return names
}
