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

// LabelOptions are the flags of the verbs that evaluate policies against labels.
type LabelOptions struct {
	AnswerOptions
	Labels string // path of a file of labels; "": the labels in the sources
	Group  string // which cases belong together: "source", or a field of their lines; "": those over the same conversation
	Wanted string // recall to find the budgets for, in percent; "": 90
	Run    string // path of a TREC run, for BEIR folders; "": BM25 finds their documents
	Jobs   int    // number of cases worked on at a time; 0: the number of processors
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

// wanted returns --wanted as a share from 0 to 1.
func (l *LabelOptions) wanted() (float64, error) {
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(cmp.Or(l.Wanted, "90"), "%")), 64)
	if err != nil || !(percent > 0 && percent <= 100) {
		return 0, fmt.Errorf("--wanted: %.40q is not a percentage above 0 and up to 100", l.Wanted)
	}
	return percent / 100, nil
}

// amounts parses --at.
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

// labelledCases reads cases together with their labels. Its policies are those of
// the first case.
type labelledCases struct {
	*cases
	jobs   int
	of     []session.PolicyOf
	group  string
	labels *quality.LabelFile // nil: there is none
	status func() string      // text for the line of progress; nil: the number of cases read

	policies []quality.Named
	own      bool // each case must have a budget that is not guessed
	free     bool // the first case decides own

	// These are about the last run of all:
	failures  failures
	met       map[string]bool // cases of the labels that were read
	estimated int             // number of cases with token counts that are estimates
}

// newLabelledCases checks the flags, reads the files that they name, and returns
// the labelled cases of the sources.
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

// accept prepares for the budgets in at. If the cases need no budget of their own,
// a recorded scenario may lack one.
func (s *labelledCases) accept(at []quality.Amount) {
	s.free = len(at) == 0
	s.own = slices.ContainsFunc(at, func(a quality.Amount) bool { return a.Own })
	if b, err := model.BudgetOf(1); err == nil && !s.free && !s.own {
		s.fallback.Budget = model.Some(b)
	}
}

// amounts returns at. If at is empty and the first case has a budget, it returns
// the amount that means the budget of each case. Call it after begin.
func (s *labelledCases) amounts(at []quality.Amount) []quality.Amount {
	if s.free && s.own {
		return []quality.Amount{{Own: true}}
	}
	return at
}

// begin reads the first case, which determines the policies, and returns all cases,
// which can be iterated over once. stop ends the reading. If there is no case, the
// error says why.
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

// openedCase is a case that was read, or the error of reading it.
type openedCase struct {
	name      string
	quality   *quality.Case
	own       session.Own
	labels    string // the name of the case in the labels; "": none
	estimates bool
	guessed   bool // its budget is a guess
	err       error
}

// all yields the cases that can be evaluated, in the order of the sources, and adds
// the others to failures. It sets the policies before it yields the first case.
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

// setPolicies sets the policies of the first case. It returns an error if another
// case has different ones.
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

// unmatched returns the number of cases in the labels that were not read.
func (s *labelledCases) unmatched() int {
	if s.labels == nil {
		return 0
	}
	return len(s.labels.Cases()) - len(s.met)
}

// tell returns notes about the cases to show beside an answer, about labels and
// counts that may be unexpected.
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
