package scorer

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

// listOf makes every item of a set scoreable.
func listOf(t testing.TB, items ...model.Item) List {
	t.Helper()
	all := make([]int32, len(items))
	for i := range items {
		items[i].Content = "text"
		all[i] = int32(i)
	}
	s := musttest.Of(model.NewSet(items))(t)
	return List{s, all}
}

func dated(second int64) model.Item {
	return model.Item{Timestamp: model.Some(time.Unix(second, 0))}
}

func urgent(p int64) model.Item { return model.Item{Priority: model.Some(p)} }

func tagged(tags ...string) model.Item { return model.Item{Tags: tags} }

func hinted(h float64) model.Item { return model.Item{FutureRelevanceHint: model.Some(h)} }

func kind(k model.Kind) model.Item { return model.Item{Kind: k} }

func TestScorers(t *testing.T) {
	third := 1 / 3.0
	for _, c := range []struct {
		name   string
		scorer Scorer
		items  []model.Item
		want   []float64
	}{
		{"recency: ties share the number strictly older", Recency{}, []model.Item{dated(5), dated(1), dated(5), dated(9)}, []float64{third, 0, third, 1}},
		{"recency: undated items get 0 and are not counted", Recency{}, []model.Item{dated(1), {}, dated(2)}, []float64{0, 0, 1}},
		{"recency: a lone dated item gets 1", Recency{}, []model.Item{{}, dated(1)}, []float64{0, 1}},
		{"recency: nobody dated", Recency{}, []model.Item{{}, {}}, []float64{0, 0}},
		{"recency: all at once", Recency{}, []model.Item{dated(1), dated(1)}, []float64{0, 0}},
		{"priority: higher is better, the whole range of int64", Priority{}, []model.Item{urgent(math.MaxInt64), urgent(math.MinInt64), urgent(-1), urgent(0)}, []float64{1, 0, third, 2 * third}},
		{"priority: a lone one gets 1", Priority{}, []model.Item{urgent(-7), {}}, []float64{1, 0}},
		{"kind: defaults, folded", NewKind(nil), []model.Item{kind("systemPROMPT"), kind("Memory"), kind("ToolOutput"), kind("Document"), kind("Message"), kind("Other")}, []float64{1, 0.8, 0.6, 0.4, 0.2, 0}},
		{"kind: weights are not clamped", NewKind([]model.KindWeight{{Kind: "OTHER", Weight: 5}}), []model.Item{kind("Other"), kind("Memory")}, []float64{5, 0}},
		{"kind: no weights at all are not the defaults", NewKind([]model.KindWeight{}), []model.Item{kind("Memory")}, []float64{0}},
		{"tag: each occurrence counts, at most 1", NewTag([]model.TagWeight{{Tag: "a", Weight: 3}, {Tag: "b", Weight: 1}}), []model.Item{tagged("b", "b"), tagged("a", "a"), tagged("a"), {}}, []float64{0.5, 1, 0.75, 0}},
		{"tag: lookup is case-sensitive", NewTag([]model.TagWeight{{Tag: "a", Weight: 1}}), []model.Item{tagged("A"), tagged("a")}, []float64{0, 1}},
		{"tag: a total of zero gives 0", NewTag([]model.TagWeight{{Tag: "a", Weight: 0}}), []model.Item{tagged("a")}, []float64{0}},
		{"frequency: others with a tag in common, folded", Frequency{}, []model.Item{tagged("Go", "test"), tagged("go"), tagged("TEST"), tagged("ci"), {}}, []float64{0.5, 0.25, 0.25, 0, 0}},
		{"frequency: a tag twice on an item is one tag", Frequency{}, []model.Item{tagged("a", "A"), tagged("a")}, []float64{1, 1}},
		{"frequency: two common tags count the other once", Frequency{}, []model.Item{tagged("a", "b"), tagged("b", "a", "c"), tagged("d")}, []float64{0.5, 0.5, 0}},
		{"frequency: a single item gets 0", Frequency{}, []model.Item{tagged("a")}, []float64{0}},
		{"frequency: folding is ASCII only", Frequency{}, []model.Item{tagged("ä"), tagged("Ä")}, []float64{0, 0}},
		{"reflexive: clamped, not finite is 0", Reflexive{}, []model.Item{hinted(0.5), hinted(7), hinted(-1), hinted(math.NaN()), hinted(math.Inf(1)), {}}, []float64{0.5, 1, 0, 0, 0, 0}},
		{"no items", Frequency{}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := listOf(t, c.items...)
			got := make([]float64, l.Len())
			for i := range got {
				got[i] = 99 // a scorer sets every score
			}
			musttest.Do(t, c.scorer.Score(context.Background(), l, got))
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			musttest.Is(t, c.scorer.Score(ctx, l, got), context.Canceled, "cancelled")
		})
	}
}

// TestRulingTagWeightsAddUpInByteOrder: in any other order these weights have
// another sum.
func TestRulingTagWeightsAddUpInByteOrder(t *testing.T) {
	weights := []model.TagWeight{{Tag: "c", Weight: 0.3}, {Tag: "a", Weight: 0.1}, {Tag: "b", Weight: 0.2}}
	a, b, c := 0.1, 0.2, 0.3
	if want := a + b + c; NewTag(weights).total != want || want == c+b+a {
		t.Errorf("total %v, want %v", NewTag(weights).total, want)
	}
}

// TestRulingCompositeRoundsEachProduct uses weights for which a fused
// multiply-add has another result.
func TestRulingCompositeRoundsEachProduct(t *testing.T) {
	differ := false
	for k := range 50 {
		x, y := float64(k)/49, 1/float64(k+2)
		c := musttest.Of(NewComposite(Part{"x", 3, NewKind([]model.KindWeight{{Kind: "Message", Weight: x}})}, Part{"y", 0.7, NewKind([]model.KindWeight{{Kind: "Message", Weight: y}})}))(t)
		sum := 3 + 0.7
		u, v := 3/sum, 0.7/sum
		first, second := u*x, v*y
		want := float64(first) + float64(second)
		got := make([]float64, 1)
		musttest.Do(t, c.Score(context.Background(), listOf(t, kind("Message")), got))
		musttest.Is(t, got[0], want, k)
		differ = differ || math.FMA(v, y, first) != want
	}
	if !differ {
		t.Error("no case tells a fused multiply-add from two roundings")
	}
}

func TestCompositeConstruction(t *testing.T) {
	for name, parts := range map[string][]Part{
		"no parts":            nil,
		"a missing scorer":    {{"x", 1, nil}},
		"weight 0":            {{"x", 0, Recency{}}},
		"weight NaN":          {{"x", math.NaN(), Recency{}}},
		"weight infinite":     {{"x", math.Inf(1), Recency{}}},
		"sum beyond float64":  {{"x", math.MaxFloat64, Recency{}}, {"y", math.MaxFloat64, Recency{}}},
		"negative beside one": {{"x", 1, Recency{}}, {"y", -1, Recency{}}},
	} {
		musttest.Says(t, musttest.Refusal(NewComposite(parts...)), "composite", name)
	}
}

// TestEveryScorerIsBuilt walks the table of scorers: each is built as it begins.
func TestEveryScorerIsBuilt(t *testing.T) {
	l := listOf(t, tagged("go"), kind("Document"), dated(1))
	for _, name := range model.ScorerTypes() {
		s := musttest.Of(FromPolicy([]model.Scorer{model.NewScorer(name, model.Beginning{Tag: "go"})}))(t, name)
		musttest.Is(t, s.Score(context.Background(), l, make([]float64, l.Len())), nil, name)
	}
}

// TestScorersStopWhileTheyRate cancels every scorer that looks at items one by
// one once it has begun.
func TestScorersStopWhileTheyRate(t *testing.T) {
	items := make([]model.Item, pollSteps+1)
	for i := range items {
		items[i].Tags = []string{"go"}
	}
	l := listOf(t, items...)
	dst := make([]float64, l.Len())
	for _, name := range model.ScorerTypes() {
		switch name {
		case model.ScoreRecency, model.ScorePriority, model.ScoreComposite: // these sort
			continue
		}
		s := musttest.Of(FromPolicy([]model.Scorer{model.NewScorer(name, model.Beginning{Tag: "go"})}))(t)
		musttest.Is(t, s.Score(polltest.After(t.Context(), 1), l, dst), context.Canceled, name, "cancelled at the second poll")
	}
}

// The groups of tags that are made for the first items of a set serve all of it, and those
// of a part of it no other.
func TestFrequencyOfPartsOfASet(t *testing.T) {
	whole := listOf(t, tagged("go"), tagged("test"), tagged("go"), tagged("go", "test"))
	dst := make([]float64, 4)
	for _, l := range []List{{whole.Set.FirstExcluding(1, nil), whole.Items[:1]}, {whole.Set.FirstExcluding(2, nil), whole.Items[:2]}, whole, {whole.Set.Subset([]int32{3}), whole.Items[:1]}, whole} {
		musttest.Do(t, Frequency{}.Score(context.Background(), l, dst[:l.Len()]))
	}
	musttest.Is(t, dst, []float64{2. / 3, 1. / 3, 2. / 3, 1})
}

func TestPower(t *testing.T) {
	l := listOf(t, hinted(0), hinted(0.1), hinted(0.5), hinted(1))
	for exponent, want := range map[int][]float64{
		1:  {0, 0.1, 0.5, 1},
		2:  {0, 0.010000000000000002, 0.25, 1}, // the product is rounded
		3:  {0, leftProduct(0.1, 3), 0.125, 1},
		64: {0, leftProduct(0.1, 64), math.Ldexp(1, -64), 1},
	} {
		p := musttest.Of(NewPower(Reflexive{}, exponent))(t)
		got := make([]float64, l.Len())
		musttest.Do(t, p.Score(context.Background(), l, got))
		musttest.Is(t, got, want, "to the power", exponent)
	}
	for _, exponent := range []int{0, -1, model.MaxExponent + 1} {
		musttest.Fails(t, musttest.Refusal(NewPower(Reflexive{}, exponent)), "exponent", exponent)
	}
	musttest.Says(t, musttest.Refusal(NewPower(nil, 2)), "power: an inner scorer is required")
}

func leftProduct(x float64, n int) float64 {
	product := x
	for range n - 1 {
		product = float64(product * x)
	}
	return product
}
