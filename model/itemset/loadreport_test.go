package itemset

import (
	"fmt"
	"strings"
	"testing"
)

// However many ways there are to be wrong, each record is counted, the entries
// stay few, and so a record costs no more than the one before it.
func TestReasonsAreBounded(t *testing.T) {
	const reasons, times = 200, 3
	var r Report
	for range times {
		for i := range reasons {
			for _, outcome := range []Outcome{Skipped, LeftOut, Changed} {
				r.add(outcome, fmt.Sprintf("reason %d", i), fmt.Sprintf("line %d", i))
			}
		}
	}
	if n := len(r.Entries); n > 3*(maxReasons+1) {
		t.Errorf("%d entries, want at most %d and one more for each outcome", n, maxReasons)
	}
	for _, outcome := range []Outcome{Skipped, LeftOut, Changed} {
		if n := r.Count(outcome); n != times*reasons {
			t.Errorf("outcome %d counts %d records, want %d", outcome, n, times*reasons)
		}
	}
}

func TestDistinctUnknownTypesAreFewEntries(t *testing.T) {
	const rows = 5000
	var in strings.Builder
	in.WriteString(`{"type":"user","uuid":"a","timestamp":"2025-01-01","message":{"role":"user","content":"hi"}}` + "\n")
	for i := range rows {
		fmt.Fprintf(&in, "{\"type\":\"t%d\",\"uuid\":\"u\"}\n", i)
	}
	l := mustRead(t, in.String(), Options{Format: ClaudeCode})
	if n := len(l.Report.Entries); n > maxReasons+1 || l.Report.Count(Skipped) != rows {
		t.Errorf("%d entries for %d records, want at most %d for %d", n, l.Report.Count(Skipped), maxReasons+1, rows)
	}
}
