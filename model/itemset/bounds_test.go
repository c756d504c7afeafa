package itemset

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// An item whose metadata would take more memory than ten times its source costs
// only its metadata.
func TestMetadataIsBounded(t *testing.T) {
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
	if testing.Short() {
		t.Skip("all in one goroutine, and slow under the race detector")
	}
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
		if large == c.fits || c.fits && len(got) != c.size {
			t.Errorf("%d bytes packed into %d: %d bytes, %v", c.size, len(packed), len(got), err)
		}
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
