package tokens

import (
	"math"
	"testing"
)

// The bounds that Estimate documents. Base64 is the exception named there.
func TestEstimateError(t *testing.T) {
	c := counter(t, "")
	sum, n := 0.0, 0
	for name, text := range samples() {
		want, got := float64(encode(t, c, text)), float64(Estimate(text))
		e := got/want - 1
		t.Logf("%-9s %5.0f tokens, %.2f bytes each, estimated %5.0f, %+.1f %%", name, want, float64(len(text))/want, got, 100*e)
		limit := 0.20
		if name == "base64" {
			limit = 0.50
		}
		if math.Abs(e) > limit {
			t.Errorf("%s: %.0f tokens estimated as %.0f", name, want, got)
		}
		sum += math.Abs(e)
		n++
	}
	if mean := sum / float64(n); mean > 0.10 {
		t.Errorf("the mean error is %.1f %%", 100*mean)
	}
}

func TestEstimateExtremes(t *testing.T) {
	for text, want := range map[string]struct{ least, most int }{
		"": {0, 0}, "a": {1, 1}, " ": {1, 1}, "\n": {1, 1}, "\xff": {1, 3}, "漢": {1, 2}, "\x00": {1, 2},
	} {
		if n := int(Estimate(text)); n < want.least || n > want.most {
			t.Errorf("%q: %d", text, n)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	text := samples()["go"] + samples()["prose"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Estimate(text)
	}
}
