package panes

import (
	"strconv"

	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/experiment"
)

// Best is what is known of the best value that any selection could have, for
// Compare and the curves.
type Best struct {
	bounds [2]bounded
}

// bounded is the bound of a side's ranking, made once a ranking.
type bounded struct {
	ranking *pipeline.Ranking
	bound   *simulate.Bound
}

// bestKind is what a value is in relation to the best possible.
type bestKind int

const (
	unbounded bestKind = iota // nothing is known
	atMost                    // no selection is worth more
	best                      // the best possible itself
)

func (k bestKind) String() string { return [...]string{"", "at most", "best possible"}[k] }

// Of is the best value by effective target for an outcome's items, and what
// kind of number that is.
func (p *Best) Of(o *experiment.Outcome) (func(slicer.Target) float64, bestKind) {
	if len(o.Policy.CountQuotas) > 0 { // required items may cost more than the room
		return nil, unbounded
	}
	at := &p.bounds[0]
	if at.ranking != o.Ranking {
		if p.bounds[1].ranking != o.Ranking {
			p.bounds[1] = bounded{o.Ranking, simulate.NewBound(o.Ranking)}
		}
		p.bounds[0], p.bounds[1] = p.bounds[1], p.bounds[0] // the last one that was asked for stays first
	}
	return at.bound.At, atMost
}

// Below says how far a value at a target is below the best possible; "" where
// there is nothing to compare with.
func (p *Best) Below(o *experiment.Outcome, value float64, t slicer.Target) string {
	at, kind := p.Of(o)
	if kind == unbounded {
		return ""
	}
	most := at(t)
	if most <= 0 {
		return ""
	}
	share := max(0, 1-value/most)
	return "≤" + strconv.FormatFloat(100*share, 'f', 1, 64) + " % off best"
}
