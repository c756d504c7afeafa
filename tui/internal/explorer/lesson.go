package explorer

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// introduce says what was opened and what to try there, below the header or in the line of the last
// change, until the first key is pressed.
func (m *Model) introduce() {
	if !m.workspace.Sample {
		return
	}
	lesson := m.workspace.Lesson
	if lesson == "" {
		lesson = m.lesson()
	}
	what := fmt.Sprintf("A built-in sample: which of its %v items fit into %v tokens?", m.exp.Items().Len(), m.budget())
	short := fmt.Sprintf("Which of %v items fit into %v tokens?", m.exp.Items().Len(), m.budget())
	m.messages.intro = []string{what, short}
	if m.workspace.Tour {
		m.messages.introKeys = append(m.messages.introKeys, "t tour")
	}
	if lesson != "" {
		m.messages.intro = []string{what + " " + capital(lesson), "A built-in sample: " + lesson, what, short}
		if first, _, long := strings.Cut(lesson, ", "); long {
			m.messages.intro = slices.Insert(m.messages.intro, 1, what+" "+capital(first), "A built-in sample: "+first, capital(first))
		}
	}
}

// capital makes the first letter of a sentence a capital.
func capital(text string) string {
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// lessonSteps is how many changes ahead a lesson looks.
const lessonSteps = 5

// lesson returns what to try, computed for the current policy: to watch an item leave
// although the budget grows. It returns "" if no such item is near.
func (m *Model) lesson() string {
	at, n, ok := m.nextLoss()
	if !ok {
		return ""
	}
	return fmt.Sprintf("press %s%s and watch #%d leave although the budget grows", m.keyOf("budget.next"), times(n), at)
}

// nextLoss returns the item that leaves first as the budget grows, and after how many
// changes. It returns false if none leaves within lessonSteps.
func (s *workspaceState) nextLoss() (item, after int, ok bool) {
	p := s.exp.Profile(s.side)
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

// times returns how often to press a key, behind it; "" for once.
func times(n int) string {
	if n == 1 {
		return ""
	}
	return " " + plain.Count(n, "time")
}
