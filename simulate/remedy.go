package simulate

import (
	"context"
	"sort"

	"cupelscope/model"
)

// Way is how a remedy reunites a pair.
type Way int

const (
	ByRaise Way = iota // raise the budget to where both items of the pair are in
	ByPin              // pin the item that is out
	ByDrop             // drop the item that is in, so that neither is
)

// Remedy is a way to reunite a split pair, and its cost.
type Remedy struct {
	Way  Way
	Cost model.Tokens // ByRaise: the tokens added to maxTokens; otherwise: the tokens of the items that leave
	// Budget is the smallest budget, from the report's on, at which both items
	// are in; ByRaise only.
	Budget model.Tokens
	Item   int     // ByPin: the item to pin; ByDrop: the item to drop; ByRaise: the item that comes in
	Out    []int32 // all items that leave, ascending; not set for ByRaise
	Split  int     // the number of pairs that are split afterwards
}

// Remedies returns the ways to reunite a split pair, the cheapest in tokens
// first, and in the order of the constants where the cost is equal. The report
// must be of the profile's ranking, at a budget of its axis, and must split
// the pair. A way that fails is left out: no budget brings a duplicate in, and
// pinned items that do not fit leave no result.
//
// Remedies takes two rankings and two or three dry runs. The only error is
// ctx's.
func (p *Profile) Remedies(ctx context.Context, r *model.Report, pair model.Pair) ([]Remedy, error) {
	var ways []Remedy
	inside, missing := pair.Call, pair.Result
	if r.In(missing) {
		inside, missing = missing, inside
	}
	now := r.Budget.MaxTokens()
	if b, ok := minWithin(p.Together(nil, pair), now); ok {
		if budget, err := p.axis.Budget(b); err == nil {
			if after, err := p.Report(budget); err == nil {
				ways = append(ways, Remedy{Way: ByRaise, Cost: b - now, Budget: b, Item: missing, Split: len(after.Split())})
			}
		}
	}
	set := p.ranking.Items()
	for _, way := range []struct {
		Remedy
		edits model.Edits
	}{
		{Remedy{Way: ByPin, Item: missing}, Pinning(set, missing)},
		{Remedy{Way: ByDrop, Item: inside}, Dropping(set, inside)},
	} {
		effect, err := WhatIf(ctx, p.ranking, r, way.edits)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if _, split := effect.Report.Alone(missing); split {
			continue
		}
		way.Out, way.Split = effect.Out, len(effect.Report.Split())
		for _, i := range effect.Out {
			way.Cost += set.Tokens(int(i))
		}
		ways = append(ways, way.Remedy)
	}
	sort.SliceStable(ways, func(i, j int) bool { return ways[i].Cost < ways[j].Cost })
	return ways, nil
}
