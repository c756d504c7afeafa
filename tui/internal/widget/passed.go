package widget

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
)

// maxPassed is of how many filters a list keeps what passed: a byte an item each.
const maxPassed = 16

// passed is what passed each filter that the newest narrows, as while it is typed: a letter
// more asks only what has passed, a letter less nothing.
type passed struct {
	facts   facts
	filters []filtered // each narrows the one before
}

// filtered is which items passed a filter.
type filtered struct {
	filter query.Query
	items  []bool
}

// facts are what a filter asks about.
type facts struct {
	items   *model.Set
	report  *model.Report
	profile *simulate.Profile
	judge   *quality.Judge
	lost    int
	none    bool
}

// take forgets what passed if an outcome has other facts.
func (p *passed) take(o *experiment.Outcome) {
	if now := (facts{o.Items, o.Report, o.Profile, o.Judge, len(o.Lost), o.Err != nil}); now != p.facts {
		*p = passed{facts: now}
	}
}

// passing returns which items pass the filter. What is changed in it must be changed back.
func (p *ItemList) passing(o *experiment.Outcome) []bool {
	all := p.filter.IsZero()
	var before []bool // the only ones that may pass; nil: all may
	if !all {
		kept, kinds := p.passed.filters, o.Items.Kinds()
		for len(kept) > 0 && !p.filter.Narrows(kept[len(kept)-1].filter, kinds) {
			kept = kept[:len(kept)-1]
		}
		p.passed.filters = kept
		if len(kept) > 0 {
			last := kept[len(kept)-1]
			if last.filter.Narrows(p.filter, kinds) { // they say the same
				return last.items
			}
			before = last.items
		}
	}
	asked, pass := FactsOf(o), make([]bool, o.Items.Len())
	relay.Spread(len(pass), func(i int) int { return len(o.Items.Loaded(i).Content) }, func(from, to int) {
		var block [64]int32
		for i := from; i < to; {
			n := 0
			for ; i < to && n < len(block); i++ {
				block[n] = int32(i)
				if before == nil || before[i] {
					n++
				}
			}
			for _, k := range p.filter.Matching(&asked, block[:n]) {
				pass[k] = true
			}
		}
	})
	if !all {
		p.passed.add(filtered{p.filter, pass})
	}
	return pass
}

// add keeps what passed another filter.
func (p *passed) add(f filtered) {
	if len(p.filters) == maxPassed {
		p.filters = slices.Delete(p.filters, 0, 1)
	}
	p.filters = append(p.filters, f)
}
