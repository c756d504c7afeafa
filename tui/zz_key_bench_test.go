//go:build unix

package tui

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cupelscope/simulate/session"
)

// BenchmarkKey takes the processor time of a key, with all the work that it
// starts, on one core: what other programs do at the time does not count.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(short(n), func(b *testing.B) {
			if n > 10_000 && b.N == 1 && os.Getenv("CI") != "" {
				b.Skip("large sets are measured by hand")
			}
			file := filepath.Join(b.TempDir(), "items.jsonl")
			var text strings.Builder
			writeItems(&text, n)
			if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
				b.Fatal(err)
			}
			o := session.Options{Sources: []string{file}}
			opened, err := Open(context.Background(), o, session.Input{})
			if err != nil {
				b.Fatal(err)
			}
			s := begin(b, opened, 120, 36)
			for _, k := range []struct{ name, keys string }{
				{"move", "jjjkkk"}, {"knob", "llhh"}, {"change", "]"}, {"back", "["}, {"pin", " "}, {"view", "2345671"},
			} {
				b.Run(k.name, func(b *testing.B) {
					var before, after syscall.Rusage
					_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
					for i := range b.N {
						s.press(k.keys[i%len(k.keys) : i%len(k.keys)+1])
						_ = s.m.View()
						for s.tick() {
						}
					}
					_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
					ms := func(u syscall.Rusage) float64 {
						return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
					}
					b.ReportMetric((ms(after)-ms(before))/float64(b.N), "cpu-ms/key")
				})
			}
		})
	}
}

func writeItems(w io.Writer, n int) {
	r := rand.New(rand.NewPCG(7, 11))
	kinds := []string{"Message", "ToolOutput", "Document", "Memory"}
	at := time.Date(2026, 2, 2, 6, 0, 0, 0, time.UTC)
	for i := range n {
		tokens := min(max(5, int(300*math.Exp(1.2*r.NormFloat64()))), 8000)
		at = at.Add(time.Duration(1+r.IntN(90)) * time.Second)
		fmt.Fprintf(w, `{"content":"item %d, some words about the harbour and its ledger","tokens":%d,"kind":%q,"timestamp":%q,"futureRelevanceHint":%.3f}`+"\n",
			i, tokens, kinds[r.IntN(len(kinds))], at.Format(time.RFC3339), r.Float64())
	}
}

func short(n int) string {
	if n >= 1_000_000 {
		return strconv.Itoa(n/1_000_000) + "M"
	}
	return strconv.Itoa(n/1000) + "k"
}
