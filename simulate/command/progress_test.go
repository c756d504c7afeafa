package command

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model/plain"
	"cupelscope/simulate/session"
)

// What takes long over one answer tells its percentage, which goes away before the
// answer is written; with --quiet it tells nothing.
func TestOneLongAnswerTellsItsProgress(t *testing.T) {
	var items, chat strings.Builder
	for i := range 150 {
		fmt.Fprintf(&items, `{"content": "item %d", "tokens": %d, "futureRelevanceHint": 0.%03d}`+"\n", i, 500+37*i%900, 100+i)
		fmt.Fprintf(&chat, `{"role": "%s", "content": "message %d"}`+"\n", [...]string{"user", "assistant"}[i%2], i)
	}
	knapsack := session.Options{Sources: []string{write(t, "items.jsonl", items.String())}, Slicer: "knapsack:1"}
	knapsack.Budget = maximum("40k")
	talk := session.Options{Sources: []string{write(t, "chat.jsonl", chat.String())}}
	for name, run := range map[string]func(Streams, answerOptions) error{
		"report": func(s Streams, a answerOptions) error {
			ctx, s, end := s.telling(t.Context())
			defer end()
			return writeReport(ctx, knapsack, reportOptions{answerOptions: a}, s)
		},
		"turns": func(s Streams, a answerOptions) error {
			ctx, s, end := s.telling(t.Context())
			defer end()
			return writeTurns(ctx, talk, turnsOptions{answerOptions: a}, s)
		},
	} {
		for _, quiet := range []bool{false, true} {
			s, out, told := streams("")
			s.Out, s.Progress = told, true
			var ticks atomic.Int64
			s.Now = func() time.Time { return time.Unix(0, ticks.Add(1)*int64(150*time.Millisecond)) }
			if err := run(s, answerOptions{Quiet: quiet}); err != nil || out.Len() > 0 {
				t.Fatalf("%s: %v", name, err)
			}
			percents, cleared, _ := strings.Cut(told.String(), "\r\x1b[K")
			if tells := strings.Contains(percents, " %\x1b[K"); tells == quiet || strings.Contains(cleared, "\x1b") {
				t.Errorf("%s, quiet %v: %.200q ... %.200q", name, quiet, percents, cleared)
			}
		}
	}
}

// A table for a terminal is no wider than that, and tells what it leaves out.
func TestTablesFitTheTerminal(t *testing.T) {
	for _, verb := range []string{"report", "min-budget", "profile", "marginal", "sweep", "tokens", "compare greedy knapsack:1 --worst 5"} {
		for _, width := range []int{80, 100, 160} {
			s, out, told := streams("")
			s.Width = width
			if code := line(t.Context(), s, verb+" --fixture agent"); code != Fine {
				t.Fatalf("%s: exit %d, %s", verb, code, told)
			}
			for row := range strings.Lines(out.String()) {
				if got := plain.Width(strings.TrimSuffix(row, "\n")); got > width {
					t.Errorf("%s in %d columns: a line of %d: %q", verb, width, got, row)
					break
				}
			}
			if verb == "report" && strings.Contains(out.String(), "no room in 80 columns for: first in, stays from\n") != (width == 80) {
				t.Errorf("in %d columns: %s", width, out)
			}
		}
	}
}
