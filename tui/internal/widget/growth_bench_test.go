//go:build unix

package widget

import (
	"errors"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/growthtest"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment/experimenttest"
)

// BenchmarkGrowth reports how the list of items grows with the items: filtered,
// and sorted anew.
func BenchmarkGrowth(b *testing.B) {
	arrange := func(name, filter string, by Sort) {
		growthtest.Run(b, growthtest.Action{Name: name, From: 12_500}, func(b *testing.B, n int) func() error {
			_, outcome := experimenttest.Large(b, n)
			q := musttest.Of(query.Parse(filter))(b)
			return func() error {
				var p ItemList
				p.SortBy(by)
				p.Filter(q)
				p.Arrange(outcome)
				if p.Len() == 0 {
					return errors.New("the list is empty")
				}
				return nil
			}
		})
	}
	arrange("filter by a text", "line", ByInput)
	arrange("filter by facts", "kind:tool tok>100 is:out", ByInput)
	arrange("sort by the first budget", "", ByFirst)
	arrange("sort by density", "", ByDensity)
}
