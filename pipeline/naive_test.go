package pipeline

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
)

// The whole pipeline once more, as the specification tells it: quadratic
// scorers, plain stable sorts, full tables, one pass after the other.

type scored struct {
	item  int
	score float64
}

// better reports whether score a comes before b: NaN is the last of all.
func better(a, b float64) bool { return cmp.Less(b, a) }

func sortScored(all []scored) {
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
}

type excludedItem struct {
	scored
	reason model.Reason
}

type naiveReport struct {
	included []scored
	reasons  []model.Code // of included
	excluded []excludedItem
	in, out  [5]int
	overflow *model.Overflow
	failed   error
	kept     model.Tokens

	shortfalls []model.Shortfall
}

func naiveRun(s *model.Set, p model.Policy, b model.Budget) naiveReport {
	var r naiveReport
	var pinned, scoreable []int
	exclude := func(item int, score float64, reason model.Reason) {
		r.excluded = append(r.excluded, excludedItem{scored{item, score}, reason})
	}
	for i := range s.Len() {
		if s.Excluded(i) {
			exclude(i, 0, model.Reason{Code: model.Filtered, Filter: "user"})
		}
	}
	for i := range s.Len() {
		switch {
		case s.Excluded(i):
		case s.Tokens(i) < 0:
			exclude(i, 0, model.Reason{Code: model.NegativeTokens, Tokens: s.Tokens(i)})
		case s.Pinned(i):
			pinned = append(pinned, i)
		default:
			scoreable = append(scoreable, i)
		}
	}
	r.in[0], r.out[0] = s.Len(), len(pinned)+len(scoreable)
	var pinnedTokens model.Tokens
	for _, i := range pinned {
		pinnedTokens += s.Tokens(i)
	}
	if room := b.MaxTokens() - naiveReserve(b); pinnedTokens > room {
		r.failed = &model.PinnedError{Pinned: pinnedTokens, Available: room}
		return r
	}

	var list []scored
	for _, i := range scoreable {
		list = append(list, scored{i, naiveMean(s, scoreable, p.Scorers, i)})
	}
	r.in[1], r.out[1] = len(list), len(list)
	r.in[2] = len(list)
	if p.Deduplicate {
		var kept []scored
		for k, a := range list {
			best := a
			for j, c := range list {
				if s.Item(c.item).Content != s.Item(a.item).Content {
					continue
				}
				if better(c.score, best.score) || !better(best.score, c.score) && j < k && c.item < best.item {
					best = c
				}
			}
			if best.item == a.item {
				kept = append(kept, a)
			} else {
				exclude(a.item, a.score, model.Reason{Code: model.Deduplicated, By: best.item})
			}
		}
		list = kept
	}
	r.out[2] = len(list)
	sortScored(list)

	target := naiveTarget(b, pinnedTokens)
	slicing := naiveSlice(s, p, list, target)
	if slicing.scarcity != nil {
		r.failed = slicing.scarcity
		return r
	}
	r.shortfalls = slicing.shortfalls
	in := map[int]bool{}
	for _, c := range slicing.out {
		in[c.item] = true
	}
	r.in[3] = len(list)
	var merged []scored
	for _, i := range pinned {
		merged = append(merged, scored{i, 1})
	}
	var sliced model.Tokens
	for _, c := range list {
		if in[c.item] {
			merged = append(merged, c)
			sliced += s.Tokens(c.item)
			r.out[3]++
		}
	}
	for _, c := range list {
		if in[c.item] {
			continue
		}
		tokens := s.Tokens(c.item)
		reason := model.Reason{Code: model.BudgetExceeded, Tokens: tokens, Available: target - sliced}
		if pinnedTokens > 0 && tokens > target && tokens <= b.TargetTokens()-naiveReserve(b) {
			reason = model.Reason{Code: model.PinnedOverride, By: pinned[0]}
		}
		if capped, ok := naiveCapReached(s, p, c.item, target, slicing.out); ok {
			reason = capped
		}
		exclude(c.item, c.score, reason)
	}

	r.in[4] = len(merged)
	var total model.Tokens
	for _, m := range merged {
		total += s.Tokens(m.item)
	}
	if total > b.TargetTokens() {
		switch p.Overflow {
		case model.Throw:
			r.failed = &model.OverflowError{Merged: total, Target: b.TargetTokens()}
			return r
		case model.Truncate:
			var kept, dropped []scored
			var room model.Tokens
			for _, m := range merged {
				if s.Pinned(m.item) || room+s.Tokens(m.item) <= b.TargetTokens() {
					kept = append(kept, m)
					room += s.Tokens(m.item)
				} else {
					dropped = append(dropped, m)
				}
			}
			for _, m := range dropped {
				exclude(m.item, m.score, model.Reason{Code: model.BudgetExceeded, Tokens: s.Tokens(m.item), Available: b.TargetTokens() - room})
			}
			merged, total = kept, room
		case model.Proceed:
			r.overflow = &model.Overflow{TokensOver: total - b.TargetTokens()}
			for _, m := range merged {
				r.overflow.Items = append(r.overflow.Items, int32(m.item))
			}
		}
	}
	r.kept = total
	r.included = naivePlace(s, p, merged)
	r.out[4] = len(r.included)
	for _, m := range r.included {
		switch {
		case s.Pinned(m.item):
			r.reasons = append(r.reasons, model.Pinned)
		case s.Tokens(m.item) == 0:
			r.reasons = append(r.reasons, model.ZeroToken)
		default:
			r.reasons = append(r.reasons, model.Scored)
		}
	}
	slices.SortStableFunc(r.excluded, func(a, b excludedItem) int { return cmp.Compare(b.score, a.score) })
	return r
}

// naiveReserve is what the pinned items must leave free.
func naiveReserve(b model.Budget) model.Tokens { return b.Fields().OutputReserve }

func naiveTarget(b model.Budget, pinned model.Tokens) model.Tokens {
	var reserved model.Tokens
	for _, slot := range b.Fields().ReservedSlots {
		reserved += slot.Tokens
	}
	most := max(0, b.MaxTokens()-naiveReserve(b)-pinned-reserved)
	target := min(max(0, b.TargetTokens()-pinned-reserved), most)
	if b.Fields().SafetyMargin > 0 {
		m := 1 - b.Fields().SafetyMargin/100
		most = model.Tokens(math.Floor(float64(most) * m))
		target = min(model.Tokens(math.Floor(float64(target)*m)), most)
	}
	return target
}

func naiveMean(s *model.Set, all []int, scorers []model.Scorer, i int) float64 {
	total := 0.0
	for _, sc := range scorers {
		total += sc.Weight
	}
	sum := 0.0
	for _, sc := range scorers {
		w := sc.Weight / total
		product := w * naiveScore(s, all, sc, i)
		sum += product
	}
	return sum
}

func naiveScore(s *model.Set, all []int, sc model.Scorer, i int) float64 {
	it := s.Item(i)
	switch sc.Type {
	case model.ScoreRecency:
		if !it.Timestamp.Set {
			return 0
		}
		dated, older := 0, 0
		for _, j := range all {
			if t := s.Item(j).Timestamp; t.Set {
				dated++
				if t.Value.Before(it.Timestamp.Value) {
					older++
				}
			}
		}
		if dated == 1 {
			return 1
		}
		return float64(older) / float64(dated-1)
	case model.ScorePriority:
		if !it.Priority.Set {
			return 0
		}
		have, lower := 0, 0
		for _, j := range all {
			if p := s.Item(j).Priority; p.Set {
				have++
				if p.Value < it.Priority.Value {
					lower++
				}
			}
		}
		if have == 1 {
			return 1
		}
		return float64(lower) / float64(have-1)
	case model.ScoreKind:
		weights := sc.KindWeights
		if weights == nil {
			weights = []model.KindWeight{
				{Kind: "systemprompt", Weight: 1}, {Kind: "memory", Weight: 0.8}, {Kind: "tooloutput", Weight: 0.6},
				{Kind: "document", Weight: 0.4}, {Kind: "message", Weight: 0.2},
			}
		}
		for _, w := range weights {
			if strings.EqualFold(string(w.Kind), string(it.Kind)) {
				return w.Weight
			}
		}
		return 0
	case model.ScoreTag:
		weights := slices.Clone(sc.TagWeights)
		slices.SortFunc(weights, func(a, b model.TagWeight) int { return strings.Compare(a.Tag, b.Tag) })
		total, sum := 0.0, 0.0
		for _, w := range weights {
			total += w.Weight
		}
		for _, tag := range it.Tags {
			for _, w := range weights {
				if w.Tag == tag {
					sum += w.Weight
				}
			}
		}
		if total == 0 {
			return 0
		}
		return math.Min(sum/total, 1)
	case model.ScoreFrequency:
		if len(it.Tags) == 0 || len(all) == 1 {
			return 0
		}
		common := 0
		for _, j := range all {
			if j != i && slices.ContainsFunc(s.Item(j).Tags, func(a string) bool {
				return slices.ContainsFunc(it.Tags, func(b string) bool { return strings.EqualFold(a, b) })
			}) {
				common++
			}
		}
		return float64(common) / float64(len(all)-1)
	case model.ScoreReflexive:
		h := it.FutureRelevanceHint
		if !h.Set || math.IsNaN(h.Value) || math.IsInf(h.Value, 0) {
			return 0
		}
		return math.Max(0, math.Min(1, h.Value))
	case model.ScoreComposite:
		return naiveMean(s, all, sc.Scorers, i)
	case model.ScoreScaled:
		return naiveScaled(s, all, sc, i)
	case model.ScorePower:
		x := naiveScore(s, all, *sc.Inner, i)
		power := x
		for range sc.Exponent - 1 {
			power *= x
		}
		return power
	case model.ScoreMetadataTrust:
		return naiveTrust(sc, it)
	case model.ScoreMetadataKey:
		return naiveMetadataKey(sc, it)
	case model.ScoreDecay:
		return naiveDecay(sc, it)
	}
	panic("no such scorer")
}

func naivePlace(s *model.Set, p model.Policy, merged []scored) []scored {
	placed := slices.Clone(merged)
	if p.Placer == model.UShaped {
		sortScored(placed)
		var left, right []scored
		for rank, m := range placed {
			if rank%2 == 0 {
				left = append(left, m)
			} else {
				right = append(right, m)
			}
		}
		slices.Reverse(right)
		return append(left, right...)
	}
	slices.SortStableFunc(placed, func(a, b scored) int {
		x, y := s.Item(a.item).Timestamp, s.Item(b.item).Timestamp
		switch {
		case x.Set && y.Set:
			return x.Value.Compare(y.Value)
		case x.Set:
			return -1
		case y.Set:
			return 1
		}
		return 0
	})
	return placed
}
