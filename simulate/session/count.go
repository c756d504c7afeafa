package session

import (
	"context"
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/model/tokens"
)

// prepare fixes how o is counted, and brings its estimates in line with that.
func (o *Opened) prepare(ctx context.Context, m method, counters *tokens.Counters) error {
	m, err := m.measured(ctx, o.Set, counters)
	if err != nil {
		return err
	}
	counter, err := m.counter(counters)
	if err != nil {
		return err
	}
	o.Method, o.counter = m, counter
	texts := m.texts(o.Set)
	if m.Factor == 1 && m.Overhead == 0 {
		return nil
	}
	all := make([]model.Recount, len(texts))
	for k, t := range texts {
		estimate, _ := o.Set.LoadedTokens(t.Index)
		n := model.Tokens(math.Round(float64(estimate)*m.Factor)) + t.Extra
		all[k] = model.Recount{Index: t.Index, Tokens: n, Count: model.Estimated}
	}
	return o.replace(all)
}

// Encoding returns the name of the encoding that Count counts with.
func (o *Opened) Encoding() string { return o.counter.Encoding() }

// CountNote returns one line about what may mislead in the counts that are not
// the source's own, or "".
func (o *Opened) CountNote() string {
	if len(tokens.Pending(o.Set)) == 0 {
		return ""
	}
	return o.Method.note()
}

// Count counts the items whose token counts are estimates of text, and calls
// emit with batches of counts as they come, the longest texts first. It does
// not change the set. Opened.Method says which encoding it uses. Cancelling
// ctx ends it within 50 ms.
func (o *Opened) Count(ctx context.Context, emit func(tokens.Progress)) error {
	texts := o.Method.texts(o.Set)
	if len(texts) == 0 {
		return nil
	}
	if err := o.counter.CountAll(ctx, texts, relay.Workers(), emit); err != nil {
		return fmt.Errorf("counting tokens: %w", err)
	}
	return nil
}

// settle counts what there is to count, and puts the counts into the set.
func (o *Opened) settle(ctx context.Context) error {
	var all []model.Recount
	if err := o.Count(ctx, func(p tokens.Progress) { all = append(all, p.Recounts...) }); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	if err := o.replace(all); err != nil {
		return err
	}
	o.Pending = nil
	o.Loaded.Report.Estimated = len(tokens.Pending(o.Set))
	return nil
}

// replace puts counts into the set.
func (o *Opened) replace(counts []model.Recount) error {
	set, err := o.Set.Counted(counts)
	if err == nil {
		o.take(set)
	}
	return err
}

// take puts a set in place of what was loaded.
func (o *Opened) take(set *model.Set) {
	o.Set = set
	if o.Scenario.Set {
		o.Scenario.Value.Items = set
	}
}
