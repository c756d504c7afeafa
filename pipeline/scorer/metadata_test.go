package scorer

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func scoresOf(t *testing.T, s Scorer, l List) []float64 {
	t.Helper()
	got := make([]float64, l.Len())
	musttest.Do(t, s.Score(context.Background(), l, got))
	return got
}

func withMetadata(values ...any) []model.Item {
	items := make([]model.Item, len(values))
	for i, v := range values {
		items[i].Metadata = map[string]any{TrustKey: v}
	}
	return items
}

func TestRulingTrustReadsPlainDecimalsOnly(t *testing.T) {
	const fallback = 0.125
	s := musttest.Of(NewMetadataTrust(fallback))(t)
	for _, c := range []struct {
		name  string
		value any
		want  float64
	}{
		{"a string", "0.85", 0.85},
		{"with exponent", "85e-2", 0.85},
		{"upper case exponent with sign", "+0.0085E+2", 0.85},
		{"no digit before the point", ".5", 0.5},
		{"no digit after the point", "1.", 1},
		{"above 1 is clamped", "1.5", 1},
		{"below 0 is clamped", "-0.1", 0},
		{"too small to tell from 0", "1e-999", 0},
		{"a JSON number", json.Number("0.25"), 0.25},
		{"a float64", 0.75, 0.75},
		{"a float32", float32(0.5), 0.5},
		{"an int", 1, 1},
		{"a uint8", uint8(0), 0},
		{"more than a float64 holds is not finite", "1e999", fallback},
		{"the same as a JSON number", json.Number("-1e999"), fallback},
		{"NaN", "NaN", fallback},
		{"infinity", "Infinity", fallback},
		{"a float64 that is NaN", math.NaN(), fallback},
		{"a float64 that is infinite", math.Inf(-1), fallback},
		{"words", "high", fallback},
		{"empty", "", fallback},
		{"a space before", " 0.5", fallback},
		{"a space after", "0.5 ", fallback},
		{"hexadecimal", "0x1p-1", fallback},
		{"underscores", "1_0", fallback},
		{"a comma", "0,5", fallback},
		{"a point alone", ".", fallback},
		{"a sign alone", "-", fallback},
		{"an exponent alone", "e1", fallback},
		{"true is not a number", true, fallback},
		{"null", nil, fallback},
		{"a list", []any{"0.5"}, fallback},
	} {
		t.Run(c.name, func(t *testing.T) {
			musttest.Is(t, scoresOf(t, s, listOf(t, withMetadata(c.value)...))[0], c.want)
		})
	}
	musttest.Is(t, scoresOf(t, s, listOf(t, model.Item{}))[0], fallback, "no metadata at all")
}

func TestRulingMetadataKeyComparesText(t *testing.T) {
	for _, c := range []struct {
		name  string
		held  any
		value string
		match bool
	}{
		{"a string", "high", "high", true},
		{"case matters", "High", "high", false},
		{"an empty string", "", "", true},
		{"a number by its source text", json.Number("1.0"), "1.0", true},
		{"not by its value", json.Number("1.0"), "1", false},
		{"true", true, "true", true},
		{"false is not empty", false, "", false},
		{"a float64 of Go's", 0.5, "0.5", true},
		{"an int of Go's", -3, "-3", true},
		{"null is not empty", nil, "", false},
		{"null is not its name", nil, "null", false},
		{"a list is nothing", []any{}, "[]", false},
		{"an object is nothing", map[string]any{}, "map[]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := musttest.Of(NewMetadataKey(TrustKey, c.value, 1.5))(t)
			want := 1.0
			if c.match {
				want = 1.5
			}
			musttest.Is(t, scoresOf(t, s, listOf(t, withMetadata(c.held)...))[0], want)
		})
	}
}

func TestScaled(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name       string
		from, want []float64
	}{
		{"least to 0, most to 1", []float64{0.2, 0.5, 0.8, -0.4}, []float64{0.5, 0.75, 1, 0}},
		{"all equal", []float64{3, 3}, []float64{0.5, 0.5}},
		{"a single one", []float64{7}, []float64{0.5}},
		{"none", nil, nil},
		{"zeros of both signs are equal", []float64{0, math.Copysign(0, -1)}, []float64{0.5, 0.5}},
		{"ruling: NaN is the least of all", []float64{nan, 1, 2}, []float64{nan, nan, nan}},
		{"all NaN are equal", []float64{nan, nan}, []float64{0.5, 0.5}},
		{"an infinite duration", []float64{inf, 1, 2}, []float64{nan, 0, 0}},
		{"large numbers", []float64{1e300, 0, 5e299}, []float64{1, 0, 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := scoresOf(t, Scaled{givenScores(c.from)}, listOf(t, make([]model.Item, len(c.from))...))
			same := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-15 || a != a && b != b }
			if !slices.EqualFunc(got, c.want, same) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// givenScores gives the scores that it holds.
type givenScores []float64

func (g givenScores) Score(_ context.Context, l List, dst []float64) error {
	copy(dst, g)
	return nil
}

func TestDecay(t *testing.T) {
	now := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	old := func(age time.Duration) model.Item { return model.Item{Timestamp: model.Some(now.Add(-age))} }
	make1 := func(c DecayCurve, err error) DecayCurve {
		t.Helper()
		musttest.Do(t, err)
		return c
	}
	steps := []Bound{{3600, 0.9}, {86400, 0.5}, {259200, 0.1}}
	far := []model.Item{{Timestamp: model.Some(time.Unix(math.MinInt64, 0))}, {Timestamp: model.Some(time.Time{})}}
	for _, c := range []struct {
		name  string
		curve DecayCurve
		items []model.Item
		want  []float64
	}{
		{"exponential", make1(NewExponential(3600)), []model.Item{old(0), old(time.Hour), old(2 * time.Hour), old(-time.Hour), {}}, []float64{1, 0.5, 0.25, 1, 0.25}},
		{"exponential, half a half-life", make1(NewExponential(3600)), []model.Item{old(30 * time.Minute)}, []float64{math.Sqrt(0.5)}},
		{"exponential of great ages", make1(NewExponential(1e-300)), []model.Item{old(0), old(1), old(time.Hour)}, []float64{1, 0, 0}},
		{"step", make1(NewStep(steps...)), []model.Item{old(0), old(time.Hour - 1), old(time.Hour), old(24*time.Hour - 1), old(24 * time.Hour), old(72 * time.Hour), old(999 * time.Hour), old(-1)},
			[]float64{0.9, 0.9, 0.5, 0.5, 0.1, 0.1, 0.1, 0.9}},
		{"step: the first that is above the age, whatever the order", make1(NewStep(Bound{10, 0.1}, Bound{5, 0.9}, Bound{20, 0.3})),
			[]model.Item{old(time.Second), old(12 * time.Second), old(time.Minute)}, []float64{0.1, 0.3, 0.3}},
		{"window: the bound itself is out", make1(NewWindow(3600)), []model.Item{old(time.Hour - 1), old(time.Hour), old(time.Hour + 1), old(-time.Hour)}, []float64{1, 0, 0, 1}},
		{"window of a tenth of a second", make1(NewWindow(0.1)), []model.Item{old(100*time.Millisecond - 1), old(100 * time.Millisecond)}, []float64{1, 0}},
		{"window: too short to tell is a nanosecond", make1(NewWindow(5e-324)), []model.Item{old(0), old(1)}, []float64{1, 0}},
		{"ages beyond a time.Duration", make1(NewWindow(6.3e10)), far, []float64{0, 0}},
		{"a window beyond them", make1(NewWindow(6.4e10)), far, []float64{0, 1}},
		{"a window without end", make1(NewWindow(1e300)), far, []float64{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := musttest.Of(NewDecay(now, 0.25, c.curve))(t)
			got := scoresOf(t, s, listOf(t, c.items...))
			if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestConstructionOfParameters(t *testing.T) {
	curve := musttest.Of(NewWindow(1))(t)
	for name, make := range map[string]func() error{
		"trust below 0":       func() error { _, err := NewMetadataTrust(-0.1); return err },
		"trust NaN":           func() error { _, err := NewMetadataTrust(math.NaN()); return err },
		"boost 0":             func() error { _, err := NewMetadataKey("k", "v", 0); return err },
		"boost negative":      func() error { _, err := NewMetadataKey("k", "v", -1); return err },
		"boost infinite":      func() error { _, err := NewMetadataKey("k", "v", math.Inf(1)); return err },
		"boost NaN":           func() error { _, err := NewMetadataKey("k", "v", math.NaN()); return err },
		"half-life 0":         func() error { _, err := NewExponential(0); return err },
		"half-life infinite":  func() error { _, err := NewExponential(math.Inf(1)); return err },
		"window negative":     func() error { _, err := NewWindow(-1); return err },
		"no steps":            func() error { _, err := NewStep(); return err },
		"a step without size": func() error { _, err := NewStep(Bound{1, 1}, Bound{0, 1}); return err },
		"no curve":            func() error { _, err := NewDecay(time.Time{}, 0.5, nil); return err },
		"undated above 1":     func() error { _, err := NewDecay(time.Time{}, 1.5, curve); return err },
	} {
		if make() == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

// TestScaledAsksTheInnerScorerOnce: the cost of nested scalings adds up, it
// does not multiply.
func TestScaledAsksTheInnerScorerOnce(t *testing.T) {
	calls := 0
	scoresOf(t, Scaled{Scaled{Scaled{counting{&calls}}}}, listOf(t, make([]model.Item, 50)...))
	musttest.Is(t, calls, 1)
}

type counting struct{ calls *int }

func (c counting) Score(_ context.Context, l List, dst []float64) error {
	*c.calls++
	clear(dst)
	return nil
}
