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
	min    model.Tokens // of the smallest item that is not on the list
	shares model.Tokens // the list is made for so many times the room and the least length

	// The items on the list and, so that it serves several windows, those that come next,
	// below index until. The pinned ones stand behind them.
	until   int
	indexes []int32 // in the session
	set     *model.Set
	// byTime are they in the order in which they are sent, where that is that of their times
	// whatever is selected; else nil. Then there is no set, which serves the placer alone.
	byTime []int32
	places []int32 // in items, of those that compete
	tokens []model.Tokens
	firsts []int32 // of those that compete: the first with the same content; nil: none has
	came   int     // so many that compete have come
	sorted []int32 // those, in the order in which the slicer goes

	// At the last request, by item of indexes.
	codes  []model.Code
	scores []float64
	keys   []uint64 // that the slicer goes by
	merged placer.Merged
}

// pinnedScore is the score of a pinned item where it is placed.
const pinnedScore = 1.0

// twin links the items of a session that may have the same content.
type twin struct {
	first  int32 // the first of them
	before int32 // the one before this, or -1
	has    bool  // there is another
}

const (
	// shortlisted is the number of requests that one shortlist goes through. Its first list
	// costs about as much as ten windows.
	shortlisted = 512
	// startShares is for how many times the room a list is made at first, and minListed of
	// how many items at least.
	startShares, minListed = 5, 8
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
		twins[i] = twin{first: int32(i), before: -1}
		if before, ok := last[hash]; ok {
			twins[before].has = true
			twins[i] = twin{first: twins[before].first, before: before, has: true}
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
	all, scores, keys, sizes := make([]int32, n), make([]float64, n), make([]uint64, n), make([]uint64, n)
	for k := range all {
		all[k] = int32(k)
	}
	l.growing.Score(all, scorer.None, scores)
	for k, item := range l.items {
		tokens := l.session.Items().Tokens(int(item))
		keys[k], sizes[k] = l.traits.Key(scores[k], tokens), uint64(tokens)
	}
	l.listed = make([]bool, n)
	count, room := 0, l.shares*l.budget.Effective(l.pinnedTokens).Target/4
	for _, k := range order.Sorted(keys) {
		if room <= 0 && count >= minListed*int(l.shares) {
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
	l.rest, l.min = math.MaxUint64, model.MaxTokens+1
	for k, listed := range l.listed {
		if !listed {
			l.rest, l.min = min(l.rest, keys[k]), min(l.min, model.Tokens(sizes[k]))
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
	l.indexes, l.places, l.came, l.sorted = nil, nil, 0, nil
	for k, item := range l.items {
		if l.listed[k] {
			l.indexes, l.places = append(l.indexes, item), append(l.places, int32(k))
		}
	}
	pinned, place := l.pinned, len(l.items)
	for l.until = l.seen; l.until < whole.Len() && l.until < l.seen+next; l.until++ {
		switch {
		case !whole.TakesPart(l.until):
		case whole.Pinned(l.until):
			pinned = append(pinned, int32(l.until))
		default:
			l.indexes, l.places = append(l.indexes, int32(l.until)), append(l.places, int32(place))
			place++
		}
	}
	l.indexes = append(l.indexes, pinned...)
	n := len(l.indexes)
	l.codes, l.scores, l.keys, l.tokens = make([]model.Code, n), make([]float64, n), make([]uint64, n), make([]model.Tokens, n)
	for k, item := range l.indexes {
		l.tokens[k] = whole.Tokens(int(item))
	}
	if l.byTime = l.timed(); l.byTime == nil {
		l.set = whole.WithPairs().Pick(l.indexes)
	}
	l.linkTwins()
}

// timed returns the items of indexes by their times, or nil where the placer does not go by
// time, or looks at the scores because an item has no time, or that of another.
func (l *shortlist) timed() []int32 {
	if _, goes := l.parts.Placer.(placer.Chronological); !goes {
		return nil
	}
	times := make([]uint64, len(l.indexes))
	for k, item := range l.indexes {
		times[k] = l.session.Items().Instant(int(item))
	}
	placed, last := order.Sorted(times), uint64(0)
	for _, k := range placed {
		if times[k] == last {
			return nil
		}
		last = times[k]
	}
	return placed
}

// linkTwins finds the items of the set that compete and have the same content.
func (l *shortlist) linkTwins() {
	if l.firsts = nil; l.twins == nil {
		return
	}
	firsts, repeats := make([]int32, len(l.places)), false
	byHash := make(map[int32][]int32) // the first ones of items whose contents have the same hash
	content := func(k int32) string { return l.session.Items().Loaded(int(l.indexes[k])).Content }
	for k := range firsts {
		firsts[k] = int32(k)
		twin := l.twins[l.indexes[k]]
		if !twin.has {
			continue
		}
		hash := twin.first
		alike := byHash[hash]
		same := slices.IndexFunc(alike, func(first int32) bool { return content(first) == content(int32(k)) })
		if same < 0 {
			byHash[hash] = append(alike, int32(k))
		} else {
			firsts[k], repeats = alike[same], true
		}
	}
	if repeats {
		l.firsts = firsts
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
		switch tokens := l.tokens[k]; {
		case l.codes[k] == model.Deduplicated:
		case tokens <= room:
			l.codes[k], room = model.Scored, room-tokens
			if l.keys[k] < l.rest {
				left -= tokens
			}
		case l.traits.Stops:
			room, stopped = 0, stopped || l.keys[k] < l.rest
		}
	}
	if l.traits.Stops {
		return stopped && l.min > 0 || l.min > model.MaxTokens
	}
	return left < l.min
}

// rate scores the items that came before a request, drops duplicates and sorts the rest.
func (l *shortlist) rate(r Request) {
	before := len(l.sorted)
	for ; l.came < len(l.places) && int(l.indexes[l.came]) < r.Before; l.came++ {
		l.sorted = append(l.sorted, int32(l.came))
	}
	l.growing.Score(l.places[:l.came], scorer.None, l.scores[:l.came])
	for k, score := range l.scores[:l.came] {
		l.keys[k], l.codes[k] = l.traits.Key(score, l.tokens[k]), model.BudgetExceeded
	}
	if l.firsts != nil {
		l.deduplicate()
	}
	if before == 0 {
		slices.SortFunc(l.sorted, l.compare)
		return
	}
	for n, k := range l.sorted {
		at, key := n, l.keys[k]
		for ; at > 0 && key <= l.keys[l.sorted[at-1]] && l.compare(k, l.sorted[at-1]) < 0; at-- {
			l.sorted[at] = l.sorted[at-1]
		}
		l.sorted[at] = k
	}
}

// compare orders items of the set as the slicer goes through them.
func (l *shortlist) compare(a, b int32) int {
	if x, y := l.keys[a], l.keys[b]; x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Or(cmp.Compare(order.Key(l.scores[a]), order.Key(l.scores[b])), cmp.Compare(a, b))
}

// deduplicate keeps of the items with the same content the first of those with the best
// score, as the pipeline does.
func (l *shortlist) deduplicate() {
	best := make([]int32, l.came) // by first item: the one that stays
	for k, first := range l.firsts[:l.came] {
		if best[k] = int32(k); order.Before(l.scores[k], l.scores[best[first]]) {
			best[first] = int32(k)
		}
	}
	for k, first := range l.firsts[:l.came] {
		if best[first] != int32(k) {
			l.codes[k] = model.Deduplicated
		}
	}
}

// window returns the window of what is chosen, in the order of the placer.
func (l *shortlist) window() (Window, error) {
	if err := checkPinned(l.budget, l.pinnedTokens, l.parts.Overflow); err != nil {
		return Window{}, err
	}
	w, m := Window{Tokens: l.pinnedTokens}, &l.merged
	if l.byTime != nil {
		return l.windowByTime(), nil
	}
	m.Set, m.Items, m.Scores = l.set, m.Items[:0], m.Scores[:0]
	for k := range l.pinned {
		at := len(l.places) + k
		l.codes[at], m.Items = model.Pinned, append(m.Items, int32(at))
		l.scores[at] = pinnedScore
	}
	for k, code := range l.codes[:l.came] {
		if code == model.Scored {
			l.keys[k], m.Items = order.Key(l.scores[k]), append(m.Items, int32(k))
			w.Tokens += l.tokens[k]
		}
	}
	order.Sort(l.keys, m.Items[len(l.pinned):])
	for _, at := range m.Items {
		m.Scores = append(m.Scores, l.scores[at])
	}
	w.Items = l.parts.Placer.Place(m)
	for k, at := range w.Items {
		w.Items[k] = l.indexes[at]
	}
	return w, nil
}

// windowByTime is window where byTime has the order.
func (l *shortlist) windowByTime() Window {
	w, n := Window{Tokens: l.pinnedTokens}, len(l.pinned)
	for k := range l.pinned {
		l.codes[len(l.places)+k] = model.Pinned
	}
	for k, code := range l.codes[:l.came] {
		if code == model.Scored {
			w.Tokens += l.tokens[k]
			n++
		}
	}
	w.Items = make([]int32, 0, n)
	for _, at := range l.byTime {
		if l.codes[at].Included() {
			w.Items = append(w.Items, l.indexes[at])
		}
	}
	return w
}
