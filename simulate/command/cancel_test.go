package command

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/polltest"
	"cupelscope/model/randomtest"
	"cupelscope/simulate/session"
)

// TestEverythingStopsWhenCancelled cancels every verb at polls from the first to near the
// last of those that it and its writes make of its context over a large set, and sees it end
// with the error of that, after a hundred polls at most. With -v the test says how many it makes.
func TestEverythingStopsWhenCancelled(t *testing.T) {
	moments, n := randomtest.Rounds(2, 4), randomtest.Rounds(250, 1200)
	rng := rand.New(rand.NewPCG(3, 5))
	var items, chat, batch, found strings.Builder
	chat.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"help"}`)
	for i := range n {
		fmt.Fprintf(&items, `{"content":"item %d, about the harbour","tokens":%d,"kind":"K%d","futureRelevanceHint":%.4f,"tags":["t%d","u%d","v%d"],"metadata":{"id":"%d"}}`+"\n",
			i, 5+rng.IntN(3000), i%7, rng.Float64(), rng.IntN(n), rng.IntN(300), rng.IntN(40), i)
		if i%5 == 0 {
			fmt.Fprintf(&chat, `,{"role":%q,"content":"turn %d %s"}`, []string{"user", "assistant"}[i/5%2], i, strings.Repeat("of many words ", rng.IntN(120)))
		}
		if i%2 == 0 {
			fmt.Fprintf(&found, `%c{"query":"q%d","results":[{"text":"one of %[2]d","score":0.9},{"text":"another, about the harbour","score":0.8}]}`+"\n", "[,"[min(i, 1)], i)
			fmt.Fprintf(&batch, `{"id":%d,"policy":{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack"},"budget":{"maxTokens":100},"items":[{"content":"a","tokens":60},{"content":"b","tokens":50}]}`+"\n", i)
		}
	}
	chat.WriteString("]}")
	// So many lines that reading them takes long, too.
	var labels strings.Builder
	for i := range 20 * n {
		fmt.Fprintf(&labels, "q%d 0 d%d 1\n", i/10, i)
	}
	cases := labelledFile(t, n/5, n/5, false)
	home := t.TempDir()
	chats := filepath.Join(home, ".qwen", "projects", "p", "chats")
	musttest.Do(t, os.MkdirAll(chats, 0o700))
	for i := range 300 {
		musttest.Do(t, os.WriteFile(filepath.Join(chats, fmt.Sprint(i, ".jsonl")), []byte("{}\n"), 0o600))
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"items.jsonl": items.String(), "chat.json": chat.String(), "found.json": found.String() + "]", "batch.jsonl": batch.String(), "qrels.txt": labels.String(), "cases.jsonl": string(musttest.Of(os.ReadFile(cases))(t)),
		"counts.json": `{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack","knapsackBucketSize":1,"countQuotas":[{"kind":"K1","requireCount":2,"capCount":500},{"kind":"K2","requireCount":2,"capCount":50}]}`,
	} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	const fine, ranked, cut = " items.jsonl --max-tokens 60k --slicer knapsack:1", " items.jsonl --max-tokens 200k", " items.jsonl --shrink *=900,100,note"
	const turned, none = " chat.json --max-tokens 64k", " -o json --no-content"
	for _, of := range []string{
		"profile items.jsonl --max-tokens 60k --policy counts.json --item 0-100" + none, "check --max-below-best 100 --min-filled 1" + fine + none,
		"evaluate cases.jsonl --group talk --at 30,50% -o json", "evaluate cases.jsonl --group talk --labels qrels.txt --at 30 -o json", "tune cases.jsonl --group talk --at 30 -o json",
		"report" + fine + none, "report" + turned + none, "profile --item 0-100" + fine + none, "min-budget" + ranked + none, "marginal" + ranked + none, "sweep" + ranked + none,
		"compare greedy knapsack:1 --worst 5" + ranked + none, "tokens --verify chat.json" + none, "turns --sweep" + turned + none,
		"turns --plan clear:trigger=9k,keep=2 --plan summarise:trigger=9k --map trigger=6k+9k,keep=0+3" + turned + none, "sweep --over weight:kind --to .1" + ranked + none,
		"profile --max-tokens 200k --over output-reserve --to 20k" + cut + none, "report --html page.html --shrink *=900,100,note" + turned, "runs cases.jsonl" + none, "compare greedy knapsack --at 50% found.json" + none,
		"sessions -o json", "batch batch.jsonl",
	} {
		run := func(ctx context.Context) (code int, cancelled bool, told string) {
			var diagnostics strings.Builder
			p := Program{Streams: Streams{Out: polling{ctx}, Err: &diagnostics}, Screen: noScreen, Sessions: sessions.Places{Home: home}}
			code = p.Run(ctx, strings.Fields(of))
			return code, strings.HasSuffix(diagnostics.String(), context.Canceled.Error()+"; what was not answered until then is missing\n"), diagnostics.String()
		}
		whole := polltest.After(t.Context(), math.MaxInt)
		if code, _, told := run(whole); code != Fine {
			t.Errorf("%s: exit %d, %s", of, code, told)
			continue
		}
		all, most := whole.Polls(), 0
		for k := range moments {
			at := k * all / moments
			ctx := polltest.After(t.Context(), at)
			code, cancelled, told := run(ctx)
			if at > 0 && code == Fine && ctx.Polls() < min(all, at+10) {
				continue // answers in parallel may take fewer polls another time, and be through by then
			}
			if code == Fine || !cancelled {
				t.Errorf("%s, cancelled at poll %d of %d: exit %d, %s", of, at, all, code, told)
			}
			most = max(most, ctx.Polls()-at)
		}
		if most > 100 {
			t.Errorf("%s goes on for %d polls after it was cancelled", of, most)
		}
		t.Logf("%s makes %d polls, and cancelled at most %d", of, all, most)
	}
}

// The words of compare, which are asked for once every case is answered, take no longer than the command does.
func TestTheWordsOfCompareAreCancelled(t *testing.T) {
	var items strings.Builder
	for i := range 400 {
		fmt.Fprintf(&items, `{"content":"item %d","tokens":%d,"futureRelevanceHint":%.2f}`+"\n", i, 5+i*37%3000, float64(i%50)/50)
	}
	path := filepath.Join(t.TempDir(), "items.jsonl")
	musttest.Do(t, os.WriteFile(path, []byte(items.String()), 0o600))
	counts := filepath.Join(t.TempDir(), "counts.json") // of which the words are computed anew, with the table
	musttest.Do(t, os.WriteFile(counts, []byte(`{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack","knapsackBucketSize":1,"countQuotas":[{"kind":"Message","requireCount":2,"capCount":300}]}`), 0o600))
	words := func(cancelled bool) string {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := musttest.Of(newComparer(ctx, session.Options{Sources: []string{path}, Budget: map[string]string{"maxTokens": "200000"}}, compareOptions{A: "greedy", B: counts}, Streams{}))(t)
		var r caseResult
		musttest.Do(t, w.compareAt(t.Context(), musttest.Of(itemset.Load(t.Context(), []string{path}, itemset.Options{}))(t), &r))
		if cancelled {
			cancel()
		}
		d := r.at[0].items[0] // which only greedy lets in
		return d.why(d.index)
	}
	musttest.Is(t, words(true), "needs 5, 3 free", "cancelled, the word of the code is left of", words(false))
}

// polling is a writer that polls a context at each write.
type polling struct{ ctx context.Context }

func (p polling) Write(text []byte) (int, error) {
	_ = p.ctx.Err()
	return len(text), nil
}

// cancelling is a writer that cancels at its first write.
type cancelling struct {
	cancel context.CancelFunc
	writes int
}

func (c *cancelling) Write(p []byte) (int, error) {
	c.writes++
	c.cancel()
	return len(p), nil
}

// An answer that is cancelled while it is written ends after the piece at hand.
func TestAnswersEndWhereTheyAreCancelled(t *testing.T) {
	var items strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&items, `{"content":"item %d, about the harbour","tokens":%d,"futureRelevanceHint":0.%d}`+"\n", i, 5+i%97, i%10)
	}
	source := musttest.File(t, "items.jsonl", items.String())
	for _, form := range []string{"json", "csv", "table", "markdown"} {
		for _, verb := range []string{"report", "profile", "min-budget", "sweep"} {
			ctx, cancel := context.WithCancel(t.Context())
			out := &cancelling{cancel: cancel}
			var told strings.Builder
			code := line(ctx, Streams{Out: out, Err: &told}, verb+" --max-tokens 20k -o "+form, source)
			if code == Fine || !strings.Contains(told.String(), context.Canceled.Error()) || out.writes != 1 {
				t.Errorf("%s as %s: %d writes, exit %d, %s, want 1 and that it was cancelled", verb, form, out.writes, code, told.String())
			}
			cancel()
		}
	}
}

// What takes long over one answer tells its percentage, which goes away before the
// answer is written; with --quiet it tells nothing.
func TestOneLongAnswerTellsItsProgress(t *testing.T) {
	var items, chat strings.Builder
	for i := range 150 {
		fmt.Fprintf(&items, `{"content": "item %d", "tokens": %d, "futureRelevanceHint": 0.%03d}`+"\n", i, 500+37*i%900, 100+i)
		fmt.Fprintf(&chat, `{"role": "%s", "content": "message %d"}`+"\n", [...]string{"user", "assistant"}[i%2], i)
	}
	knapsack := session.Options{Sources: []string{musttest.File(t, "items.jsonl", items.String())}, Slicer: "knapsack:1"}
	knapsack.Budget = maximum("40k")
	talk := session.Options{Sources: []string{musttest.File(t, "chat.jsonl", chat.String())}}
	for name, run := range map[string]func(Streams, answerOptions) error{
		"report": func(s Streams, a answerOptions) error {
			ctx, s, end := s.telling(t.Context())
			defer end()
			return writeReport(ctx, knapsack, reportOptions{answerOptions: a}, s)
		},
		"turns": func(s Streams, a answerOptions) error {
			ctx, s, end := s.telling(t.Context())
			defer end()
			return writeTurns(ctx, talk, turnsOptions{answerOptions: a}, s)
		},
	} {
		for _, quiet := range []bool{false, true} {
			s, out, told := streams("")
			s.Out, s.Progress = told, true
			var ticks atomic.Int64
			s.Now = func() time.Time { return time.Unix(0, ticks.Add(1)*int64(150*time.Millisecond)) }
			if err := run(s, answerOptions{Quiet: quiet}); err != nil || out.Len() > 0 {
				t.Fatalf("%s: %v", name, err)
			}
			percents, cleared, _ := strings.Cut(told.String(), "\r\x1b[K")
			if tells := strings.Contains(percents, " %\x1b[K"); tells == quiet || strings.Contains(cleared, "\x1b") {
				t.Errorf("%s, quiet %v: %.200q ... %.200q", name, quiet, percents, cleared)
			}
		}
	}
}

// A table for a terminal is no wider than that, and tells what it leaves out.
func TestTablesFitTheTerminal(t *testing.T) {
	musttest.Alone(t)
	for _, verb := range []string{"report", "min-budget", "profile", "marginal", "sweep", "tokens", "compare greedy knapsack:1 --worst 5"} {
		for _, width := range []int{80, 100, 160} {
			s, out, told := streams("")
			s.Width = width
			if code := line(t.Context(), s, verb+" --fixture agent"); code != Fine {
				t.Fatalf("%s: exit %d, %s", verb, code, told)
			}
			for row := range strings.Lines(out.String()) {
				if got := plain.Width(strings.TrimSuffix(row, "\n")); got > width {
					t.Errorf("%s in %d columns: a line of %d: %q", verb, width, got, row)
					break
				}
			}
			if verb == "report" && strings.Contains(out.String(), "no room in 80 columns for: first in, "+plain.StaysFrom+"\n") != (width == 80) {
				t.Errorf("in %d columns: %s", width, out)
			}
		}
	}
}
