package pipeline

import "cupelscope/pipeline/scorer"

// Rescored returns the pipeline with another scorer, made from the one that it
// has: for a set whose items are made of those of another (see
// simulate.Joined). It keeps the policy.
func (p *Pipeline) Rescored(with func(scorer.Scorer) scorer.Scorer) *Pipeline {
	next := *p
	next.parts.Scorer = with(p.parts.Scorer)
	return &next
}
