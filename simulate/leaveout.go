package simulate

import (
	"context"
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// leaveOut tells whether an item is in at a budget if another one is left out, without ranking
// anew. It is for a slicer that takes, in order of a key, what still fits. Leaving an item out
// moves the scores of the others a little, where a scorer goes by rank; but only few items
// can be in at a budget, whichever is left out, and only these are scored and sorted again.
//
// Let i come before j for certain, and be smaller. If j is in, so is i, unless i is left out,
// which makes less room than j takes. So j is never in if all such i together fill the room.
// Where the slicer stops at what does not fit, j also keeps out what comes after it: it counts
// unless all such i fill the room without any one of them, each of which is smaller than j.
//
// A leaveOut is not safe for concurrent use.
type leaveOut struct {
	ranking *pipeline.Ranking
	budget  model.Budget
	traits  slicer.Traits
	scores  scorer.Growing // of the scored items, by their place among them

	// Columns of what can be in, in input order.
	places []int32 // among the scored items
	tokens []model.Tokens
	twin   []int32 // the first item with this content, or -1
	score  []float64
	key    []uint64 // of the slicer
	byRank []uint64 // order.Key of the score
	order  []int32  // see before
}

// newLeaveOut returns nil where items must be ranked anew: with pairs or sizes, a slicer
// without a key or a scorer that has no scorer.Growing. It takes two sorts of the items. The
// only error is ctx's.
func newLeaveOut(ctx context.Context, r *pipeline.Ranking, b model.Budget) (*leaveOut, error) {
	parts, err := pipeline.PartsOf(r.Policy())
	if err != nil || parts.KeepPairs || r.Items().HasSizes() || parts.Slicer.Traits().Key == nil {
		return nil, nil
	}
	scores, ok := scorer.Grow(parts.Scorer, r.Items())
	if !ok {
		return nil, nil
	}
	l := &leaveOut{ranking: r, budget: b, traits: parts.Slicer.Traits(), scores: scores}
	l.scores.Grow(r.Scored())
	if ctx.Err() == nil {
		l.list(ctx, l.twins(parts.Deduplicate))
	}
	return l, ctx.Err()
}

// twins returns, by place, the first item that has the content of a scored item whose content
// is repeated, or -1.
func (l *leaveOut) twins(deduplicate bool) []int32 {
	twin := slices.Repeat([]int32{-1}, len(l.ranking.Scored()))
	items, firsts := l.ranking.Items().Repeats()
	for k, item := range items {
		if place := l.place(item); deduplicate && place >= 0 {
			twin[place] = firsts[k]
		}
	}
	return twin
}

// list finds what can be in. Which of several twins takes part depends on their scores, so all
// are listed and none is counted on. Once ctx ends the list is not complete.
func (l *leaveOut) list(ctx context.Context, twin []int32) {
	scored, set := l.ranking.Scored(), l.ranking.Items()
	n := len(scored)
	all, low, high := make([]int32, n), make([]float64, n), make([]float64, n)
	for k := range all {
		all[k] = int32(k)
	}
	l.scores.Range(all, low, high)
	latest, earliest := make([]uint64, n), make([]uint64, n)
	for k, item := range scored {
		tokens := set.Tokens(int(item))
		latest[k], earliest[k] = l.traits.Key(low[k], tokens), l.traits.Key(high[k], tokens)
	}
	if ctx.Err() != nil {
		return
	}
	room := l.largestRoom()
	digits := func(k int32) int { return bits.Len64(uint64(set.Tokens(int(scored[k])))) }
	var sums [65]model.Tokens // of the items that come before, by the number of bits of their tokens
	before, next := order.Sorted(latest), 0
	for done, k := range order.Sorted(earliest) {
		if done&(1<<16-1) == 0 && ctx.Err() != nil {
			return
		}
		for ; next < n && latest[before[next]] < earliest[k]; next++ {
			if i := before[next]; twin[i] < 0 {
				sums[digits(i)] += set.Tokens(int(scored[i]))
			}
		}
		smaller := model.Tokens(0)
		for _, sum := range sums[:digits(k)] {
			smaller += sum
		}
		filled := room
		if l.traits.Stops {
			filled += set.Tokens(int(scored[k]))
		}
		if smaller < filled || twin[k] >= 0 {
			l.places = append(l.places, k)
		}
	}
	slices.Sort(l.places)
	for _, k := range l.places {
		l.tokens = append(l.tokens, set.Tokens(int(scored[k])))
		l.twin = append(l.twin, twin[k])
	}
	m := len(l.places)
	l.score, l.key, l.byRank = make([]float64, m), make([]uint64, m), make([]uint64, m)
}

// room returns the effective target if an item is left out, which makes room if it is pinned.
func (l *leaveOut) room(without int32) model.Tokens {
	pinned := l.ranking.PinnedTokens()
	if _, is := slices.BinarySearch(l.ranking.Pinned(), without); is {
		pinned -= l.ranking.Items().Tokens(int(without))
	}
	return l.budget.Effective(pinned).Target
}

func (l *leaveOut) largestRoom() model.Tokens {
	most := l.room(-1)
	for _, item := range l.ranking.Pinned() {
		most = max(most, l.room(item))
	}
	return most
}

// has reports whether an item is in if another one is left out.
func (l *leaveOut) has(item, without int32) bool {
	at, listed := slices.BinarySearch(l.places, l.place(item))
	room := l.room(without)
	if !listed || room <= 0 || item == without {
		return false
	}
	gone := l.place(without)
	l.rate(gone)
	takesPart := l.survivors(gone)
	if !takesPart(int32(at)) {
		return false
	}
	for _, k := range l.before(at) {
		switch {
		case !takesPart(k):
		case l.tokens[k] <= room:
			room -= l.tokens[k]
		case l.traits.Stops:
			return l.tokens[at] == 0
		}
	}
	return l.tokens[at] <= room
}

// place returns the place of an item among those that are scored, or scorer.None.
func (l *leaveOut) place(item int32) int32 {
	if place, scored := slices.BinarySearch(l.ranking.Scored(), item); scored {
		return int32(place)
	}
	return scorer.None
}

// rate scores the listed items, with one item gone.
func (l *leaveOut) rate(gone int32) {
	l.scores.Score(l.places, gone, l.score)
	for k, score := range l.score {
		l.key[k], l.byRank[k] = l.traits.Key(score, l.tokens[k]), order.Key(score)
	}
}

// survivors returns whether a listed item takes part: it is there, and the best of its twins.
func (l *leaveOut) survivors(gone int32) func(k int32) bool {
	best := make(map[int32]int32)
	for k, first := range l.twin {
		if first < 0 || l.places[k] == gone {
			continue
		}
		if so, met := best[first]; !met || l.byRank[k] < l.byRank[so] {
			best[first] = int32(k)
		}
	}
	return func(k int32) bool {
		return l.places[k] != gone && (l.twin[k] < 0 || best[l.twin[k]] == k)
	}
}

// before returns what the slicer considers before a listed item, in its order.
func (l *leaveOut) before(at int) []int32 {
	l.order = l.order[:0]
	for k, key := range l.key {
		if key <= l.key[at] {
			l.order = append(l.order, int32(k))
		}
	}
	order.Sort(l.key, l.order)
	for from := 0; from < len(l.order); {
		to := from + 1
		for to < len(l.order) && l.key[l.order[to]] == l.key[l.order[from]] {
			to++
		}
		order.Sort(l.byRank, l.order[from:to])
		from = to
	}
	return l.order[:slices.Index(l.order, int32(at))]
}
