package tui

import (
	"runtime"
	"testing"
	"weak"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/tui/experiment"
)

// Whatever is changed, on whichever view, results and rankings that nothing shows any more
// can be freed: in a large set each takes megabytes.
func TestOlderResultsAreFreed(t *testing.T) {
	s := begin(t, sampleSession(t, 300), 120, 36)
	var reports []weak.Pointer[model.Report]
	var rankings []weak.Pointer[pipeline.Ranking]
	for _, keys := range []string{
		"<space>", "j<space>", "x", "u", "u", "]", "l", "}", "c", "C", "j*", "jj<enter><esc>", "m", "X", "1", "2", "3", "4", "5", "6", "7", "8", "1",
	} {
		s.press(keys)
		for _, v := range []string{"", "2", "3", "4", "5", "6", "7", "1"} {
			s.press(v + "j<space>")
			for _, side := range []experiment.Side{experiment.A, experiment.B} {
				if o := s.m.exp.Outcome(side); o != nil {
					reports = append(reports, weak.Make(o.Report))
					rankings = append(rankings, weak.Make(o.Ranking))
				}
			}
		}
	}
	runtime.GC()
	runtime.GC() // what the first one found to be only in pools
	if n := live(reports); n > 10 {
		t.Errorf("%d results of a past setup are still held", n)
	}
	if n := live(rankings); n > 10 {
		t.Errorf("%d rankings of a past setup are still held", n)
	}
	runtime.KeepAlive(s)
}

// live counts what has not been freed, each once.
func live[T any](all []weak.Pointer[T]) int {
	held := map[*T]bool{}
	for _, p := range all {
		if v := p.Value(); v != nil {
			held[v] = true
		}
	}
	return len(held)
}
