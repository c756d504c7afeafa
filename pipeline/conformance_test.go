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

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// conformanceVariable names a folder of test vectors to run in place of our
// own: the public ones of the Cupel specification, for instance.
const conformanceVariable = "CUPEL_CONFORMANCE"

// TestConformance runs every vector of a folder, one sub-test each. The format
// is that of the Cupel specification, chapter Test Vector Format, with the
// additions that fixtures/vectors/README.md lists; package itemset reads it, so
// that a key that is not known fails. Each vector runs as it is given, and once
// more as it opens in the explorer.
func TestConformance(t *testing.T) {
	folder := os.Getenv(conformanceVariable)
	if folder == "" {
		folder = filepath.Join("..", "fixtures", "vectors")
	}
	ran := map[itemset.VectorStage]int{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".toml") {
			return err
		}
		t.Run(path, func(t *testing.T) {
			text, err := fs.ReadFile(os.DirFS(folder), path)
			if err != nil {
				t.Fatal(err)
			}
			read, err := itemset.ReadVector(path, text)
			if err != nil {
				t.Fatal(err)
			}
			v := vector{read}
			run := map[itemset.VectorStage]func(*testing.T, model.Policy){
				itemset.VectorScoring: v.scoring, itemset.VectorSlicing: v.slicing, itemset.VectorPlacing: v.placing, itemset.VectorPipeline: v.pipeline,
			}[v.Stage]
			ran[v.Stage]++
			policy, err := v.Policy()
			if v.Want.ConstructionFails {
				v.refused(t, text, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			run(t, policy)
			v.opened(t, text)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range itemset.VectorStages() {
		if ran[stage] == 0 {
			t.Errorf("no vector of stage %s ran", stage)
		}
	}
	t.Log("vectors that ran:", ran)
}

// vector is a vector to run.
type vector struct{ *itemset.Vector }

// refused holds a vector whose construction fails to that: its policy is an
// error, and opening it is the same one.
func (v vector) refused(t *testing.T, text []byte, err error) {
	if !errors.Is(err, model.ErrInvalidPolicy) {
		t.Fatalf("construction: %v, want a policy error", err)
	}
	if _, opening := itemset.Read(context.Background(), v.Name, text, itemset.Options{}); !errors.Is(opening, model.ErrInvalidPolicy) {
		t.Errorf("opening: %v, want a policy error", opening)
	}
}

func (v vector) set(t *testing.T) *model.Set {
	t.Helper()
	s, err := v.Set()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (v vector) scoring(t *testing.T, p model.Policy) {
	s, err := scorer.FromPolicy(p.Scorers)
	if err != nil {
		t.Fatal(err)
	}
	v.checkScores(t, assembled(t, Parts{Scorer: s}, v.set(t)))
}

func (v vector) checkScores(t *testing.T, r *Ranking) {
	t.Helper()
	if len(v.Want.Scores) != len(v.Items) || len(v.Items) == 0 {
		t.Fatalf("%d scores expected of %d items: want one for each", len(v.Want.Scores), len(v.Items))
	}
	for i, w := range v.Want.Scores {
		if got := r.Scores()[i]; v.Items[i].Content != w.Content || !(math.Abs(got-w.Score) < v.Want.Epsilon) {
			t.Errorf("%s: %v, want %v", w.Content, got, w.Score)
		}
	}
}

func (v vector) slicing(t *testing.T, p model.Policy) {
	s, err := slicer.FromPolicy(p)
	if err != nil {
		t.Fatal(err)
	}
	v.check(t, assembled(t, Parts{Scorer: given(v.Scores), Slicer: s, Overflow: model.Proceed}, v.set(t)))
}

func (v vector) placing(t *testing.T, p model.Policy) {
	pipe, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	parts := Parts{Scorer: given(v.Scores), Slicer: takeAll{}, Placer: pipe.parts.Placer, Overflow: model.Proceed}
	v.checkOrder(t, dryRun(t, assembled(t, parts, v.set(t)), model.BudgetFields{}), v.Want.Ordered)
}

func (v vector) checkOrder(t *testing.T, report *model.Report, want []string) {
	t.Helper()
	if got := v.contents(report.Included); !slices.Equal(got, want) {
		t.Errorf("placed %v, want %v", got, want)
	}
}

func (v vector) pipeline(t *testing.T, p model.Policy) { v.checkAll(t, rankOf(t, p, v.set(t))) }

func (v vector) checkAll(t *testing.T, r *Ranking) {
	t.Helper()
	if report := v.check(t, r); report != nil {
		v.checkOrder(t, report, v.Want.Output)
		v.diagnostics(t, report)
	}
}

// opened opens the vector as any source is opened and runs the scenario that it
// becomes. Scores that no hint can give are told in the report of the reader.
func (v vector) opened(t *testing.T, text []byte) {
	l, err := itemset.Read(context.Background(), v.Name, text, itemset.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if l.Format != itemset.Vectors || !l.Scenario.Set || l.Set != l.Scenario.Value.Items {
		t.Fatalf("opened as %s, scenario %v", l.Format, l.Scenario.Set)
	}
	s := l.Scenario.Value
	if v.Budget = s.Budget.Fields(); v.Name != s.Name {
		t.Errorf("the scenario is called %q, want %q", s.Name, v.Name)
	}
	if told := strings.Contains(l.Report.Summary(), "scores outside 0 to 1"); told == v.IsFaithful() {
		t.Errorf("faithful %v, but the report is %q", v.IsFaithful(), l.Report.Summary())
	}
	if !v.IsFaithful() {
		return
	}
	r := rankOf(t, s.Policy, s.Items)
	switch v.Stage {
	case itemset.VectorScoring:
		v.checkScores(t, r)
	case itemset.VectorSlicing:
		v.check(t, r)
	case itemset.VectorPlacing:
		report, err := r.DryRun(s.Budget)
		if err != nil {
			t.Fatal(err)
		}
		v.checkOrder(t, report, v.Want.Ordered)
	case itemset.VectorPipeline:
		v.checkAll(t, r)
	}
	if all := s.Budget; v.Stage == itemset.VectorScoring || v.Stage == itemset.VectorPlacing {
		if report, err := r.DryRun(all); err != nil || len(report.Included) != len(v.Items) {
			t.Errorf("%v, %d items included of %d, want all", err, len(report.Included), len(v.Items))
		}
	}
}

// check runs at the budget and holds the report to all that is wanted but the
// order and the diagnostics. The report is nil where an error was expected and
// met.
func (v vector) check(t *testing.T, r *Ranking) *model.Report {
	t.Helper()
	want := &v.Want
	report, err := r.DryRun(budgetOf(t, v.Budget))
	if want.Error != "" {
		if got := errorName(err); got != want.Error {
			t.Errorf("error %q (%v), want %q", got, err, want.Error)
		}
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if want.Selected.Set {
		got := v.contents(report.Included)
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(want.Selected.Value)); !slices.Equal(got, want) {
			t.Errorf("selected %v, want %v", got, want)
		}
	}
	if n := want.ShortfallCount; n.Set && len(report.Shortfalls) != n.Value {
		t.Errorf("shortfalls %v, want %d", report.Shortfalls, n.Value)
	}
	if all := want.Shortfalls; all.Set && !slices.Equal(report.Shortfalls, all.Value) {
		t.Errorf("shortfalls %+v, want %+v", report.Shortfalls, all.Value)
	}
	if n := want.CapExcluded; n.Set {
		got := 0
		for _, code := range report.Codes {
			if code == model.CountCapExceeded {
				got++
			}
		}
		if got != n.Value {
			t.Errorf("%d items excluded by a cap, want %d", got, n.Value)
		}
	}
	if n := want.TokensOver; n.Set && (report.Overflow == nil || report.Overflow.TokensOver != n.Value) {
		t.Errorf("overflow %+v, want %d tokens", report.Overflow, n.Value)
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

func (v vector) contents(items []int32) []string {
	var all []string
	for _, i := range items {
		all = append(all, v.Items[i].Content)
	}
	return all
}

// diagnostics holds the report to what the vector says of it.
func (v vector) diagnostics(t *testing.T, report *model.Report) {
	t.Helper()
	want := &v.Want
	if n := want.Candidates; n.Set && report.Items.Len() != n.Value {
		t.Errorf("%d candidates, want %d", report.Items.Len(), n.Value)
	}
	if n := want.Considered; n.Set && report.Considered != n.Value {
		t.Errorf("%d tokens considered, want %d", report.Considered, n.Value)
	}
	for _, half := range []struct {
		name string
		want model.Option[[]itemset.VectorDiagnosis]
		got  []int32
	}{{"included", want.Included, report.Included}, {"excluded", want.Excluded, report.Excluded}} {
		if !half.want.Set {
			continue
		}
		if len(half.want.Value) != len(half.got) {
			t.Errorf("%s %v, want %+v", half.name, v.contents(half.got), half.want.Value)
			continue
		}
		for k, w := range half.want.Value {
			if got := v.diagnosis(report, int(half.got[k]), w); got != w {
				t.Errorf("%s %d: %+v, want %+v", half.name, k, got, w)
			}
		}
	}
}

// diagnosis is what the report says of an item, in the fields that want has.
// A score within the tolerance is that of want.
func (v vector) diagnosis(report *model.Report, item int, want itemset.VectorDiagnosis) itemset.VectorDiagnosis {
	reason := report.Reason(item)
	got := itemset.VectorDiagnosis{Content: v.Items[item].Content, Score: report.Scores[item]}
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
