package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// compareOptions say what to compare, and at which budgets.
type compareOptions struct {
	answerOptions
	A, B   string   // names of policies, see session.ParsePolicy; one may be session.Recorded
	At     []string // budgets, see quality.ParseAmount; empty: each case's own
	Worst  int      // number of cases to show, those that differ most
	NoBest bool     // skip the best possible value, which takes the most time
	Jobs   int      // number of cases worked on at a time; 0: the number of processors
}

// comparer compares two policies on one case after the other. It is safe for
// concurrent use.
type comparer struct {
	*cases
	ctx     context.Context     // of the words for items, which are asked for once every case is answered
	sides   [2]session.PolicyOf // A and B; nil: what is recorded
	at      []quality.Amount
	best    bool
	csv     bool
	ascii   bool
	columns []export.Column[caseRow] // of CSV
}

// compare compares two policies over the cases of sources. The answer says how
// often and by how much their results differ, what only one of them lets in, what
// that is worth, and how far both are below the best possible value. A case is a
// source, or each line of a source whose lines are scenarios, requests or retrieval
// results. Cases that cannot be compared are counted by reason; if none can, the
// error is the first reason.
//
// CSV has a line for each case and budget, in the order of the sources. Memory is
// bounded however many cases there are.
func compare(ctx context.Context, o session.Options, c compareOptions, s Streams) error {
	w, err := newComparer(ctx, o, c, s)
	if err != nil {
		return err
	}
	w.csv = c.Output == export.AsCSV
	sum := &totals{specs: w.at, budgets: make([]tally, len(w.at)), kinds: map[model.Kind]*kindPart{}, keep: c.Worst, recorded: w.sides[0] == nil || w.sides[1] == nil}
	var headings []byte
	if w.csv {
		w.columns = caseColumns(len(o.Shrink) > 0 || o.ShrinkPinned)
		headings = export.CSVHeadings(w.columns)
	}
	begin := s.now()
	err = w.answerAll(ctx, c.Jobs, headings, w.answer, func(p *flow.Parcel) {
		for _, r := range p.Payload.([]caseResult) {
			sum.add(r)
		}
	}, sum.counted)
	if err != nil {
		return err
	}
	if c.Timings && s.Now != nil {
		s.say("%s in %.1f ms", plain.Count(sum.sources, "source"), milliseconds(s.now().Sub(begin)))
	}
	if err := sum.failures.conclude(s, sum.all.cases, "case", "not compared", "there is nothing to compare"); err != nil || w.csv {
		return err
	}
	return s.write(ctx, c.Output, sum.sheets(c)...)
}

// newComparer checks the flags and returns a comparer.
func newComparer(ctx context.Context, o session.Options, c compareOptions, s Streams) (*comparer, error) {
	w := &comparer{ctx: ctx, best: !c.NoBest, ascii: c.ASCII}
	if err := checkWorst(c.Worst); err != nil {
		return nil, err
	}
	var err error
	for k, name := range [...]string{c.A, c.B} {
		if strings.EqualFold(name, session.Recorded) {
			continue
		}
		w.sides[k], err = session.ParsePolicy(ctx, name)
		if _, missing := os.Stat(name); err != nil && missing == nil {
			return nil, fmt.Errorf("compare takes two policies before the sources, and took %.60q for policy %c: %w", name, 'A'+k, err)
		}
		if err != nil {
			return nil, fmt.Errorf("policy %c: %w", 'A'+k, err)
		}
	}
	if w.cases, err = newCases(ctx, o, c.muted(s)); err != nil {
		return nil, err
	}
	if w.sides[0] == nil && w.sides[1] == nil {
		return nil, errors.New("compare recorded recorded: give a policy to compare the recorded result with")
	}
	if w.at, err = amounts(o, c.At); err != nil {
		return nil, err
	}
	if len(w.at) == 0 {
		w.at = []quality.Amount{{Own: true}}
	}
	// A recorded scenario may lack a policy or a budget.
	if a := w.sides[0]; !w.Fallback.Policy.Set && a != nil {
		if p, err := a(session.Own{}); err == nil { // not only a slicer
			w.Fallback.Policy = model.Some(p)
		}
	}
	if !slices.ContainsFunc(w.at, func(a quality.Amount) bool { return a.Own }) {
		w.NeedNoBudget()
	}
	return w, nil
}
