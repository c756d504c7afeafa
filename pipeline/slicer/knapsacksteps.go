package slicer

import (
	"context"
	"fmt"

	"cupelscope/model"
)

// Steps implements Prepared: the table in outline, the candidates without
// tokens, then the walk back over the table.
func (k *knapsack) Steps(ctx context.Context, t Target, tell func(Step)) error {
	if t <= 0 || k.in.Len() == 0 {
		return nil
	}
	if k.in.Cuts != nil {
		return fmt.Errorf("%w under a knapsack of items that may be cut", ErrNoSteps)
	}
	c := k.capacity(t)
	rows, _, top := k.layout(c, k.bucket) // for c, even if a larger table exists
	table, err := k.tableFor(ctx, c, t)
	if err != nil {
		return err
	}
	outline := k.outline(rows, c, top)
	outline.Table = &Table{table}
	tell(k.buckets(opening(InOutline, Target(c), outline)))
	for _, p := range k.free {
		tell(k.buckets(fit(InOutline, p, 0, Target(c))))
	}
	tell(k.buckets(opening(WalkBack, Target(c), Filling{k.in.Len() - len(k.free)})))
	k.stepBack(table, c, tell)
	return nil
}

// Out implements Prepared.
func (k *knapsack) Out(t Target, sel Selection) func(at int, left bool) Step {
	if k.in.Cuts != nil {
		return nil
	}
	left := k.capacity(t)
	for p, tokens := range k.in.Tokens {
		if tokens > 0 && sel.Has(p) {
			left -= weight(tokens, k.bucket)
		}
	}
	return func(at int, _ bool) Step {
		s := k.buckets(fit(WalkBack, int32(at), model.Tokens(weight(k.in.Tokens[at], k.bucket)), Target(left)))
		s.Verdict, s.After = Skipped, s.Left
		switch {
		case value(k.in.Scores[at]) == 0:
			s.Why = NoValue
		case s.Why != NoRoom:
			s.Why = Dispensable
		}
		return s
	}
}

// buckets has a step count in buckets.
func (k *knapsack) buckets(s Step) Step {
	s.Unit = k.bucket
	return s
}

// outline describes the rows of a table for capacity c.
func (k *knapsack) outline(rows []row, c, top int64) TableOutline {
	o := TableOutline{Candidates: k.in.Len() - len(k.free), Rows: len(rows), Capacity: c}
	o.Worthless = o.Candidates - len(k.at)
	o.AllCells = int64(o.Candidates) * (c + 1)
	for _, r := range rows {
		o.Cells += top - int64(r.from) + 1
	}
	return o
}

// stepBack decides on every candidate with tokens, from the last to the first.
func (k *knapsack) stepBack(t *table, c int64, tell func(Step)) {
	// Beyond the sum of all weights, which is then the table's top, everything fits.
	spare := c - min(c, int64(t.top))
	candidate, row := len(k.at)-1, len(t.rows)-1
	left := Target(c)
	for p := k.in.Len() - 1; p >= 0; p-- {
		tokens := k.in.Tokens[p]
		if tokens == 0 {
			continue
		}
		s := Step{
			Phase: WalkBack, Verdict: Skipped, At: int32(p), Need: Target(weight(tokens, k.bucket)),
			Left: left, After: left, Unit: k.bucket,
		}
		taken := false
		if candidate < 0 || int(k.at[candidate]) != p {
			s.Why = NoValue
		} else {
			s.Row = int32(candidate) + 1
			if row >= 0 && int(t.rows[row].candidate) == candidate {
				taken = t.bit(&t.rows[row], int32(int64(left)-spare))
				row--
			}
			candidate--
			switch {
			case taken:
				s.Verdict, s.After = Taken, left-s.Need
			case s.Need > left:
				s.Why = NoRoom
			default:
				s.Why = Dispensable
			}
		}
		left = s.After
		tell(s)
	}
}
