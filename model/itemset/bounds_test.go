package itemset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// An item whose metadata would take more memory than ten times its source costs
// only its metadata.
func TestMetadataIsBounded(t *testing.T) {
	musttest.Alone(t)
	var b strings.Builder
	for i := range 110_000 {
		fmt.Fprintf(&b, `"k%d":%d,`, i, i%10)
	}
	keys := strings.TrimSuffix(b.String(), ",")
	deep := strings.Repeat(`{"a":`, 150) + "1" + strings.Repeat("}", 150)
	for _, c := range []struct{ name, in, want string }{
		{"metadata of an item", `[{"content":"a","metadata":{` + keys + `}},{"content":"b"}]`, "metadata of more than 100,000 values, left out"},
		{"fields of an item", `[{"content":"a",` + keys + `},{"content":"b"}]`, "metadata of more than 100,000 values, left out"},
		{"metadata of a document", `[{"page_content":"a","metadata":{` + keys + `}},{"page_content":"b"}]`, "metadata of more than 100,000 values, left out"},
		{"deep metadata of an item", `[{"content":"a","metadata":` + deep + `},{"content":"b"}]`, "metadata nested more than 100 deep, left out"},
		{"deep metadata of a document", `[{"page_content":"a","metadata":{"d":` + deep + `}},{"page_content":"b"}]`, "metadata nested more than 100 deep, left out"},
	} {
		l, err := Read(context.Background(), "f", []byte(c.in), Options{})
		if err != nil || l.Set.Len() != 2 || !strings.Contains(l.Report.Summary(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Metadata that is as large as it may be, and as deep, is read, and is the same when it
// was saved; one value or level more is left out.
func TestTheLargestMetadataIsKept(t *testing.T) {
	musttest.Alone(t)
	values := func(n int) string { return strings.TrimSuffix(strings.Repeat(`1,`, n), ",") } // in an array, which is one
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, form := range []string{`[{"content":"a","metadata":{"m":%s}}]`, `[{"content":"a","m":%s}]`, `[{"page_content":"a","metadata":{"m":%s}}]`} {
		for _, c := range []struct {
			value string
			kept  bool
		}{
			{"[" + values(99_999) + "]", true}, {"[" + values(100_000) + "]", false},
			{deep(99), true}, {deep(100), false},
		} {
			l := mustRead(t, fmt.Sprintf(form, c.value), Options{})
			_, kept := l.Set.Item(0).Metadata["m"]
			if kept != c.kept || kept == strings.Contains(l.Report.Summary(), "left out") {
				t.Errorf("%s with %.20s... of %d bytes: kept %v, %s", form, c.value, len(c.value), kept, l.Report.Summary())
			}
			if !kept {
				continue
			}
			saved := musttest.Of(MarshalScenario(model.Scenario{Items: l.Set, Policy: model.Presets()[0], Budget: mustBudget(1000)}))(t)
			if again := mustRead(t, string(saved), Options{}); !reflect.DeepEqual(again.Set.Item(0).Metadata, l.Set.Item(0).Metadata) {
				t.Errorf("%s with %.20s... of %d bytes: another when it was saved", form, c.value, len(c.value))
			}
		}
	}
}

// What gzip unpacks is bounded by what was packed, and small sources may grow to 16 MiB
// in any case.
func TestGzipIsBounded(t *testing.T) {
	musttest.Alone(t)
	for _, c := range []struct {
		size, noise int // bytes of one letter, after bytes that do not get smaller
		fits        bool
	}{
		{minInflated, 0, true},
		{minInflated + 1, 0, false},
		{18 << 20, 100_000, true}, // about 180 times
		{40 << 20, 100_000, false},
	} {
		text := make([]byte, c.noise)
		_, _ = rand.NewChaCha8([32]byte{}).Read(text)
		packed := gzipped(t, string(text)+strings.Repeat("x", c.size-c.noise))
		got, _, err := unpack(context.Background(), "f", []byte(packed), DefaultMaxBytes)
		_, large := errors.AsType[*SizeError](err)
		if large == c.fits || c.fits && (len(got) != c.size || cap(got) > c.size+2*bytes.MinRead) { // memory for no more than there is
			t.Errorf("%d bytes packed into %d: %d bytes of %d, %v", c.size, len(packed), len(got), cap(got), err)
		}
	}
}

// Where compressed data is cut short, it ends in no size, and no memory is set aside for what these bytes say.
func TestACutGzipReservesLittle(t *testing.T) {
	text := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	packed := gzipped(t, string(text))
	got, note, err := unpack(context.Background(), "f", []byte(packed[:len(packed)/2]+"\xff\xff\xff\xff"), DefaultMaxBytes)
	if err != nil || note == "" || len(got) < len(text)/3 || cap(got) > len(text) {
		t.Errorf("%d bytes of %d, %q, %v", len(got), cap(got), note, err)
	}
}

// Loading that is cancelled returns though the source has not ended.
func TestLoadReturnsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	defer close(never)
	go cancel()
	_, err := Load(ctx, []string{"-"}, Options{Stdin: waiting{never}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// waiting is an input that gives nothing.
type waiting struct{ until chan struct{} }

func (w waiting) Read([]byte) (int, error) {
	select {
	case <-w.until:
	case <-time.After(time.Minute):
	}
	return 0, errors.New("the end of the test")
}

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
	musttest.Alone(t)
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
