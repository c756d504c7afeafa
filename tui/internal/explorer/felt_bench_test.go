//go:build unix

package explorer_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// BenchmarkFelt measures what a user feels: it runs the program under a
// pseudo-terminal of 120x36, presses a key, and takes the time until the program has
// written what shows its effect. It reports the median, the 99th percentile and the worst in
// milliseconds, and the processor time of the program for a key: among others, and
// alone until the screen stays as it is, with all work that the key starts. On a busy machine only the
// processor time can be compared. Ask for some hundred presses:
//
//	go test ./tui/internal/explorer -run '^$' -bench Felt/10k -benchtime 200x
//
// CUPELSCOPE_BINARY names another build to measure instead.
func BenchmarkFelt(b *testing.B) {
	binary, words := feltBinary(b), goldentest.Excerpts(b, "../../..")
	for _, source := range []struct {
		name  string
		write func(io.Writer)
		keys  []feltKey
		quick bool
	}{
		{"1k", func(w io.Writer) { writeItems(w, words, 1_000) }, itemKeys, true},
		{"10k", func(w io.Writer) { writeItems(w, words, 10_000) }, itemKeys, false},
		{"100k", func(w io.Writer) { writeItems(w, words, 100_000) }, itemKeys, false},
		{"1M", func(w io.Writer) { writeItems(w, words, 1_000_000) }, itemKeys, false},
		{"chat-1MB", func(w io.Writer) { writeChat(w, words, 1<<20) }, chatKeys, true},
		{"chat-10MB", func(w io.Writer) { writeChat(w, words, 10<<20) }, chatKeys, false},
		{"chat-100MB", func(w io.Writer) { writeChat(w, words, 100<<20) }, chatKeys, false},
		{"frequency-100k", func(w io.Writer) { writeScored(w, words, 100_000, frequency) }, scoredKeys, false},
		{"frequency-1M", func(w io.Writer) { writeScored(w, words, 1_000_000, frequency) }, scoredKeys, false},
		{"scaled-100k", func(w io.Writer) { writeScored(w, words, 100_000, scaled) }, scoredKeys, false},
		{"scaled-1M", func(w io.Writer) { writeScored(w, words, 1_000_000, scaled) }, scoredKeys, false},
		{"turns-400", func(w io.Writer) { writeTurns(w, words, 100, 400) }, turnsKeys, true},
		{"turns-2k", func(w io.Writer) { writeTurns(w, words, 500, 2_000) }, turnsKeys, false},
		{"turns-10k", func(w io.Writer) { writeTurns(w, words, 500, 10_000) }, turnsKeys, false},
		{"turns-10MB", func(w io.Writer) { writeChat(w, words, 10<<20) }, turnsKeys[:5], false},
		{"turns-100MB", func(w io.Writer) { writeChat(w, words, 100<<20) }, turnsKeys[:3], false},
	} {
		b.Run(source.name, func(b *testing.B) {
			if testing.Short() && !source.quick {
				b.Skip("takes minutes")
			}
			file := filepath.Join(b.TempDir(), "source.jsonl")
			write(b, file, source.write)
			for _, k := range source.keys {
				b.Run(k.name, func(b *testing.B) { k.measure(b, openTerminal(b, binary, file)) })
			}
		})
	}
}

// feltKey is keys, pressed in turn, and where their effect is seen.
type feltKey struct {
	name, open string
	keys       []string
	effect     func(screen) string // changes with the key's effect
}

func (k feltKey) measure(b *testing.B, t *terminal) {
	t.wait("the table", time.Minute, usable)
	t.wait("a result", 5*time.Minute, current)
	t.typed(k.open)
	t.quiet(300*time.Millisecond, 20*time.Second) // what loading and opening the view began comes to rest
	t.wait("rest", time.Minute, rested)
	took := make([]time.Duration, 0, b.N)
	before := t.processor()
	b.ResetTimer()
	for i := range b.N {
		took = append(took, t.press(k.keys[i%len(k.keys)], k.effect))
	}
	b.StopTimer()
	b.ReportMetric((t.processor()-before).Seconds()*1000/float64(b.N), "cpu-ms/key")
	if !testing.Short() { // which measures nothing, and half of a row's time is this
		b.ReportMetric(k.untilQuiet(t, min(b.N, 4)).Seconds()*1000, "cpu-ms/quiet")
	}
	slices.Sort(took)
	at := func(q float64) float64 {
		return took[min(len(took)-1, int(q*float64(len(took))))].Seconds() * 1000
	}
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
}

// untilQuiet is the processor time for a key that is pressed alone, until the screen rests
// again: with what starts only once keys rest.
func (k feltKey) untilQuiet(t *terminal, presses int) time.Duration {
	t.quiet(600*time.Millisecond, 20*time.Second)
	before := t.processor()
	for i := range presses {
		t.press(k.keys[i%len(k.keys)], k.effect)
		t.quiet(600*time.Millisecond, 20*time.Second)
	}
	return (t.processor() - before) / time.Duration(presses)
}

// escape is the key as terminals send it that tell it from the start of another at once.
const escape = "\x1b[27u"

var itemKeys = []feltKey{
	{"move", "", []string{"j", "j", "j", "k", "k", "k"}, cursorRow},
	{"page", "", []string{"\x06", "\x02"}, screen.changed}, // ctrl+f, ctrl+b
	{"knob", "", []string{"l", "l", "h", "h"}, result},
	{"typed", "\t\r", typing("200000"), screen.changed},
	{"change", "", []string{"]", "]", "[", "["}, result},
	{"enters", "/is:risk\r" + escape, []string{"{", "}"}, result},                                        // an item that a smaller budget loses
	{"pin", "", append(slices.Repeat([]string{" j"}, 20), slices.Repeat([]string{" k"}, 20)...), result}, // another item each time
	{"undo", " ", []string{"u", "\x12"}, result},                                                         // ctrl+r
	{"slicer", "", []string{"c"}, result},
	{"policy", "p", []string{"j", "j", "k", "k"}, screen.changed},
	{"weight", "pj", []string{"l", "h"}, result},
	{"sort", "*", []string{"s"}, screen.changed}, // with the column of needed items
	{"filter", "/", typing("budget"), screen.changed},
	{"query", "Q", typing("budget"), screen.changed},
	{"jump", "f", typing("budget"), screen.changed},
	{"open", "", []string{"\r", escape}, screen.changed},
	{"opened", "\r", []string{escape + "j\r"}, answered}, // the next item
	{"palette", ":", typing("slack"), screen.changed},
	{"help", "", []string{"?", escape}, screen.changed},
	{"needed", "jjj", []string{"*"}, result},
	{"is-needed", "*/is:neede", []string{"d", "\x7f"}, screen.changed},
	{"ceiling", "*7k\tG\rG", []string{"l", "h"}, result}, // every budget anew, in Curve
	{"wanted", "*7k\tG\rGk", []string{"l", "h"}, screen.changed},
	{"view", "", []string{"2", "3", "4", "5", "6", "7", "1"}, screen.changed},
	{"compare", "2", []string{"j", "j", "k", "k"}, screen.changed},
	{"sizes", ":shrink * 400 100 note\r", []string{"l", "l", "h", "h"}, result},
	{"shrink", "", []string{":shrink * 400 100 note\x00\r", "u"}, result},
	{"weights", "\tja", []string{"]", "["}, screen.changed}, // the output reserve, over whose values strips are drawn
	{"try", "2", []string{"M", "u"}, result},
	{"map", "3", []string{"j", "j", "k", "k"}, screen.changed},
	{"map-knob", "3", []string{"l", "l", "h", "h"}, screen.changed},
	{"window", "4", []string{"j", "j", "k", "k"}, screen.changed},
	{"replay", "5", []string{"j", "j", "k", "k"}, screen.changed},
	{"trace", "6", []string{"j", "j", "k", "k"}, screen.changed},
	{"curve", "7", []string{"l", "l", "h", "h"}, screen.changed},
	{"curve-zoom", "7", []string{"+", "-"}, screen.changed},
}

var chatKeys = []feltKey{
	{"move", "", []string{"j", "j", "j", "k", "k", "k"}, cursorRow},
	{"knob", "", []string{"l", "l", "h", "h"}, result},
	{"pin", "", []string{" "}, result},
	{"filter", "/", typing("return"), screen.changed},
	{"query", "Q", typing("return"), screen.changed},
	{"view", "", []string{"2", "3", "4", "5", "6", "7", "8", "1"}, screen.changed},
}

var turnsKeys = []feltKey{
	{"request", "8", []string{"h", "h", "l", "l"}, result},
	{"plan", "8", []string{"j", "k"}, screen.changed},
	{"agent-map", "8", []string{"d"}, screen.changed},
	{"cache", "8", []string{"$"}, screen.changed},
	{"break", ":40000\r8", []string{"N", "N", "n", "n"}, result},
	{"knob", ":40000\r8", []string{"]", "]", "[", "["}, turned}, // there and back at once would be known
	{"slicer", "8", []string{"c"}, turned},
	{"sweep", "8", []string{"s"}, screen.changed},
	{"sweep-knob", ":40000\r8s", []string{"]", "["}, turned},
	{"back", "8hhhhh", []string{"1", "8"}, screen.changed},
	{"knob-all", ":40000\r8", []string{"]", "]", "[", "["}, compared},
	{"slicer-all", "8", []string{"c"}, compared},
}

// scoredKeys are for scorers that rate items against each other.
var scoredKeys = []feltKey{
	{"open", "", []string{"\r", escape}, screen.changed},
	{"opened", "\r", []string{escape + "j\r"}, answered}, // the next item
}

// typing types a word, and deletes it again.
func typing(word string) []string {
	letters := strings.Split(word, "")
	return append(letters, slices.Repeat([]string{"\x7f"}, len(letters))...)
}

// BenchmarkFeltOpening measures how long a conversation takes from the start of
// the program to the first frame, to the table of its items, and to the moment
// from which nothing changes any more for two seconds; and the peak of the
// program's memory in megabytes and its processor time until then.
func BenchmarkFeltOpening(b *testing.B) {
	binary, words := feltBinary(b), goldentest.Excerpts(b, "../../..")
	for _, megabytes := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			if testing.Short() && megabytes > 1 {
				b.Skip("takes minutes")
			}
			file := filepath.Join(b.TempDir(), "chat.json")
			write(b, file, func(w io.Writer) { writeChat(w, words, megabytes<<20) })
			var first, table, quiet time.Duration
			for range b.N {
				start := time.Now()
				t := openTerminal(b, binary, file)
				t.wait("a frame", time.Minute, func(s screen) bool { return strings.TrimSpace(s.String()) != "" })
				first += time.Since(start)
				t.wait("the table", time.Minute, usable)
				table += time.Since(start)
				rests, ok := t.quiet(2*time.Second, 5*time.Minute)
				if !ok {
					b.Fatal("the screen does not come to rest")
				}
				quiet += rests.Sub(start)
				b.ReportMetric(t.peak(), "peak-MB")
				b.ReportMetric(t.processor().Seconds()*1000, "cpu-ms")
				t.close()
			}
			report := func(d time.Duration, unit string) { b.ReportMetric(d.Seconds()*1000/float64(b.N), unit) }
			report(first, "first-ms")
			report(table, "table-ms")
			report(quiet, "quiet-ms")
		})
	}
}

func feltBinary(b *testing.B) string {
	b.Helper()
	if path := os.Getenv("CUPELSCOPE_BINARY"); path != "" {
		return path
	}
	path := filepath.Join(b.TempDir(), "cupelscope")
	if out, err := exec.Command("go", "build", "-o", path, "../../..").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	return path
}

// write writes a file.
func write(b *testing.B, path string, content func(io.Writer)) {
	b.Helper()
	f := musttest.Of(os.Create(path))(b)
	w := bufio.NewWriterSize(f, 1<<20)
	content(w)
	musttest.Do(b, errors.Join(w.Flush(), f.Close()))
}

// excerpts returns the next bytes of real text, as they stand in a string of JSON.
type excerpts func(size int) string

// writeItems writes n items in the native format, of log-normal sizes with a
// median of 300 tokens, hints and times.
func writeItems(w io.Writer, words excerpts, n int) {
	eachItem(words, n, func(item string, _ *rand.Rand) { fmt.Fprintf(w, "{%s}\n", item) })
}

// The scorers of writeScored, each of which rates an item against the others.
const (
	frequency = `{"type":"frequency","weight":1},{"type":"reflexive","weight":1}`
	scaled    = `{"type":"scaled","weight":1,"innerScorer":{"type":"reflexive","weight":1}},{"type":"recency","weight":1}`
)

// writeScored writes a scenario of n such items, each with three of 200 tags, that
// few items share or many, and scorers.
func writeScored(w io.Writer, words excerpts, n int, scorers string) {
	fmt.Fprintf(w, `{"policy":{"scorers":[%s]},"budget":{"maxTokens":128000},"items":[`, scorers)
	first := ""
	eachItem(words, n, func(item string, r *rand.Rand) {
		tag := func() int { return int(200 * math.Pow(r.Float64(), 3)) }
		fmt.Fprintf(w, `%s{%s,"tags":["t%d","u%d","v%d"]}`, first, item, tag(), tag(), tag())
		first = ","
	})
	fmt.Fprint(w, "]}")
}

// eachItem calls write for n items, as JSON without its braces, in turn.
func eachItem(words excerpts, n int, write func(item string, r *rand.Rand)) {
	r := rand.New(rand.NewPCG(7, 11))
	kinds := []string{"Message", "ToolOutput", "Document", "Memory"}
	at := time.Date(2026, 2, 2, 6, 0, 0, 0, time.UTC)
	for i := range n {
		tokens := min(max(5, int(300*math.Exp(1.2*r.NormFloat64()))), 8000)
		at = at.Add(time.Duration(1+r.IntN(90)) * time.Second)
		write(fmt.Sprintf(`"content":"item %d, %s","tokens":%d,"kind":%q,"timestamp":%q,"futureRelevanceHint":%.3f`,
			i, words(42), tokens, kinds[r.IntN(len(kinds))], at.Format(time.RFC3339), r.Float64()), r)
	}
}

// writeChat writes an OpenAI conversation of about size bytes with calls and
// results of different lengths.
func writeChat(w io.Writer, words excerpts, size int) {
	n, _ := fmt.Fprint(w, `{"model":"gpt-4o","messages":[{"role":"system","content":"You are a careful assistant."}`)
	for i := 0; n < size; i++ {
		m, _ := fmt.Fprintf(w, `,{"role":"assistant","content":"I read a%d.go","tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"a%d.go\"}"}}]}`+
			`,{"role":"tool","tool_call_id":"c%d","content":"%d: %s"}`, i, i, i, i, i, words(22+i*31%200*22))
		n += m
	}
	fmt.Fprint(w, "]}")
}

// writeTurns writes an OpenAI conversation of that many requests and some items:
// before each request there is a question, a call or several, and their results.
func writeTurns(w io.Writer, words excerpts, requests, items int) {
	fmt.Fprint(w, `{"model":"gpt-4o","messages":[{"role":"system","content":"You are a careful assistant."}`)
	for i := range requests {
		var calls, results strings.Builder
		for k := range (items/requests - 2) / 2 {
			id := fmt.Sprintf("c%d-%d", i, k)
			fmt.Fprintf(&calls, `,{"id":%q,"type":"function","function":{"name":"read","arguments":"{\"path\":\"%s.go\"}"}}`, id, id)
			fmt.Fprintf(&results, `,{"role":"tool","tool_call_id":%q,"content":"%s"}`, id, words(22+(i+k)*31%200*22))
		}
		fmt.Fprintf(w, `,{"role":"user","content":"And c%d?"},{"role":"assistant","content":"I read c%d","tool_calls":[%s]}%s`, i, i, calls.String()[1:], results.String())
	}
	fmt.Fprint(w, "]}")
}
