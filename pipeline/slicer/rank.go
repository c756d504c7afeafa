package slicer

import (
	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Rank goes through the candidates by score, the best first, and takes each one
// that still fits. It takes all candidates without tokens. It is not one of
// Cupel's slicers, but a baseline for them: a program that fills a window with
// search results in order works like this.
//
// As the target grows, a better item may push out several that are worth more
// together, so the sum of scores may fall.
type Rank struct{}

var _ Slicer = Rank{}

// Traits implements Slicer.
func (Rank) Traits() Traits { return Traits{ByScore: true, Sizes: true, Key: scoreKey} }

// scoreKey is the Traits.Key of slicers that go by score.
func scoreKey(score float64, _ model.Tokens) uint64 { return order.Key(score) }

// Prepare implements Slicer in O(n).
func (Rank) Prepare(in *Input) Prepared { return byScore(in, false) }
