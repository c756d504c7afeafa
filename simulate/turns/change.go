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
// takes a pass over all windows, and of those that extend the one before only
// over what came. The only error is ctx's.
func (s *Session) Compare(ctx context.Context, windows []Window) ([]Change, error) {
	changes := make([]Change, len(windows))
	sent := prefixes{session: s, windows: windows, nodes: []node{{}}, after: map[place]int32{}}
	last, tokens := -1, model.Tokens(0) // the last window sent, and what its items have
	for t, w := range windows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if w.Err != nil {
			continue
		}
		c, same := Change{First: last < 0, Item: -1}, 0
		if last >= 0 {
			before := windows[last]
			same = s.common(before.Items, w.Items)
			if c.Before, c.Survived = before.Tokens, tokens; same < len(before.Items) {
				c.Survived = s.tokens(w.Items[:same])
				c.Cause, c.Item = s.cause(before.Items[same:], w.Items[same:])
			}
		}
		shared := sent.add(t, same)
		c.Shared = c.Survived + s.tokens(w.Items[same:shared])
		changes[t], last, tokens = c, t, c.Shared+s.tokens(w.Items[shared:])
	}
	return changes, nil
}

// Exchange returns the items that window t has and the last window sent before
// it has not, and the reverse, both ascending. Versions of one item with the
// same content count as one. Both are empty for a request that fails and for
// the first window sent. It panics if t is out of range.
func (s *Session) Exchange(windows []Window, t int) (in, out []int32) {
	before := t - 1
	for before >= 0 && windows[before].Err != nil {
		before--
	}
	if before < 0 || windows[t].Err != nil {
		return nil, nil
	}
	missing := func(from, of []int32) (items []int32) {
		has := make(map[int32]bool, len(of))
		for _, i := range of {
			has[s.keys[i]] = true
		}
		for _, i := range from {
			if !has[s.keys[i]] {
				items = append(items, i)
			}
		}
		slices.Sort(items)
		return items
	}
	return missing(windows[t].Items, windows[before].Items), missing(windows[before].Items, windows[t].Items)
}

// common returns the number of items that two lists share from their start.
func (s *Session) common(a, b []int32) int {
	k, most := 0, min(len(a), len(b))
	if most > 0 && &a[0] == &b[0] { // parts of one array
		return most
	}
	for k < most && s.keys[a[k]] == s.keys[b[k]] {
		k++
	}
	return k
}

// cause returns why the prefix ends and at which item. before and now are the items
// that follow it in the last window and in this one; before is not empty.
func (s *Session) cause(before, now []int32) (Cause, int32) {
	was := before[0]
	if len(now) == 0 {
		return Left, was
	}
	is := now[0]
	has := func(items []int32, item int32) bool {
		for _, i := range items {
			if s.roots[i] == s.roots[item] {
				return true
			}
		}
		return false
	}
	switch {
	case s.roots[was] == s.roots[is]:
		return Changed, is
	case !has(now, was):
		return Left, was
	case !has(before, is):
		return CameIn, is
	}
	return Moved, is
}

// prefixes holds all windows sent so far as a tree whose paths from the root are
// their prefixes. An edge is a run of items of one of the windows, so a window adds
// at most two nodes:
//
//	[system ask] -+- [call 1 result 1]
//	              +- [result 1 call 2]
type prefixes struct {
	session *Session
	windows []Window
	nodes   []node          // the first is the root
	after   map[place]int32 // the node that follows another with an item
	last    int32           // the node at which the last window ends,
	length  int             // and its number of items
}

// node is an edge: windows[window].Items[from:to].
type node struct{ window, from, to int32 }

// place is where a node lies: after which one, and with what item it begins.
type place struct{ parent, key int32 }

func (p *prefixes) run(n node) []int32 { return p.windows[n.window].Items[n.from:n.to] }

// add adds window t, which shares its first same items with the last one, and returns
// the number of items that it shares with any earlier one.
func (p *prefixes) add(t, same int) int {
	items := p.windows[t].Items
	at, k := int32(0), 0
	if same == p.length {
		at, k = p.last, same
	}
	p.length = len(items)
	for k < len(items) {
		here := place{at, p.key(items[k])}
		child, ok := p.after[here]
		if !ok {
			p.last = p.grow(node{window: int32(t), from: int32(k), to: int32(len(items))})
			p.after[here] = p.last
			return k
		}
		n := p.nodes[child]
		same := p.session.common(p.run(n), items[k:])
		if k += same; same < int(n.to-n.from) { // cut the edge in two, of which the first is the new node
			first := n
			n.from += int32(same)
			first.to = n.from
			p.nodes[child] = n
			at = p.grow(first)
			p.after[here], p.after[place{at, p.key(p.run(n)[0])}] = at, child
			continue
		}
		at = child
	}
	p.last = at
	return k
}

func (p *prefixes) key(item int32) int32 { return p.session.keys[item] }

// grow adds a node and returns its number.
func (p *prefixes) grow(n node) int32 {
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes)) - 1
}
