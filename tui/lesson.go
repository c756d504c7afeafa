package tui

import (
	"fmt"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
)

// lessonHolds reports whether what was taught at the beginning is still so: at
// most maxTokens is another, which is what lessons are about.
func (s *sessionState) lessonHolds() bool {
	return !s.atMoment() && s.exp.Setup().WithMax(s.original.Budget.MaxTokens).Equal(s.original)
}

// lessonSteps is how many changes ahead a lesson looks.
const lessonSteps = 5

// lesson is what to try, computed for the policy in force: an item that leaves
// although the budget grows, and the keys that it asks for. "": there is none nearby.
func (s *sessionState) lesson() (text, keys string) {
	at, n, ok := s.nextLoss()
	if !ok {
		return "", ""
	}
	return fmt.Sprintf("press ] %s and watch #%d leave although the budget grows", times(n), at), strings.Repeat("]", n)
}

// nextLoss is the item that leaves first as the budget grows, and after how many
// changes; false: none within a few.
func (s *sessionState) nextLoss() (item, after int, ok bool) {
	p := s.exp.Profile(experiment.A)
	if p == nil {
		return 0, 0, false
	}
	b := s.budget()
	for n := 1; n <= lessonSteps; n++ {
		c, more := p.Next(b)
		if !more {
			break
		}
		if len(c.Out) > 0 {
			return int(c.Out[0]), n, true
		}
		b = c.At
	}
	return 0, 0, false
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return plain.Count(n, "time")
}
