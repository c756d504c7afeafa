package query

import (
	"testing"

	"cupelscope/model/musttest"
)

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		source                string
		profile, result, risk bool
	}{
		{"", false, false, false},
		{"#1 tok>5 score>=.5 kind:doc is:pinned is:dup text", false, false, false},
		{"firstIn<32k", true, false, false},
		{"-staysFrom<32k", true, false, false},
		{"is:in", false, true, false},
		{"-is:out", false, true, false},
		{"is:risk tok>5", false, true, true},
	} {
		q := musttest.Of(Parse(c.source))(t)
		if q.NeedsProfile() != c.profile || q.NeedsResult() != c.result || q.NeedsRisk() != c.risk {
			t.Errorf("%q: profile %v, result %v, risk %v", c.source, q.NeedsProfile(), q.NeedsResult(), q.NeedsRisk())
		}
	}
}
