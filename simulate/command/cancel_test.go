package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/simulate/session"
)

// TestEverythingStopsWhenCancelled cancels every verb at polls from the first to near the
// last of those that it and its writes make of its context over a large set, and sees it end
// with the error of that, after a hundred polls at most. With -v the test says how many it makes.
func TestEverythingStopsWhenCancelled(t *testing.T) {
	moments, n := 4, 2000
	if testing.Short() {
		moments, n = 2, 150
	}
	rng := rand.New(rand.NewPCG(3, 5))
	var items, chat, batch strings.Builder
	chat.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"help"}`)
	for i := range n {
		fmt.Fprintf(&items, `{"content":"item %d, about the harbour","tokens":%d,"kind":"K%d","futureRelevanceHint":%.4f,"tags":["t%d","u%d","v%d"],"metadata":{"id":"%d"}}`+"\n",
			i, 5+rng.IntN(3000), i%7, rng.Float64(), rng.IntN(n), rng.IntN(300), rng.IntN(40), i)
		if i%5 == 0 {
			fmt.Fprintf(&chat, `,{"role":%q,"content":"turn %d %s"}`, []string{"user", "assistant"}[i/5%2], i, strings.Repeat("of many words ", rng.IntN(120)))
		}
		if i%2 == 0 {
			fmt.Fprintf(&batch, `{"id":%d,"policy":{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack"},"budget":{"maxTokens":100},"items":[{"content":"a","tokens":60},{"content":"b","tokens":50}]}`+"\n", i)
		}
	}
	chat.WriteString("]}")
	set, talk, lines := write(t, "items.jsonl", items.String()), write(t, "chat.json", chat.String()), write(t, "batch.jsonl", batch.String())
	fine := session.Options{Sources: []string{set}, MaxTokens: "60k", Slicer: "knapsack:1"}
	ranked := session.Options{Sources: []string{set}, MaxTokens: "200k"}
	turned := session.Options{Sources: []string{talk}, MaxTokens: "64k"}
	cut := ranked
	cut.Shrink = []string{"*=900,100,note"}
	none := answerOptions{Output: "json", NoContent: true}
	page := filepath.Join(t.TempDir(), "page.html")
	// So many lines that reading them takes long, too.
	var labels strings.Builder
	for i := range 20 * n {
		fmt.Fprintf(&labels, "q%d 0 d%d 1\n", i/10, i)
	}
	cases, qrels := labelledFile(t, n/5, n/5, false), write(t, "qrels.txt", labels.String())
	asked := labelOptions{answerOptions: none, LabelOptions: session.LabelOptions{Group: "talk"}}
	named := asked
	named.Labels = qrels
	home := t.TempDir()
	chats := filepath.Join(home, ".qwen", "projects", "p", "chats")
	musttest.Do(t, os.MkdirAll(chats, 0o700))
	for i := range 300 {
		musttest.Do(t, os.WriteFile(filepath.Join(chats, fmt.Sprint(i, ".jsonl")), []byte("{}\n"), 0o600))
	}
	counts := write(t, "counts.json", `{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack","knapsackBucketSize":1,"countQuotas":[{"kind":"K1","requireCount":2,"capCount":500},{"kind":"K2","requireCount":2,"capCount":50}]}`)
	for _, v := range []struct {
		name string
		run  func(ctx context.Context, s Streams) error
	}{
		{"profile with count quotas", func(ctx context.Context, s Streams) error {
			o := session.Options{Sources: []string{set}, MaxTokens: "60k", Policy: counts}
			return writeProfile(ctx, o, profileOptions{studyOptions: studyOptions{answerOptions: none, Items: []string{"0-100"}}}, s)
		}},
		{"check", func(ctx context.Context, s Streams) error {
			return check(ctx, fine, checkOptions{answerOptions: none, Flags: flags("--max-below-best 100 --min-filled 1")}, s)
		}},
		{"evaluate", func(ctx context.Context, s Streams) error {
			return evaluate(ctx, session.Options{Sources: []string{cases}}, evaluateOptions{labelOptions: asked, At: []string{"30", "50%"}}, s)
		}},
		{"evaluate with a file of labels", func(ctx context.Context, s Streams) error {
			return evaluate(ctx, session.Options{Sources: []string{cases}}, evaluateOptions{labelOptions: named, At: []string{"30"}}, s)
		}},
		{"tune", func(ctx context.Context, s Streams) error {
			return tune(ctx, session.Options{Sources: []string{cases}}, byTalk(func(v *tuneOptions) { v.At = "30" }), s)
		}},
		{"report", func(ctx context.Context, s Streams) error {
			return writeReport(ctx, fine, reportOptions{answerOptions: none}, s)
		}},
		{"report of a conversation, counted", func(ctx context.Context, s Streams) error {
			return writeReport(ctx, turned, reportOptions{answerOptions: none}, s)
		}},
		{"profile", func(ctx context.Context, s Streams) error {
			return writeProfile(ctx, fine, profileOptions{studyOptions: studyOptions{answerOptions: none, Items: []string{"0-100"}}}, s)
		}},
		{"min-budget", func(ctx context.Context, s Streams) error {
			return writeMinBudgets(ctx, ranked, minBudgetOptions{studyOptions: studyOptions{answerOptions: none}}, s)
		}},
		{"marginal", func(ctx context.Context, s Streams) error {
			return marginal(ctx, ranked, studyOptions{answerOptions: none}, s)
		}},
		{"sweep", func(ctx context.Context, s Streams) error {
			return writeSweep(ctx, ranked, sweepOptions{studyOptions: studyOptions{answerOptions: none}}, s)
		}},
		{"compare", func(ctx context.Context, s Streams) error {
			return compare(ctx, ranked, compareOptions{answerOptions: none, A: "greedy", B: "knapsack:1", Worst: 5}, s)
		}},
		{"tokens", func(ctx context.Context, s Streams) error {
			return writeTokens(ctx, turned, tokensOptions{answerOptions: none}, s)
		}},
		{"turns", func(ctx context.Context, s Streams) error {
			return writeTurns(ctx, turned, turnsOptions{answerOptions: none, Sweep: true}, s)
		}},
		{"turns with plans and a map", func(ctx context.Context, s Streams) error {
			return writeTurns(ctx, turned, turnsOptions{answerOptions: none, Plans: []string{"clear:trigger=9k,keep=2", "summarise:trigger=9k"}, Map: "trigger=6k+9k,keep=0+3"}, s)
		}},
		{"sweep of a weight", func(ctx context.Context, s Streams) error {
			return writeSweep(ctx, ranked, sweepOptions{studyOptions: studyOptions{answerOptions: none}, Over: "weight:kind", To: ".1"}, s)
		}},
		{"profile of a number, with sizes", func(ctx context.Context, s Streams) error {
			return writeProfile(ctx, cut, profileOptions{studyOptions: studyOptions{answerOptions: none}, Over: "output-reserve", To: "20k"}, s)
		}},
		{"report as a page, with sizes", func(ctx context.Context, s Streams) error {
			o := cut
			o.MaxTokens, o.Ceiling = "9k", "9k"
			return writeReport(ctx, o, reportOptions{answerOptions: answerOptions{NoContent: true}, HTML: page}, s)
		}},
		{"runs", func(ctx context.Context, s Streams) error {
			return writeRuns(ctx, session.Options{Sources: []string{cases}}, runsOptions{none}, s)
		}},
		{"sessions", func(ctx context.Context, s Streams) error {
			return writeSessions(ctx, sessions.Places{Home: home}, none, s)
		}},
		{"batch", func(ctx context.Context, s Streams) error {
			return answerBatch(ctx, session.Options{Sources: []string{lines}}, batchOptions{}, s)
		}},
	} {
		whole := polltest.After(t.Context(), math.MaxInt)
		if err := v.run(whole, Streams{Out: polling{whole}, Err: io.Discard}); err != nil {
			t.Errorf("%s: %v", v.name, err)
			continue
		}
		all, most := whole.Polls(), 0
		for k := range moments {
			at := k * all / moments
			ctx := polltest.After(t.Context(), at)
			err := v.run(ctx, Streams{Out: polling{ctx}, Err: io.Discard})
			if at > 0 && err == nil && ctx.Polls() <= at {
				continue // answers in parallel may take fewer polls another time
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled at poll %d of %d: %v", v.name, at, all, err)
			}
			most = max(most, ctx.Polls()-at)
		}
		if most > 100 {
			t.Errorf("%s goes on for %d polls after it was cancelled", v.name, most)
		}
		t.Logf("%s makes %d polls, and cancelled at most %d", v.name, all, most)
	}
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
	o := session.Options{Sources: []string{write(t, "items.jsonl", items.String())}, MaxTokens: "20k"}
	for _, form := range []string{"json", "csv", "table", "markdown"} {
		a := answerOptions{Output: form}
		for name, run := range map[string]func(context.Context, Streams) error{
			"report": func(ctx context.Context, s Streams) error {
				return writeReport(ctx, o, reportOptions{answerOptions: a}, s)
			},
			"profile": func(ctx context.Context, s Streams) error {
				return writeProfile(ctx, o, profileOptions{studyOptions: studyOptions{answerOptions: a}}, s)
			},
			"min-budget": func(ctx context.Context, s Streams) error {
				return writeMinBudgets(ctx, o, minBudgetOptions{studyOptions: studyOptions{answerOptions: a}}, s)
			},
			"sweep": func(ctx context.Context, s Streams) error {
				return writeSweep(ctx, o, sweepOptions{studyOptions: studyOptions{answerOptions: a}}, s)
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			out := &cancelling{cancel: cancel}
			if err := run(ctx, Streams{Out: out, Err: io.Discard}); !errors.Is(err, context.Canceled) || out.writes != 1 {
				t.Errorf("%s as %s: %d writes, error %v, want 1 and context.Canceled", name, form, out.writes, err)
			}
			cancel()
		}
	}
}
