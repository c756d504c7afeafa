package program

import (
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestCookbook runs the commands of COOKBOOK.md in the folder that fixtures --write makes,
// and holds the answers to what stands there: go test ./tui/program -run Cookbook -update
// writes them.
func TestCookbook(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every recipe")
	}
	path, err := filepath.Abs("../../simulate/command/COOKBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(read(t, path), "\n```sh\n")
	clitest.Files(t)
	var b strings.Builder
	b.WriteString(parts[0])
	for _, part := range parts[1:] {
		lines, rest, _ := strings.Cut(part, "\n```\n\n```\n")
		_, means, ok := strings.Cut(rest, "```\n")
		if !ok || strings.TrimSpace(means) == "" {
			t.Fatalf("%s: a recipe is a block of commands, a block with the answer and what it means", lines)
		}
		b.WriteString("\n```sh\n" + lines + "\n```\n\n```\n")
		for line := range strings.SplitSeq(lines, "\n") {
			args, stdin := clitest.Line(t, line)
			code, out, diagnostics := clitest.Run(stdin, args...)
			if code != command.Fine {
				t.Errorf("%s: exit %d, %s", line, code, diagnostics)
			}
			if out == "" { // it wrote a file, and says which
				out = diagnostics
			}
			b.WriteString(excerpt(out))
		}
		b.WriteString("```\n" + means)
	}
	if len(parts) < 11 {
		t.Errorf("%d recipes", len(parts)-1)
	}
	goldentest.Check(t, path, b.String())
}

// excerpt leaves out the middle of a long answer.
func excerpt(answer string) string {
	const first, last = 6, 22
	lines := strings.SplitAfter(answer, "\n")
	if len(lines) <= first+last+1 {
		return answer
	}
	return strings.Join(lines[:first], "") + "...\n" + strings.Join(lines[len(lines)-last-1:], "")
}
