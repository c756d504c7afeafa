package turns

import (
	"context"
	"slices"

	"cupelscope/model"
)

// Cause is why a window does not begin with the whole window before it: what
// happened at the first item that differs.
type Cause string

const (
	NoBreak Cause = ""        // the window begins with the whole window before it
	Left    Cause = "left"    // the item is no longer in the window
	CameIn  Cause = "came in" // the item came in ahead of items that were there before
	Moved   Cause = "moved"   // the item is in both windows, at different places
	Changed Cause = "changed" // the content of the item changed
	Cleared Cause = "cleared" // a note stands in place of the item
	Shrank  Cause = "shrank"  // the item is in a smaller size
	Grew    Cause = "grew"    // the item is in a larger size, or in where its note was
	Summed  Cause = "summed"  // a summary stands in place of the item and others
)

// Change is how a window differs from those before it. For a request that
// fails it is the zero Change, and the next window is compared with the last
// one sent.
type Change struct {
	Shared   model.Tokens // tokens of the longest prefix that any earlier window begins with too
	Before   model.Tokens // tokens of the last window sent before; 0 if there is none
	Survived model.Tokens // tokens of the prefix of that window with which this one begins
	First    bool         // no window was sent before
	Cause    Cause
	Item     int32 // the item that Cause is about; -1: none
	// AskedShared are the tokens of the longest prefix that Window.Asked shares with any
	// earlier window.
	AskedShared model.Tokens
}

// Surviving returns the share of the window before that survives as prefix, 0
// to 1. It is 1 if Before is 0.
func (c Change) Surviving() float64 {
	if c.Before == 0 {
		return 1
	}
	return float64(c.Survived) / float64(c.Before)
}

// Compare compares each window with those before it. Items are the same if
// they are versions of one item with the same content and the same tokens. It
// takes a pass over all windows; of a window that extends the one before it, only
// over what came. The only error is ctx's.
func (s *History) Compare(ctx context.Context, windows []Window) ([]Change, error) {
	changes := make([]Change, len(windows))
	c, last := s.comparison(), []int32(nil)
	for t, w := range windows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.Err == nil {
			changes[t] = c.next(w, past{after: last})
			last = w.sequence()
		}
	}
	return changes, nil
}

// comparison compares windows with those before them, one after the other.
type comparison struct {
	sent   prefixes
	tokens model.Tokens // of the window before
	sizes  standIns
	any    bool // there is one
}

func (s *History) comparison() *comparison {
	return &comparison{sent: prefixes{history: s, nodes: []node{{}}, after: map[place]int32{}}}
}

// past is the window before another: it begins with at least the first same parts of the other,
// and goes on with after.
type past struct {
	same  int
	after []int32
}

// next returns how a window differs from those before it.
func (c *comparison) next(w Window, was past) Change {
	s, items, same := c.sent.history, w.sequence(), 0
	change := Change{First: !c.any, Item: -1}
	if w.Asked != nil {
		asked := w.Asked.sequence()
		change.AskedShared = s.size(asked[:c.sent.add(asked, 0)], w.sizes)
	}
	if c.any {
		alike := s.common(was.after, items[was.same:])
		same = was.same + alike
		change.Before = c.tokens
		change.Survived = c.tokens - s.size(was.after[alike:], c.sizes)
		if alike < len(was.after) {
			change.Cause, change.Item = s.cause(was.after[alike:], items[same:])
		}
	}
	known := same
	if w.Asked != nil {
		known = 0 // the last window that was added is another
	}
	shared := c.sent.add(items, known)
	change.Shared = change.Survived + s.size(items[same:shared], w.sizes)
	c.any, c.tokens, c.sizes = true, w.Tokens, w.sizes
	return change
}

// Exchange returns the items that window t has and the last window sent before
// it has not, and the reverse, both ascending. Versions of one item with the
// same content count as one. Both are empty for a request that fails and for
// the first window sent. It panics if t is out of range.
func (s *History) Exchange(windows []Window, t int) (in, out []int32) {
	before := t - 1
	for before >= 0 && windows[before].Err != nil {
		before--
	}
	if before < 0 || windows[t].Err != nil {
		return nil, nil
	}
	const here, there = 1, 2
	has := make([]uint8, len(s.keys)) // by item: the windows that have it
	for _, i := range windows[t].Items {
		has[s.keys[i]] |= here
	}
	for _, i := range windows[before].Items {
		has[s.keys[i]] |= there
	}
	only := func(window uint8, items []int32) (some []int32) {
		for _, i := range items {
			if has[s.keys[i]] == window {
				some = append(some, i)
			}
		}
		slices.Sort(some)
		return some
	}
	return only(here, windows[t].Items), only(there, windows[before].Items)
}

// common returns the number of items that two lists share from their start.
func (s *History) common(a, b []int32) int {
	k, most := 0, min(len(a), len(b))
	if most > 0 && &a[0] == &b[0] { // parts of one array
		return most
	}
	for k < most && (a[k] == b[k] || s.key(a[k]) == s.key(b[k])) {
		k++
	}
	return k
}

// key returns what tells a part of a window from others: the same for versions of an item
// with one content, and for the notes in their place.
func (s *History) key(part int32) int32 {
	switch {
	case part >= 0:
		item, _ := itemOf(part)
		return inSize(s.keys[item], sizeOf(part))
	case isNote(part):
		return ^s.keys[^part]
	}
	return part
}

// root returns the item that a part is a version of, or the note in place of one; a
// summary is the root of itself.
func (s *History) root(part int32) int32 {
	if i, ok := itemOf(part); ok {
		return s.roots[i]
	}
	return part
}

// cause returns why the prefix ends and at which item. before and now are the items
// that follow it in the last window and in this one; before is not empty.
func (s *History) cause(before, now []int32) (Cause, int32) {
	was, item := before[0], int32(s.itemOrNone(before[0]))
	if len(now) == 0 {
		return Left, item
	}
	is := now[0]
	has := func(items []int32, part int32) bool {
		return slices.ContainsFunc(items, func(other int32) bool { return s.root(other) == s.root(part) })
	}
	switch {
	case isSummary(is) && !isSummary(was):
		return Summed, item
	case s.root(was) == s.root(is) && isNote(is):
		return Cleared, item
	case s.root(was) == s.root(is) && s.sameText(was, is):
		if sizeOf(is) > sizeOf(was) && !isNote(was) {
			return Shrank, int32(s.itemOrNone(is))
		}
		return Grew, int32(s.itemOrNone(is))
	case s.root(was) == s.root(is):
		return Changed, int32(s.itemOrNone(is))
	case !has(now, was):
		return Left, item
	case !has(before, is):
		return CameIn, int32(s.itemOrNone(is))
	}
	return Moved, int32(s.itemOrNone(is))
}

// sameText reports whether two parts are of items with one content, whole.
func (s *History) sameText(a, b int32) bool {
	i, j := s.itemOrNone(a), s.itemOrNone(b)
	return i >= 0 && j >= 0 && s.keys[i] == s.keys[j]
}

// prefixes holds all windows sent so far as a tree whose paths from the root are
// their prefixes. An edge is a run of items of one of the windows, so a window adds
// at most two nodes:
//
//	[system ask] -+- [call 1 result 1]
//	              +- [result 1 call 2]
type prefixes struct {
	history *History
	nodes   []node          // the first is the root
	after   map[place]int32 // the node that follows another with an item
	path    []int32         // the nodes after the root that the last window passes
	copies  bool            // a window changes after it was added
}

// node is an edge: the items of a window up to index to.
type node struct {
	items []int32
	to    int32
}

// place is where a node lies: after which one, and with what item it begins.
type place struct{ parent, key int32 }

// add adds a window, which shares at least its first same items with the last one, and
// returns the number of items that it shares with any earlier one.
func (p *prefixes) add(items []int32, same int) int {
	at, k := int32(0), 0
	for n := len(p.path); n > 0 && k == 0; n-- {
		if last := p.path[n-1]; int(p.nodes[last].to) <= same {
			at, k = last, int(p.nodes[last].to)
		} else {
			p.path = p.path[:n-1]
		}
	}
	for k < len(items) {
		here := place{at, p.history.key(items[k])}
		child, ok := p.after[here]
		if !ok {
			run := items[k:]
			if p.copies {
				run = slices.Clone(run)
			}
			at = p.grow(node{items: run, to: int32(len(items))})
			p.after[here], p.path = at, append(p.path, at)
			return k
		}
		n := p.nodes[child]
		same := p.history.common(n.items, items[k:])
		k += same
		if same < len(n.items) { // cut the edge in two, of which the first is the new node
			first := node{items: n.items[:same], to: int32(k)}
			n.items = n.items[same:]
			p.nodes[child] = n
			at = p.grow(first)
			p.after[here], p.after[place{at, p.history.key(n.items[0])}] = at, child
		} else {
			at = child
		}
		p.path = append(p.path, at)
	}
	return k
}

// grow adds a node and returns its number.
func (p *prefixes) grow(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes)) - 1
}
