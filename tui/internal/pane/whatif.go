package pane

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// WhatIf computes how the result would change if the selected items were pinned, released,
// excluded or restored, for Detail and Reader. It runs the pipeline again for each case,
// so it is a work.Worker. Search is another, so that the cases of the next item need not wait
// until the search for this one has stopped.
type WhatIf struct {
	Now func() time.Time // the clock of the search

	out     *experiment.Outcome // the result before; nil: nothing is asked
	items   []int
	patient bool // it may take long: the item is open

	number  int // of the question; an item that opens keeps it, and so the work that is running
	answers *[2]answer
	late    bool // the item is not open, and the cases take too long
	// edited are the rankings of the cases. They do not depend on the budget
	// and stay while it moves.
	edited [2]*pipeline.Ranking
	search dropSearch // of the question whose answers are known
	// trials serve the search for each item, and stay while only that changes.
	trials *simulate.Trials
}

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
	candidates []int32
	parts      int // how many parts were searched
	looked     int // how many candidates were tried
	found      []int32
}

// partKey is the key of a part of the search.
type partKey struct{ number, looked int }

const (
	// maxCasesTime is how long the cases may take for an item that is not open.
	maxCasesTime = 300 * time.Millisecond
	// caseBytes is how much text costs as much as an item of a case, for relay.Spread.
	caseBytes = 64
	// searchPart is how long a part of the search takes, after which the screen is drawn.
	searchPart = 100 * time.Millisecond
	// A search of more parts ends before it has looked at all candidates.
	maxParts, maxPatientParts = 3, 200
)

// Arrange sets the outcome and the items, ascending, to compute the cases for. A nil
// outcome says that the setup has no result. Patient says that the work may take long.
func (p *WhatIf) Arrange(out *experiment.Outcome, items []int, patient bool) {
	if out == nil || out.Report == nil || len(items) == 0 {
		*p = WhatIf{Now: p.Now, number: p.number + 1, trials: p.trials}
		return
	}
	same := p.out != nil && slices.Equal(p.items, items)
	if same && p.out.Report == out.Report && (patient || !p.patient) {
		p.patient, p.late = patient, p.late && !patient
		return
	}
	next := WhatIf{Now: p.Now, out: out, items: slices.Clone(items), patient: patient, number: p.number + 1, trials: p.trials}
	if next.trials == nil || next.trials.Of() != out.Ranking {
		next.trials = simulate.NewTrials(out.Ranking)
	}
	if same && p.out.Ranking == out.Ranking {
		next.edited = p.edited
	}
	if same && p.out.Report == out.Report {
		next.answers = p.answers
	}
	if next.answers != nil {
		next.search = p.search // what was found stays, also once the item is closed
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
	return dropSearch{candidates: simulate.Droppable(p.out.Ranking, rep, p.items[0])}
}

// ended reports whether the search has looked at all candidates, or has taken too long.
func (s *dropSearch) ended(patient bool) bool {
	limit := maxParts
	if patient {
		limit = maxPatientParts
	}
	return s.looked == len(s.candidates) || s.parts >= limit
}

// of reports whether the question is about the item, or several items, of the outcome.
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
		e.Excluded = set.Edits().Excluded // the key restores nothing
		return e
	case p.all(set.Excluded):
		return simulate.Restoring(set, p.items...)
	}
	return simulate.Dropping(set, p.items...)
}

func (p *WhatIf) all(is func(i int) bool) bool {
	return !slices.ContainsFunc(p.items, func(i int) bool { return !is(i) })
}

// Job returns the work of computing the cases, or false if there is none.
func (p *WhatIf) Job() (work.Job, bool) {
	if p.out == nil || p.answers != nil {
		return work.Job{}, false
	}
	before, ranking := p.out.Report, p.out.Ranking
	job := work.Job{Key: p.number, CanWait: !p.patient}
	if !p.patient {
		job.Limit = maxCasesTime
	}
	edits := [2]model.Edits{p.edits(pinning), p.edits(dropping)}
	known := p.edited
	job.Run = work.Pass(func(ctx context.Context) (*[2]answer, error) {
		var all [2]answer
		relay.Spread(len(all), func(int) int { return caseBytes * ranking.Items().Len() }, func(from, to int) {
			for k := from; k < to; k++ {
				all[k] = answered(ctx, ranking, before, edits[k], known[k])
			}
		})
		return &all, ctx.Err()
	}, func(all *[2]answer, err error) {
		p.late = work.TooLong(err) && !p.patient
		if err == nil {
			p.answers, p.search = all, p.newSearch()
			for k := range all {
				p.edited[k] = all[k].edited
			}
		}
	})
	return job, !p.late
}

// Search returns the Worker that searches for single items once the cases are known.
func (p *WhatIf) Search() work.Worker { return search{p} }

type search struct{ of *WhatIf }

// Job returns the next part of the search, which no one waits for: also an open item is
// read first.
func (w search) Job() (work.Job, bool) {
	p := w.of
	if p.out == nil || p.answers == nil || p.search.ended(p.patient) {
		return work.Job{}, false
	}
	before, item, trials, now := p.out.Report, p.items[0], p.trials, p.Now
	rest := p.search.candidates[p.search.looked:]
	return work.Job{Key: partKey{p.number, p.search.looked}, CanWait: true, Run: func(ctx context.Context) func() {
		looked, found, err := 0, []int32(nil), error(nil)
		for start := now(); err == nil && looked < len(rest) && now().Sub(start) < searchPart; looked++ {
			var drops []int32
			drops, err = trials.DropsFor(ctx, before, item, rest[looked:looked+1])
			found = append(found, drops...)
		}
		return func() {
			s := &p.search
			if err == nil {
				s.parts++
				s.found = append(s.found, found...)
				s.looked += looked
			}
		}
	}}, true
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

// others returns which items come in and go out in a case that has an answer, besides the items
// that the question is about.
func (p *WhatIf) others(which int) (in, out []int32) {
	own := func(i int32) bool { _, found := slices.BinarySearch(p.items, int(i)); return found }
	e := p.answers[which].effect
	return slices.DeleteFunc(slices.Clone(e.In), own), slices.DeleteFunc(slices.Clone(e.Out), own)
}

// Others returns how many other items leave and come in if the items are pinned, or released
// where all are, or else excluded or restored: ": + #32 − #15 #57". It is "" if that
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
	return ": " + cmp.Or(widget.Moves(in, out, 12), widget.NoOtherMoves)
}
