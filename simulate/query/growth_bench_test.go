//go:build unix

package query

import (
	"strings"
	"testing"

	"cupelscope/simulate/growthtest"
)

// BenchmarkGrowth reports how reading a filter grows with its terms.
func BenchmarkGrowth(b *testing.B) {
	for name, term := range map[string]string{"words": "word ", "exclusions": "-12 ", "kinds": "kind:tool ", "numbers": "13 "} {
		growthtest.Run(b, growthtest.Action{Name: "a filter of " + name, From: 4_000}, func(_ *testing.B, n int) func() error {
			source := strings.Repeat(term, n)
			return func() error {
				_, err := Parse(source)
				return err
			}
		})
	}
}
