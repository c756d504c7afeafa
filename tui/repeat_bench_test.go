package tui

import (
	"context"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
)

// BenchmarkKeyRepeat holds l down at 30 a second, for b.N keys, on 10,000
// items in a running program, A and B both live. It reports the 50th, 99th and
// the worst time from a key press to the text of its frame; -benchtime 1800x
// holds it for a minute. The renderer writes into a pipe, as into a terminal.
func BenchmarkKeyRepeat(b *testing.B) {
	session := sampleSession(b, 10_000)
	in, keys := io.Pipe()
	screen, out, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	drained := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, screen)
		close(drained)
	}()
	m := New(context.Background(), Options{Source: session.Name, Open: func(context.Context) (*Session, error) { return session, nil }})
	watch := &stopwatch{Model: m, ready: make(chan struct{})}
	program := tea.NewProgram(watch, tea.WithInput(in), tea.WithOutput(out), tea.WithWindowSize(120, 36),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}), tea.WithoutSignals())
	done := make(chan error, 1)
	go func() {
		_, err := program.Run()
		done <- err
	}()
	<-watch.ready
	b.ResetTimer()
	tick := time.NewTicker(time.Second / 30)
	defer tick.Stop()
	key := "l"
	for i := range b.N {
		if i%100 == 99 { // back and forth over the range in which items change
			key = map[string]string{"l": "h", "h": "l"}[key]
		}
		if b.N > 1 {
			<-tick.C
		}
		musttest.Of(io.WriteString(keys, key))(b)
	}
	program.Send(tea.QuitMsg{})
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	_ = out.Close()
	<-drained
	if slices.Sort(watch.took); len(watch.took) > 0 {
		ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
		b.ReportMetric(ms(watch.took[len(watch.took)/2]), "p50-ms")
		b.ReportMetric(ms(watch.took[len(watch.took)*99/100]), "p99-ms")
		b.ReportMetric(ms(watch.took[len(watch.took)-1]), "worst-ms")
		b.ReportMetric(float64(len(watch.took)), "frames")
	}
}

// stopwatch times each key press of the model it wraps, from Update to the
// text of the frame. Bubble Tea calls both from one goroutine.
type stopwatch struct {
	*Model
	ready chan struct{}
	begun bool
	took  []time.Duration
}

func (s *stopwatch) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, isKey := msg.(tea.KeyPressMsg)
	start := time.Now()
	_, cmd := s.Model.Update(msg)
	if isKey {
		_ = s.Model.View()
		s.took = append(s.took, time.Since(start))
	}
	if !s.begun && s.exp != nil && s.exp.Outcome(0) != nil && s.exp.Outcome(1) != nil {
		s.begun = true
		close(s.ready)
	}
	return s, cmd
}
