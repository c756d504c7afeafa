package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// BenchmarkCompare compares two policies over lines that are a conversation of
// a coding agent each, a line an operation.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name   string
		noBest bool
	}{{"with the best possible", false}, {"without", true}} {
		b.Run(c.name, func(b *testing.B) {
			agent, _ := fixtures.Find("agent")
			text := musttest.Of(agent.Bytes())(b)
			var line bytes.Buffer
			musttest.Do(b, json.Compact(&line, text))
			line.WriteByte('\n')
			b.SetBytes(int64(line.Len()))
			b.ReportAllocs()
			b.ResetTimer()
			s := Streams{In: strings.NewReader(strings.Repeat(line.String(), b.N)), Out: io.Discard, Err: io.Discard}
			o := compareOptions{A: "greedy", B: "knapsack:100", NoBest: c.noBest}
			musttest.Do(b, compare(context.Background(), session.Options{Sources: []string{"-"}}, o, s))
		})
	}
}
