package trace

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/widget/widgettest"
)

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
		set := musttest.Of(model.NewSet([]model.Item{{Content: "x", Kind: kind}, {Content: "x", Kind: "something else"}}))(t)
		facts := query.Facts{Report: &model.Report{Items: set}}
		if !q.Match(&facts, 0) {
			t.Errorf("%q is not matched by %q", kind, q)
		}
		if q.Match(&facts, 1) {
			t.Errorf("%q: %q matches other kinds", kind, q)
		}
	}
	if got := kindLead(model.ToolOutput).Filter; strings.Contains(got, `"`) {
		t.Errorf("a plain name is quoted: %s", got)
	}
}

func TestTraceCountsEveryItemOnce(t *testing.T) {
	f := widgettest.Frame(t, 400, false)
	var p View
	p.Arrange(f.Exp, experiment.A)
	var byCode, byKind tally
	for code, sum := range p.sums.byCode {
		byCode.items, byCode.tokens = byCode.items+sum.items, byCode.tokens+sum.tokens
		musttest.Is(t, sum.items, countCodes(f.Out.Report, model.Code(code)), model.Code(code))
	}
	for _, sum := range p.sums.byKind {
		for _, part := range []tally{sum.pinned, sum.selected, sum.out} {
			byKind.items, byKind.tokens = byKind.items+part.items, byKind.tokens+part.tokens
		}
	}
	rep := f.Out.Report
	want := tally{rep.Items.Len(), rep.Considered}
	musttest.Is(t, byCode, want, "by reason")
	musttest.Is(t, byKind, want, "by kind")
}

// What is counted in parts is what one pass over all items counts, and lists, in the same order.
func TestTraceInPartsIsAPlainCount(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(100))
	several := false
	for name, change := range experimenttest.Policies() {
		f := widgettest.Frame(t, 400, name == "stream")
		widgettest.WithPolicy(t, f, change)
		rep := f.Out.Report
		var p View
		p.Arrange(f.Exp, experiment.A)
		plain := newSums(rep, f.Out.Reasons != nil)
		plain.countItems(f.Out, 0, rep.Items.Len())
		musttest.Is(t, p.sums, plain, name)
		several = several || len(plain.unfit) > 1

		p.behind.read(f, "is:out", 7)
		var out []int32
		all := tally{}
		for i := range rep.Items.Len() {
			if !rep.In(i) {
				out = append(out, int32(i))
				all.add(tally{1, rep.Items.Tokens(i)})
			}
		}
		slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(rep.Items.Tokens(int(b)), rep.Items.Tokens(int(a))) })
		musttest.Is(t, p.behind.items, out[:min(7, len(out))], name)
		musttest.Is(t, p.behind.all, all, name)
	}
	if !several {
		t.Error("nothing is out for several reasons")
	}
}

func countCodes(rep *model.Report, code model.Code) int {
	n := 0
	for _, c := range rep.Codes {
		if c == code {
			n++
		}
	}
	return n
}

func TestTraceDrawsAtAnySize(t *testing.T) {
	musttest.Alone(t)
	for name, change := range experimenttest.Policies() {
		f := widgettest.Frame(t, 60, name == "stream")
		widgettest.WithPolicy(t, f, change)
		var p View
		p.Arrange(f.Exp, experiment.A)
		widgettest.DrawAtAnySize(t, f, &p, name)
	}
}
