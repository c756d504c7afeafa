package simulate

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
)

// weighed knows at which weights of a scorer the slicer has to run: it computes the scores at
// every weight, and looks whether a run would take what the last run took.
//
// Greedy, rank and prefix go through the candidates in an order and take each one that fits,
// which only makes the room smaller for what follows. Call a candidate in or out by the last
// run. The same candidates are taken where two that are in change places, where two that are
// out do, and where one that is out moves behind one that is in. A run is needed where one that
// is out moves before one that is in; for prefix also where the first that is out fits. A
// candidate that is cut counts as out: it may be larger once it moves before one that is in,
// and its size fits behind any of them. Which notes are taken depends on the order of what is
// out.
//
// With quotas, and for stream, a run is needed where any two scores or densities compare
// otherwise than in the last run, as these slicers only compare. Neither rule asks how the
// scores change, so both are exact for every weight.
type weighed struct {
	ranking *pipeline.Ranking
	at      int // which weight it is
	weights []float64
	scores  []float64 // of the items that are scored

	byDensity, stops bool
	target           model.Tokens
	compares         bool // the second rule holds

	ran        bool
	orders     []sorted    // of the second rule: by score and by density
	candidates []candidate // with tokens, in the order of the last run: the others are always taken
	room       model.Tokens
	duplicates [][2]unit // an item or pair that is dropped, and the one that stays
	keepsPairs bool
	byLarger   bool // of a pair the larger score counts, not the sum
}

// unit is an item that is scored, or a pair that is one candidate: their places among the
// items that are scored. Mate is -1 for an item.
type unit struct{ first, mate int32 }

// candidate is one of the last run.
type candidate struct {
	unit
	taken, cut bool
	noted      bool // it has a note
	tokens     model.Tokens
	key        float64 // what the slicer goes by now, the largest first
}

// newWeighed returns nil where the number is no weight of one of several scorers, or where
// what is taken depends on more than an order and the room.
func newWeighed(o *over) *weighed {
	at := len(o.policy.Scorers) - 1
	for at >= 0 && o.number.Field != fmt.Sprintf("scorers[%d].weight", at) {
		at--
	}
	p, r := o.policy, o.ranking
	overflows := commits(r) || r.PinnedTokens() > o.budget.TargetTokens()
	compares := len(p.Quotas)+len(p.CountQuotas) > 0 || p.Slicer.Order() == model.OrderByArrival
	if at < 0 || len(p.Scorers) < 2 || p.Slicer.Order() == model.OrderByTotal || overflows || compares && p.KeepPairs {
		return nil
	}
	parts, err := pipeline.PartsOf(p)
	if err != nil {
		return nil
	}
	w := &weighed{ranking: r, at: at, scores: make([]float64, len(r.Scored())), compares: compares}
	w.byDensity, w.stops = p.Slicer.Order() == model.OrderByDensity, parts.Slicer.Traits().Stops
	w.keepsPairs, w.byLarger = p.KeepPairs, !w.byDensity
	w.target = model.Tokens(o.target(o.budget))
	for _, s := range p.Scorers {
		w.weights = append(w.weights, s.Weight)
	}
	return w
}

// keep remembers what a run took at the weight of the last call of same.
func (w *weighed) keep(run *pipeline.Ranking, took state) {
	w.ran = true
	if w.compares {
		w.orders = []sorted{newSorted(w.scores), newSorted(w.densities())}
		return
	}
	set := run.Items()
	places := make([]int32, set.Len())
	for k, item := range run.Scored() {
		places[item] = int32(k)
	}
	input := run.Input()
	w.room, w.candidates, w.duplicates = w.target, w.candidates[:0], w.duplicates[:0]
	for k, item := range input.Items {
		c := candidate{unit: unit{places[item], -1}, taken: in(took[item]), tokens: input.Tokens[k]}
		if c.tokens == 0 {
			continue
		}
		if input.Pairs > 0 && input.Double[k] {
			c.mate = places[run.Members(nil, k)[1]]
		}
		sized := run.SizedMember(k)
		c.noted = len(set.Sizes(sized)) > set.PinnedSize(sized) // beside the sizes
		if c.taken {
			size := int(took[sized]) - 1
			c.cut = size > 0
			w.room -= c.tokens - set.Tokens(sized) + set.SizeTokens(sized, size)
		}
		w.weigh(&c)
		w.candidates = append(w.candidates, c)
	}
	if w.byDensity { // the input is in the order of scores
		keys, byScore := make([]float64, len(w.candidates)), slices.Clone(w.candidates)
		for k := range byScore {
			keys[k] = byScore[k].key
		}
		for k, at := range order.Descending(keys) {
			w.candidates[k] = byScore[at]
		}
	}
	mate := func(item int32) int32 {
		if j, ok := set.Partner(int(item)); ok && w.keepsPairs && set.TakesPart(int(item)) && set.TakesPart(j) {
			return int32(j)
		}
		return -1
	}
	for item, survivor := range run.Survivors() {
		if survivor < 0 {
			continue
		}
		d := [2]unit{{places[item], -1}, {places[survivor], -1}}
		switch m := mate(int32(item)); {
		case m >= 0 && int(m) < item:
			continue // the pair is there with its first item
		case m >= 0:
			d[0].mate, d[1].mate = places[m], places[mate(survivor)]
		}
		w.duplicates = append(w.duplicates, d)
	}
}

// same computes the scores at a weight and reports whether it is certain that a run would take
// there what the last run took. It is not certain where a score is NaN.
func (w *weighed) same(weight float64) (bool, error) {
	w.weights[w.at] = weight
	if err := w.ranking.Reweigh(w.weights, w.scores); err != nil || !w.ran {
		return false, err
	}
	if w.compares {
		return w.orders[0].holds(w.scores) && w.orders[1].holds(w.densities()), nil
	}
	for _, d := range w.duplicates {
		duplicate, stays := w.score(d[0]), w.score(d[1])
		if !(stays > duplicate || stays == duplicate && d[1].first < d[0].first) {
			return false, nil
		}
	}
	// The last candidate that is in, the last that is out and has a note, and the first that
	// is out.
	var last, noted, first *candidate
	for k := range w.candidates {
		c := &w.candidates[k]
		w.weigh(c)
		if c.key != c.key {
			return false, nil
		}
		if c.taken && !c.cut {
			if last == nil || w.before(last, c) {
				last = c
			}
			continue
		}
		if last != nil && w.before(c, last) {
			return false, nil
		}
		if c.cut {
			last = c
			continue
		}
		if first == nil || w.before(c, first) {
			first = c
		}
		if c.noted {
			if noted != nil && w.before(c, noted) {
				return false, nil
			}
			noted = c
		}
	}
	return !w.stops || first == nil || w.least(first) > w.room, nil
}

// least returns the tokens of the smallest size of a candidate that is no note.
func (w *weighed) least(c *candidate) model.Tokens {
	set, item := w.ranking.Items(), int(w.ranking.Scored()[c.first])
	if c.mate >= 0 {
		item = max(item, int(w.ranking.Scored()[c.mate]))
	}
	return c.tokens - set.Tokens(item) + set.SizeTokens(item, set.PinnedSize(item))
}

// weigh sets the key of a candidate.
func (w *weighed) weigh(c *candidate) {
	c.key = w.scores[c.first]
	if c.mate >= 0 {
		c.key = w.score(c.unit)
	}
	if w.byDensity {
		c.key /= float64(c.tokens)
	}
}

// score returns the score by which an item or a pair is sorted.
func (w *weighed) score(s unit) float64 {
	score := w.scores[s.first]
	switch {
	case s.mate < 0:
		return score
	case !w.byLarger:
		return score + w.scores[s.mate]
	case order.Before(w.scores[s.mate], score):
		return w.scores[s.mate]
	}
	return score
}

// before reports whether a comes before b: of equal densities the one with the larger score
// does, and of equal scores the one that is earlier in the set.
func (w *weighed) before(a, b *candidate) bool {
	return a.key > b.key || a.key == b.key && w.beforeTied(a, b)
}

func (w *weighed) beforeTied(a, b *candidate) bool {
	if x, y := w.score(a.unit), w.score(b.unit); x != y {
		return x > y
	}
	return a.first < b.first
}

// densities returns the densities of the items that are scored and have tokens.
func (w *weighed) densities() []float64 {
	all := make([]float64, 0, len(w.scores))
	for k, item := range w.ranking.Scored() {
		if t := w.ranking.Items().Tokens(int(item)); t > 0 {
			all = append(all, w.scores[k]/float64(t))
		}
	}
	return all
}

// sorted is an order of keys, the largest first, ties in their order, and which are tied.
type sorted struct {
	at   []int32
	tied []bool // with the one before
}

func newSorted(keys []float64) sorted {
	s := sorted{order.Descending(keys), make([]bool, len(keys))}
	for k := 1; k < len(keys); k++ {
		s.tied[k] = keys[s.at[k-1]] == keys[s.at[k]]
	}
	return s
}

// holds reports whether keys compare in this way. Those with a NaN never do.
func (s sorted) holds(keys []float64) bool {
	for k := 1; k < len(s.at); k++ {
		before, here := keys[s.at[k-1]], keys[s.at[k]]
		if !(before >= here) || (before == here) != s.tied[k] {
			return false
		}
	}
	return true
}
