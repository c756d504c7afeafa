package model

import (
	"strings"
	"testing"
)

// A number between 0 and 1 may be a share or a percentage; only the sign says which.
func TestParsePercent(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "80": 80, "2.5": 2.5, "100": 100, "1.0": 1, "0.8%": .8, " .05 % ": .05, "80%": 80, "0%": 0, "0.0": 0, "1e1": 10,
	} {
		if got, err := ParsePercent(text); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for text, says := range map[string]string{
		"0.8":  "0.8: write 80% (a share) or 0.8% (less than one percent)",
		".07":  ".07: write 7% (a share) or .07% (less than one percent)",
		"0.29": "0.29: write 29% (a share) or 0.29%", "0.999": "write 99.9% (a share)", "1e-9": "write 0.0000001% (a share) or 1e-9%",
		"-0.5": `"-0.5" must be 0 to 100 percent`, "100.1": "must be 0 to 100", "NaN": "must be 0 to 100", "Inf": "must be 0 to 100",
		"": "is not a percentage", "%": "is not a percentage", "many": "is not a percentage", "50%%": "is not a percentage",
	} {
		if got, err := ParsePercent(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v, want %q", text, got, err, says)
		}
	}
}
