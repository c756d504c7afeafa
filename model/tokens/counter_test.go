package tokens

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// shared holds the counters of all tests: loading takes a while.
var shared Counters

func counter(t testing.TB, encoding string) *Counter {
	t.Helper()
	return musttest.Of(shared.Get(encoding))(t)
}

// encode counts text as tiktoken does.
func encode(t testing.TB, c *Counter, text string) model.Tokens {
	t.Helper()
	return model.Tokens(len(reference(t, c.Encoding()).EncodeOrdinary(text)))
}

func count(t testing.TB, c *Counter, text string) (model.Tokens, model.Provenance) {
	t.Helper()
	n, p, err := c.Count(context.Background(), text)
	musttest.Do(t, err)
	return n, p
}

func TestEncodings(t *testing.T) {
	musttest.Alone(t)
	for _, name := range Encodings() {
		if n, p := count(t, counter(t, name), "hello world"); n != 2 || p != model.Exact {
			t.Errorf("%s: %v, %v", name, n, p)
		}
	}
	var ee *EncodingError
	if _, err := NewCounter("utf-8"); !errors.As(err, &ee) || !strings.Contains(err.Error(), "known are o200k_base, cl100k_base") {
		t.Errorf("unknown encoding: %v", err)
	}
	if a, b := counter(t, ""), counter(t, DefaultEncoding); a != b {
		t.Error("two counters for one encoding")
	}
}

func TestSpecialTokensAreText(t *testing.T) {
	if n, _ := count(t, counter(t, ""), "<|endoftext|>"); n < 3 {
		t.Errorf("counted as %v tokens", n)
	}
}

func TestLongTexts(t *testing.T) {
	musttest.Alone(t)
	c := counter(t, "")
	for name, text := range samples() {
		long := strings.Repeat(text, 1+3*chunkBytes/len(text))
		if n, p := count(t, c, long); p != model.Exact || n != encode(t, c, long) {
			t.Errorf("%s: %v, %v, want %v", name, n, p, encode(t, c, long))
		}
	}
}

func TestCountStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := counter(t, "").Count(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A run in which nothing ends does not keep Count from ending, whatever it is of and
// whatever is before it.
func TestLongRunsAreCancelled(t *testing.T) {
	musttest.Alone(t)
	const looked = 5
	for _, run := range []string{"a", "A", "あ", "\u0301", "!", "/", " ", "\n", " \n", "'", "1", "=\n"} {
		for _, before := range []string{"", " ", "!", "A", "!\n", "!/"} {
			s := before + strings.Repeat(run, 40*pollBytes/len(run))
			for _, e := range encodings {
				for i, ctx := 0, polltest.After(t.Context(), looked); i < len(s) && ctx.Polls() <= looked; {
					end := e.split(pieces{classes(), ctx}, s, i)
					if end <= i || end-i > (looked+3)*pollBytes && end < len(s) || end-i > 30*pollBytes {
						t.Fatalf("%s: a piece from %d to %d in a run of %q behind %q", e.name, i, end, run, before)
					}
					i = end
				}
			}
		}
	}
	_, _, err := PerCharacters(4).Count(polltest.After(t.Context(), 2), strings.Repeat("あ", 3<<20))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("an estimate: %v", err)
	}
}

func TestCountAll(t *testing.T) {
	c := counter(t, "")
	var texts []Text
	for i := range 5000 {
		texts = append(texts, Text{Index: i * 2, Content: strings.Repeat("word ", 1+i%50)})
	}
	for _, workers := range []int{0, 1, 3} {
		got := map[int]model.Tokens{}
		done, calls := 0, 0
		err := c.CountAll(context.Background(), texts, workers, func(p Progress) {
			calls++
			for _, r := range p.Recounts {
				if _, twice := got[r.Index]; twice || r.Count != model.Exact {
					t.Fatalf("item %d: twice %v, %v", r.Index, twice, r.Count)
				}
				got[r.Index] = r.Tokens
			}
			if p.Done <= done || p.Done < len(got) || p.Total != 5000 || p.Bytes > p.BytesAll || p.Percent() != int(100*p.Bytes/p.BytesAll) {
				t.Fatalf("progress %d of %d, %d of %d bytes", p.Done, p.Total, p.Bytes, p.BytesAll)
			}
			done = p.Done
		})
		if err != nil || len(got) != 5000 || calls < 2 {
			t.Fatalf("%d workers: %v, %d counts in %d calls", workers, err, len(got), calls)
		}
		for _, x := range texts[:50] {
			musttest.Is(t, got[x.Index], encode(t, c, x.Content), x.Index)
		}
	}
	musttest.Do(t, c.CountAll(context.Background(), nil, 2, func(Progress) { t.Error("nothing is reported as progress") }))
}

// Progress is told often, and counts come in few batches: each costs a copy of
// the set.
func TestCountsComeInFewBatches(t *testing.T) {
	c := counter(t, "")
	texts := make([]Text, 60_000)
	for i := range texts {
		texts[i] = Text{Index: i, Content: fmt.Sprint("text ", i/20), Extra: 3} // equal ones are counted once
	}
	calls, withCounts, counts := 0, 0, 0
	err := c.CountAll(context.Background(), texts, 2, func(p Progress) {
		calls++
		if len(p.Recounts) > 0 {
			withCounts++
			counts += len(p.Recounts)
		}
		for _, r := range p.Recounts {
			if r.Index%1000 == 0 && r.Tokens != 3+encode(t, c, texts[r.Index].Content) {
				t.Fatalf("%+v", r)
			}
		}
	})
	if err != nil || counts != len(texts) || withCounts > batches+1 || calls < 20 {
		t.Errorf("%v: %d counts in %d of %d calls", err, counts, withCounts, calls)
	}
}

// A long text is no long silence.
func TestProgressWithinAText(t *testing.T) {
	c := counter(t, "")
	for name, text := range map[string]string{"words": strings.Repeat("many words ", 500_000), "no UTF-8": strings.Repeat("\xff \xfe", 1_500_000)} {
		texts := []Text{{Index: 0, Content: text}, {Index: 1, Content: "short"}, {Index: 2, Content: text}}
		calls, last := 0, Progress{}
		musttest.Do(t, c.CountAll(context.Background(), texts, 2, func(p Progress) {
			if p.Bytes < last.Bytes || p.Bytes > p.BytesAll || p.Percent() > 100 {
				t.Errorf("%s: %d bytes of %d after %d", name, p.Bytes, p.BytesAll, last.Bytes)
			}
			calls, last = calls+1, p
		}))
		if calls < 4 || last.Bytes != last.BytesAll || last.Done != 3 || last.Percent() != 100 {
			t.Errorf("%s: %d calls, at last %d of %d bytes", name, calls, last.Bytes, last.BytesAll)
		}
	}
}

func TestCountAllStops(t *testing.T) {
	c := counter(t, "")
	var texts []Text
	for i := range 200 {
		texts = append(texts, Text{Index: i, Content: strings.Repeat("many words ", 1000+i)})
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err := c.CountAll(ctx, texts, 2, func(Progress) { calls++; cancel() })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestLongestFirst(t *testing.T) {
	groups := groupByContent([]Text{{0, "a", 0}, {1, "ccc", 0}, {2, "b", 0}, {3, "a", 0}, {4, "ccc", 0}})
	var order []int
	for _, g := range groups {
		for _, x := range g {
			order = append(order, x.Index)
		}
	}
	musttest.Is(t, order, []int{1, 4, 0, 3, 2}, "order")
}

func TestCountersAreShared(t *testing.T) {
	var all Counters
	var wg sync.WaitGroup
	got := make([]*Counter, 8)
	for i := range got {
		wg.Go(func() { got[i], _ = all.Get("cl100k_base") })
	}
	wg.Wait()
	for _, c := range got {
		if c == nil || c != got[0] {
			t.Fatal("counters differ")
		}
	}
}

// A single word of megabytes is counted chunk by chunk, and each is told.
func TestProgressWithinAWord(t *testing.T) {
	c := musttest.Of(NewCounter(""))(t)
	const megabytes = 5
	told, calls := 0, 0
	n, _, err := c.countTelling(context.Background(), strings.Repeat("a", megabytes<<20), func(bytes int) { told, calls = told+bytes, calls+1 })
	if err != nil || n != megabytes<<20/8 || calls < megabytes-1 || told > megabytes<<20 {
		t.Errorf("%v tokens, %v; told %d bytes in %d calls", n, err, told, calls)
	}
}

func TestMemoForgetsTheUnused(t *testing.T) {
	musttest.Alone(t)
	m := newMemo()
	text := func(i int) string { return fmt.Sprint("text ", i) }
	used := m.key(text(-1))
	m.add(used, 7)
	for i := range 5 * memoTexts {
		m.add(m.key(text(i)), i)
		if i%1000 == 0 {
			if n, ok := m.find(used); !ok || n != 7 {
				t.Fatalf("after %d others: %d, %v", i, n, ok)
			}
		}
		if len(m.young)+len(m.older) > 2*memoTexts {
			t.Fatalf("%d texts are remembered", len(m.young)+len(m.older))
		}
	}
	if _, ok := m.find(m.key(text(0))); ok {
		t.Error("the first is not forgotten")
	}
	if n, ok := m.find(m.key(text(5*memoTexts - 1))); !ok || n != 5*memoTexts-1 {
		t.Errorf("the last is %d, %v", n, ok)
	}
}

// A text is counted once, whoever asks, and a stand-in scales what is remembered.
func TestCountsAreRemembered(t *testing.T) {
	c := musttest.Of(NewCounter(""))(t)
	text := strings.Repeat("many words ", 3000)
	want, _ := count(t, c, text)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			// Cancelled after the first look: only a remembered count comes back.
			if n, _, err := c.Count(polltest.After(t.Context(), 1), text); err != nil || n != want {
				t.Errorf("%v, %v, want %v", n, err, want)
			}
		})
	}
	wg.Wait()
	if n, _, err := c.StandIn(2).Count(polltest.After(t.Context(), 1), text); err != nil || n != 2*want {
		t.Errorf("%v, %v, want twice %v", n, err, want)
	}
}
