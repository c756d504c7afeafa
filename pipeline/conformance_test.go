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
	"cupelscope/pipeline/scorer"
)

// conformanceVariable names a folder of test vectors to run in place of our
// own: the public ones of the Cupel specification, for instance.
const conformanceVariable = "CUPEL_CONFORMANCE"

// TestConformance runs every vector of a folder, one sub-test each. The format
// is that of the Cupel specification, chapter Test Vector Format, with the
// additions that fixtures/vectors/README.md lists. A key that is not known
// fails: it would be something that is not checked.
func TestConformance(t *testing.T) {
	folder := os.Getenv(conformanceVariable)
	if folder == "" {
		folder = filepath.Join("..", "fixtures", "vectors")
	}
	ran := map[string]int{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".toml") {
			return err
		}
		t.Run(path, func(t *testing.T) {
			text, err := fs.ReadFile(os.DirFS(folder), path)
			if err != nil {
				t.Fatal(err)
			}
			v, err := readVector(string(text))
			if err != nil {
				t.Fatal(err)
			}
			run := map[string]func(*testing.T){"scoring": v.scoring, "slicing": v.slicing, "placing": v.placing, "pipeline": v.pipeline}[v.Test.Stage]
			if run == nil {
				t.Fatalf("no such stage: %q", v.Test.Stage)
			}
			run(t)
			ran[v.Test.Stage]++
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{"scoring", "slicing", "placing", "pipeline"} {
		if ran[stage] == 0 {
			t.Errorf("no vector of stage %s ran", stage)
		}
	}
	t.Log("vectors that ran:", ran)
}

// readVector decodes a vector; a key that it has no place for is an error.
func readVector(text string) (*vector, error) {
	var v vector
	meta, err := toml.Decode(text, &v)
	if err != nil {
		return nil, err
	}
	v.scores = v.Test.Stage == "scoring"
	if meta.IsDefined("expected") {
		var to any = &v.result
		if v.scores {
			to = &v.wantScores
		}
		if err := meta.PrimitiveDecode(v.Expected, to); err != nil {
			return nil, err
		}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, errors.New("the vector has keys that are not known: " + unknown[0].String())
	}
	v.diagnosed = meta.IsDefined("expected", "diagnostics")
	v.listsShortfalls = meta.IsDefined("expected", "shortfalls")
	v.defined = func(key ...string) bool { return meta.IsDefined(key...) }
	return &v, nil
}

func TestConformanceRefusesUnknownKeys(t *testing.T) {
	const good = "[test]\nname = \"x\"\nstage = \"slicing\"\nslicer = \"greedy\"\n[budget]\ntarget_tokens = 1\n[expected]\nselected_contents = []\n"
	if _, err := readVector(good); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"surprise = 1\n", "[config]\nnovelty = true\n", "[[scored_items]]\ncontent = \"a\"\nmood = \"blue\"\n", "[extra]\n"} {
		if _, err := readVector(good + more); err == nil || !strings.Contains(err.Error(), "not known") {
			t.Errorf("%q: error %v", more, err)
		}
	}
}

func (v *vector) scoring(t *testing.T) {
	s, err := v.scorer()
	if v.Test.ConstructionError {
		if !errors.Is(err, model.ErrInvalidPolicy) {
			t.Fatalf("construction: %v, want a policy error", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	r := assembled(t, Parts{Scorer: s}, v.set(t, v.Items))
	epsilon := v.Tolerance.Epsilon
	if epsilon == 0 {
		epsilon = 1e-9
	}
	if len(v.wantScores) != len(v.Items) || len(v.Items) == 0 {
		t.Fatalf("%d scores expected of %d items: want one for each", len(v.wantScores), len(v.Items))
	}
	for i, w := range v.wantScores {
		if got := r.Scores()[i]; v.Items[i].Content != w.Content || !(math.Abs(got-w.Score) < epsilon) {
			t.Errorf("%s: %v, want %v", w.Content, got, w.Score)
		}
	}
}

func (v *vector) given(from []vectorItem) scorer.Scorer {
	scores := make(given, len(from))
	for i, it := range from {
		scores[i] = it.Score
	}
	return scores
}

func (v *vector) slicing(t *testing.T) {
	s, err := v.slicer(v.Test.Slicer)
	if v.Test.ConstructionError {
		if err == nil {
			t.Fatal("construction: no error")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	r := assembled(t, Parts{Scorer: v.given(v.ScoredItems), Slicer: s, Overflow: model.Proceed}, v.set(t, v.ScoredItems))
	v.check(t, r, v.ScoredItems, model.BudgetFields{MaxTokens: v.Budget.Target, TargetTokens: v.Budget.Target})
}

func (v *vector) placing(t *testing.T) {
	p, err := v.placer(v.Test.Placer)
	if err != nil {
		t.Fatal(err)
	}
	parts := Parts{Scorer: v.given(v.Items), Slicer: takeAll{}, Placer: p, Overflow: model.Proceed}
	report := dryRun(t, assembled(t, parts, v.set(t, v.Items)), model.BudgetFields{})
	if got := contents(v.Items, report.Included); !slices.Equal(got, v.result.Ordered) {
		t.Errorf("placed %v, want %v", got, v.result.Ordered)
	}
}

func (v *vector) pipeline(t *testing.T) {
	parts, err := v.parts()
	if err != nil {
		t.Fatal(err)
	}
	f := model.BudgetFields{MaxTokens: v.Budget.Max, TargetTokens: v.Budget.Target, OutputReserve: v.Budget.Reserve, SafetyMargin: v.Budget.Margin}
	for _, slot := range v.Budget.Slots {
		f.ReservedSlots = append(f.ReservedSlots, model.Slot{Kind: slot.Kind, Tokens: slot.Tokens})
	}
	report := v.check(t, assembled(t, parts, v.set(t, v.Items)), v.Items, f)
	if report == nil {
		return
	}
	var want []string
	for _, e := range v.ExpectedOutput {
		want = append(want, e.Content)
	}
	if got := contents(v.Items, report.Included); !slices.Equal(got, want) {
		t.Errorf("included %v, want %v", got, want)
	}
	if v.diagnosed {
		v.diagnostics(t, report)
	}
}

// check runs at a budget and holds the report to all of [expected] but the
// diagnostics. The report is nil where an error was expected and met.
func (v *vector) check(t *testing.T, r *Ranking, items []vectorItem, f model.BudgetFields) *model.Report {
	t.Helper()
	report, err := r.DryRun(budgetOf(t, f))
	if v.result.Error != "" {
		if got := errorName(err); got != v.result.Error {
			t.Errorf("error %q (%v), want %q", got, err, v.result.Error)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if v.defined("expected", "selected_contents") {
		got := contents(items, report.Included)
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(v.result.Selected)); !slices.Equal(got, want) {
			t.Errorf("selected %v, want %v", got, want)
		}
	}
	if n := v.result.ShortfallCount; n != nil && len(report.Shortfalls) != *n {
		t.Errorf("shortfalls %v, want %d", report.Shortfalls, *n)
	}
	if v.listsShortfalls {
		var want []model.Shortfall
		for _, s := range v.result.Shortfalls {
			want = append(want, model.Shortfall(s))
		}
		if !slices.Equal(report.Shortfalls, want) {
			t.Errorf("shortfalls %+v, want %+v", report.Shortfalls, want)
		}
	}
	if n := v.result.CapExcluded; n != nil {
		got := 0
		for _, code := range report.Codes {
			if code == model.CountCapExceeded {
				got++
			}
		}
		if got != *n {
			t.Errorf("%d items excluded by a cap, want %d", got, *n)
		}
	}
	if n := v.result.TokensOver; n != nil && (report.Overflow == nil || report.Overflow.TokensOver != *n) {
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

func contents(from []vectorItem, items []int32) []string {
	var all []string
	for _, i := range items {
		all = append(all, from[i].Content)
	}
	return all
}

// diagnostics holds the report to what the vector says of it; tables that it
// leaves out are not checked.
func (v *vector) diagnostics(t *testing.T, report *model.Report) {
	d := v.result.Diagnostics
	if n := d.Summary.Candidates; n != nil && report.Items.Len() != *n {
		t.Errorf("%d candidates, want %d", report.Items.Len(), *n)
	}
	if n := d.Summary.Considered; n != nil && report.Considered != *n {
		t.Errorf("%d tokens considered, want %d", report.Considered, *n)
	}
	for _, half := range []struct {
		name string
		want []vectorDiagnosis
		got  []int32
	}{{"included", d.Included, report.Included}, {"excluded", d.Excluded, report.Excluded}} {
		if !v.defined("expected", "diagnostics", half.name) {
			continue
		}
		if len(half.want) != len(half.got) {
			t.Errorf("%s %v, want %+v", half.name, contents(v.Items, half.got), half.want)
			continue
		}
		for k, w := range half.want {
			if got := v.diagnosis(report, int(half.got[k]), w); got != w {
				t.Errorf("%s %d: %+v, want %+v", half.name, k, got, w)
			}
		}
	}
}

// diagnosis is what the report says of an item, in the fields that want has.
// A score within the tolerance is that of want.
func (v *vector) diagnosis(report *model.Report, item int, want vectorDiagnosis) vectorDiagnosis {
	reason := report.Reason(item)
	got := vectorDiagnosis{Content: v.Items[item].Content, Score: report.Scores[item]}
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
		got.Against = v.Items[reason.By].Content
	case model.PinnedOverride:
		got.DisplacedBy = v.Items[reason.By].Content
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
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
