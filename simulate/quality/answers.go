package quality

import (
	"slices"
	"strings"
	"sync"

	"cupelscope/model"
)

// Text returns the text of item i of a set in a size as it is sent, 0 the whole; false where
// the source does not give it. See model.Set.SizeText. It must be safe for concurrent use.
type Text func(of *model.Set, i, size int) (string, bool)

// answers knows which texts of a set contain one of the answers as whole words. The texts
// of cuts and notes are read when they are asked for, and once, as making them takes long.
// It is safe for concurrent use.
type answers struct {
	set    *model.Set
	wanted []string // as model.Normalized has them, between spaces
	text   Text     // nil: no text of a cut or a note is known
	whole  []int    // items whose whole text has one, ascending

	mu   sync.Mutex
	cuts map[[2]int]model.Option[bool] // by item and size; not set: the text is not known
}

// newAnswers reads the whole texts of a set. It returns nil if there are no answers.
func newAnswers(s *model.Set, of []string, text Text) *answers {
	if len(of) == 0 {
		return nil
	}
	a := &answers{set: s, text: text, cuts: map[[2]int]model.Option[bool]{}}
	for _, answer := range of {
		a.wanted = append(a.wanted, " "+model.Normalized(answer)+" ")
	}
	for i := range s.Len() {
		if a.in(s.Loaded(i).Content) {
			a.whole = append(a.whole, i)
		}
	}
	return a
}

func (a *answers) in(text string) bool {
	content := " " + model.Normalized(text) + " "
	return slices.ContainsFunc(a.wanted, func(answer string) bool { return strings.Contains(content, answer) })
}

// inCut reports whether an answer is in an item in a size below the whole; not set if the
// text is not known.
func (a *answers) inCut(item, size int) model.Option[bool] {
	key := [2]int{item, size}
	a.mu.Lock()
	defer a.mu.Unlock()
	if is, read := a.cuts[key]; read {
		return is
	}
	var is model.Option[bool]
	if a.text != nil {
		if text, known := a.text(a.set, item, size); known {
			is = model.Some(a.in(text))
		}
	}
	a.cuts[key] = is
	return is
}
