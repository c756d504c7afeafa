package explorer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// selection is the items that were chosen, in any view. Keys that act on an item
// then act on all of them.
type selection struct {
	chosen map[int]bool
	sorted []int // the chosen items, ascending; nil: to be made
}

func newSelection() selection { return selection{chosen: map[int]bool{}} }

// items returns the chosen items, ascending. The slice must not be changed.
func (s *selection) items() []int {
	if s.sorted == nil {
		s.sorted = slices.Sorted(maps.Keys(s.chosen))
	}
	return s.sorted
}

// toggle chooses items, or none if all are chosen.
func (s *selection) toggle(items []int32) {
	all := !slices.ContainsFunc(items, func(i int32) bool { return !s.chosen[int(i)] })
	s.sorted = nil
	for _, i := range items {
		if all {
			delete(s.chosen, int(i))
		} else {
			s.chosen[int(i)] = true
		}
	}
}

// carry returns the selection for items that were loaded again. Index returns where an item
// is now, or false if it is gone.
func (s *selection) carry(index func(item int) (int, bool)) selection {
	next := newSelection()
	for i := range s.chosen {
		if j, ok := index(i); ok {
			next.chosen[j] = true
		}
	}
	return next
}

// words describes what is chosen of a set, and what the keys do to it. key returns the key of
// an action; "" if the action does not act on items in the view that is shown.
func (s *selection) words(of *model.Set, key func(action string) string) string {
	if len(s.chosen) == 0 {
		return "no item is chosen; keys act on the one under the cursor"
	}
	var tokens model.Tokens
	for i := range s.chosen {
		tokens += of.Tokens(i)
	}
	var does []string
	for _, k := range [...][2]string{{"item.pin", "pins"}, {"item.exclude", "excludes"}, {"item.stays", "fits all"}} {
		if name := key(k[0]); name != "" {
			does = append(does, name+" "+k[1])
		}
	}
	return fmt.Sprintf("%s chosen, %v tok: %s", plain.Count(len(s.chosen), "item"), tokens, strings.Join(does, ", "))
}

// itemName names an item for a message.
func itemName(i int) string { return fmt.Sprintf("#%d", i) }

// namesOf names items for a label: "#12", "#3 #5 #8", "17 items".
func namesOf(items []int) string {
	if len(items) > 4 {
		return plain.Count(len(items), "item")
	}
	return strings.Join(plain.Texts(items, itemName), " ")
}
