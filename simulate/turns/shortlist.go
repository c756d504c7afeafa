package turns

import (
	"cmp"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// shortlist chooses the windows of requests that follow each other, each from the few
// items that can be in it, as Stateless chooses from all.
//
// The slicer goes by a key and takes what still fits. While items only come, no
// score rises, so no key falls. The list is made of the items with the first keys. From
// then on all others have at least the first key of those that were left out, rest:
//
//	when made   1 2 5 7  9 | 11 12 20 ...    rest = 11
//	later       1 2 6 9 12 | 11 14 20 ...    and what came since is on the list too
//
// What the slicer takes of all items before key 11 is what it takes of the list. If the
// smallest item that was left out does not fit in the room that then remains, or the slicer
// has stopped, none of them is in. Otherwise the list is made anew, and of more items where
// that is not enough. A window costs O(list), as the list is sorted by keys that hardly
// change from request to request; a new list costs O(items).
type shortlist struct {
	session *Session
	budget  model.Budget
	parts   pipeline.Parts
	traits  slicer.Traits
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
	set     *model.Set
	until   int
	chosen  []entry // by item of the set
	repeats bool    // some of them have the same content
	came    int     // so many of the set have come
	sorted  []int32 // those of them that compete, in the order in which the slicer goes
}

// pinnedScore is the score of a pinned item where it is placed.
const pinnedScore = 1.0

// entry is an item that can be in a window.
type entry struct {
	item   int32 // of the session
	place  int32 // in the items that compete; -1: it is pinned
	tokens model.Tokens
	first  int32 // index in the set of the first item with the same content
	best   int32 // for such a first item: of the one that stays

	// At the last request.
	code  model.Code
	score float64
	key   uint64 // that the slicer goes by
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
	if err != nil {
		return nil
	}
	traits := parts.Slicer.Traits()
	if traits.Key == nil {
		return nil
	}
	if _, ok := scorer.Grow(parts.Scorer, c.session.Items()); !ok {
		return nil
	}
	l := &shortlist{session: c.session, budget: b, parts: parts, traits: traits, shares: startShares}
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
func (l *shortlist) next(r Request) (Window, error) {
	if l.growing == nil || l.session.taken[r.Before] != l.taken || r.Before < l.seen {
		l.seen, l.until, l.taken, l.pinned, l.pinnedTokens, l.items = 0, 0, l.session.taken[r.Before], nil, 0, nil
		l.growing, _ = scorer.Grow(l.parts.Scorer, l.session.Items())
	}
	for anew := l.come(r); ; anew = true {
		if anew {
			l.make()
		}
		if l.choose(r) {
			return l.window()
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
func (l *shortlist) make() {
	n := len(l.items)
	keys, sizes := make([]uint64, n), make([]uint64, n)
	for k, item := range l.items {
		tokens := l.session.Items().Tokens(int(item))
		keys[k], sizes[k] = l.traits.Key(l.growing.Score(k), tokens), uint64(tokens)
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
	l.pick(count / 3)
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
func (l *shortlist) pick(next int) {
	whole := l.session.Items()
	l.chosen, l.came, l.sorted, l.repeats = nil, 0, nil, false
	add := func(item int32, place int) {
		e := entry{item: item, place: int32(place), tokens: whole.Tokens(int(item)), first: int32(len(l.chosen))}
		if place < 0 {
			e.code, e.score = model.Pinned, pinnedScore
		}
		l.chosen = append(l.chosen, e)
	}
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
	place := len(l.items)
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
	items := make([]int32, len(l.chosen))
	for k, e := range l.chosen {
		items[k] = e.item
	}
	l.set = whole.Pick(items)
	l.linkTwins()
}

// linkTwins finds the items of the set that compete and have the same content.
func (l *shortlist) linkTwins() {
	if l.twins == nil {
		return
	}
	firsts := make(map[int32][]int32) // of items whose contents have the same hash
	for k := range l.chosen {
		e := &l.chosen[k]
		if e.place < 0 {
			continue
		}
		alike := firsts[l.twins[e.item].first]
		same := slices.IndexFunc(alike, func(first int32) bool {
			return l.set.Loaded(int(first)).Content == l.set.Loaded(k).Content
		})
		if same < 0 {
			firsts[l.twins[e.item].first] = append(alike, int32(k))
		} else {
			e.first, l.repeats = alike[same], true
		}
	}
}

// choose sets the codes of the items that came before a request, as the slicer selects
// them. It reports whether what it takes of the list is what it takes of all items.
func (l *shortlist) choose(r Request) (suffices bool) {
	l.rate(r)
	room := l.budget.Effective(l.pinnedTokens).Target
	if room <= 0 {
		return true
	}
	left, stopped := room, false // when it has gone through all before rest
	for _, k := range l.sorted {
		switch e := &l.chosen[k]; {
		case e.code == model.Deduplicated:
		case e.tokens <= room:
			e.code, room = model.Scored, room-e.tokens
			if e.key < l.rest {
				left -= e.tokens
			}
		case l.traits.Stops:
			room, stopped = 0, stopped || e.key < l.rest
		}
	}
	if l.traits.Stops {
		return stopped && l.least > 0 || l.least > model.MaxTokens
	}
	return left < l.least
}

// rate scores the items that came before a request, drops duplicates and sorts the rest.
func (l *shortlist) rate(r Request) {
	before := len(l.sorted)
	for ; l.came < len(l.chosen) && int(l.chosen[l.came].item) < r.Before; l.came++ {
		if l.chosen[l.came].place >= 0 {
			l.sorted = append(l.sorted, int32(l.came))
		}
	}
	for _, k := range l.sorted {
		e := &l.chosen[k]
		e.score, e.code = l.growing.Score(int(e.place)), model.BudgetExceeded
		e.key = l.traits.Key(e.score, e.tokens)
	}
	if l.repeats {
		l.deduplicate()
	}
	if before == 0 {
		slices.SortFunc(l.sorted, l.compare)
		return
	}
	for n := 1; n < len(l.sorted); n++ {
		k, at := l.sorted[n], n
		for ; at > 0 && l.compare(k, l.sorted[at-1]) < 0; at-- {
			l.sorted[at] = l.sorted[at-1]
		}
		l.sorted[at] = k
	}
}

// compare orders items of the set as the slicer goes through them.
func (l *shortlist) compare(a, b int32) int {
	x, y := &l.chosen[a], &l.chosen[b]
	if x.key != y.key {
		return cmp.Compare(x.key, y.key)
	}
	return cmp.Or(cmp.Compare(order.Key(x.score), order.Key(y.score)), cmp.Compare(a, b))
}

// deduplicate keeps of the items with the same content the first of those with the best
// score, as the pipeline does.
func (l *shortlist) deduplicate() {
	came := l.chosen[:l.came]
	for k := range came {
		came[k].best = int32(k)
		if first := &came[came[k].first]; order.Before(came[k].score, came[first.best].score) {
			first.best = int32(k)
		}
	}
	for k := range came {
		if came[came[k].first].best != int32(k) {
			came[k].code = model.Deduplicated
		}
	}
}

// window returns the window of what is chosen, in the order of the placer.
func (l *shortlist) window() (Window, error) {
	if err := checkPinned(l.budget, l.pinnedTokens, l.parts.Overflow); err != nil {
		return Window{}, err
	}
	w, codes := Window{}, make([]model.Code, l.set.Len())
	keys, merged := make([]uint64, l.came), make([]int32, 0, l.came)
	take := func(code model.Code) {
		for k, e := range l.chosen[:l.came] {
			if e.code == code {
				codes[k], keys[k], merged = code, order.Key(e.score), append(merged, int32(k))
				w.Tokens += e.tokens
			}
		}
	}
	take(model.Pinned)
	pinned := len(merged)
	take(model.Scored)
	order.Sort(keys, merged[pinned:])
	scores := make([]float64, len(merged))
	for k, at := range merged {
		scores[k] = l.chosen[at].score
	}
	placed := l.parts.Placer.Prepare(&placer.Merged{Set: l.set, Items: merged, Scores: scores})
	w.Items = placed.Place(codes, make([]int32, 0, len(merged)))
	for k, at := range w.Items {
		w.Items[k] = l.chosen[at].item
	}
	return w, nil
}
