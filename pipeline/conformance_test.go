package pipeline

import (
	"context"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"cupelscope/model"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// conformanceVariable names the folder of the public Cupel vectors. They are
// not part of this project, so the tests that need them run only where it is set.
const conformanceVariable = "CUPEL_CONFORMANCE"

type vector struct {
	Test   struct{ Name, Stage, Scorer, Slicer, Placer string }
	Budget struct {
		Max     model.Tokens `toml:"max_tokens"`
		Target  model.Tokens `toml:"target_tokens"`
		Reserve model.Tokens `toml:"output_reserve"`
	}
	Config struct {
		Slicer, Placer string
		Deduplication  bool
		Overflow       string       `toml:"overflow_strategy"`
		Bucket         model.Tokens `toml:"bucket_size"`
		Scorers        []vectorScorer
		TagWeights     []model.TagWeight `toml:"tag_weights"`
	}
	Items          []vectorItem
	ScoredItems    []vectorItem `toml:"scored_items"`
	Expected       toml.Primitive
	ExpectedOutput []struct{ Content string } `toml:"expected_output"`
	Tolerance      struct {
		Epsilon float64 `toml:"score_epsilon"`
	}
}

type vectorScorer struct {
	Type     string
	Weight   float64
	Children []vectorScorer
}

type vectorItem struct {
	Content   string
	Tokens    model.Tokens
	Kind      model.Kind
	Tags      []string
	Priority  *int64
	Timestamp *time.Time
	Hint      *float64 `toml:"futureRelevanceHint"`
	Pinned    bool
	Score     float64
}

// expectedDiagnostics is [expected.diagnostics] of a pipeline vector.
type expectedDiagnostics struct {
	Diagnostics struct {
		Summary struct {
			Candidates int          `toml:"total_candidates"`
			Considered model.Tokens `toml:"total_tokens_considered"`
		}
		Included, Excluded []struct {
			Content         string
			Score           float64      `toml:"score_approx"`
			Inclusion       string       `toml:"inclusion_reason"`
			Exclusion       string       `toml:"exclusion_reason"`
			ItemTokens      model.Tokens `toml:"item_tokens"`
			AvailableTokens model.Tokens `toml:"available_tokens"`
			Against         string       `toml:"deduplicated_against"`
			DisplacedBy     string       `toml:"displaced_by"`
		}
	}
}

func TestConformance(t *testing.T) {
	folder := os.Getenv(conformanceVariable)
	if folder == "" {
		t.Skip(conformanceVariable, "is not set")
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
			var v vector
			meta, err := toml.Decode(string(text), &v)
			if err != nil {
				t.Fatal(err)
			}
			switch v.Test.Stage {
			case "scoring":
				v.scoring(t, meta)
			case "slicing":
				v.slicing(t, meta)
			case "placing":
				v.placing(t, meta)
			case "pipeline":
				v.pipeline(t, meta)
			default:
				t.Fatalf("no such stage: %q", v.Test.Stage)
			}
			if !t.Skipped() {
				ran[v.Test.Stage]++
			}
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

func (v *vector) set(t *testing.T, from []vectorItem) *model.Set {
	items := make([]model.Item, len(from))
	for i, it := range from {
		items[i] = model.Item{Content: it.Content, Tokens: it.Tokens, Kind: it.Kind, Tags: it.Tags, Pinned: it.Pinned}
		if it.Priority != nil {
			items[i].Priority = model.Some(*it.Priority)
		}
		if it.Timestamp != nil {
			items[i].Timestamp = model.Some(*it.Timestamp)
		}
		if it.Hint != nil {
			items[i].FutureRelevanceHint = model.Some(*it.Hint)
		}
	}
	return setOf(t, items...)
}

func (v *vector) scorers(from []vectorScorer) []model.Scorer {
	all := make([]model.Scorer, len(from))
	for i, s := range from {
		all[i] = model.Scorer{Type: model.ScorerType(s.Type), Weight: s.Weight}
		if len(s.Children) > 0 {
			all[i].Scorers = v.scorers(s.Children)
		}
	}
	return all
}

func (v *vector) scoring(t *testing.T, meta toml.MetaData) {
	one := model.Scorer{Type: model.ScorerType(v.Test.Scorer), Weight: 1}
	if !slices.Contains(model.ScorerTypes(), one.Type) {
		t.Skip("no scorer", one.Type, "yet")
	}
	one.TagWeights = v.Config.TagWeights
	if one.Type == model.ScoreComposite {
		one.Scorers = v.scorers(v.Config.Scorers)
	}
	r := rankOf(t, model.NewPolicy(one), v.set(t, v.Items))
	var want []struct {
		Content string
		Score   float64 `toml:"score_approx"`
	}
	if err := meta.PrimitiveDecode(v.Expected, &want); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if v.Items[i].Content != w.Content || math.Abs(r.Scores()[i]-w.Score) > v.Tolerance.Epsilon {
			t.Errorf("%s: %v, want %v", w.Content, r.Scores()[i], w.Score)
		}
	}
	if len(want) == 0 {
		t.Error("the vector expects nothing")
	}
}

func (v *vector) given() scorer.Scorer {
	scores := make(given, len(v.ScoredItems))
	for i, it := range v.ScoredItems {
		scores[i] = it.Score
	}
	return scores
}

func (v *vector) slicing(t *testing.T, meta toml.MetaData) {
	var s slicer.Slicer
	switch v.Test.Slicer {
	case "greedy":
		s = slicer.Greedy{}
	case "knapsack":
		s = slicer.Knapsack{Bucket: v.Config.Bucket}
	default:
		t.Skip("no slicer", v.Test.Slicer, "yet")
	}
	var want struct {
		Contents []string `toml:"selected_contents"`
	}
	if err := meta.PrimitiveDecode(v.Expected, &want); err != nil {
		t.Fatal(err)
	}
	r := assembled(t, Parts{Scorer: v.given(), Slicer: s}, v.set(t, v.ScoredItems))
	sel, err := r.slicer().Slice(slicer.Target(v.Budget.Target), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for k, item := range r.Input().Items {
		if sel.Has(k) {
			got = append(got, v.ScoredItems[item].Content)
		}
	}
	slices.Sort(got)
	slices.Sort(want.Contents)
	if !slices.Equal(got, want.Contents) {
		t.Errorf("selected %v, want %v", got, want.Contents)
	}
}

func (v *vector) placing(t *testing.T, meta toml.MetaData) {
	var want struct {
		Contents []string `toml:"ordered_contents"`
	}
	if err := meta.PrimitiveDecode(v.Expected, &want); err != nil {
		t.Fatal(err)
	}
	v.ScoredItems = v.Items
	parts := Parts{Scorer: v.given(), Slicer: takeAll{}, Overflow: model.Proceed}
	if v.Test.Placer == "chronological" {
		parts.Placer = placerOf(t, model.Chronological)
	}
	report := dryRun(t, assembled(t, parts, v.set(t, v.Items)), model.BudgetFields{})
	if got := v.contents(report.Included); !slices.Equal(got, want.Contents) {
		t.Errorf("placed %v, want %v", got, want.Contents)
	}
}

func (v *vector) contents(items []int32) []string {
	var all []string
	for _, i := range items {
		all = append(all, v.Items[i].Content)
	}
	return all
}

func (v *vector) pipeline(t *testing.T, meta toml.MetaData) {
	p := model.NewPolicy(v.scorers(v.Config.Scorers)...)
	p.Slicer, p.BucketSize, p.Deduplicate = model.SlicerType(v.Config.Slicer), v.Config.Bucket, v.Config.Deduplication
	if v.Config.Placer == "u-shaped" {
		p.Placer = model.UShaped
	}
	if v.Config.Overflow != "" {
		p.Overflow = model.OverflowStrategy(v.Config.Overflow)
	}
	s := v.set(t, v.Items)
	report := dryRun(t, rankOf(t, p, s), model.BudgetFields{MaxTokens: v.Budget.Max, TargetTokens: v.Budget.Target, OutputReserve: v.Budget.Reserve})
	var want []string
	for _, e := range v.ExpectedOutput {
		want = append(want, e.Content)
	}
	if got := v.contents(report.Included); !slices.Equal(got, want) {
		t.Errorf("included %v, want %v", got, want)
	}
	if !meta.IsDefined("expected", "diagnostics") {
		return
	}
	var e expectedDiagnostics
	if err := meta.PrimitiveDecode(v.Expected, &e); err != nil {
		t.Fatal(err)
	}
	d := e.Diagnostics
	if s.Len() != d.Summary.Candidates || report.Considered != d.Summary.Considered {
		t.Errorf("%d candidates, %d tokens, want %+v", s.Len(), report.Considered, d.Summary)
	}
	if len(d.Included) != len(report.Included) || len(d.Excluded) != len(report.Excluded) {
		t.Fatalf("included %v, excluded %v, want %+v", report.Included, report.Excluded, d)
	}
	for k, w := range d.Included {
		i := int(report.Included[k])
		if v.Items[i].Content != w.Content || report.Codes[i].String() != w.Inclusion || math.Abs(report.Scores[i]-w.Score) > 1e-9 {
			t.Errorf("included %d: item %d, %v, %v, want %+v", k, i, report.Codes[i], report.Scores[i], w)
		}
	}
	for k, w := range d.Excluded {
		i := int(report.Excluded[k])
		reason := report.Reason(i)
		if v.Items[i].Content != w.Content || reason.Code.String() != w.Exclusion || math.Abs(report.Scores[i]-w.Score) > 1e-9 {
			t.Errorf("excluded %d: item %d, %v, %v, want %+v", k, i, report.Codes[i], report.Scores[i], w)
		}
		if w.ItemTokens != 0 && (reason.Tokens != w.ItemTokens || reason.Available != w.AvailableTokens) {
			t.Errorf("excluded %d: %+v, want %+v", k, reason, w)
		}
		by := ""
		if w.Against != "" || w.DisplacedBy != "" {
			by = v.Items[reason.By].Content
		}
		if by != w.Against+w.DisplacedBy {
			t.Errorf("excluded %d: by %q, want %+v", k, by, w)
		}
	}
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
