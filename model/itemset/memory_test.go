package itemset

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// What loading takes at its peak, beside four times its source and up to ten times: for
// each item, and for each value in the metadata of one.
const (
	itemBytes  = 500
	valueBytes = 60
)

// Loading takes at its peak no more memory than CONTRIBUTING.md says, in files of 10 MB, or
// of the size that is given: CUPELSCOPE_MEMORY=200 go test -run TestLoadMemory -v. The
// log says how much, and how much the set keeps.
func TestLoadMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 100 MB")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as users have it
	megabytes, err := strconv.Atoi(os.Getenv("CUPELSCOPE_MEMORY"))
	if err != nil {
		megabytes = 10
	}
	words := strings.Repeat("words of an output, ", 5<<20/20)
	keys := strings.TrimSuffix(strings.Repeat(`"key":1,`, 5<<20/8), ",")
	base64 := strings.Repeat("QUJD123x", 5<<20/8)
	values := ""
	for i := range 20 {
		values += fmt.Sprintf(`,"v%d":%d`, i, i)
	}
	strange := ""
	for i := range 20 {
		strange += fmt.Sprintf(`,"k%d of %%[1]d":"t%d of %%[1]d"`, i, i)
	}
	for _, c := range []struct {
		name, row string
		values    int // in the metadata of an item
	}{
		{"claude, lines of 5 MB", `{"type":"user","uuid":"u%[1]d","sessionId":"s","timestamp":"2025-10-01T10:00:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + words + `"}]}}`, 3},
		{"claude, lines of 5 MB with escapes", `{"type":"user","uuid":"u%[1]d","sessionId":"s","timestamp":"2025-10-01T10:00:00Z","message":{"role":"user","content":"` + strings.ReplaceAll(words, ",", `\n`) + `"}}`, 1},
		{"codex, lines of 5 MB of base64", `{"timestamp":"2025-10-01T10:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c%[1]d","output":"` + base64 + `"}}`, 2},
		{"openai, lines of 600 bytes", `{"role":"user","content":"%[1]d ` + words[:560] + `"}`, 0},
		{"openai, lines of 60 bytes", `{"role":"user","content":"%[1]d ` + words[:24] + `"}`, 0},
		{"items of 600 bytes", `{"content":"%[1]d ` + words[:540] + `","tokens":120,"kind":"Document"}`, 0},
		{"items with 20 small values", `{"content":"%[1]d"` + values + `}`, 20},
		{"items with 20 keys of their own", `{"content":"%[1]d"` + strange + `}`, 20},
		{"documents of 600 bytes", `{"page_content":"%[1]d ` + words[:520] + `","metadata":{"source":"f%[1]d.md"}}`, 1},
		{"documents of 5 MB", `{"page_content":"%[1]d ` + words + `","metadata":{"source":"f%[1]d.md"},"score":0.%[1]d}`, 2},
		{"items of 5 MB of metadata", `{"content":"%[1]d","tokens":1,"metadata":{` + keys + `}}`, 0},
	} {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		size := writeRows(t, path, c.row, int64(megabytes)<<20)
		for try := range 3 { // on a busy machine the collector comes late
			runtime.GC()
			var base runtime.MemStats
			runtime.ReadMemStats(&base)
			var peak atomic.Uint64
			done := make(chan bool)
			go func() {
				for {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak.Store(max(peak.Load(), m.HeapAlloc))
					select {
					case done <- true:
						return
					case <-time.After(5 * time.Millisecond):
					}
				}
			}()
			start := time.Now()
			l, err := Load(context.Background(), []string{path}, Options{})
			took := time.Since(start)
			<-done
			musttest.Do(t, err)
			runtime.GC()
			var after runtime.MemStats
			runtime.ReadMemStats(&after)
			times := func(n uint64) float64 { return (float64(n) - float64(base.HeapAlloc)) / float64(size) }
			t.Logf("%-36s %4d MB, %8d items: peak %5.2f times the file, kept %5.2f (%5.0f bytes an item beside its text), %v",
				c.name, size>>20, l.Set.Len(), times(peak.Load()), times(after.HeapAlloc), (float64(after.HeapAlloc)-float64(base.HeapAlloc)-textBytes(l))/float64(l.Set.Len()), took.Round(time.Millisecond))
			most := min(10*size, 4*size+int64(l.Set.Len())*int64(itemBytes+c.values*valueBytes))
			got := int64(peak.Load() - base.HeapAlloc)
			runtime.KeepAlive(l)
			if got <= most {
				break
			}
			if try == 2 {
				t.Errorf("%s: the peak is %d bytes, want at most %d", c.name, got, most)
			}
		}
		musttest.Do(t, os.Remove(path))
	}
}

func textBytes(l *Loaded) float64 {
	sum := 0
	for i := range l.Set.Len() {
		sum += len(l.Set.Loaded(i).Content)
	}
	return float64(sum)
}

func writeRows(t *testing.T, path, row string, size int64) int64 {
	t.Helper()
	f := musttest.Of(os.Create(path))(t)
	w := bufio.NewWriterSize(f, 1<<20)
	written := int64(0)
	for i := 0; written < size; i++ {
		n := musttest.Of(fmt.Fprintf(w, row+"\n", i))(t)
		written += int64(n)
	}
	musttest.Do(t, w.Flush())
	musttest.Do(t, f.Close())
	return written
}
