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

// CarryEdits carries the edits e of the set old over to now, the set that the
// same sources give when they are loaded again. It returns the edits for now
// and what happened to the items.
//
// Two items are the same if their content, kind and timestamp are equal;
// several equal items are matched in order. The items still unmatched are then
// matched without the timestamp, so nothing is lost when a file was only
// touched, or when the times of a conversation are derived from its order. If
// any item is new, gone or moved, the hints of e.Query are dropped.
//
// CarryEdits compares the items with which both sets begin, and hashes the
// contents of the remaining items at most twice. It changes neither the sets nor e, and
// the maps that it returns are new.
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
	return e.Renumbered(c.Index).WithQuery(e.Query.carry(c)), c
}

// Index returns the index in the new set of the item with index old in the old
// set, or false if the item is gone or old is no index of the old set.
func (c Carried) Index(old int) (int, bool) {
	if old < 0 || old >= len(c.to) || c.to[old] < 0 {
		return 0, false
	}
	return int(c.to[old]), true
}

// String returns the counts in one line, such as "3 items new, 1 gone, edits of
// 1 lost".
func (c Carried) String() string {
	var parts []string
	part := func(n int, format string) {
		if n > 0 {
			number := plain.Thousands(n)
			if len(parts) == 0 {
				number = plain.Count(n, "item")
			}
			parts = append(parts, fmt.Sprintf(format, number))
		}
	}
	part(c.New, "%s new")
	part(c.Gone, "%s gone")
	if c.New+c.Gone == 0 {
		part(c.Moved, "%s moved")
	}
	if c.Lost > 0 {
		parts = append(parts, fmt.Sprintf("edits of %s lost", plain.Thousands(c.Lost)))
	}
	if len(parts) == 0 {
		return "nothing changed"
	}
	return strings.Join(parts, ", ")
}

// Labels returns the labels l of the old set for the new one. New items have
// the labels in loaded. Labels of needed items that are gone count as unreachable.
// If l.Grades is nil, loaded has the grades.
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
	carried := renumbered(l.Grades, c.Index)
	maps.Copy(grades, carried)
	l.Unreachable += len(l.Needed()) - len(Labels{Grades: carried}.Needed())
	l.Grades = grades
	return l
}

// same reports whether two items have equal content and kind and, if timeToo,
// equal timestamps.
func (it *Item) same(other *Item, timeToo bool) bool {
	a, b := it.Timestamp, other.Timestamp
	return it.Content == other.Content && it.Kind.Is(other.Kind) && (!timeToo || a.Set == b.Set && a.Value.Equal(b.Value))
}

// identities returns a function that gives equal items equal hashes; see
// Item.same.
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

// matchItems returns, for each item of old, the index of the same item in now,
// or -1. No index appears twice. Of the items with one content and kind it
// matches as many as both sets have.
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
		left := make(map[uint64][]int32) // by identity: the items of now, in order
		for j := range taken {
			if !taken[j] {
				id := identity(j, timeToo)
				left[id] = append(left[id], int32(j))
			}
		}
		for i := range to {
			if to[i] >= 0 {
				continue
			}
			it, id := &old.items[i], oldIdentity(i, timeToo)
			others := left[id]
			k := slices.IndexFunc(others, func(j int32) bool { return it.same(&now.items[j], timeToo) })
			if k >= 0 {
				to[i], taken[others[k]] = others[k], true
				copy(others[1:], others[:k]) // k is 0 where no hashes collide
				left[id] = others[1:]
			}
		}
	}
	return to
}
