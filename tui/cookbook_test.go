package tui

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestDocuments holds what is drawn in documents: go test ./tui -run Documents -update writes it.
func TestDocuments(t *testing.T) {
	t.Run("commands", commandsDocument)
	t.Run("cookbook", cookbook)
}

// cookbook runs the commands of COOKBOOK.md in the folder that fixtures --write makes,
// and holds the answers to what stands there.
func cookbook(t *testing.T) {
	musttest.Alone(t)
	path := musttest.Of(filepath.Abs("../simulate/command/COOKBOOK.md"))(t)
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
			musttest.Is(t, code, command.Fine, line, "exit", diagnostics)
			if out == "" { // it wrote a file, and says which
				out = diagnostics
			}
			b.WriteString(excerpt(out))
		}
		before, plot, plotted := strings.Cut(means, "```text\n")
		if _, after, ended := strings.Cut(plot, "```"); plotted && ended {
			means = before + "```text\n" + recallPlot(t) + "```" + after
		}
		b.WriteString("```\n" + means)
	}
	if len(parts) < 11 {
		t.Errorf("%d recipes", len(parts)-1)
	}
	goldentest.Check(t, path, b.String())
}

// recallPlot draws how many of the needed notes of the fixture memory are in at each budget,
// with rules for cutting and without.
func recallPlot(t *testing.T) string {
	t.Helper()
	const columns, step = 64, 10
	var at []string
	for k := range columns {
		at = append(at, fmt.Sprint((k+1)*step))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "needed notes that are in: ▁ 1 of 5 to █ all; %d to %d tokens, a column is %d\n", step, columns*step, step)
	for _, rule := range []string{"off", "*=40", "*=20", "*=40,20"} {
		code, out, diagnostics := clitest.Run("", "evaluate", "own", "--fixture", "memory", "--at", strings.Join(at, ","), "--shrink", rule, "-o", "json")
		if code != command.Fine {
			t.Fatalf("%s: exit %d, %s", rule, code, diagnostics)
		}
		answer := musttest.JSON[struct {
			Budgets []struct{ Policies []struct{ Recall float64 } }
		}](t, out)
		fmt.Fprintf(&b, "%-8s", rule)
		for _, budget := range answer.Budgets {
			b.WriteRune([]rune("·▁▂▄▆█")[int(math.Round(5*budget.Policies[0].Recall))])
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%8s", "")
	for k := range columns / 10 {
		fmt.Fprintf(&b, "%10d", (k+1)*10*step)
	}
	return b.String() + "\n"
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
