//go:build unix

package tui_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// BenchmarkFelt measures what a user feels: it runs the program under a
// pseudo-terminal of 120x36, presses a key, and takes the time until the screen
// shows its effect. It reports the median, the 99th percentile and the worst in
// milliseconds, and the processor time of the program for a key, with all work
// that the key starts. The program draws at most 120 times a second, so some 8 ms
// are the terminal's own. On a busy machine only the processor time can be
// compared. Ask for some hundred presses:
//
//	go test ./tui -run '^$' -bench Felt/10k -benchtime 200x
//
// CUPELSCOPE_BINARY names another build to measure instead.
func BenchmarkFelt(b *testing.B) {
	binary := feltBinary(b)
	for _, items := range []int{10_000, 100_000, 1_000_000} {
		b.Run(short(items), func(b *testing.B) {
			if testing.Short() && items > 10_000 {
				b.Skip("takes minutes")
			}
			file := filepath.Join(b.TempDir(), "items.jsonl")
			write(b, file, func(w io.Writer) { writeItems(w, items) })
			for _, k := range feltKeys {
				b.Run(k.name, func(b *testing.B) {
					t := openTerminal(b, binary, file)
					t.wait("the table", time.Minute, usable)
					t.wait("a result", 5*time.Minute, current)
					t.typed(k.open)
					time.Sleep(300 * time.Millisecond) // what opening the view began comes to rest
					took := make([]time.Duration, 0, b.N)
					before := t.processor()
					b.ResetTimer()
					for i := range b.N {
						took = append(took, t.press(k.keys[i%len(k.keys)], k.effect))
					}
					b.StopTimer()
					b.ReportMetric((t.processor()-before).Seconds()*1000/float64(b.N), "cpu-ms/key")
					slices.Sort(took)
					at := func(q float64) float64 {
						return took[min(len(took)-1, int(q*float64(len(took))))].Seconds() * 1000
					}
					b.ReportMetric(at(0.5), "p50-ms")
					b.ReportMetric(at(0.99), "p99-ms")
					b.ReportMetric(at(1), "max-ms")
				})
			}
		})
	}
}

// feltKeys are keys, pressed in turn, and where their effect is seen.
var feltKeys = []struct {
	name, open string
	keys       []string
	effect     func(screen) string // changes with the key's effect
}{
	{"move", "", []string{"j", "j", "j", "k", "k", "k"}, cursorRow},
	{"page", "", []string{"\x06", "\x02"}, screen.changed}, // ctrl+f, ctrl+b
	{"knob", "", []string{"l", "l", "h", "h"}, result},
	{"change", "", []string{"]", "]", "[", "["}, result},
	{"enters", "jjj", []string{"}", "{"}, result},
	{"pin", "", []string{" "}, result},
	{"sort", "", []string{"s"}, screen.changed},
	{"filter", "/", typing, screen.changed},
	{"jump", "f", typing, screen.changed},
	{"view", "", []string{"2", "3", "4", "5", "6", "7", "1"}, screen.changed},
	{"compare", "2", []string{"j", "j", "k", "k"}, screen.changed},
	{"map", "3", []string{"j", "j", "k", "k"}, screen.changed},
	{"map-knob", "3", []string{"l", "l", "h", "h"}, screen.changed},
	{"window", "4", []string{"j", "j", "k", "k"}, screen.changed},
	{"replay", "5", []string{"j", "j", "k", "k"}, screen.changed},
	{"trace", "6", []string{"j", "j", "k", "k"}, screen.changed},
	{"curve", "7", []string{"l", "l", "h", "h"}, screen.changed},
	{"curve-zoom", "7", []string{"+", "-"}, screen.changed},
}

// typing types a word that stands in every item, and deletes it again.
var typing = append(strings.Split("harbour", ""), slices.Repeat([]string{"\x7f"}, len("harbour"))...)

// BenchmarkFeltOpening measures how long a conversation takes from the start of
// the program to the first frame, to the table of its items, and to the moment
// from which nothing changes any more for two seconds; and the peak of the
// program's memory in megabytes and its processor time until then.
func BenchmarkFeltOpening(b *testing.B) {
	binary := feltBinary(b)
	for _, megabytes := range []int{10, 100} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			if testing.Short() && megabytes > 10 {
				b.Skip("takes minutes")
			}
			file := filepath.Join(b.TempDir(), "chat.json")
			write(b, file, func(w io.Writer) { writeChat(w, megabytes<<20) })
			var first, table, quiet time.Duration
			for range b.N {
				start := time.Now()
				t := openTerminal(b, binary, file)
				t.wait("a frame", time.Minute, func(s screen) bool { return strings.TrimSpace(s.String()) != "" })
				first += time.Since(start)
				t.wait("the table", time.Minute, usable)
				table += time.Since(start)
				quiet += t.quiet(2*time.Second, 5*time.Minute).Sub(start)
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
	if out, err := exec.Command("go", "build", "-o", path, "cupelscope").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	return path
}

// write writes a file.
func write(b *testing.B, path string, content func(io.Writer)) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	content(w)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
}

// writeItems writes n items in the native format, of log-normal sizes with a
// median of 300 tokens, hints and times.
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

// writeChat writes an OpenAI conversation of about size bytes with calls and
// results of different lengths.
func writeChat(w io.Writer, size int) {
	n, _ := fmt.Fprint(w, `{"model":"gpt-4o","messages":[{"role":"system","content":"You are a careful assistant."}`)
	for i := 0; n < size; i++ {
		m, _ := fmt.Fprintf(w, `,{"role":"assistant","content":"I read a%d.go","tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"a%d.go\"}"}}]}`+
			`,{"role":"tool","tool_call_id":"c%d","content":"func f%d() {\n%s}\n"}`, i, i, i, i, i, strings.Repeat(fmt.Sprintf(`\treturn g(%d) + h%d\n`, i*7919%1000, i), 1+i*31%200))
		n += m
	}
	fmt.Fprint(w, "]}")
}

func short(n int) string {
	if n >= 1_000_000 {
		return strconv.Itoa(n/1_000_000) + "M"
	}
	return strconv.Itoa(n/1000) + "k"
}

// screen is the lines of a terminal.
type screen []string

func (s screen) String() string { return strings.Join(s, "\n") }

// changed is the screen without the spinner, which turns without a key.
func (s screen) changed() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", r) {
			return ' '
		}
		return r
	}, s.String())
}

// usable: the items are there.
func usable(s screen) bool {
	return strings.Contains(s.String(), "knobs edit") || strings.Contains(s.String(), "maxTokens")
}

// current: what is shown belongs to the setup that is shown, and the line of the newest
// change tells what that did.
func current(s screen) bool {
	return usable(s) && len(s) > 3 && strings.Contains(s.String(), " in ") && !strings.Contains(s.String(), "last result") &&
		!strings.Contains(s[0], "computing") && !strings.Contains(s[len(s)-2], "computing")
}

// cursorRow is where the table's cursor stands.
func cursorRow(s screen) string {
	for y, line := range s {
		if strings.Contains(line, "▌") {
			return strconv.Itoa(y) + line
		}
	}
	return ""
}

// result is the lines that tell what is in at which budget; "" while they tell
// an older one.
func result(s screen) string {
	if !current(s) {
		return ""
	}
	return strings.Join(s[:3], "\n") + s[len(s)-2]
}

// terminal is the program under a pseudo-terminal.
type terminal struct {
	b    *testing.B
	cmd  *exec.Cmd
	file *os.File

	mu      sync.Mutex
	screen  *vt.Emulator
	written time.Time
	changed chan struct{} // holds one: something was written
}

func openTerminal(b *testing.B, binary string, args ...string) *terminal {
	b.Helper()
	t := &terminal{b: b, screen: vt.NewEmulator(120, 36), changed: make(chan struct{}, 1)}
	t.cmd = exec.Command(binary, args...)
	t.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=")
	f, err := pty.StartWithSize(t.cmd, &pty.Winsize{Cols: 120, Rows: 36})
	if err != nil {
		b.Skip("no pseudo-terminal: ", err)
	}
	t.file = f
	go func() { _, _ = io.Copy(f, t.screen) }() // the terminal's answers to queries
	go t.read()
	b.Cleanup(t.close)
	return t
}

// read takes what the program writes.
func (t *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		if n > 0 {
			t.mu.Lock()
			_, _ = io.Copy(t.screen, bytes.NewReader(buf[:n]))
			t.written = time.Now()
			t.mu.Unlock()
			select {
			case t.changed <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (t *terminal) close() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.file.Close()
}

func (t *terminal) lines() screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	snap := uv.NewScreenBuffer(120, 36)
	t.screen.Draw(snap, snap.Bounds())
	lines := make(screen, 36)
	for y := range lines {
		var line strings.Builder
		for x := range 120 {
			if c := snap.CellAt(x, y); c != nil {
				line.WriteString(c.Content)
			}
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// wait waits until the screen is as asked.
func (t *terminal) wait(what string, most time.Duration, ok func(screen) bool) {
	t.b.Helper()
	late := time.After(most)
	for !ok(t.lines()) {
		select {
		case <-t.changed:
		case <-late:
			t.b.Fatalf("%s did not come within %v; the screen:\n%s", what, most, t.lines())
		}
	}
}

func (t *terminal) typed(keys string) {
	t.b.Helper()
	if _, err := io.WriteString(t.file, keys); err != nil {
		t.b.Fatal(err)
	}
}

// press types one key and is the time until its effect is seen, at most ten
// seconds: a key that has none is told.
func (t *terminal) press(key string, effect func(screen) string) time.Duration {
	t.b.Helper()
	before := effect(t.lines())
	start := time.Now()
	t.typed(key)
	t.wait("the effect of "+strconv.Quote(key), 10*time.Second, func(s screen) bool {
		now := effect(s)
		return now != "" && now != before
	})
	t.mu.Lock()
	took := t.written.Sub(start)
	t.mu.Unlock()
	time.Sleep(20 * time.Millisecond) // people do not press faster
	return took
}

// quiet is when the screen last changed before it rested for as long as asked.
func (t *terminal) quiet(rest, most time.Duration) time.Time {
	late := time.After(most)
	for {
		select {
		case <-t.changed:
		case <-time.After(rest):
			t.mu.Lock()
			defer t.mu.Unlock()
			return t.written
		case <-late:
			t.b.Fatal("the screen does not come to rest")
		}
	}
}

// processor is the processor time that the program has used.
func (t *terminal) processor() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ") // the name may contain blanks
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // a hundred a second
}

// peak is the largest resident memory of the program, in megabytes; 0 where
// the system does not tell.
func (t *terminal) peak() float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb, _ := strconv.ParseFloat(strings.Fields(rest + " 0")[0], 64)
	return kb / 1024
}
