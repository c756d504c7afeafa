package export

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// sample holds an item of every fate.
func sample(t *testing.T) *model.Set {
	t.Helper()
	hint := model.Some[float64]
	set, err := model.NewSet([]model.Item{
		{Content: "You are a helpful assistant.", Tokens: 200, Kind: model.SystemPrompt, Pinned: true},
		{Content: "the \x1b[31mlast\x1b[0m question\nin two lines", Tokens: 60, FutureRelevanceHint: hint(.98)},
		{Content: "grep -rn Mutex", Tokens: 1480, Kind: model.ToolOutput, Source: model.Tool, FutureRelevanceHint: hint(.7)},
		{Content: "marker", Tokens: 0, Kind: "Marker"},
		{Content: "store.go", Tokens: 500, Kind: model.Document, Count: model.Estimated, FutureRelevanceHint: hint(.5)},
		{Content: "store.go", Tokens: 500, Kind: model.Document, FutureRelevanceHint: hint(.4)},
		{Content: "withdrawn", Tokens: -5},
		{Content: "prefers tables", Tokens: 88, Kind: model.Memory, FutureRelevanceHint: hint(.1)},
		{Content: "<taken out & gone>", Tokens: 40, FutureRelevanceHint: hint(.9), Tags: []string{"a"}},
		{Content: "summary", Tokens: 700, FutureRelevanceHint: hint(.2)},
	})
	musttest.Do(t, err)
	set = musttest.Of(set.With(model.Edits{Excluded: map[int]bool{8: true}}))(t)
	return set
}

func run(t *testing.T, set *model.Set, f model.BudgetFields, overflow model.OverflowStrategy) (*model.Report, *simulate.Profile) {
	t.Helper()
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Overflow = overflow
	pipe := musttest.Of(pipeline.New(policy))(t)
	r := musttest.Of(pipe.Rank(context.Background(), set))(t)
	b := musttest.Of(model.NewBudget(f))(t)
	report := musttest.Of(r.DryRun(b))(t)
	p := musttest.Of(simulate.NewProfile(context.Background(), r, b, 4000))(t)
	return report, p
}

var sampleBudget = model.BudgetFields{
	MaxTokens: 1500, OutputReserve: 300,
	ReservedSlots: []model.Slot{{Kind: model.Memory, Tokens: 100}}, SafetyMargin: 10,
}

// TestGoldenTables holds tables of items of every fate, complete: all that can be known, and what is known without a profile.
func TestGoldenTables(t *testing.T) {
	report, profile := run(t, sample(t), sampleBudget, model.Throw)
	atRisk, _, err := profile.AtRisk(report.Budget, 200)
	musttest.Do(t, err)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Name = "mine"
	for name, options := range map[string]ReportOptions{
		"table":       {Basis: Basis{Name: "a\x1b]0;b\a.jsonl", Format: "items", Policy: policy}, Notes: []string{"budget guessed"}, AtRisk: atRisk, Slack: 200, Profile: profile},
		"table-ascii": {Basis: Basis{Name: "b", Format: "items"}, ASCII: true},
	} {
		options.Why = Words(t.Context(), profile.Ranking(), report, options.ASCII)
		goldentest.Check(t, filepath.Join("testdata", name+".golden"), written(t, ReportSheet(report, options), AsTable))
	}
}

func TestTableOfAnOverflow(t *testing.T) {
	report, profile := run(t, sample(t), model.BudgetFields{MaxTokens: 300, TargetTokens: model.Some[model.Tokens](150)}, model.Proceed)
	got := written(t, ReportSheet(report, ReportOptions{Why: Words(t.Context(), profile.Ranking(), report, false)}), AsTable)
	for _, want := range []string{
		"room 0 = target 150 - 200 " + plain.Pinned + ", 50 missing\n",
		"there is no room\n",
		"overflow: 50 tokens over the target of 150\n",
	} {
		musttest.Says(t, got, want)
	}
}

// What is held gives way: no more is taken off than there is of it.
func TestTableOfHeldTokensThatGiveWay(t *testing.T) {
	report, profile := run(t, sample(t), model.BudgetFields{MaxTokens: 300, ReservedSlots: []model.Slot{{Kind: model.Memory, Tokens: 150}}}, model.Throw)
	got := written(t, ReportSheet(report, ReportOptions{Why: Words(t.Context(), profile.Ranking(), report, false)}), AsTable)
	musttest.Says(t, got, "room 0 = budget 300 - 200 pinned - 100 of 150 held for memory\n")
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		reason model.Reason
		want   string
	}{
		{model.Reason{Code: model.Pinned}, plain.Pinned},
		{model.Reason{Code: model.Scored}, "fits"},
		{model.Reason{Code: model.ZeroToken}, "fits, costs nothing"},
		{model.Reason{Code: model.BudgetExceeded, Tokens: 2480, Available: 512}, "needs 2,480, 512 free"},
		{model.Reason{Code: model.BudgetExceeded, Tokens: 5, Available: 5}, "needs 5, 5 free"},
		{model.Reason{Code: model.Deduplicated, By: 57}, CodeWord(model.Deduplicated) + " of #57"},
		{model.Reason{Code: model.NegativeTokens, Tokens: -5}, "negative tokens"},
		{model.Reason{Code: model.PinnedOverride, By: 3}, CodeWord(model.PinnedOverride)},
		{model.Reason{Code: model.CountCapExceeded, Kind: "To\x1b[1mol", Cap: 3, Taken: 3}, "Tool cap 3 reached"},
		{model.Reason{Code: model.Filtered, Filter: "user"}, "excluded by user"},
		{model.Reason{Code: model.Filtered, Filter: "age"}, "excluded by age"},
		{model.Reason{Code: model.ScoredTooLow}, "ScoredTooLow"},
	} {
		musttest.Is(t, codeWords(c.reason), c.want, c.reason.Code)
	}
}

// TestJSON is one report in JSON, complete but for the durations.
func TestJSON(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "<a & b>", Tokens: 30, Pinned: true, Timestamp: model.Some(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), Priority: model.Some[int64](7)},
		{Content: "b", Tokens: 20, FutureRelevanceHint: model.Some(.5), Count: model.Estimated},
		{Content: "c", Tokens: 90, Kind: model.Document, Tags: []string{"t"}, Metadata: map[string]any{"z": 1, "a": json.Number("1.50")}},
		{Content: "b", Tokens: 20, OriginalTokens: model.Some[model.Tokens](25)},
		{Content: "d", Tokens: -1},
	}))(t)
	report, profile := run(t, set, model.BudgetFields{MaxTokens: 80, TargetTokens: model.Some[model.Tokens](60), OutputReserve: 10}, model.Throw)
	for i := range report.Stages {
		report.Stages[i].Duration = 1500 * time.Microsecond
	}
	var indented, got bytes.Buffer
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Name, policy.Slicer = "mine", model.Knapsack
	o := ReportOptions{Basis: Basis{Name: "a.json", Format: "items", Policy: policy, Guess: "guessed"}, AtRisk: []int32{1}, Slack: 9, Profile: profile, Timings: true}
	musttest.Do(t, JSON(&indented, report, o))
	if !strings.HasSuffix(indented.String(), "}\n") || strings.Contains(indented.String(), `\u003c`) {
		t.Errorf("no newline at the end, or escapes for HTML: %s", indented.String())
	}
	musttest.Do(t, json.Compact(&got, indented.Bytes()))
	want := `{"schema":"cupelscope/report/1","name":"a.json","format":"items","policy":{"name":"mine","modified":false,"slicer":"knapsack:100","placer":"chronological","overflow":"throw",` +
		`"notCupel":[],"definition":{"name":"mine","scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack","placerType":"chronological","deduplicationEnabled":true,"overflowStrategy":"throw"}},` +
		`"budget":{"maxTokens":80,"targetTokens":60,"outputReserve":10},"budgetGuessed":true,"estimatedCounts":1,"slackTokens":9,"ceiling":4000,` +
		`"effective":{"maxTokens":40,"targetTokens":30},` +
		`"included":[` +
		`{"index":0,"score":1,"reason":"Pinned","firstIn":50,"staysFrom":50,"atRisk":false,"item":{"content":"<a & b>","tokens":30,"kind":"Message","source":"Chat","priority":7,"timestamp":"2026-01-02T03:04:05Z","pinned":true}},` +
		`{"index":1,"score":0.5,"reason":"Scored","firstIn":70,"staysFrom":70,"atRisk":true,"item":{"content":"b","tokens":20,"count":"estimated","kind":"Message","source":"Chat","futureRelevanceHint":0.5}}],` +
		`"excluded":[` +
		`{"index":4,"score":0,"reason":"NegativeTokens","tokens":-1,"firstIn":null,"staysFrom":null,"item":{"content":"d","tokens":-1,"kind":"Message","source":"Chat"}},` +
		`{"index":3,"score":0,"reason":"Deduplicated","deduplicatedAgainst":1,"firstIn":null,"staysFrom":null,"item":{"content":"b","tokens":20,"kind":"Message","source":"Chat","originalTokens":25}},` +
		`{"index":2,"score":0,"reason":"BudgetExceeded","itemTokens":90,"availableTokens":10,"firstIn":160,"staysFrom":160,"item":{"content":"c","tokens":90,"kind":"Document","source":"Chat","tags":["t"],"metadata":{"a":1.50,"z":1}}}],` +
		`"totalTokens":50,"totalCandidates":5,"totalTokensConsidered":159,"utilization":0.625,"value":0.5,"filled":0.6666666666666666,` +
		`"stages":[{"stage":"Classify","durationMs":1.5,"itemsIn":5,"itemsOut":4},{"stage":"Score","durationMs":1.5,"itemsIn":3,"itemsOut":3},` +
		`{"stage":"Deduplicate","durationMs":1.5,"itemsIn":3,"itemsOut":2},{"stage":"Slice","durationMs":1.5,"itemsIn":2,"itemsOut":1},{"stage":"Place","durationMs":1.5,"itemsIn":2,"itemsOut":2}],` +
		`"shortfalls":[]}`
	musttest.Is(t, got.String(), want)
}

func TestJSONOfReasonsAndOverflow(t *testing.T) {
	overflow, _ := run(t, sample(t), model.BudgetFields{MaxTokens: 300, TargetTokens: model.Some[model.Tokens](150)}, model.Proceed)
	overflow.Shortfalls = []model.Shortfall{{Kind: model.Memory, Required: 3, Satisfied: 1}}
	overflow.Scores = append([]float64(nil), overflow.Scores...)
	overflow.Scores[2], overflow.Scores[4] = math.NaN(), math.Inf(1)
	var out bytes.Buffer
	musttest.Do(t, JSON(&out, overflow, ReportOptions{NoContent: true}))
	got := musttest.JSON[struct {
		Included, Excluded []struct {
			Index       int
			Score       *float64
			Reason      string
			DisplacedBy *int
			FilterName  string
			Item        map[string]any
		}
		Overflow struct {
			TokensOverBudget int
			Indexes          []int
		}
		Shortfalls []struct{ RequiredCount, SatisfiedCount int }
	}](t, out.Bytes())
	seen := make([]int, overflow.Items.Len())
	for _, e := range append(got.Included, got.Excluded...) {
		seen[e.Index]++
		if _, ok := e.Item["content"]; ok {
			t.Errorf("item %d has content", e.Index)
		}
		musttest.Is(t, e.Score == nil, e.Index == 2 || e.Index == 4, "item", e.Index, "score", e.Score)
		switch e.Index {
		case 1, 7:
			if e.Reason != "PinnedOverride" || e.DisplacedBy == nil || *e.DisplacedBy != 0 {
				t.Errorf("item %d: %+v, want PinnedOverride by 0", e.Index, e)
			}
		case 8:
			musttest.Is(t, e.Reason, "Filtered", "item 8", e, "Filtered by the user")
			musttest.Is(t, e.FilterName, "user", "item 8", e, "Filtered by the user")
		}
	}
	for i, n := range seen {
		musttest.Is(t, n, 1, "item", i, "is there")
	}
	if got.Overflow.TokensOverBudget != 50 || len(got.Overflow.Indexes) != 1 || len(got.Shortfalls) != 1 || got.Shortfalls[0].RequiredCount != 3 {
		t.Errorf("overflow %+v, shortfalls %+v", got.Overflow, got.Shortfalls)
	}
}

// failing is a writer that is full.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

var errFull = json.Unmarshal([]byte("{"), new(any)) // any error will do

func TestWriteErrorsAreReturned(t *testing.T) {
	report, profile := run(t, sample(t), sampleBudget, model.Throw)
	musttest.Is(t, Write(t.Context(), failing{}, AsTable, ReportSheet(report, ReportOptions{Profile: profile, Why: Words(t.Context(), profile.Ranking(), report, false)})), errFull, "Table")
	musttest.Is(t, JSON(failing{}, report, ReportOptions{}), errFull, "JSON")
}

// FuzzTable: whatever an item holds, a table has a line for each and nothing
// that a terminal would act on.
func FuzzTable(f *testing.F) {
	f.Add("plain", "Message")
	f.Add("\x1b[2Jesc \u202e right\r\nto left", "k\x9bi\tnd")
	f.Add("\xff\xfe", "\u200b.")
	f.Fuzz(func(t *testing.T, content, kind string) {
		set, err := model.NewSet([]model.Item{{Content: content, Kind: model.Kind(kind), Tokens: 5}, {Content: "x" + content, Tokens: 500}})
		if err != nil {
			t.Skip() // not an item
		}
		report, profile := run(t, set, model.BudgetFields{MaxTokens: 10}, model.Throw)
		out := written(t, ReportSheet(report, ReportOptions{Basis: Basis{Name: content}, Profile: profile, Why: Words(t.Context(), profile.Ranking(), report, false)}), AsTable)
		if !utf8.ValidString(out) {
			t.Fatalf("not UTF-8: %q", out)
		}
		if n := strings.Count(out, "\n"); n < 7 || n > 8 {
			t.Fatalf("%d lines: %q", n, out)
		}
		for _, r := range out {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%U in %q", r, out)
			}
		}
	})
}

// FuzzPage: whatever an item and the names hold, they stay in the data of the page: the rest
// of it is as it was written, a browser reads back the text, and a terminal obeys none of it.
func FuzzPage(f *testing.F) {
	f.Add("plain", "chat.json")
	f.Add("</script><!--<script>alert(1)</script>", "{{data}}")
	f.Add("\x1b[2J\u2028\u202e\x9b", "\xff&\"'")
	f.Fuzz(func(t *testing.T, content, name string) {
		set, err := model.NewSet([]model.Item{{Content: content, Kind: model.Kind(name), Tokens: 5}, {Content: "x" + content, Tokens: 500}})
		if err != nil {
			t.Skip() // not an item
		}
		report, profile := run(t, set, model.BudgetFields{MaxTokens: 10}, model.Throw)
		var out bytes.Buffer
		musttest.Do(t, Page(&out, report, ReportOptions{Basis: Basis{Name: name, Format: name}, Notes: []string{name}, Profile: profile, Why: Words(t.Context(), profile.Ranking(), report, false)}))
		before, after, _ := bytes.Cut(pageHTML, []byte(pageData))
		rest, begins := bytes.CutPrefix(out.Bytes(), before)
		text, ends := bytes.CutSuffix(rest, after)
		if !begins || !ends || bytes.ContainsAny(text, "<>&") {
			t.Fatalf("the page is not as it was written: %.300q", text)
		}
		var data page
		if err := json.Unmarshal(text, &data); err != nil || data.Items[0].Text != strings.ToValidUTF8(set.Loaded(0).Content, "\ufffd") {
			t.Fatalf("%v, %+v", err, data.Items)
		}
		for _, r := range string(text) {
			if obeyed(r) {
				t.Fatalf("%U in %q", r, text)
			}
		}
	})
}

// While a page without texts is written it takes no more memory than CONTRIBUTING.md says, and no more where it is
// refused as too large: all that is allocated counts, whenever it is let go.
func TestMemoryOfAPage(t *testing.T) {
	const most = 40 // MiB
	for n, says := range map[int]string{4000: "", 9000: "more than the 1,048,576 bytes"} {
		items := make([]model.Item, n)
		for i := range items {
			items[i] = model.Item{Content: fmt.Sprint(i), Tokens: model.Tokens(5 + i*i%600), FutureRelevanceHint: model.Some(float64(i*i%997) / 997)}
		}
		set := musttest.Of(model.NewSet(items))(t)
		rule := model.ShrinkRule{Kind: model.AnyKind, To: []model.Tokens{100, 20}, Note: true}
		set = musttest.Of(set.With(set.Edits().WithShrink(model.Shrink{Rules: []model.ShrinkRule{rule}})))(t)
		report, profile := run(t, set, model.BudgetFields{MaxTokens: 3000}, model.Throw)
		o := ReportOptions{Profile: profile, NoContent: true, Why: Words(t.Context(), profile.Ranking(), report, false)}
		var before, after runtime.MemStats
		var out bytes.Buffer
		out.Grow(pageBytes)
		runtime.ReadMemStats(&before)
		err := Page(&out, report, o)
		runtime.ReadMemStats(&after)
		if says == "" {
			musttest.Do(t, err)
		} else {
			musttest.Says(t, err, says)
		}
		took := after.TotalAlloc - before.TotalAlloc
		if t.Logf("%d items: %d bytes, %d allocated", n, out.Len(), took); took > most<<20 {
			t.Errorf("%d items: %d bytes are allocated, want at most %d MiB", n, took, most)
		}
	}
	text := musttest.Of(os.ReadFile("../../.github/CONTRIBUTING.md"))(t)
	musttest.Says(t, string(text), fmt.Sprintf("\n| memory while a page without texts is written, of at most 1 MiB: %d MiB | `TestMemoryOfAPage` |", most))
}

// What a terminal obeys must not come out of a document printed to it.
func TestJSONEscapesControls(t *testing.T) {
	var b bytes.Buffer
	buffered := bufio.NewWriter(&b)
	e := &controlEscaper{to: buffered}
	for _, part := range []string{"\"a\u009b31m\x7f b \xc2", "\x85 é \u00a0 ÿ\"", "ü\xe2", "\x80", "\xae\u2066\u061c\u2067", "世"} { // a character may come in two parts
		if n, err := e.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	musttest.Do(t, buffered.Flush())
	musttest.Is(t, b.String(), `"a\u009b31m\u007f b \u0085 é `+"\u00a0"+` ÿ"ü\u202e\u2066\u061c\u2067世`)
}

// TestSchemasReferToNoOtherFile: what a schema refers to is a definition of its own.
func TestSchemasReferToNoOtherFile(t *testing.T) {
	refs := 0
	for _, name := range SchemaNames() {
		text := musttest.Of(SchemaOf(name))(t)
		doc := musttest.JSON[struct {
			Defs map[string]any `json:"$defs"`
		}](t, text)
		for _, ref := range regexp.MustCompile(`"\$ref": "(.*)"`).FindAllStringSubmatch(string(text), -1) {
			refs++
			if doc.Defs[strings.TrimPrefix(ref[1], "#/$defs/")] == nil {
				t.Errorf("%s refers to %s", name, ref[1])
			}
		}
	}
	if _, err := SchemaOf("common"); refs == 0 || err == nil || !strings.Contains(err.Error(), "sweep") {
		t.Errorf("%d references; what has no schema: %v", refs, err)
	}
}

// TestEveryObstacleHasItsWords holds that every obstacle can be said in a column of 12
// cells and in a sentence, with the room and with a share of it.
func TestEveryObstacleHasItsWords(t *testing.T) {
	report := &model.Report{Effective: model.Effective{Target: 900}}
	for o := simulate.NoRoom; o <= simulate.Unknown; o++ {
		for _, kind := range []model.Kind{"", "ToolOutput"} {
			for _, share := range []model.Tokens{0, 700} {
				why := WhyOut(simulate.Reason{Obstacle: o, Tokens: 1301, Charged: 1400, Bucket: 100, Left: 1, Short: 401, Kind: kind, Share: share, By: 123}, report, model.Policy{Slicer: model.Knapsack}, false)
				if len(why.Forms) == 0 || why.Clause == "" {
					t.Fatalf("obstacle %d of kind %q has no words", o, kind)
				}
				for i, form := range why.Forms {
					if i > 0 && plain.Width(form) > plain.Width(why.Forms[i-1]) {
						t.Errorf("obstacle %d: %q is behind %q, which is shorter", o, form, why.Forms[i-1])
					}
				}
				if last := why.Forms[len(why.Forms)-1]; plain.Width(last) > 12 {
					t.Errorf("obstacle %d: %q does not fit into 12 cells", o, last)
				}
			}
		}
	}
}
