package model

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// Carried counts what happened to the items and edits of a set when its sources
// were loaded again.
type Carried struct {
	New   int // items that were not there before
	Gone  int // items that are no longer there
	Moved int // items that are there under another index
	Kept  int // edited items whose edits were carried over
	Lost  int // edited items that are gone, and their edits with them

	to []int32 // by old index; -1: gone
}

// CarryEdits maps the edits e of a set onto the set that its sources give now.
//
// An item is the same if content, kind and timestamp are; several that are the
// same are matched in order. What is left then is matched
// without its timestamp: a file that was only touched, or a conversation whose
// times are made up from its order, loses nothing. It costs one hash of all
// contents. The sets and e are not changed; nothing of e is shared.
func CarryEdits(old, now *Set, e Edits) (Edits, Carried) {
	c := Carried{to: matchItems(old, now)}
	for i, j := range c.to {
		switch {
		case j < 0:
			c.Gone++
		case int(j) != i:
			c.Moved++
		}
	}
	c.New = now.Len() - (old.Len() - c.Gone)
	for _, i := range slices.Compact(e.indexes()) {
		if _, ok := c.Index(i); ok {
			c.Kept++
		} else {
			c.Lost++
		}
	}
	return Edits{carry(e.Pinned, c), carry(e.Excluded, c), carry(e.Tokens, c), carry(e.Hints, c), e.Query.carry(c)}, c
}

// Index is where the item with an index in the old set is now; false: gone.
func (c Carried) Index(old int) (int, bool) {
	if old < 0 || old >= len(c.to) || c.to[old] < 0 {
		return 0, false
	}
	return int(c.to[old]), true
}

// String says it in a line: "3 items new, 1 gone, edits of 1 lost".
func (c Carried) String() string {
	var parts []string
	part := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, plain.Thousands(n)))
		}
	}
	items := func(n int) string {
		if len(parts) > 0 {
			return ""
		}
		if n == 1 {
			return " item"
		}
		return " items"
	}
	part(c.New, "%v"+items(c.New)+" new")
	part(c.Gone, "%v"+items(c.Gone)+" gone")
	if c.New+c.Gone == 0 {
		part(c.Moved, "%v"+items(c.Moved)+" moved")
	}
	part(c.Lost, "edits of %v lost")
	if len(parts) == 0 {
		return "nothing changed"
	}
	return strings.Join(parts, ", ")
}

// Labels are the labels of the old set for the new one, in which new items have
// those that they were loaded with. Labels of items that are gone are unreachable.
func (c Carried) Labels(l, loaded Labels) Labels {
	if l.Grades == nil { // none is not the same as not said, see Labels
		l.Grades = loaded.Grades
		return l
	}
	grades := map[int]int{}
	maps.Copy(grades, loaded.Grades)
	for _, j := range c.to { // no new item
		delete(grades, int(j))
	}
	carried := carry(l.Grades, c)
	maps.Copy(grades, carried)
	l.Unreachable += len(l.Grades) - len(carried)
	l.Grades = grades
	return l
}

func carry[T any](edits map[int]T, c Carried) map[int]T {
	var carried map[int]T
	for i, v := range edits {
		if j, ok := c.Index(i); ok {
			if carried == nil {
				carried = make(map[int]T, len(edits))
			}
			carried[j] = v
		}
	}
	return carried
}

// same reports whether two items are the same, with or without their times.
func (it *Item) same(other *Item, timeToo bool) bool {
	a, b := it.Timestamp, other.Timestamp
	return it.Content == other.Content && it.Kind.Is(other.Kind) && (!timeToo || a.Set == b.Set && a.Value.Equal(b.Value))
}

// identities gives items that are the same the same number.
func (s *Set) identities(seed maphash.Seed) func(i int, timeToo bool) uint64 {
	kinds := make([]uint64, len(s.kinds))
	for id, kind := range s.kinds {
		kinds[id] = maphash.String(seed, string(kind.Fold()))
	}
	return func(i int, timeToo bool) uint64 {
		it := &s.items[i]
		h := maphash.String(seed, it.Content) + kinds[s.kindOf[i]]
		if timeToo && it.Timestamp.Set {
			h ^= maphash.Comparable(seed, it.Timestamp.Value.UnixNano())
		}
		return h
	}
}

// matchItems gives each item of old the index of the same item of now, or -1.
// No two have the same. Among the items of one content and kind as many are
// matched as there are in both sets.
func matchItems(old, now *Set) []int32 {
	to, taken := make([]int32, old.Len()), make([]bool, now.Len())
	i := 0
	for ; i < min(len(to), len(taken)) && old.items[i].same(&now.items[i], true); i++ {
		to[i], taken[i] = int32(i), true // most sources only grow at their end
	}
	for ; i < len(to); i++ {
		to[i] = -1
	}
	seed := maphash.MakeSeed()
	oldIdentity, identity := old.identities(seed), now.identities(seed)
	for _, timeToo := range [...]bool{true, false} {
		if !slices.Contains(to, -1) || !slices.Contains(taken, false) {
			break
		}
		// The items of now that are left, as a list in order for each identity;
		// 0 ends it, so indexes count from 1.
		first, next := make(map[uint64]int32), make([]int32, now.Len()+1)
		for j := now.Len(); j > 0; j-- {
			if !taken[j-1] {
				id := identity(j-1, timeToo)
				next[j], first[id] = first[id], int32(j)
			}
		}
		for i := range to {
			if to[i] >= 0 {
				continue
			}
			it, id := &old.items[i], oldIdentity(i, timeToo)
			before := int32(0)
			for j := first[id]; j > 0; before, j = j, next[j] {
				if !it.same(&now.items[j-1], timeToo) {
					continue
				}
				if to[i], taken[j-1] = j-1, true; before > 0 {
					next[before] = next[j]
				} else {
					first[id] = next[j]
				}
				break
			}
		}
	}
	return to
}
