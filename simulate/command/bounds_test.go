package command

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/session"
)

// A line of a batch that is longer than flow.MaxLine gets an error as its answer, and the
// line after it its own.
func TestALineOfABatchIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it holds 256 MB")
	}
	const line = `{"id":1,"policy":{"scorers":[{"type":"reflexive","weight":1}]},"budget":{"maxTokens":9},"items":[{"content":"a","tokens":6}]}`
	var out, said bytes.Buffer
	in := io.MultiReader(io.LimitReader(blanks{}, flow.MaxLine+1-int64(len(line))), strings.NewReader(line+"\n"+line+"\n"))
	musttest.Do(t, answerBatch(t.Context(), session.Options{Sources: []string{"-"}}, batchOptions{Jobs: 1}, Streams{In: in, Out: &out, Err: &said}))
	first, second, _ := strings.Cut(out.String(), "\n")
	if !strings.Contains(first, `"error"`) || strings.Contains(second, `"error"`) {
		t.Errorf("%s", &out)
	}
}

// The lines of a batch that are answered at a time take no more than CONTRIBUTING.md says,
// with those that wait. The collector works often here, so that its pace decides nothing.
func TestMemoryOfABatch(t *testing.T) {
	if testing.Short() {
		t.Skip("answers 100 MB")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	values := ""
	for i := range 20 {
		values += fmt.Sprintf(`,"v%d":%d`, i, i)
	}
	const jobs, lines, size = 4, 16, 1 << 20
	for _, c := range []struct {
		name, item string
		values     int // in the metadata of an item
	}{
		{"texts", `{"content":"` + strings.Repeat("words of an output, ", 27) + `","tokens":120,"kind":"Document"}`, 0},
		{"small items", `{"content":"words of an output, ","tokens":12}`, 0},
		{"items with 20 values", `{"content":"1","tokens":1` + values + `}`, 20},
	} {
		items := size / len(c.item)
		line := `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":9},"items":[` +
			strings.TrimSuffix(strings.Repeat(c.item+",", items), ",") + "]}\n"
		in := strings.Repeat(line, lines)
		var now, base runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&base)
		s := Streams{In: strings.NewReader(in), Out: io.Discard, Err: io.Discard}
		done := make(chan error)
		go func() {
			done <- answerBatch(t.Context(), session.Options{Sources: []string{"-"}}, batchOptions{Jobs: jobs}, s)
		}()
		var highest uint64
		for answered := false; !answered; {
			runtime.ReadMemStats(&now)
			highest = max(highest, now.HeapAlloc)
			select {
			case err := <-done:
				musttest.Do(t, err)
				answered = true
			case <-time.After(2 * time.Millisecond):
			}
		}
		most := jobs * (20*len(line) + items*(1000+120*c.values))
		got := int(highest - base.HeapAlloc)
		t.Logf("%s: %.1f times the size of %d lines, at most %.1f", c.name, float64(got)/float64(jobs*len(line)), jobs, float64(most)/float64(jobs*len(line)))
		if got > most {
			t.Errorf("%s: %d bytes, want at most %d", c.name, got, most)
		}
	}
}

// blanks is white space without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// FORMATS.md gives the bounds of what the verbs read.
func TestFormatsDocumentHasTheBoundsOfVerbs(t *testing.T) {
	text := musttest.Of(os.ReadFile("../../model/itemset/FORMATS.md"))(t)
	for _, row := range []string{
		fmt.Sprintf("| a line of a batch | %d MiB |", flow.MaxLine>>20),
		fmt.Sprintf("| the file of a policy or of checks | %d MiB |", itemset.MaxSmallBytes>>20),
		fmt.Sprintf("| changes of a profile | 2^%d |", bits.Len(slicer.MaxRecords)-1),
	} {
		musttest.Says(t, string(text), "\n"+row, "FORMATS.md", row)
	}
}
