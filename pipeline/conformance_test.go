package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// conformanceVariable names a folder of test vectors to run in place of our
// own: the public ones of the Cupel specification, for instance.
const conformanceVariable = "CUPEL_CONFORMANCE"

// TestConformance runs every vector of a folder, one sub-test each. The format
// is that of the Cupel specification, chapter Test Vector Format, with the
// additions that fixtures/vectors/README.md lists. Package itemset reads what is
// done, so that a key that is not known fails; this test reads what must come of
// it. Each vector runs as it is given, and once more as it opens in the explorer.
func TestConformance(t *testing.T) {
	folder := os.Getenv(conformanceVariable)
	if folder == "" {
		folder = filepath.Join("..", "fixtures", "vectors")
	}
	ran := map[string]int{}
	musttest.Do(t, fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".toml") {
			return err
		}
		t.Run(path, func(t *testing.T) {
			text := musttest.Of(fs.ReadFile(os.DirFS(folder), path))(t)
			v := readWanted(t, text)
			ran[v.Test.Stage]++
			l, err := itemset.Read(context.Background(), path, text, itemset.Options{})
			if v.Test.ConstructionFails {
				musttest.As[*model.PolicyError](t, err, "construction")
				return
			}
			musttest.Do(t, err)
			v.opened = l
			v.given(t)
			v.asOpened(t)
		})
		return nil
	}))
	for _, stage := range []string{"scoring", "slicing", "placing", "pipeline"} {
		if ran[stage] == 0 {
			t.Errorf("no vector of stage %s ran", stage)
		}
	}
	t.Log("vectors that ran:", ran)
}

// vector is a vector to run, and what must come of it.
type vector struct {
	Test struct {
		Name, Stage       string
		ConstructionFails bool `toml:"expect_construction_error"`
	}
	Items          []givenItem
	ScoredItems    []givenItem `toml:"scored_items"`
	Expected       toml.Primitive
	ExpectedOutput []struct{ Content string } `toml:"expected_output"`
	Tolerance      struct {
		Epsilon float64 `toml:"score_epsilon"`
	}

	scores []wantedScore // [[expected]] of the stage scoring
	want   wanted        // [expected] of the others
	opened *itemset.Loaded
}

// givenItem is what opening an item as a scenario may change.
type givenItem struct {
	Score float64
	Hint  *float64 `toml:"futureRelevanceHint"`
}

type wantedScore struct {
	Content string
	Score   float64 `toml:"score_approx"`
}

// diagnosis is what a report must say of an item: its reason, spelled as
// model.Code does, and the data of that reason.
type diagnosis struct {
	Content         string
	Score           float64      `toml:"score_approx"`
	Inclusion       string       `toml:"inclusion_reason"`
	Exclusion       string       `toml:"exclusion_reason"`
	Tokens          model.Tokens // NegativeTokens
	ItemTokens      model.Tokens `toml:"item_tokens"`
	AvailableTokens model.Tokens `toml:"available_tokens"`
	Against         string       `toml:"deduplicated_against"`
	DisplacedBy     string       `toml:"displaced_by"`
	Kind            string       // CountCapExceeded
	Cap, Count      int          // CountCapExceeded
	Filter          string       // Filtered
}

// wanted is [expected] of all stages but scoring. What is nil is not said.
type wanted struct {
	Selected       []string `toml:"selected_contents"`
	Ordered        []string `toml:"ordered_contents"`
	Error          string
	ShortfallCount *int `toml:"shortfall_count"`
	Shortfalls     []struct {
		Kind      model.Kind
		Required  int `toml:"required_count"`
		Satisfied int `toml:"satisfied_count"`
	}
	CapExcluded *int          `toml:"cap_excluded_count"`
	TokensOver  *model.Tokens `toml:"tokens_over"`
	Diagnostics struct {
		Summary struct {
			Candidates *int          `toml:"total_candidates"`
			Considered *model.Tokens `toml:"total_tokens_considered"`
		}
		Included, Excluded []diagnosis
	}
}

// defaultEpsilon is the tolerance of scores when a vector gives none.
const defaultEpsilon = 1e-9

// readWanted reads what must come of a vector; a key there that is not known fails.
func readWanted(t *testing.T, text []byte) *vector {
	t.Helper()
	v := new(vector)
	meta := musttest.Of(toml.Decode(string(text), v))(t)
	if meta.IsDefined("expected") {
		var to any = &v.want
		if v.Test.Stage == "scoring" {
			to = &v.scores
		}
		musttest.Do(t, meta.PrimitiveDecode(v.Expected, to))
	}
	for _, key := range meta.Undecoded() {
		if slices.Contains([]string{"expected", "expected_output", "tolerance"}, key[0]) {
			t.Errorf("%s is not known", key)
		}
	}
	if !(v.Tolerance.Epsilon > 0) || math.IsInf(v.Tolerance.Epsilon, 0) {
		v.Tolerance.Epsilon = defaultEpsilon
	}
	return v
}

// scenario is the vector as it opened.
func (v *vector) scenario() model.Scenario { return v.opened.Scenario.Value }

// set is the items as the vector gives them: with hints that are not finite numbers,
// and none made of scores.
func (v *vector) set(t *testing.T) *model.Set {
	t.Helper()
	s := v.scenario()
	items := make([]model.Item, s.Items.Len())
	for i := range items {
		items[i] = *s.Items.Loaded(i)
		items[i].FutureRelevanceHint = model.Option[float64]{}
		if v.ScoredItems == nil && v.Items[i].Hint != nil {
			items[i].FutureRelevanceHint = model.Some(*v.Items[i].Hint)
		}
	}
	set, err := model.NewSet(items)
	if err == nil {
		set, err = set.With(model.Edits{Excluded: s.Items.Edits().Excluded})
	}
	musttest.Do(t, err)
	return set
}

// given runs the vector as it is given.
func (v *vector) given(t *testing.T) {
	p := v.scenario().Policy
	var scores given
	for _, it := range append(slices.Clone(v.Items), v.ScoredItems...) {
		scores = append(scores, it.Score)
	}
	switch v.Test.Stage {
	case "scoring":
		s := musttest.Of(scorer.FromPolicy(p.Scorers))(t)
		v.checkScores(t, assembled(t, Parts{Scorer: s}, v.set(t)))
	case "slicing":
		s := musttest.Of(slicer.FromPolicy(p))(t)
		v.check(t, assembled(t, Parts{Scorer: scores, Slicer: s, Overflow: model.Proceed}, v.set(t)))
	case "placing":
		pipe := musttest.Of(New(p))(t)
		parts := Parts{Scorer: scores, Slicer: takeAll{}, Placer: pipe.parts.Placer, Overflow: model.Proceed}
		v.checkOrder(t, dryRun(t, assembled(t, parts, v.set(t)), model.BudgetFields{}), v.want.Ordered)
	case "pipeline":
		v.checkAll(t, rankOf(t, p, v.set(t)))
	}
}

func (v *vector) checkScores(t *testing.T, r *Ranking) {
	t.Helper()
	if len(v.scores) != len(v.Items) || len(v.Items) == 0 {
		t.Fatalf("%d scores expected of %d items: want one for each", len(v.scores), len(v.Items))
	}
	for i, w := range v.scores {
		if got := r.Scores()[i]; v.content(i) != w.Content || !(math.Abs(got-w.Score) < v.Tolerance.Epsilon) {
			t.Errorf("%s: %v, want %v", w.Content, got, w.Score)
		}
	}
}

func (v *vector) content(i int) string { return v.scenario().Items.Loaded(i).Content }

func (v *vector) checkOrder(t *testing.T, report *model.Report, want []string) {
	t.Helper()
	musttest.Is(t, v.contents(report.Included), want, "placed")
}

func (v *vector) checkAll(t *testing.T, r *Ranking) {
	t.Helper()
	if report := v.check(t, r); report != nil {
		v.checkOrder(t, report, v.output())
		v.diagnostics(t, report)
	}
}

// asOpened runs the scenario that the vector became. Scores that no hint can give
// are told in the report of the reader.
func (v *vector) asOpened(t *testing.T) {
	l, s := v.opened, v.scenario()
	if l.Format != itemset.Vectors || !l.Scenario.Set || l.Set != s.Items || v.Test.Name != s.Name {
		t.Fatalf("opened as %s, scenario %v called %q", l.Format, l.Scenario.Set, s.Name)
	}
	outside := slices.ContainsFunc(append(slices.Clone(v.Items), v.ScoredItems...), func(it givenItem) bool { return !(0 <= it.Score && it.Score <= 1) })
	musttest.Is(t, strings.Contains(l.Report.Summary(), "scores outside 0 to 1"), outside, "scores outside 0 to 1, and the report is", l.Report.Summary())
	if outside {
		return
	}
	r := rankOf(t, s.Policy, s.Items)
	switch v.Test.Stage {
	case "scoring":
		v.checkScores(t, r)
	case "slicing":
		v.check(t, r)
	case "placing":
		report := musttest.Of(r.DryRun(s.Budget))(t)
		v.checkOrder(t, report, v.want.Ordered)
	case "pipeline":
		v.checkAll(t, r)
	}
	if v.Test.Stage == "scoring" || v.Test.Stage == "placing" {
		musttest.Is(t, len(musttest.Of(r.DryRun(s.Budget))(t).Included), len(v.Items))
	}
}

// check runs at the budget and holds the report to all that is wanted but the
// order and the diagnostics. The report is nil where an error was expected and
// met.
func (v *vector) check(t *testing.T, r *Ranking) *model.Report {
	t.Helper()
	want := &v.want
	report, err := r.DryRun(v.scenario().Budget)
	if want.Error != "" {
		musttest.Is(t, errorName(err), want.Error, "error", err)
		return nil
	}
	musttest.Do(t, err)
	if want.Selected != nil {
		got := v.contents(report.Included)
		slices.Sort(got)
		musttest.Is(t, got, slices.Sorted(slices.Values(want.Selected)), "selected")
	}
	if n := want.ShortfallCount; n != nil && len(report.Shortfalls) != *n {
		t.Errorf("shortfalls %v, want %d", report.Shortfalls, *n)
	}
	if all := want.Shortfalls; all != nil {
		var shortfalls []model.Shortfall
		for _, s := range all {
			shortfalls = append(shortfalls, model.Shortfall(s))
		}
		musttest.Is(t, report.Shortfalls, shortfalls, "shortfalls")
	}
	if n := want.CapExcluded; n != nil {
		got := 0
		for _, code := range report.Codes {
			if code == model.CountCapExceeded {
				got++
			}
		}
		musttest.Is(t, got, *n)
	}
	if n := want.TokensOver; n != nil && (report.Overflow == nil || report.Overflow.TokensOver != *n) {
		t.Errorf("overflow %+v, want %d tokens", report.Overflow, *n)
	}
	return report
}

// errorName is what a vector calls an error of a run.
func errorName(err error) string {
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	_, scarce := errors.AsType[*model.ScarcityError](err)
	switch {
	case pinned:
		return "pinned-exceeds-budget"
	case overflow:
		return "overflow"
	case scarce:
		return "scarcity"
	case err != nil:
		return "another"
	}
	return "none"
}

func (v *vector) contents(items []int32) []string {
	var all []string
	for _, i := range items {
		all = append(all, v.content(int(i)))
	}
	return all
}

// output is the contents that the pipeline must give, in order.
func (v *vector) output() []string {
	var all []string
	for _, e := range v.ExpectedOutput {
		all = append(all, e.Content)
	}
	return all
}

// diagnostics holds the report to what the vector says of it.
func (v *vector) diagnostics(t *testing.T, report *model.Report) {
	t.Helper()
	want := &v.want
	if n := want.Diagnostics.Summary.Candidates; n != nil && report.Items.Len() != *n {
		t.Errorf("%d candidates, want %d", report.Items.Len(), *n)
	}
	if n := want.Diagnostics.Summary.Considered; n != nil && report.Considered != *n {
		t.Errorf("%d tokens considered, want %d", report.Considered, *n)
	}
	for _, half := range []struct {
		name string
		want []diagnosis
		got  []int32
	}{{"included", want.Diagnostics.Included, report.Included}, {"excluded", want.Diagnostics.Excluded, report.Excluded}} {
		if half.want == nil {
			continue
		}
		if len(half.want) != len(half.got) {
			t.Errorf("%s %v, want %+v", half.name, v.contents(half.got), half.want)
			continue
		}
		for k, w := range half.want {
			musttest.Is(t, v.diagnosis(report, int(half.got[k]), w), w, half.name, k)
		}
	}
}

// diagnosis is what the report says of an item, in the fields that want has.
// A score within the tolerance is that of want.
func (v *vector) diagnosis(report *model.Report, item int, want diagnosis) diagnosis {
	reason := report.Reason(item)
	got := diagnosis{Content: v.content(item), Score: report.Scores[item]}
	if math.Abs(got.Score-want.Score) < 1e-9 {
		got.Score = want.Score
	}
	name := reason.Code.String()
	if reason.Code.Included() {
		got.Inclusion = name
		return got
	}
	got.Exclusion = name
	switch reason.Code {
	case model.NegativeTokens:
		got.Tokens = reason.Tokens
	case model.BudgetExceeded:
		got.ItemTokens, got.AvailableTokens = reason.Tokens, reason.Available
	case model.Deduplicated:
		got.Against = v.content(reason.By)
	case model.PinnedOverride:
		got.DisplacedBy = v.content(reason.By)
	case model.CountCapExceeded:
		got.Kind, got.Cap, got.Count = string(reason.Kind), reason.Cap, reason.Taken
	case model.Filtered:
		got.Filter = reason.Filter
	}
	return got
}

func TestRankingIsSafeForConcurrentUse(t *testing.T) {
	r := rankOf(t, reflexive(), setOf(t, item("a", 1), item("b", 2)))
	done := make(chan error)
	for range 4 {
		go func() {
			_, err := r.DryRun(model.Budget{})
			if err == nil {
				_, err = r.Profile(context.Background(), 9)
			}
			done <- err
		}()
	}
	for range 4 {
		musttest.Do(t, <-done)
	}
}
