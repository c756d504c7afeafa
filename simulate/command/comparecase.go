package command

import (
	"context"
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// caseResult is the result of comparing a case.
type caseResult struct {
	name      string
	policies  [2]string // of A and B; "": it has no name
	alike     bool      // both policies rank by the same scores
	sized     bool      // items may be cut
	estimates int       // number of token counts that are estimates
	err       error
	at        []caseAt // one for each budget, unless err is set
}

// caseAt is a case at one budget.
type caseAt struct {
	budget        model.Tokens
	budgetGuessed bool  // the budget is guessed
	err           error // why one of the two policies has no result
	sides         [2]caseSide
	difference
	valueBByA float64 // value of the items that B lets in, by A's scores
	kinds     []kindPart
	items     []differingItem // only if this is the only case
}

// differingItem is an item that only one of the two policies lets in, or that they let in
// in different sizes.
type differingItem struct {
	side  string // "A", "B" or "both"
	index int
	a, b  *model.Report
	why   func(i int) string // why the other policy does not let it in, or in which sizes both do
}

// caseSide is the result of one policy.
type caseSide struct {
	items  int
	tokens model.Tokens
	value  float64
	gap    model.Option[float64] // distance below the best possible value, from 0 to 1
}

// part counts the items that only one of two results has.
type part struct {
	items  int
	tokens model.Tokens
}

func (p *part) add(tokens model.Tokens) {
	p.items++
	p.tokens += tokens
}

// difference is where two results differ.
type difference struct {
	onlyA, onlyB part
	resized      part // in both, in different sizes; the tokens are how many more B takes
}

func (d *difference) add(o difference) {
	for _, p := range [...]struct{ to, of *part }{{&d.onlyA, &o.onlyA}, {&d.onlyB, &o.onlyB}, {&d.resized, &o.resized}} {
		p.to.items += p.of.items
		p.to.tokens += p.of.tokens
	}
}

func (d *difference) count() int    { return d.onlyA.items + d.onlyB.items + d.resized.items }
func (d *difference) differs() bool { return d.count() > 0 }

type kindPart struct {
	kind model.Kind
	difference
}

// worth returns by how much the items that B lets in are worth more than those that
// A lets in, relative to the latter, by A's scores. It is +Inf if A's items are
// worth nothing and B's are worth something.
func (c *caseAt) worth() float64 { return worth(c.sides[0].value, c.valueBByA) }

// worth is caseAt.worth, of the values by A's scores.
func worth(valueA, valueBByA float64) float64 {
	switch more := valueBByA - valueA; {
	case math.Abs(more) <= 1e-9*max(math.Abs(valueA), math.Abs(valueBByA)):
		return 0 // rounding
	case valueA > 0:
		return more / valueA
	case more > 0:
		return math.Inf(1)
	}
	return 0
}

// answer compares one case, or each run or result set of a document that holds
// several.
func (w *comparer) answer(ctx context.Context, p *flow.Parcel) {
	var all []caseResult
	w.Each(ctx, p, func(c session.Case) {
		r := caseResult{name: c.Name, err: c.Err}
		if r.err == nil {
			r.err = w.compareAt(ctx, c.Loaded, &r)
		}
		all = append(all, r)
	})
	for i := range all {
		r := &all[i]
		switch {
		case !w.csv:
		case r.err != nil:
			p.Out = export.AppendRow(p.Out, w.columns, caseRow{r, &caseAt{budget: -1, err: r.err}, quality.Amount{Own: true}})
		default:
			for k := range r.at {
				p.Out = export.AppendRow(p.Out, w.columns, caseRow{r, &r.at[k], w.at[k]})
			}
		}
	}
	p.Payload = all
}

// compareAt compares the two policies at every budget.
func (w *comparer) compareAt(ctx context.Context, l *itemset.Loaded, r *caseResult) error {
	opened, err := w.Choices.OpenCounted(ctx, l)
	if err != nil {
		return err
	}
	set, opening := opened.Set, opened.Opening
	var sides [2]comparedSide
	for k, of := range w.sides {
		if of == nil {
			if sides[k].recorded, err = simulate.Recorded(set, l.Recorded); err != nil {
				return err
			}
			r.policies[k] = "as recorded"
			continue
		}
		policy, err := of(opened.Own())
		if err != nil {
			return err
		}
		pipe, err := pipeline.New(policy)
		if err != nil {
			return err
		}
		if sides[k].ranking, err = pipe.RankLike(ctx, sides[0].ranking, set); err != nil {
			return err
		}
		r.policies[k] = policy.Name
	}
	a, b := sides[0].ranking, sides[1].ranking
	r.estimates, r.sized = set.Estimates(), set.HasSizes()
	r.alike = a != nil && b != nil && a.Policy().RanksLike(b.Policy())
	r.at = make([]caseAt, len(w.at))
	reports := make([][2]*model.Report, len(w.at))
	top := slicer.Target(0)
	for k, spec := range w.at {
		reports[k], r.at[k].err = w.run(ctx, sides, spec, opening, set, &r.at[k])
		if r.at[k].err == nil {
			top = max(top, slicer.Target(reports[k][0].Effective.Target), slicer.Target(reports[k][1].Effective.Target))
			of := r.at[k].compare(reports[k][0], reports[k][1])
			if len(w.at) == 1 && len(w.Choices.Options.Sources) <= 1 {
				r.at[k].list(of, reports[k], export.Words(w.ctx, a, reports[k][0], w.ascii), export.Words(w.ctx, b, reports[k][1], w.ascii))
			}
		}
	}
	if !w.best || top == 0 {
		return ctx.Err()
	}
	return gaps(ctx, sides, r, top, reports)
}

// comparedSide supplies the result of one side: a ranking, which has a result at
// any budget, or a recorded result, which is the same at every budget.
type comparedSide struct {
	ranking  *pipeline.Ranking
	recorded *model.Report
}

// run returns the results of both sides at a budget.
func (w *comparer) run(ctx context.Context, sides [2]comparedSide, spec quality.Amount, o simulate.Opening, set *model.Set, at *caseAt) (reports [2]*model.Report, err error) {
	at.budget = -1 // no budget
	budget, err := o.Budget.At(spec.Of(&quality.Case{Items: set, Budget: o.Budget}))
	if err != nil {
		return reports, err
	}
	at.budget, at.budgetGuessed = budget.MaxTokens(), spec.Own && o.Guessed
	for k, side := range sides {
		if side.recorded != nil {
			reports[k] = side.recorded
			continue
		}
		if reports[k], err = side.ranking.DryRunContext(ctx, budget); err != nil {
			return reports, fmt.Errorf("policy %c: %w", 'A'+k, err)
		}
	}
	return reports, nil
}

// compare sets what the two results are and where they differ.
func (c *caseAt) compare(a, b *model.Report) simulate.Comparison {
	for k, r := range [...]*model.Report{a, b} {
		c.sides[k] = caseSide{items: len(r.Included), tokens: r.Kept, value: r.Value}
	}
	of := simulate.Compare(a, b)
	c.valueBByA = of.ValueBByA
	at := map[int]int{}
	add := func(items []int32, to func(*difference) *part, tokens func(i int) model.Tokens) {
		for _, item := range items {
			i := int(item)
			id := a.Items.KindID(i)
			k, ok := at[id]
			if !ok {
				k = len(c.kinds)
				at[id] = k
				c.kinds = append(c.kinds, kindPart{kind: a.Items.Kinds()[id]})
			}
			to(&c.difference).add(tokens(i))
			to(&c.kinds[k].difference).add(tokens(i))
		}
	}
	add(of.OnlyA, func(d *difference) *part { return &d.onlyA }, a.Taken)
	add(of.OnlyB, func(d *difference) *part { return &d.onlyB }, b.Taken)
	add(of.Sized, func(d *difference) *part { return &d.resized }, func(i int) model.Tokens { return b.Taken(i) - a.Taken(i) })
	return of
}

// list adds each item that differs to c.
func (c *caseAt) list(of simulate.Comparison, reports [2]*model.Report, whyA, whyB func(i int) string) {
	a, b := reports[0], reports[1]
	for _, side := range [...]struct {
		name  string
		items []int32
		why   func(i int) string
	}{
		{"A", of.OnlyA, whyB},
		{"B", of.OnlyB, whyA},
		{"both", of.Sized, func(i int) string {
			return fmt.Sprintf("in A %s, in B %s", export.SizeName(a.Items, i, a.Size(i)), export.SizeName(b.Items, i, b.Size(i)))
		}},
	} {
		for _, i := range side.items {
			c.items = append(c.items, differingItem{side.name, int(i), a, b, side.why})
		}
	}
}

// gaps computes how far both results are below the best possible value, each by its
// own scores. The gap is unknown if computing it takes too much memory, and for a
// recorded result, whose budget is unknown.
func gaps(ctx context.Context, sides [2]comparedSide, r *caseResult, top slicer.Target, reports [][2]*model.Report) error {
	var best [2]*simulate.Optimum
	for k, side := range sides {
		if side.ranking == nil {
			continue
		}
		if k == 1 && r.alike {
			best[1] = best[0]
			break
		}
		var err error
		if best[k], err = simulate.NewOptimum(ctx, side.ranking, top); err != nil {
			if as[*simulate.OptimumError](err) {
				return nil
			}
			return err
		}
	}
	for k := range r.at {
		if r.at[k].err != nil {
			continue
		}
		for side, rep := range reports[k] {
			if best[side] != nil {
				r.at[k].sides[side].gap = best[side].BelowBest(rep.Value, slicer.Target(rep.Effective.Target))
			}
		}
	}
	return nil
}
