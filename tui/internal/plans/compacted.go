package plans

import (
	"context"

	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/work"
)

// Compaction is a recorded compaction, and what the policy of the side that is shown keeps in
// the same room.
type Compaction struct {
	turns.Compaction
	Kept turns.Kept
}

// compacted holds the compactions of the conversation.
type compacted struct {
	want, have *compacting
	all        []Compaction // nil where they could not be had
}

// compacting is the input of the search for compactions, and the key of its Job.
type compacting struct {
	history *turns.History
	policy  model.Policy
}

// job returns the Job of the search, or false if it is done already.
func (c *compacted) job(p *Runs) (work.Job, bool) {
	next := c.want
	if policy := p.setup.Policy[p.side]; next == nil || next.history != p.history.History || !next.policy.Same(policy) {
		next = &compacting{p.history.History, policy}
	}
	c.want = next
	if c.have == next {
		return work.Job{}, false
	}
	return work.Job{Key: next, CanWait: true, Run: work.Pass(func(ctx context.Context) (all []Compaction, err error) {
		for _, one := range next.history.Compactions(turns.WithinRequests) {
			kept, err := next.history.KeptBy(ctx, next.policy, one)
			if err != nil {
				return nil, err
			}
			all = append(all, Compaction{one, kept})
		}
		return all, ctx.Err()
	}, func(all []Compaction, _ error) { c.have, c.all = next, all })}, true
}

// Compaction returns the recorded compaction before request t; false if there is none, or as
// long as they are not known.
func (p *Runs) Compaction(t int) (Compaction, bool) {
	if p.history == nil || p.compacted.have == nil || p.compacted.have.history != p.history.History {
		return Compaction{}, false
	}
	for _, one := range p.compacted.all {
		if one.Request == t {
			return one, true
		}
	}
	return Compaction{}, false
}
