package pane

import (
	"context"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// WhatIf computes how the result would change if the selected items were pinned, released,
// excluded or restored, for Detail and Reader. It runs the pipeline again for each case,
// so it is a work.Worker.
type WhatIf struct {
	out     *experiment.Outcome // what the question is of; nil: there is none
	items   []int
	patient bool // may take long: the item is open
	rested  bool // the cursor stayed: see Rest

	number  int // of the question
	answers *[2]answer
	// edited are the rankings of the cases. They do not depend on the budget
	// and stay while it moves.
	edited [2]*pipeline.Ranking
	search dropSearch
	// trials are the rankings of the search. They depend neither on the budget
	// nor on the item, and stay while these change.
	trials *simulate.Trials
}

// trialBytes limits the memory of trials. It is enough for all trials of a usual
// conversation, and for 64 over 10,000 items.
const trialBytes = 64 << 20

// The cases: what the keys space and x would do.
const (
	pinning  = iota // all of the items, or releasing them where all are pinned
	dropping        // all of them, or taking them back where all are excluded
)

// answer is the result of a case.
type answer struct {
	effect simulate.Effect
	err    error // why there is no result
	edited *pipeline.Ranking
}

// dropSearch is the search for single items whose removal would let another item in.
type dropSearch struct {
	wanted     bool
	candidates []int32
	all        int // that there are: a search that takes too long looks at the first only
	looked     int
	found      []simulate.Drop
}

// whatIfKey is the key of a Job.
type whatIfKey struct{ number, step int }

// Limits of predicted cost, in microseconds. Quick work is done for every row that the
// cursor passes, longer work once the cursor has stayed on a row, and even longer work
// only for an item that is open.
const (
	quickAnswers  = 4000 // the cases
	restedAnswers = 300_000
	quickSearch   = 4000 // the search for single items
	restedSearch  = 1_000_000
	longestSearch = 20_000_000 // what takes longer is looked at in part
	// searchStep is the cost of a part of the search, after which the screen is drawn.
	searchStep = 100_000
)

// Arrange sets the outcome and the items, ascending, to compute the cases for. A nil
// outcome says that the setup has no result. Patient says that the work may take long.
func (p *WhatIf) Arrange(out *experiment.Outcome, items []int, patient bool) {
	if out == nil || out.Report == nil || len(items) == 0 {
		*p = WhatIf{number: p.number + 1, trials: p.trials}
		return
	}
	same := p.out != nil && slices.Equal(p.items, items)
	if same && p.out.Report == out.Report && p.patient == patient {
		return
	}
	next := WhatIf{out: out, items: slices.Clone(items), patient: patient, number: p.number + 1, trials: p.trials}
	if next.trials == nil || next.trials.Of() != out.Ranking {
		next.trials = simulate.NewTrials(out.Ranking, trialBytes)
	}
	if same && p.out.Ranking == out.Ranking {
		next.edited = p.edited
	}
	if same && p.out.Report == out.Report {
		next.answers = p.answers
	}
	next.search = next.newSearch()
	if old := p.search; next.answers != nil && old.wanted && (next.search.wanted || old.looked == len(old.candidates)) {
		next.search = old // what was found stays, also once the item is closed
	}
	*p = next
}

// newSearch returns the search for the question. It is empty for several items and for an
// item that is in.
func (p *WhatIf) newSearch() dropSearch {
	rep := p.out.Report
	if len(p.items) != 1 || rep.In(p.items[0]) {
		return dropSearch{}
	}
	switch rep.Codes[p.items[0]] {
	case model.NegativeTokens, model.Filtered:
		return dropSearch{}
	}
	s := dropSearch{candidates: simulate.Droppable(p.out.Ranking, rep, p.items[0])}
	s.all = len(s.candidates)
	one := p.out.TrialCost()
	if s.wanted = s.all*one <= quickSearch || p.patient || p.rested && s.all*one <= restedSearch; s.wanted {
		s.candidates = s.candidates[:min(s.all, max(1, longestSearch/one))]
	}
	return s
}

// Waits returns the number of the question whose work is put off until the cursor stays on
// its row, to pass to Rest; false if no work is put off.
func (p *WhatIf) Waits() (int, bool) {
	if p.out == nil || p.patient || p.rested {
		return 0, false
	}
	one, s := p.out.TrialCost(), &p.search
	cases := p.answers == nil && 2*one > quickAnswers && 2*one <= restedAnswers
	return p.number, cases || s.all > 0 && !s.wanted && s.all*one <= restedSearch
}

// Rest records that the cursor has stayed on the items of a question, so that its work may
// start.
func (p *WhatIf) Rest(question int) {
	if question == p.number && p.out != nil {
		p.rested = true
		p.search = p.newSearch()
	}
}

// of reports whether the question is of these items in the outcome.
func (p *WhatIf) of(out *experiment.Outcome, item int) bool {
	return p != nil && p.out != nil && p.out.Report == out.Report && (len(p.items) > 1 || p.items[0] == item)
}

// edits returns the edits of a case.
func (p *WhatIf) edits(which int) model.Edits {
	set := p.out.Ranking.Items()
	switch {
	case which == pinning && p.all(set.Pinned):
		return simulate.Releasing(set, p.items...)
	case which == pinning:
		e := simulate.Pinning(set, p.items...)
		e.Excluded = set.Edits().Excluded // the key takes nothing back
		return e
	case p.all(set.Excluded):
		return simulate.Restoring(set, p.items...)
	}
	return simulate.Dropping(set, p.items...)
}

func (p *WhatIf) all(is func(i int) bool) bool {
	return !slices.ContainsFunc(p.items, func(i int) bool { return !is(i) })
}

// Job returns the next piece of work, or false if there is none.
func (p *WhatIf) Job() (work.Job, bool) {
	if p.out == nil {
		return work.Job{}, false
	}
	one := p.out.TrialCost()
	before, ranking := p.out.Report, p.out.Ranking
	if p.putOff() {
		return work.Job{}, false
	}
	if p.answers == nil {
		edits := [2]model.Edits{p.edits(pinning), p.edits(dropping)}
		known := p.edited
		return work.Job{Key: whatIfKey{p.number, 0}, Cost: 2 * one, Waits: !p.patient, Run: func(ctx context.Context) (any, error) {
			var all [2]answer
			for k := range all {
				all[k] = answered(ctx, ranking, before, edits[k], known[k])
			}
			return &all, ctx.Err()
		}}, true
	}
	s := &p.search
	if !s.wanted || s.looked >= len(s.candidates) {
		return work.Job{}, false
	}
	chunk := s.candidates[s.looked:min(len(s.candidates), s.looked+max(1, searchStep/one))]
	item, trials := p.items[0], p.trials
	return work.Job{Key: whatIfKey{p.number, 1 + s.looked}, Cost: len(chunk) * one, Waits: !p.patient, Run: func(ctx context.Context) (any, error) {
		drops, err := trials.DropsFor(ctx, before, item, chunk)
		return searched{drops, len(chunk)}, err
	}}, true
}

// searched is the result of a part of the search.
type searched struct {
	found  []simulate.Drop
	looked int
}

// answered computes a case; known is its ranking, or nil if that is not known yet.
func answered(ctx context.Context, r *pipeline.Ranking, before *model.Report, e model.Edits, known *pipeline.Ranking) answer {
	a := answer{edited: known}
	if a.edited == nil {
		if a.edited, a.err = simulate.Edited(ctx, r, e); a.err != nil {
			return a
		}
	}
	a.effect, a.err = simulate.Against(ctx, before, a.edited)
	return a
}

// late reports whether the cases take too long to compute unless the item is open.
func (p *WhatIf) late() bool {
	return p.answers == nil && !p.patient && 2*p.out.TrialCost() > restedAnswers
}

// putOff reports whether the cases are not computed yet, because they are late or wait for
// the cursor to stay.
func (p *WhatIf) putOff() bool {
	return p.late() || p.answers == nil && !p.patient && !p.rested && 2*p.out.TrialCost() > quickAnswers
}

// Done stores the result of a Job.
func (p *WhatIf) Done(key, result any, err error) {
	if k, ok := key.(whatIfKey); !ok || k.number != p.number || err != nil {
		return
	}
	switch r := result.(type) {
	case *[2]answer:
		p.answers = r
		for k := range r {
			p.edited[k] = r[k].edited
		}
	case searched:
		p.search.found = append(p.search.found, r.found...)
		p.search.looked += r.looked
	}
}

// others returns which items besides those of the question come in and go out in a case
// that has an answer.
func (p *WhatIf) others(which int) (in, out []int32) {
	own := func(i int32) bool { _, found := slices.BinarySearch(p.items, int(i)); return found }
	e := p.answers[which].effect
	return slices.DeleteFunc(slices.Clone(e.In), own), slices.DeleteFunc(slices.Clone(e.Out), own)
}

// Others says how many other items leave and come in if the items are pinned, or released
// where all are, or else excluded or restored: ": 2 leave, 1 comes in". It is "" if that
// is not known.
func (p *WhatIf) Others(pins bool, items []int) string {
	which := dropping
	if pins {
		which = pinning
	}
	if p.out == nil || p.answers == nil || p.answers[which].err != nil || !slices.Equal(p.items, items) {
		return ""
	}
	in, out := p.others(which)
	var words []string
	if n := len(out); n > 0 {
		words = append(words, plain.Thousands(n)+widget.Verb(n, " leaves", " leave"))
	}
	if n := len(in); n > 0 {
		words = append(words, plain.Thousands(n)+widget.Verb(n, " comes in", " come in"))
	}
	if len(words) == 0 {
		return ": nothing else changes"
	}
	return ": " + strings.Join(words, ", ")
}
