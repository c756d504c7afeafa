package command

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
)

// talk is a chat of so many questions and answers behind a system prompt.
func talk(turns int) string {
	var b strings.Builder
	b.WriteString(`[{"role":"system","content":"Answer in one word, always."}`)
	for n := range turns {
		fmt.Fprintf(&b, `,{"role":"user","content":"question number %d about the matter"},{"role":"assistant","content":"answer number %d to the question"}`, n, n)
	}
	return b.String() + "]"
}

// noMinimum is --cache-min 0: the prompts of the tests are short.
var noMinimum = model.Some(model.Tokens(0))

// turnsAnswer is the answer of turns in JSON.
type turnsAnswer struct {
	Schema        string
	Sessions      int
	BudgetGuessed bool
	Requests      []struct {
		Request, Items, Tokens, Read, Written int
		Now                                   bool
		Surviving                             *float64
		PredictedShare, RecordedShare         *float64
		Cause                                 *string
		Item                                  *int
		IncludedIndexes, Cleared, Cut         []int
	}
	Recorded []struct {
		Name                                 string
		Requests                             int
		PredictedShare, RecordedShare, Error float64
	}
	RecordedSessions                int
	ReadErrorMedian, ReadErrorWorst float64
	FixedPrefix                     int
	OutputRatio                     float64
	Totals                          []struct {
		Policy, Strategy         string
		Plan                     *string
		Ours                     bool
		Requests, Summaries      int
		Cost, SummaryCost        float64
		CostRatio, Price, Recall *float64
	}
	CostRatioLow, CostRatioHigh *float64
	Sweep                       []struct {
		Least     bool
		Cost      float64
		CostRatio *float64
	}
	Map []struct {
		First, Second   int
		Cost            float64
		Recall          *float64
		Least, Unbeaten bool
	}
	Compactions []struct{ Gone, TokensAgain int }
	Again       []struct {
		Sign   string
		Tokens int
	}
}

func turnsOf(t *testing.T, in string, o session.Options, a turnsOptions) turnsAnswer {
	t.Helper()
	a.Output = "json"
	return musttest.JSON[turnsAnswer](t, printed(t, writeTurns, in, o, a))
}

func TestTurnsTellsEveryRequestAndTheTotals(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("60"), Estimate: "chars/4", Overflow: "truncate"}
	got := turnsOf(t, talk(6), o, turnsOptions{CacheMin: noMinimum, PolicyB: "knapsack:1", Sweep: true, Price: "2"})
	if got.Schema != export.Schema("turns") || got.Sessions != 1 || got.BudgetGuessed || len(got.Requests) != 7 || len(got.Totals) != 7 || len(got.Sweep) != len(turns.SweepLows()) {
		t.Fatalf("%+v", got)
	}
	for k, r := range got.Requests {
		if r.Request != k+1 || r.Now != (k == 6) || len(r.IncludedIndexes) != r.Items || r.Read+r.Written != r.Tokens || r.Tokens > 60 || (r.Surviving == nil) != (k == 0) {
			t.Errorf("request %+v", r)
		}
	}
	// The first two requests fit whole: system prompt 7 tokens, questions 9, answers 8.
	if r := got.Requests[1]; r.Tokens != 7+9+8+9 || r.Read != 7+9 || *r.Surviving != 1 || r.Cause != nil {
		t.Errorf("the second request: %+v", r)
	}
	if r := got.Requests[3]; r.Cause == nil || *r.Cause != "left" {
		t.Errorf("the fourth request, which does not fit: %+v", r)
	}
	all, a, watermark := got.Totals[0], got.Totals[1], got.Totals[2]
	if all.Requests != 6 || a.Requests != 6 || a.Ours || !watermark.Ours || a.Cost <= watermark.Cost || math.Abs(*a.Price-2e-6*a.Cost) > 1e-12 {
		t.Errorf("totals %+v", got.Totals)
	}
	least := 0
	for _, s := range got.Sweep {
		if s.Least {
			least++
		}
	}
	musttest.Is(t, least, 1, "marks are the least", got.Sweep)
	out, _, err := ran(writeTurns, talk(6), o, turnsOptions{CacheMin: noMinimum, Sweep: true})
	if ends := "cheapest at 30 %, the deepest tried"; err != nil || got.Sweep[0].Least != strings.Contains(out, ends) {
		t.Errorf("%v: 30 %% costs least: %v\n%s", err, got.Sweep[0].Least, out)
	}
}

// Costs are compared with that of sending everything only where that fits, in every form.
func TestCostRatiosAreOfWhatFits(t *testing.T) {
	for most, fits := range map[string]bool{"60": false, "600": true} {
		o, a := session.Options{Sources: []string{"-"}, Budget: maximum(most), Estimate: "chars/4", Overflow: "truncate"}, turnsOptions{CacheMin: noMinimum, Sweep: true}
		got := turnsOf(t, talk(6), o, a)
		check := func(ratio *float64, cost float64) {
			if (ratio != nil) != fits || fits && math.Abs(*ratio-cost/got.Totals[0].Cost) > 1e-9 {
				t.Errorf("%s: costs %v, %v of %v", most, cost, ratio, got.Totals[0].Cost)
			}
		}
		for _, p := range got.Totals {
			check(p.CostRatio, p.Cost)
		}
		for _, p := range got.Sweep {
			check(p.CostRatio, p.Cost)
		}
		musttest.Is(t, [2]bool{got.CostRatioLow != nil, got.CostRatioHigh != nil}, [2]bool{fits, fits}, most)
		a.Output, a.Sweep = "csv", false
		o.Sources = []string{musttest.File(t, "a.json", talk(6)), musttest.File(t, "b.json", talk(6))} // a row a plan of each
		rows := musttest.Of(csv.NewReader(strings.NewReader(printed(t, writeTurns, "", o, a))).ReadAll())(t)
		at := slices.Index(rows[0], "costRatio")
		for _, row := range rows[1:] {
			musttest.Is(t, row[at] != "", fits, row)
		}
	}
}

func TestTurnsAddsUpManySessions(t *testing.T) {
	o := session.Options{Budget: maximum("50"), Estimate: "chars/4", Overflow: "truncate"}
	var sum float64
	for n := range 9 {
		path := musttest.File(t, fmt.Sprintf("%d.json", n), talk(n+1))
		o.Sources = append(o.Sources, path)
		alone := turnsOf(t, "", session.Options{Sources: []string{path}, Budget: maximum("50"), Estimate: "chars/4", Overflow: "truncate"}, turnsOptions{})
		sum += alone.Totals[1].Cost
	}
	got := turnsOf(t, "", o, turnsOptions{Jobs: 3})
	if got.Sessions != 9 || len(got.Requests) != 0 || got.Totals[1].Requests != 45 || math.Abs(got.Totals[1].Cost-sum) > 1e-6 {
		t.Errorf("%+v, want a cost of %v", got, sum)
	}
	out := printed(t, writeTurns, "", o, turnsOptions{answerOptions: answerOptions{Output: "csv"}})
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 1+9*5 || rows[1][0] != o.Sources[0] || rows[1][1] != "all" {
		t.Errorf("%v, %d rows of CSV: %v", err, len(rows), rows[0])
	}
}

func TestTurnsInEveryForm(t *testing.T) {
	for _, form := range export.Forms() {
		o := session.Options{Sources: []string{"-"}, Budget: maximum("10"), Estimate: "chars/4", KeepPairs: true} // some requests do not fit
		if out, _, err := ran(writeTurns, talk(3), o, turnsOptions{answerOptions: answerOptions{Output: form}}); err != nil || out == "" {
			t.Errorf("%s: %v, %d bytes", form, err, len(out))
		}
	}
}

func TestChecksOfAllRequests(t *testing.T) {
	for _, c := range []struct {
		name, room, flags, want string
		code                    int
	}{
		{"the prefix survives", "60", "--min-prefix 30", "\nok", Fine},
		{"it does not", "60", "--min-prefix 50", "\nFAIL", Failed},
		{"cheap enough", "160", "--max-cost-ratio 2", "\nok", Fine},
		{"too dear", "160", "--max-cost-ratio 0.5", "\nFAIL", Failed},
		{"sending everything does not fit", "60", "--max-cost-ratio 2", "does not fit in 6 of 9 requests, so there is no ratio", Input},
	} {
		o := session.Options{Sources: []string{"-"}, Budget: maximum(c.room), Estimate: "chars/4", Overflow: "truncate"}
		out, _, err := ran(check, talk(9), o, checkOptions{Typed: typed(c.flags)})
		if (err != nil || c.code != Fine) && !ends(err, c.code) || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
	o := session.Options{Fixture: "agent", Budget: maximum("100k")}
	out, _, _ := ran(check, "", o, checkOptions{Typed: typed("--max-cost-ratio 1.325")})
	musttest.Says(t, out, "1.3250613823951236 times", "no verdict against equal numbers")
	o = session.Options{Sources: []string{"-"}, Budget: maximum("60")}
	if _, _, err := ran(check, `[{"page_content":"a text","metadata":{}}]`, o, checkOptions{Typed: typed("--min-prefix 1")}); !errors.Is(err, turns.ErrNoTurns) {
		t.Errorf("documents: %v", err)
	}
	if _, _, err := ran(writeTurns, `[{"page_content":"a text","metadata":{}}]`, o, turnsOptions{}); !errors.Is(err, turns.ErrNoTurns) {
		t.Errorf("documents: %v", err)
	}
}

// cached is a conversation logged as Anthropic answered it, of which the given
// numbers of tokens were read from the cache, of 1,000 a prompt.
func cached(reads ...int) string {
	var b strings.Builder
	for n, read := range reads {
		fmt.Fprintf(&b, `{"role":"user","content":"question number %d about the matter"}`+"\n", n)
		fmt.Fprintf(&b, `{"id":"m%d","type":"message","role":"assistant","content":[{"type":"text","text":"answer number %d to the question"}],`+
			`"usage":{"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":0,"output_tokens":6}}`+"\n", n, n, 1000-read, read)
	}
	return b.String()
}

// What the provider recorded stands beside what is predicted of the prompts that
// were really sent: request by request, for each session, and over all.
func TestTurnsSetsTheRecordBesideThePrediction(t *testing.T) {
	options := turnsOptions{CacheMin: noMinimum}
	o := session.Options{Budget: maximum("1000"), Estimate: "chars/4"}
	var errors []float64 // by session
	byName := map[string]float64{}
	for n, reads := range [][]int{{0, 500}, {0, 0, 0}, {0, 900, 950}, {1000}, {0, 333, 700, 800}, {10, 20}, {0, 600}} {
		path := musttest.File(t, fmt.Sprintf("%d.jsonl", n), cached(reads...))
		o.Sources = append(o.Sources, path)
		alone := turnsOf(t, "", session.Options{Sources: []string{path}, Budget: o.Budget, Estimate: o.Estimate}, options)
		// What was sent before a request is read, and all of it is sent again. What the first
		// one read was left by an earlier session. Where the record shows that the cache was
		// lost, no more is read than it says.
		sent, read, total, recorded := reads[0], 0, 0, 0
		for k, r := range alone.Requests {
			if r.Now {
				continue
			}
			if k > 0 && 4*reads[k] < 3*min(1000, sent) {
				sent = min(reads[k], alone.FixedPrefix)
			}
			if share := *r.RecordedShare; math.Abs(share-float64(reads[k])/1000) > 1e-9 || math.Abs(*r.PredictedShare-float64(sent)/float64(r.Tokens)) > 1e-9 {
				t.Errorf("session %d, request %d: predicted %v, recorded %v", n, k, *r.PredictedShare, share)
			}
			read, total, recorded = read+sent, total+r.Tokens, recorded+reads[k]
			sent = r.Tokens
		}
		predicted := float64(read) / float64(total)
		actual := float64(recorded) / float64(1000*len(reads))
		if f := alone.Recorded; len(f) != 1 || f[0].Requests != len(reads) || math.Abs(f[0].PredictedShare-predicted) > 1e-9 || math.Abs(f[0].RecordedShare-actual) > 1e-9 || math.Abs(f[0].Error-(predicted-actual)) > 1e-9 {
			t.Errorf("session %d: %+v, want %v and %v", n, f, predicted, actual)
		}
		errors = append(errors, math.Abs(predicted-actual))
		byName[path] = predicted - actual
	}
	got := turnsOf(t, "", o, options)
	slices.Sort(errors)
	if got.RecordedSessions != 7 || math.Abs(got.ReadErrorMedian-errors[3]) > 1e-9 || math.Abs(got.ReadErrorWorst-errors[6]) > 1e-9 {
		t.Errorf("%d sessions, median %v, worst %v; want those of %v", got.RecordedSessions, got.ReadErrorMedian, got.ReadErrorWorst, errors)
	}
	if len(got.Recorded) != 5 {
		t.Fatalf("%d sessions are named, want the five worst", len(got.Recorded))
	}
	for k, f := range got.Recorded {
		if math.Abs(math.Abs(f.Error)-errors[6-k]) > 1e-9 || math.Abs(byName[f.Name]-f.Error) > 1e-9 {
			t.Errorf("number %d is %+v, want an error of %v", k, f, errors[6-k])
		}
	}
	out := strings.Join(strings.Fields(printed(t, writeTurns, "", o, options)), " ")
	musttest.Says(t, out, turns.FromRecord)
	options.Output = "csv"
	rows := musttest.Of(csv.NewReader(strings.NewReader(printed(t, writeTurns, "", o, options))).ReadAll())(t)
	for _, row := range rows[1:] {
		predicted, recorded := row[len(row)-4], row[len(row)-3]
		if sent := row[2] == "all"; sent != (predicted != "") || sent != (recorded != "") {
			t.Errorf("%v", row)
		}
	}
}

// A session is billed by the cache of its model and the fixed part of its record, unless
// flags say otherwise; the answer says by what.
func TestTurnsAreBilledByTheModelOfTheSession(t *testing.T) {
	named := strings.ReplaceAll(cached(0, 500, 700), `"type":"message"`, `"type":"message","model":"claude-opus-4-5-20251101"`)
	o := session.Options{Sources: []string{"-"}, Budget: maximum("1000"), Estimate: "chars/4"}
	for _, c := range []struct {
		name string
		a    turnsOptions
		want []string
	}{
		{"its own", turnsOptions{}, []string{`"cache":"claude-opus-4-5"`, `"cacheMinimum":4096`, `"priceUnit":"dollars"`, `"inputPrice":5`,
			`"fixedPrefixFrom":"record"`, `"cacheUnverified":"price, minimum"`, `"recordedTokens":3000`, `"costRatioLow":`}},
		{"another model", turnsOptions{Cache: "claude-opus-4-1"}, []string{`"cache":"claude-opus-4-1"`, `"inputPrice":15`}},
		{"a preset, whose price nobody knows", turnsOptions{Cache: "anthropic-1h"}, []string{`"cache":"anthropic-1h"`, `"priceUnit":"input tokens"`, `"price":null`}},
		{"a price of one's own", turnsOptions{Price: "2"}, []string{`"cache":"claude-opus-4-5"`, `"priceUnit":"dollars"`}},
		{"a fixed part that is given", turnsOptions{Fixed: model.Some(model.Tokens(15_000))}, []string{`"fixedPrefix":15000`, `"fixedPrefixFrom":"given"`}},
	} {
		c.a.Output = "json"
		out := strings.ReplaceAll(printed(t, writeTurns, named, o, c.a), `": `, `":`)
		for _, want := range c.want {
			musttest.Says(t, out, want, c.name)
		}
	}
	out := printed(t, writeTurns, strings.ReplaceAll(named, "claude-opus-4-5-20251101", "gemini-9-pro"), o, turnsOptions{})
	musttest.Says(t, out, "the cache prices of gemini-9-pro are not known: those of anthropic-5m are used", "a model without a row")
	out = printed(t, writeTurns, talk(9), session.Options{Sources: []string{"-"}, Budget: maximum("60"), Estimate: "chars/4", Overflow: "truncate"}, turnsOptions{})
	for _, want := range []string{"that a log does not hold", "--fixed-prefix"} {
		musttest.Says(t, out, want)
	}
}

// No cost is compared with that of requests that do not fit, by which no agent could go.
func TestNothingIsComparedWithWhatDoesNotFit(t *testing.T) {
	for budget, fits := range map[string]bool{"12k": false, "16k": false, "200k": true} {
		o := session.Options{Fixture: "agent", Budget: maximum(budget)}
		out := printed(t, writeTurns, "", o, turnsOptions{Plans: []string{"anthropic-clear"}})
		for _, line := range strings.Split(out, "\n") {
			if name, _, _ := strings.Cut(line, "  "); name == "all" || name == "anthropic-clear" {
				musttest.Is(t, strings.HasSuffix(line, " as much") || strings.HasSuffix(line, " more") || strings.HasSuffix(line, " less"), fits, budget, line)
			}
		}
		musttest.Is(t, strings.Contains(out, "sending everything, with every usual cache"), fits, budget, out)
		musttest.Is(t, strings.Contains(out, "of the plans anthropic-clear costs least"), fits, budget, out)
	}
}

// agentTalk is a session of an agent: so many calls, whose results are 400 characters long.
func agentTalk(calls int) string {
	var b strings.Builder
	b.WriteString(`[{"role":"system","content":"Help."},{"role":"user","content":"Find the fault."}`)
	for n := range calls {
		tool := [...]string{"read", "bash"}[n%2]
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, n, tool)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, n, strings.Repeat(fmt.Sprintf("%03d ", n), 100))
	}
	return b.String() + `,{"role":"assistant","content":"Found."}]`
}

// A policy chooses among the sizes of items, which is ours; the other rows send whole items.
func TestTurnsCutsItems(t *testing.T) {
	o := session.Options{Fixture: "agent", Budget: maximum("16k"), Shrink: []string{"tool=500,note"}}
	got := turnsOf(t, "", o, turnsOptions{})
	cut, noted, shrank := 0, 0, false
	for _, r := range got.Requests {
		cut, noted = cut+len(r.Cut), noted+len(r.Cleared)
		shrank = shrank || r.Cause != nil && *r.Cause == "shrank"
		for _, i := range r.Cut {
			if !slices.Contains(r.IncludedIndexes, i) {
				t.Errorf("item %d is cut and not among %v", i, r.IncludedIndexes)
			}
		}
		for _, i := range r.Cleared {
			if slices.Contains(r.IncludedIndexes, i) {
				t.Errorf("the note of item %d is in, and it is too", i)
			}
		}
	}
	if cut == 0 || noted == 0 || !shrank {
		t.Errorf("%d cuts, %d notes, an item shrank: %v; want some", cut, noted, shrank)
	}
	for _, row := range got.Totals {
		musttest.Is(t, row.Ours, row.Strategy == "stateless" || row.Strategy == "watermark", row.Strategy, "ours")
	}
}

// The labels of one session are not those of another that has none: it is left out.
func TestLabelsOfTurnsAreOfTheirSession(t *testing.T) {
	one, other := musttest.File(t, "one.json", agentTalk(10)), musttest.File(t, "other.json", agentTalk(12))
	labels := musttest.File(t, "l.jsonl", `{"case":"one.json","item":"#3","relevance":1}`)
	out, told, err := ran(writeTurns, "", session.Options{Sources: []string{one, other}, Budget: maximum("100k"), Labels: labels}, turnsOptions{answerOptions: inJSON})
	musttest.Do(t, err)
	if got := musttest.JSON[turnsAnswer](t, out); len(got.Totals) == 0 || got.Totals[0].Recall == nil || !strings.Contains(told, "1 session left out") {
		t.Errorf("%s%s", out, told)
	}
}

// A source of which nothing can be used is an error by itself, and left out among others.
func TestASourceWithoutASession(t *testing.T) {
	good := musttest.File(t, "good.json", agentTalk(10))
	for _, text := range []string{"", "[]", "{}", `{"messages":[]}`, `{"items":[]}`, `{"messages":[{"role":"user","content":""}]}`, "a text\n"} {
		bad := musttest.File(t, "bad.txt", text)
		o := session.Options{Sources: []string{bad}, Budget: maximum("100k")}
		if out, _, err := ran(writeTurns, "", o, turnsOptions{}); err == nil {
			t.Errorf("%q: %s", text, out)
		}
		o.Sources = append(o.Sources, good)
		_, told, err := ran(writeTurns, "", o, turnsOptions{})
		musttest.Do(t, err)
		musttest.Says(t, told, "1 session left out")
	}
}

// With labels every plan has a recall, and a map names the pairs that nothing beats on both.
func TestTurnsOfWhatIsNeeded(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("100k"), Estimate: "chars/4", Labels: musttest.File(t, "l.jsonl", `{"case":"-","item":"#0","relevance":1}
{"case":"-","item":"#3","relevance":2}`)}
	a := turnsOptions{CacheMin: noMinimum, Map: "trigger=100+500,keep=0+40"}
	got := turnsOf(t, agentTalk(10), o, a)
	for _, row := range got.Totals {
		if row.Recall == nil || row.Strategy == "all" && *row.Recall != 1 {
			t.Errorf("%s: recall %v", row.Strategy, row.Recall)
		}
	}
	if len(got.Map) != 4 || *got.Map[0].Recall >= *got.Map[1].Recall || !got.Map[1].Unbeaten && !got.Map[3].Unbeaten {
		t.Errorf("keeping none and 40: %+v", got.Map)
	}
	out := printed(t, writeTurns, agentTalk(10), o, a)
	for _, want := range []string{"recall: share of the needed items so far", "no pair that always fits beats these on cost and recall both:\n  trigger 100, keep 0: "} {
		musttest.Says(t, out, want)
	}
}

func TestTurnsOfPlans(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("100k"), Estimate: "chars/4"}
	got := turnsOf(t, agentTalk(10), o, turnsOptions{CacheMin: noMinimum, Strategy: "clear", Plans: []string{
		"clear:trigger=500,keep=2,exclude=READ,each=once", "summarise:trigger=500,keep-tokens=100,summary=20", "vercel-prune",
	}})
	cleared := 0
	for _, r := range got.Requests {
		for _, i := range r.Cleared {
			if slices.Contains(r.IncludedIndexes, i) || i%4 != 1 { // the results of bash are every fourth item
				t.Errorf("cleared %v, included %v", r.Cleared, r.IncludedIndexes)
			}
		}
		if len(r.Cleared) > cleared && (r.Cause == nil || *r.Cause != "cleared") {
			t.Errorf("cause %v of a request that clears", r.Cause)
		}
		cleared = max(cleared, len(r.Cleared))
	}
	musttest.Is(t, got.OutputRatio, 5, "output ratio")
	n := len(got.Totals)
	last := got.Totals[n-3:]
	if cleared == 0 || last[0].Strategy != "clear" || *last[0].Plan != "clear:trigger=500,keep=2,keep-tokens=0,at-least=0,note=10,each=once,exclude=READ" ||
		last[1].Summaries == 0 || last[1].SummaryCost < float64(5*20*last[1].Summaries) || last[1].Requests != last[0].Requests ||
		last[2].Policy != "vercel-prune" || last[2].Strategy != "drop" || got.Totals[0].Plan != nil {
		t.Errorf("%d cleared, totals %+v", cleared, got.Totals)
	}
}

// A summary that leaves is what breaks a prompt, and no item.
func TestASummaryThatBreaksAPromptIsNoItem(t *testing.T) {
	a := turnsOptions{Strategy: "summarise", Plans: []string{"summarise:trigger=9k,keep=2,keep-tokens=3k"}}
	table := printed(t, writeTurns, "", session.Options{Fixture: "agent"}, a)
	summaries := 0
	for _, r := range turnsOf(t, "", session.Options{Fixture: "agent"}, a).Requests {
		switch {
		case r.Item != nil && *r.Item < 0:
			t.Errorf("item %d", *r.Item)
		case r.Cause != nil && r.Item == nil:
			summaries++
		}
	}
	if named := strings.Count(table, "  summary  "); summaries == 0 || named != summaries {
		t.Errorf("%d requests break at a summary, and the table names %d:\n%s", summaries, named, table)
	}
}

// A name that no tool has is told with the answer.
func TestAnUnknownToolOfAPlanIsTold(t *testing.T) {
	out, _, err := ran(writeTurns, agentTalk(3), session.Options{Sources: []string{"-"}, Budget: maximum("100k")}, turnsOptions{Plans: []string{"clear:exclude=raed+bash"}})
	if want := "exclude: no tool and no kind of an item is called raed\n"; err != nil || !strings.Contains(out, want) {
		t.Errorf("%v, want %s in %s", err, want, out)
	}
}

// The map has at each pair what the plan with these keys costs, over one session or many.
func TestTurnsMap(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("100k"), Estimate: "chars/4"}
	a := turnsOptions{CacheMin: noMinimum, Plans: []string{"clear:each=once"}, Map: "trigger=200+500+2k,keep=0+2"}
	got := turnsOf(t, agentTalk(10), o, a)
	musttest.Is(t, len(got.Map), 6, got.Map)
	least := 0
	for _, pair := range got.Map {
		alone := turnsOf(t, agentTalk(10), o, turnsOptions{CacheMin: noMinimum, Plans: []string{fmt.Sprintf("clear:each=once,trigger=%d,keep=%d", pair.First, pair.Second)}})
		if want := alone.Totals[len(alone.Totals)-1]; want.Cost != pair.Cost || want.Cost == 0 {
			t.Errorf("%+v, alone %+v", pair, want)
		}
		if pair.Least {
			least++
		}
	}
	musttest.Is(t, least, 1)
	a.Output = "csv"
	musttest.Is(t, strings.Count(printed(t, writeTurns, agentTalk(10), o, a), "\n"), 7)
	a.Output = ""
	musttest.Says(t, printed(t, writeTurns, agentTalk(10), o, a), "the cheapest that always fits: trigger 200, keep 0: 80 % less than chat")
	a = turnsOptions{CacheMin: noMinimum, Fixed: model.Some(model.Tokens(45_000)), Map: "at-least,trigger", answerOptions: answerOptions{Output: "csv"}}
	if out := printed(t, writeTurns, agentTalk(10), o, a); strings.Contains(out, "trigger=30000") || strings.Count(out, "\n") != 1+6*6 {
		t.Errorf("triggers below the fixed part, or not six of each: %s", out)
	}
	a.Output = ""
	musttest.Says(t, printed(t, writeTurns, agentTalk(10), o, a), "every window is over trigger 40,000, and lower ones: each begins with 45,000 tokens or more")
}

// What a recorded compaction took out and what was read again is listed, and nothing where
// there is none.
func TestTurnsCompactions(t *testing.T) {
	log := string(musttest.Of(os.ReadFile("../turns/testdata/compacted.jsonl"))(t))
	lines := strings.SplitAfter(log, "\n")
	// Without the answer between, the call that has the text of one that was taken out is a
	// new one too.
	atOnce := strings.Join(slices.Delete(lines, 6, 7), "")
	for text, want := range map[string]int{log: 1, atOnce: 1, agentTalk(3): 0} {
		got := turnsOf(t, text, session.Options{Sources: []string{"-"}, Budget: maximum("100k"), Estimate: "chars/4"}, turnsOptions{Compact: true})
		if len(got.Compactions) != want || len(got.Again) != want {
			t.Fatalf("%d wanted: %+v", want, got)
		}
		if want == 1 && (got.Again[0].Sign != "same call" || got.Again[0].Tokens < 50 || got.Compactions[0].TokensAgain != got.Again[0].Tokens || got.Compactions[0].Gone != 3) {
			t.Errorf("%+v", got)
		}
	}
}

// The lists of items grow with the square of a session, so CSV has them on demand only.
func TestTurnsListsItemsInCSVOnDemand(t *testing.T) {
	run := func(a turnsOptions, sources ...string) ([][]string, error) {
		a.CacheMin, a.Strategy, a.Plans = noMinimum, "clear", []string{"clear:trigger=500,keep=2,each=once"}
		out, _, err := ran(writeTurns, agentTalk(10), session.Options{Sources: sources, Budget: maximum("100k"), Estimate: "chars/4"}, a)
		return musttest.Of(csv.NewReader(strings.NewReader(out)).ReadAll())(t), err
	}
	asCSV := answerOptions{Output: "csv"}
	short := musttest.Of(run(turnsOptions{answerOptions: asCSV}, "-"))(t)
	long := musttest.Of(run(turnsOptions{answerOptions: asCSV, Included: true}, "-"))(t)
	if len(short) != len(long) || len(long) < 2 {
		t.Fatalf("%d rows without the lists, %d with them", len(short), len(long))
	}
	items, of, cleared := slices.Index(long[0], "items"), slices.Index(long[0], "includedIndexes"), slices.Index(long[0], "cleared")
	for k, row := range long {
		if k > 0 {
			listed := musttest.JSON[[]int](t, row[of])
			musttest.Is(t, fmt.Sprint(len(listed)), row[items], "request", k, "lists")
		}
		musttest.Is(t, short[k], slices.Delete(row, min(of, cleared), max(of, cleared)+2), "without the lists the row")
	}
}

// heldAtRows is how many bytes are held when the first rows are written, after the headings, and how
// many are written in all.
type heldAtRows struct{ writes, held, written int }

func (h *heldAtRows) Write(p []byte) (int, error) {
	if h.writes++; h.writes == 2 {
		h.held = heapInUse()
	}
	h.written += len(p)
	return len(p), nil
}

func heapInUse() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// The lists of items are written as they are made: all of them take more than what they are made of.
func TestTurnsStreamsTheListsOfItems(t *testing.T) {
	musttest.Alone(t)
	text, out := talk(2500), heldAtRows{}
	before := heapInUse()
	musttest.Do(t, writeTurns(t.Context(), session.Options{Sources: []string{"-"}, Budget: maximum("1m"), Estimate: "chars/4"},
		turnsOptions{answerOptions: answerOptions{Output: "csv"}, Included: true}, Streams{In: strings.NewReader(text), Out: &out, Err: io.Discard}))
	if out.written < 8*len(text) || out.held-before > out.written/2 {
		t.Errorf("%d bytes are held when the first rows of %d bytes are written", out.held-before, out.written)
	}
}
