package slicer

// Prefix takes candidates by score, the best first, and stops at the first that
// does not fit. It takes all candidates without tokens. It is not one of Cupel's
// slicers, but the simplest baseline for them: a whole candidate that is in at a
// target is in at every larger one.
type Prefix struct{}

// Traits implements Slicer.
func (Prefix) Traits() Traits { return Traits{ByScore: true, Sizes: true, Key: scoreKey, Stops: true} }

// Prepare implements Slicer in O(n).
func (Prefix) Prepare(in *Input) Prepared { return byScore(in, true) }
