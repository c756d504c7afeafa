package turns

import (
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// shortlist chooses the windows of requests that follow each other, each from the few
// items that can be in it, as Stateless chooses from all.
//
// The slicer goes by a key and takes each item that still fits. While items only come, no
// score rises, so no key falls. The list is made of the items with the first keys. From
// then on all others have at least the first key of those that were left out, rest:
//
//	when made   1 2 5 7  9 | 11 12 20 ...    rest = 11
//	later       1 2 6 9 12 | 11 14 20 ...    and what came since is on the list too
//
// What the slicer takes of all items before key 11 is what it takes of the list. If the
// smallest item that was left out does not fit in the room that then remains, none of them
// is in. Otherwise the list is made anew, and of more items where that is not enough. A
// window costs O(list), a new list O(items).
type shortlist struct {
	session *Session
	budget  model.Budget
	parts   pipeline.Parts
	key     func(score float64, tokens model.Tokens) uint64
	twins   []twin // by item; nil: the policy keeps items of the same content

	seen         int   // items below this index have come,
	taken        int32 // and so many were taken out
	pinned       []int32
	pinnedTokens model.Tokens
	items        []int32 // that compete, ascending
	growing      scorer.Growing

	listed []bool       // by place in items, of those that had come when the list was made
	rest   uint64       // see above
	least  model.Tokens // of the smallest item that is not on the list
	shares model.Tokens // the list is made for so many times the room and the least length

	// The set has the pinned items, those on the list and, so that it serves several
	// windows, those that come next, below index until.
	set    *model.Set
	until  int
	chosen []int32 // by item of the set: that of the session
	pipe   *pipeline.Pipeline
}

// twin links the items of a session that may have the same content.
type twin struct {
	first  int32 // the first of them
	before int32 // the one before this, or -1
}

const (
	// shortlisted is the number of requests that one shortlist goes through. Its first list
	// costs about as much as ten windows.
	shortlisted = 512
	// startShares is for how many times the room a list is made at first, and leastListed of
	// how many items at least.
	startShares, leastListed = 5, 8
	// smallListed is the share of a list, one in so many, that it has beside them of the
	// smallest items: these alone fit where little room remains.
	smallListed = 4
)

// shortlist returns a shortlist for requests under a budget, or nil if the policy allows
// none: what a slicer with quotas or a table takes depends on all items, and some scores
// rise as items come.
func (c *chooser) shortlist(b model.Budget) *shortlist {
	if c.pipe == nil || c.policy.KeepPairs || c.session.Items().HasSizes() {
		return nil
	}
	parts, err := pipeline.PartsOf(c.policy)
	if err != nil || parts.Slicer.Traits().Key == nil {
		return nil
	}
	if _, ok := scorer.Grow(parts.Scorer, c.session.Items()); !ok {
		return nil
	}
	l := &shortlist{session: c.session, budget: b, parts: parts, key: parts.Slicer.Traits().Key, shares: startShares}
	if parts.Deduplicate {
		l.twins = c.session.twins()
	}
	return l
}

// twins links the items whose contents have the same hash.
func (s *Session) twins() []twin {
	last, twins := make(map[uint64]int32, s.Items().Len()), make([]twin, s.Items().Len())
	for i := range twins {
		hash := s.Items().Hash(i)
		twins[i] = twin{int32(i), -1}
		if before, ok := last[hash]; ok {
			twins[i] = twin{twins[before].first, before}
		}
		last[hash] = int32(i)
	}
	return twins
}

// next chooses the window of a request.
func (l *shortlist) next(ctx context.Context, r Request) (Window, error) {
	if l.growing == nil || l.session.taken[r.Before] != l.taken || r.Before < l.seen {
		l.seen, l.until, l.taken, l.pinned, l.pinnedTokens, l.items = 0, 0, l.session.taken[r.Before], nil, 0, nil
		l.growing, _ = scorer.Grow(l.parts.Scorer, l.session.Items())
	}
	for anew := l.come(r); ; anew = true {
		if anew {
			if err := l.make(); err != nil {
				return Window{}, err
			}
		}
		n, _ := slices.BinarySearch(l.chosen, int32(r.Before))
		ranking, err := l.pipe.Rank(ctx, l.set.Part(n, nil))
		if err != nil {
			return Window{}, err
		}
		sel, err := ranking.Select(ctx, l.budget, nil)
		if err != nil {
			return Window{}, err
		}
		if l.suffices(ranking, sel) {
			return l.place(ranking, sel)
		}
		if anew {
			l.shares *= 2
		}
	}
}

// come takes in what came before a request. It reports whether the list must be made anew:
// a score may have risen, an item is not in the set, or its content may be that of one
// that is not on the list. Which one of these stays depends on their scores.
func (l *shortlist) come(r Request) (anew bool) {
	from := len(l.items)
	for _, item := range l.session.come(r, l.seen) {
		if l.session.Items().Pinned(int(item)) {
			l.pinned = append(l.pinned, item)
			l.pinnedTokens += l.session.Items().Tokens(int(item))
			continue
		}
		if l.twins != nil {
			place, there := slices.BinarySearch(l.items, l.twins[item].before)
			anew = anew || there && place < len(l.listed) && !l.listed[place]
		}
		l.items = append(l.items, item)
	}
	l.seen = r.Before
	return l.growing.Grow(l.items[from:]) || anew || l.seen > l.until
}

// make makes the list anew.
func (l *shortlist) make() error {
	n := len(l.items)
	keys, sizes := make([]uint64, n), make([]uint64, n)
	for k, item := range l.items {
		tokens := l.session.Items().Tokens(int(item))
		keys[k], sizes[k] = l.key(l.growing.Score(k), tokens), uint64(tokens)
	}
	l.listed = make([]bool, n)
	count, room := 0, l.shares*l.budget.Effective(l.pinnedTokens).Target/4
	for _, k := range order.Sorted(keys) {
		if room <= 0 && count >= leastListed*int(l.shares) {
			break
		}
		room -= model.Tokens(sizes[k])
		l.listed[k] = true
		count++
	}
	for _, k := range order.Sorted(sizes)[:min(n, count/smallListed)] {
		l.listed[k] = true
	}
	l.listTwins()
	l.rest, l.least = math.MaxUint64, model.MaxTokens+1
	for k, listed := range l.listed {
		if !listed {
			l.rest, l.least = min(l.rest, keys[k]), min(l.least, model.Tokens(sizes[k]))
		}
	}
	return l.pick(count / 3)
}

// listTwins lists all items that may have the content of one that is listed.
func (l *shortlist) listTwins() {
	if l.twins == nil {
		return
	}
	firsts := make([]bool, l.session.Items().Len())
	for k, item := range l.items {
		if l.listed[k] {
			firsts[l.twins[item].first] = true
		}
	}
	for k, item := range l.items {
		l.listed[k] = firsts[l.twins[item].first]
	}
}

// pick makes the set of the list and of some items that come next.
func (l *shortlist) pick(next int) error {
	scores := places{growing: l.growing}
	add := func(item int32, place int) {
		l.chosen, scores.of = append(l.chosen, item), append(scores.of, int32(place))
	}
	l.chosen = l.chosen[:0]
	pinned := l.pinned
	for k, item := range l.items {
		if !l.listed[k] {
			continue
		}
		for ; len(pinned) > 0 && pinned[0] < item; pinned = pinned[1:] {
			add(pinned[0], -1)
		}
		add(item, k)
	}
	for _, item := range pinned {
		add(item, -1)
	}
	place, whole := len(l.items), l.session.Items()
	for l.until = l.seen; l.until < whole.Len() && l.until < l.seen+next; l.until++ {
		switch {
		case !whole.TakesPart(l.until):
		case whole.Pinned(l.until):
			add(int32(l.until), -1)
		default:
			add(int32(l.until), place)
			place++
		}
	}
	parts := l.parts
	parts.Scorer = scores
	l.set = whole.Pick(l.chosen)
	var err error
	l.pipe, err = pipeline.Assemble(parts)
	return err
}

// places is a scorer of items by their places in a list that grows; pinned items have none.
type places struct {
	growing scorer.Growing
	of      []int32 // by item of the set
}

// Score implements scorer.Scorer.
func (p places) Score(_ context.Context, list scorer.List, dst []float64) error {
	for k, item := range list.Items {
		dst[k] = p.growing.Score(int(p.of[item]))
	}
	return nil
}

// suffices reports whether what is taken of the list is what is taken of all items.
func (l *shortlist) suffices(ranking *pipeline.Ranking, sel slicer.Selection) bool {
	room := l.budget.Effective(l.pinnedTokens).Target
	if room <= 0 {
		return true
	}
	in := ranking.Input()
	for k, tokens := range in.Tokens {
		if sel.Has(k) && l.key(in.Scores[k], tokens) < l.rest {
			room -= tokens
		}
	}
	return room < l.least
}

// place returns the window of a selection.
func (l *shortlist) place(ranking *pipeline.Ranking, sel slicer.Selection) (Window, error) {
	report, err := ranking.Place(l.budget, sel)
	if err != nil {
		return Window{}, err
	}
	for k, item := range report.Included {
		report.Included[k] = l.chosen[item]
	}
	return Window{Items: report.Included, Tokens: report.Kept}, nil
}
