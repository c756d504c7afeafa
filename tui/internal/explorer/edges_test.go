package explorer

import (
	"fmt"
	"regexp"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// nonsense is what no number may be shown as.
var nonsense = regexp.MustCompile(`NaN|[+-]?\bInf\b|filled \S+ % of 0\b|[0-9]{4,} %|-9,?223`)

// Numbers at their bounds are words or numbers, in every view.
func TestNumbersAtTheEdges(t *testing.T) {
	set := func(counts ...model.Tokens) *model.Set {
		var items []model.Item
		for i, c := range counts {
			items = append(items, model.Item{Content: fmt.Sprint("item ", i), Tokens: c})
		}
		return musttest.Of(model.NewSet(items))(t)
	}
	for k, c := range []struct {
		name    string
		items   *model.Set
		max     model.Tokens
		margin  float64
		slack   model.Tokens
		ceiling model.Tokens
	}{
		{"no items", set(), 100, 0, 10, 200},
		{"no items and no room", set(), 0, 0, 0, 0},
		{"one item, no room", set(7), 0, 0, 0, 100},
		{"one item, one token", set(1), 1, 0, 1, 1},
		{"one item in the largest budget", set(7), model.MaxTokens, 0, model.MaxTokens, model.MaxTokens},
		{"largest counts", set(model.MaxTokens, model.MaxTokens), model.MaxTokens, 5, 1, model.MaxTokens},
		{"all negative", set(-7, -model.MaxTokens), 100, 0, 10, 200},
		{"all free", set(0, 0, 0), 0, 0, 0, 0},
		{"a margin of everything", set(5, 6), 100, 100, 50, 200},
		{"slack is all", set(5, 6), 100, 0, 100, 200},
	} {
		if testing.Short() && k%5 > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			session := islands(t, 100)
			b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: c.max, SafetyMargin: c.margin}))(t)
			session.Items, session.Budget, session.Slack, session.Ceiling = c.items, b, c.slack, c.ceiling
			s := begin(t, session, 160, 40)
			for v := range s.m.views {
				for _, keys := range []string{string(rune('1' + v)), "]", "[", "j", "l", "h", "=", "<enter><esc>", "u", "B", "A", "V"} {
					s.press(keys)
					if fault := frameFault(s.m); fault != "" {
						t.Fatalf("%s after %q in %s", fault, keys, ViewNames()[v])
					}
					if found := nonsense.FindString(s.text()); found != "" {
						t.Fatalf("%q after %q in %s:\n%s", found, keys, ViewNames()[v], s.text())
					}
				}
			}
		})
	}
}
