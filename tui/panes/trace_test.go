package panes

import (
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate/query"
)

// kindOnly is one item of a kind.
type kindOnly struct {
	query.Items
	kind model.Kind
}

func (k kindOnly) Kind(int) model.Kind { return k.kind }

// A row of a kind leads to the items of that kind, whatever it is called.
func TestRowsOfKindsLeadToTheirItems(t *testing.T) {
	for _, kind := range []model.Kind{
		model.Message, "tool output", `say "so"`, `back\slash`, "-minus", "#12", "kind:doc", "tok>500", "世界", "a\tb", "é", "!", ":", "42",
	} {
		q, err := query.Parse(kindLead(kind).Filter)
		if err != nil {
			t.Errorf("%q: %v", kind, err)
			continue
		}
		if !q.Match(kindOnly{kind: kind}, 0) {
			t.Errorf("%q is not matched by %q", kind, q)
		}
		if q.Match(kindOnly{kind: "something else"}, 0) {
			t.Errorf("%q: %q matches other kinds", kind, q)
		}
	}
	if got := kindLead(model.ToolOutput).Filter; strings.Contains(got, `"`) {
		t.Errorf("a plain name is quoted: %s", got)
	}
}
