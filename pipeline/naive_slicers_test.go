package pipeline

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"cupelscope/model"
)

// The slicers as the specification tells them. Each returns what it selects in
// the order in which it puts it out.

type naiveSlicing struct {
	out        []scored
	shortfalls []model.Shortfall
	scarcity   *model.ScarcityError
}

func naiveSlice(s *model.Set, p model.Policy, list []scored, target model.Tokens) naiveSlicing {
	if len(list) == 0 || target <= 0 {
		return naiveSlicing{}
	}
	if len(p.CountQuotas) > 0 {
		return naiveCountQuota(s, p, list, target)
	}
	if len(p.Quotas) > 0 {
		return naiveSlicing{out: naiveQuota(s, p, list, target)}
	}
	return naiveSlicing{out: naiveInner(s, p, list, target)}
}

func naiveInner(s *model.Set, p model.Policy, list []scored, target model.Tokens) []scored {
	if len(list) == 0 || target <= 0 {
		return nil
	}
	switch p.Slicer {
	case model.Greedy:
		return naiveGreedy(s, list, target)
	case model.Stream:
		return naiveStream(s, p, list, target)
	case model.Rank, model.Prefix:
		return naiveByScore(s, list, target, p.Slicer == model.Prefix)
	}
	return naiveKnapsack(s, p, list, target)
}

func naiveGreedy(s *model.Set, list []scored, target model.Tokens) []scored {
	byDensity := make([]scored, len(list)) // item: index in list
	for k, c := range list {
		byDensity[k] = scored{k, math.MaxFloat64}
		if t := s.Tokens(c.item); t > 0 {
			byDensity[k].score = c.score / float64(t)
		}
	}
	sortScored(byDensity)
	var out []scored
	for _, d := range byDensity {
		c := list[d.item]
		if t := s.Tokens(c.item); t <= target {
			out = append(out, c)
			target -= t
		}
	}
	return out
}

func naiveByScore(s *model.Set, list []scored, target model.Tokens, stops bool) []scored {
	var out []scored
	stopped := false
	for _, c := range list {
		switch tokens := s.Tokens(c.item); {
		case tokens == 0:
			out = append(out, c)
		case tokens > target:
			stopped = stops
		case !stopped:
			out = append(out, c)
			target -= tokens
		}
	}
	return out
}

func naiveKnapsack(s *model.Set, p model.Policy, list []scored, target model.Tokens) []scored {
	var out, candidates []scored
	for _, c := range list {
		if s.Tokens(c.item) == 0 {
			out = append(out, c)
		} else {
			candidates = append(candidates, c)
		}
	}
	capacity := int(target / p.Bucket())
	weight := func(c scored) int { return int((s.Tokens(c.item) + p.Bucket() - 1) / p.Bucket()) }
	dp := make([]int64, capacity+1)
	keep := make([][]bool, len(candidates))
	for k, c := range candidates {
		keep[k] = make([]bool, capacity+1)
		v := int64(0)
		if !math.IsNaN(c.score) {
			v = int64(math.Min(math.Max(0, math.Floor(c.score*10000)), 1<<40))
		}
		for w := capacity; w >= weight(c); w-- {
			if with := dp[w-weight(c)] + v; with > dp[w] {
				dp[w], keep[k][w] = with, true
			}
		}
	}
	for k := len(candidates) - 1; k >= 0; k-- {
		if keep[k][capacity] {
			out = append(out, candidates[k])
			capacity -= weight(candidates[k])
		}
	}
	return out
}

func naiveStream(s *model.Set, p model.Policy, list []scored, target model.Tokens) []scored {
	size := p.BatchSize
	if size == 0 {
		size = 32
	}
	asTheyCome := slices.Clone(list)
	slices.SortFunc(asTheyCome, func(a, b scored) int { return a.item - b.item })
	var out []scored
	for len(asTheyCome) > 0 && target > 0 {
		batch := asTheyCome[:min(size, len(asTheyCome))]
		asTheyCome = asTheyCome[len(batch):]
		sortScored(batch)
		for _, c := range batch {
			if s.Tokens(c.item) <= target {
				out = append(out, c)
				target -= s.Tokens(c.item)
			}
		}
	}
	return out
}

func naiveQuota(s *model.Set, p model.Policy, list []scored, target model.Tokens) []scored {
	var kinds []string
	parts := map[string][]scored{}
	mass := map[string]int64{}
	for _, c := range list {
		kind := strings.ToLower(string(s.Item(c.item).Kind))
		if parts[kind] == nil {
			kinds = append(kinds, kind)
		}
		parts[kind] = append(parts[kind], c)
		mass[kind] += int64(s.Tokens(c.item))
	}
	percent := func(v float64) int64 { return int64(math.Floor((v / 100) * float64(target))) }
	require, most := map[string]int64{}, map[string]int64{}
	for _, kind := range kinds {
		most[kind] = int64(target)
	}
	unassigned := int64(target)
	for _, q := range p.Quotas {
		kind := strings.ToLower(string(q.Kind))
		if q.MinPercent.Set {
			require[kind] = percent(q.MinPercent.Value)
		}
		if q.MaxPercent.Set {
			most[kind] = percent(q.MaxPercent.Value)
		}
		unassigned -= require[kind]
	}
	unassigned = max(0, unassigned)
	var sharing int64
	for _, kind := range kinds {
		if most[kind] > require[kind] {
			sharing += mass[kind]
		}
	}
	var out []scored
	for _, kind := range kinds {
		budget := require[kind]
		if sharing > 0 && most[kind] > require[kind] {
			n := new(big.Int).Mul(big.NewInt(unassigned), big.NewInt(mass[kind]))
			budget += n.Quo(n, big.NewInt(sharing)).Int64()
		}
		out = append(out, naiveInner(s, p, parts[kind], model.Tokens(min(budget, most[kind])))...)
	}
	return out
}

func naiveCountQuota(s *model.Set, p model.Policy, list []scored, target model.Tokens) (r naiveSlicing) {
	of := func(c scored, q model.CountQuota) bool {
		return strings.EqualFold(string(s.Item(c.item).Kind), string(q.Kind))
	}
	committed := map[int]bool{}
	taken := make([]int, len(p.CountQuotas))
	residual := target
	for e, q := range p.CountQuotas {
		for _, c := range list {
			if of(c, q) && taken[e] < q.Require {
				taken[e]++
				committed[c.item] = true
				r.out = append(r.out, c)
				residual -= s.Tokens(c.item)
			}
		}
		if taken[e] < q.Require {
			if p.Scarcity == model.ScarcityFail {
				r.scarcity = &model.ScarcityError{Kind: q.Kind, Satisfied: taken[e], Required: q.Require}
				return r
			}
			r.shortfalls = append(r.shortfalls, model.Shortfall{Kind: q.Kind, Required: q.Require, Satisfied: taken[e]})
		}
	}
	var rest []scored
	for _, c := range list {
		if !committed[c.item] {
			rest = append(rest, c)
		}
	}
	more := naiveInner(s, p, rest, max(0, residual))
	if p.Slicer == model.Knapsack {
		sortScored(more)
	}
	for _, c := range more {
		e := slices.IndexFunc(p.CountQuotas, func(q model.CountQuota) bool { return of(c, q) })
		if e >= 0 {
			if taken[e] >= p.CountQuotas[e].Cap {
				continue
			}
			taken[e]++
		}
		r.out = append(r.out, c)
	}
	return r
}

// naiveCapReached is the cap that keeps an item out which would fit.
func naiveCapReached(s *model.Set, p model.Policy, item int, target model.Tokens, out []scored) (model.Reason, bool) {
	for _, q := range p.CountQuotas {
		if !strings.EqualFold(string(s.Item(item).Kind), string(q.Kind)) {
			continue
		}
		taken := 0
		for _, c := range out {
			if strings.EqualFold(string(s.Item(c.item).Kind), string(q.Kind)) {
				taken++
			}
		}
		if s.Tokens(item) <= target && taken >= q.Cap {
			return model.Reason{Code: model.CountCapExceeded, Kind: q.Kind, Cap: q.Cap, Taken: taken}, true
		}
	}
	return model.Reason{}, false
}
