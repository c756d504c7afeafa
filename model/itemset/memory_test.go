package itemset

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// How much memory loading takes at its peak, and how much the set keeps, for
// files of the given size: CUPELSCOPE_MEMORY=200 go test -run TestLoadMemory -v.
func TestLoadMemory(t *testing.T) {
	megabytes, err := strconv.Atoi(os.Getenv("CUPELSCOPE_MEMORY"))
	if err != nil {
		t.Skip("CUPELSCOPE_MEMORY gives no size in MB")
	}
	words := strings.Repeat("words of an output, ", 5<<20/20)
	keys := strings.TrimSuffix(strings.Repeat(`"key":1,`, 5<<20/8), ",")
	base64 := strings.Repeat("QUJD123x", 5<<20/8)
	for _, c := range []struct {
		name, row string
		most      float64 // times the size of the file, at the peak
	}{
		{"claude, lines of 5 MB", `{"type":"user","uuid":"u%[1]d","sessionId":"s","timestamp":"2025-10-01T10:00:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + words + `"}]}}`, 3},
		{"claude, lines of 5 MB with escapes", `{"type":"user","uuid":"u%[1]d","sessionId":"s","timestamp":"2025-10-01T10:00:00Z","message":{"role":"user","content":"` + strings.ReplaceAll(words, ",", `\n`) + `"}}`, 3},
		{"codex, lines of 5 MB of base64", `{"timestamp":"2025-10-01T10:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c%[1]d","output":"` + base64 + `"}}`, 2},
		{"openai, lines of 600 bytes", `{"role":"user","content":"%[1]d ` + words[:560] + `"}`, 4},
		{"openai, lines of 60 bytes", `{"role":"user","content":"%[1]d ` + words[:24] + `"}`, 12},
		{"items of 600 bytes", `{"content":"%[1]d ` + words[:540] + `","tokens":120,"kind":"Document"}`, 4},
		{"documents of 600 bytes", `{"page_content":"%[1]d ` + words[:520] + `","metadata":{"source":"f%[1]d.md"}}`, 5},
		{"documents of 5 MB", `{"page_content":"%[1]d ` + words + `","metadata":{"source":"f%[1]d.md"},"score":0.%[1]d}`, 3},
		{"items of 5 MB of metadata", `{"content":"%[1]d","tokens":1,"metadata":{` + keys + `}}`, 10},
	} {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		size := writeRows(t, path, c.row, int64(megabytes)<<20)
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
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		times := func(n uint64) float64 { return (float64(n) - float64(base.HeapAlloc)) / float64(size) }
		t.Logf("%-36s %4d MB, %8d items: peak %5.2f times the file, kept %5.2f (%5.0f bytes an item beside its text), %v",
			c.name, size>>20, l.Set.Len(), times(peak.Load()), times(after.HeapAlloc), (float64(after.HeapAlloc)-float64(base.HeapAlloc)-textBytes(l))/float64(l.Set.Len()), took.Round(time.Millisecond))
		if got := times(peak.Load()); got > c.most {
			t.Errorf("%s: the peak is %.2f times the file, want at most %.0f", c.name, got, c.most)
		}
		runtime.KeepAlive(l)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
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
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	written := int64(0)
	for i := 0; written < size; i++ {
		n, err := fmt.Fprintf(w, row+"\n", i)
		if err != nil {
			t.Fatal(err)
		}
		written += int64(n)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return written
}
