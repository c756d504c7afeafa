package simulate

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
)

// weighed knows at which weights of a scorer the slicer has to run: it computes the scores at
// every weight, and looks whether what was taken in the last run is what a run would take.
//
// Greedy, rank and prefix take each candidate that fits, in an order, and what they take only
// makes the room smaller for those that follow. So where two that are taken change places, or
// two that are left out, or where one that is left out moves behind one that is taken, the same
// ones are taken. A run is needed where one that is left out moves before one that is taken;
// for prefix also where the first that is left out fits.
//
// With quotas, and for stream, a run is needed where any two scores or densities compare
// otherwise than in the last run: all that these do follows from such comparisons. Neither rule
// asks how the scores change, so they are exact for every weight.
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
	duplicates [][2]int32 // and the one that stays, by place among the items that are scored
}

// candidate is one of the last run.
type candidate struct {
	scored int32 // its place among the items that are scored
	taken  bool
	tokens model.Tokens
	key    float64 // what the slicer goes by now, the largest first
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
	if at < 0 || len(p.Scorers) < 2 || p.Slicer.Order() == model.OrderByTotal || p.KeepPairs || r.Items().HasSizes() || overflows {
		return nil
	}
	w := &weighed{ranking: r, at: at, scores: make([]float64, len(r.Scored()))}
	w.byDensity, w.stops = p.Slicer.Order() == model.OrderByDensity, p.Slicer == model.Prefix
	w.target = model.Tokens(o.target(o.budget))
	w.compares = len(p.Quotas)+len(p.CountQuotas) > 0 || p.Slicer.Order() == model.OrderByArrival
	for _, s := range p.Scorers {
		w.weights = append(w.weights, s.Weight)
	}
	return w
}

// keep makes what a run took, at the weight of the last call of same, that of the last run.
func (w *weighed) keep(run *pipeline.Ranking, took state) {
	w.ran = true
	if w.compares {
		w.orders = []sorted{newSorted(w.scores), newSorted(w.densities())}
		return
	}
	places := make([]int32, run.Items().Len())
	for k, item := range run.Scored() {
		places[item] = int32(k)
	}
	in := run.Input()
	w.room, w.candidates, w.duplicates = w.target, w.candidates[:0], w.duplicates[:0]
	for k, item := range in.Items {
		c := candidate{scored: places[item], taken: took[item] != 0, tokens: in.Tokens[k]}
		if c.tokens == 0 {
			continue
		}
		if c.taken {
			w.room -= c.tokens
		}
		c.key = w.key(&c)
		w.candidates = append(w.candidates, c)
	}
	slices.SortFunc(w.candidates, func(a, b candidate) int {
		if w.before(&a, &b) {
			return -1
		}
		return 1
	})
	for item, survivor := range run.Survivors() {
		if survivor >= 0 {
			w.duplicates = append(w.duplicates, [2]int32{places[item], places[survivor]})
		}
	}
}

// same goes to a weight and reports whether a run must take what the last one took. It never
// does where a score is NaN.
func (w *weighed) same(weight float64) (bool, error) {
	w.weights[w.at] = weight
	if err := w.ranking.Reweigh(w.weights, w.scores); err != nil || !w.ran {
		return false, err
	}
	if w.compares {
		return w.orders[0].holds(w.scores) && w.orders[1].holds(w.densities()), nil
	}
	for _, d := range w.duplicates {
		duplicate, stays := w.scores[d[0]], w.scores[d[1]]
		if !(stays > duplicate || stays == duplicate && d[1] < d[0]) {
			return false, nil
		}
	}
	var last, first *candidate // the last of those that were taken, and the first of the others
	for k := range w.candidates {
		c := &w.candidates[k]
		c.key = w.key(c)
		switch {
		case c.key != c.key:
			return false, nil
		case c.taken && (last == nil || w.before(last, c)):
			last = c
		case !c.taken && last != nil && w.before(c, last):
			return false, nil
		case !c.taken && (first == nil || w.before(c, first)):
			first = c
		}
	}
	return !w.stops || first == nil || first.tokens > w.room, nil
}

// key is what the slicer goes by, the largest first.
func (w *weighed) key(c *candidate) float64 {
	if w.byDensity {
		return w.scores[c.scored] / float64(c.tokens)
	}
	return w.scores[c.scored]
}

// before reports whether a comes before b: of equal densities the one with the larger score
// does, and of equal scores the one that is earlier in the set.
func (w *weighed) before(a, b *candidate) bool {
	if a.key != b.key {
		return a.key > b.key
	}
	if x, y := w.scores[a.scored], w.scores[b.scored]; x != y {
		return x > y
	}
	return a.scored < b.scored
}

// densities returns those of the items that are scored and have tokens.
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
