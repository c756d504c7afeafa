package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// LabelOptions are the flags of the verbs that hold policies against labels.
type LabelOptions struct {
	AnswerOptions
	Labels string // path of a file with labels; "": those that the sources have
	Group  string // what hangs together, see labelledCases.groupOf
	Wanted string // recall for which budgets are told, in percent; "": 90
	Run    string // path of a run of TREC, for folders of BEIR; "": BM25 finds their documents
	Jobs   int    // cases worked on at a time; 0: as many as there are processors
}

func (l *LabelOptions) labelFlags() []Flag {
	return []Flag{
		l.OutputFlag(),
		{Name: "quiet", Letter: "q", Bool: &l.Quiet, Usage: "say nothing on standard error but errors"},
		LabelsFlag(&l.Labels),
		{Name: "group", Text: &l.Group, Usage: "cases with the same `FIELD` of their line hang together, or with source those of one file (default: those of one conversation)"},
		{Name: "wanted", Text: &l.Wanted, Usage: "the recall for which budgets are told, in `PERCENT` (default 90)"},
		{Name: "run", Text: &l.Run, Usage: "`FILE` with a run of TREC, of which each query of a BEIR folder has the first 1,000 documents (default: those of BM25)"},
		{Name: "jobs", Letter: "j", Int: &l.Jobs, Usage: "`NUMBER` of cases worked on at a time (default: as many as processors)"},
	}
}

// wanted is --wanted as a share.
func (l *LabelOptions) wanted() (float64, error) {
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(cmp.Or(l.Wanted, "90"), "%")), 64)
	if err != nil || !(percent > 0 && percent <= 100) {
		return 0, fmt.Errorf("--wanted: %.40q is not a percentage above 0 and up to 100", l.Wanted)
	}
	return percent / 100, nil
}

// amounts reads --at.
func amounts(texts []string) ([]quality.Amount, error) {
	var all []quality.Amount
	for _, text := range texts {
		for one := range strings.SplitSeq(text, ",") {
			amount, err := quality.ParseAmount(one)
			if err != nil {
				return nil, fmt.Errorf("--at: %w", err)
			}
			all = append(all, amount)
		}
	}
	return all, nil
}

// labelledCases reads cases and what was needed of them. Its policies are those
// of the first case.
type labelledCases struct {
	*cases
	jobs   int
	of     []session.PolicyOf
	group  string
	labels *quality.LabelFile // nil: there is none
	status func() string      // for the line of progress; nil: how many cases are read

	policies []quality.Named
	own      bool // each case must have a budget that nobody guessed
	free     bool // the first case decides that

	// Of the last time that all ran:
	failures  failures
	met       map[string]bool // cases of labels
	estimated int             // cases with token counts that are estimates
}

// newLabelledCases checks the flags and reads the files that they name.
func newLabelledCases(o session.Options, v LabelOptions, policies []string, s Streams) (*labelledCases, error) {
	cases, err := newCases(o, s)
	if err != nil {
		return nil, err
	}
	if _, err := parallel(v.Jobs); err != nil {
		return nil, err
	}
	if v.Group != "" {
		cases.choices.Reading.ExtraFields = []string{v.Group}
	}
	e := &labelledCases{cases: cases, jobs: v.Jobs, group: v.Group}
	for k, name := range policies {
		if slices.Contains(policies[:k], name) {
			return nil, fmt.Errorf("the policy %.40q is compared already", name)
		}
		of, err := session.ParsePolicy(name)
		if err != nil {
			return nil, err
		}
		e.of, e.policies = append(e.of, of), append(e.policies, quality.Named{Name: name})
	}
	if v.Labels != "" {
		if e.labels, err = session.ReadLabels(v.Labels); err != nil {
			return nil, err
		}
	}
	if v.Run != "" && !slices.ContainsFunc(cases.choices.Options.Sources, isBEIR) {
		return nil, errors.New("--run is for a folder of BEIR, with corpus.jsonl and queries.jsonl: no source is one")
	}
	cases.beir = &beirFiles{v.Run, e.labels}
	return e, nil
}

// accept makes ready for budgets. Where the cases need none of their own, a
// recorded scenario may lack one.
func (s *labelledCases) accept(at []quality.Amount) {
	s.free = len(at) == 0
	s.own = slices.ContainsFunc(at, func(a quality.Amount) bool { return a.Own })
	if b, err := model.BudgetOf(1); err == nil && !s.free && !s.own {
		s.fallback.Budget = model.Some(b)
	}
}

// amounts is at, or where it is empty and the first case has a budget that of
// each. It is for after begin.
func (s *labelledCases) amounts(at []quality.Amount) []quality.Amount {
	if s.free && s.own {
		return []quality.Amount{{Own: true}}
	}
	return at
}

// begin reads the first case, which settles policies, and hands out
// all of them, once. stop ends the reading. Without any case the error says why.
func (s *labelledCases) begin(ctx context.Context) (all quality.Cases, stop func(), err error) {
	next, stop := iter.Pull2(s.all(ctx))
	first, err, more := next()
	if err == nil && !more {
		err = s.failures.conclude(s.streams.Err, 0, "case", "not evaluated", "there is nothing to evaluate")
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return func(yield func(*quality.Case, error) bool) {
		for c, err := first, error(nil); more && yield(c, err); {
			c, err, more = next()
		}
	}, stop, nil
}

// openedCase is a case that was read, or why it was not.
type openedCase struct {
	name      string
	quality   *quality.Case
	own       session.Own
	labels    string // the case of labels that it is; "": none
	estimates bool
	guessed   bool // nobody gave its budget
	err       error
}

// all is every case that can be evaluated, in the order of the sources. What
// cannot be is told to failures. The policies are set before the first.
func (s *labelledCases) all(ctx context.Context) quality.Cases {
	return func(yield func(*quality.Case, error) bool) {
		s.failures, s.met, s.estimated = failures{}, map[string]bool{}, 0
		ctx, stop := context.WithCancel(ctx)
		read, end := make(chan []openedCase), make(chan error, 1)
		go func() {
			seen := 0
			status := s.status
			if status == nil {
				status = func() string { return plain.Count(seen, "case") + " read" }
			}
			end <- s.answerAll(ctx, s.jobs, nil, s.answer, func(p *parcel) {
				seen++
				select {
				case read <- p.payload.([]openedCase):
				case <-ctx.Done():
				}
			}, status)
			close(read)
		}()
		defer func() { // nothing goes on reading
			stop()
			for range read {
			}
		}()
		first := true
		for all := range read {
			for _, c := range all {
				err := c.err
				if err == nil {
					err = s.setPolicies(c.own, first)
				}
				if err == nil && first && s.free {
					s.own = !c.guessed
				}
				if err == nil && s.own && c.guessed {
					err = errors.New("it has no budget of its own: give --at or --max-tokens")
				}
				if err != nil {
					s.failures.add(c.name, err)
					continue
				}
				first = false
				if c.labels != "" {
					s.met[c.labels] = true
				}
				if c.estimates {
					s.estimated++
				}
				if !yield(c.quality, nil) {
					return
				}
			}
		}
		if err := <-end; err != nil {
			yield(nil, err)
		}
	}
}

// setPolicies takes the policies of the first case; each other must have the same.
func (s *labelledCases) setPolicies(own session.Own, first bool) error {
	for k, of := range s.of {
		p, err := of(own)
		if err != nil {
			return err
		}
		if first {
			s.policies[k].Policy = p
		} else if !p.Same(s.policies[k].Policy) {
			return fmt.Errorf("its policy %.40q is not that of the first case: name one for all with --policy, --preset or --slicer", s.policies[k].Name)
		}
	}
	return nil
}

// answer reads one case, or each run or result set of a document that holds several.
func (s *labelledCases) answer(ctx context.Context, p *parcel) {
	var all []openedCase
	s.each(ctx, p, func(name string, l *itemset.Loaded, err error) {
		c := openedCase{name: name}
		if err == nil {
			err = s.open(ctx, p, l, &c)
		}
		c.err = err
		all = append(all, c)
	})
	p.payload = all
}

func (s *labelledCases) open(ctx context.Context, p *parcel, l *itemset.Loaded, c *openedCase) error {
	opened, err := s.choices.OpenCounted(ctx, l)
	if err != nil {
		return err
	}
	fields := fieldsOfCase(p)
	q := &quality.Case{Name: c.name, Items: opened.Set, Budget: opened.Budget}
	if q.Group, err = s.groupOf(p, opened, fields); err != nil {
		return err
	}
	q.Labels = opened.Labels
	if s.labels != nil {
		if names := s.labels.Named(caseNames(p, c.name, fields)...); len(names) > 0 {
			labels, err := s.labels.Labels(names[0], opened.Set)
			if err != nil {
				return err
			}
			labels.Answers = q.Labels.Answers
			q.Labels, c.labels = labels, names[0]
		}
	}
	c.quality, c.own, c.estimates, c.guessed = q, opened.Own(), opened.Set.Estimates() > 0, opened.Guessed
	return q.Labels.Validate(opened.Set.Len())
}

// unmatched is how many cases of the labels are not among those read.
func (s *labelledCases) unmatched() int {
	if s.labels == nil {
		return 0
	}
	return len(s.labels.Cases()) - len(s.met)
}

// tell says what of the cases is to be known beside an answer: labels and counts
// that are not as they might be expected.
func (s *labelledCases) tell(unreachable int) (lines []string) {
	add := func(n int, what, says string) {
		if n > 0 {
			lines = append(lines, plain.Count(n, what)+" "+says)
		}
	}
	add(unreachable, "label", "without an item: no part of recall")
	add(s.unmatched(), "case", "of the labels not among those evaluated")
	add(s.estimated, "case", "with token counts that are estimates: what rests on those may be otherwise")
	add(s.failures.count, "case", "not evaluated")
	return lines
}
