package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
)

// Labelled reads cases together with their labels. It is not safe for concurrent
// use: Reading is about the last iteration over All.
type Labelled struct {
	*Cases
	// Policies are the policies of the first case, by the names given to NewLabelled. They
	// are there once All has yielded it.
	Policies []quality.Named
	// Failed, if not nil, is called with the name of each case that All leaves out,
	// and why.
	Failed func(name string, err error)
	// Progress, if not nil, is called after each source or line with how many of
	// those were read.
	Progress func(read int)
	Reading  labelReading

	group        string // see NewLabelled
	Jobs         int    // number of cases read at a time; 0: the number of processors
	of           []PolicyOf
	labels       *quality.LabelFile // nil: there is none
	ownBudgets   bool               // each case must have a budget that is not guessed
	firstDecides bool               // the first case decides that
}

// labelReading is what an iteration over labelled cases counts.
type labelReading struct {
	Estimated   int // number of cases with token counts that are estimates
	Sized       int // number of cases with items that may be cut
	Unreachable int // number of labels without an item

	met     map[string]bool // cases of the labels that were read
	openers []opener        // by case
}

// opener is what opens a case alone.
type opener struct {
	source   string
	selected string       // the value of --select; "": the source holds no other case
	labelled bool         // the label file has it
	gap      model.Tokens // of its budget
}

// NewLabelled checks the flags, reads the files that they name, and returns the
// labelled cases of the sources. Group says which cases belong together: "source", or a
// field of their lines; "": those over the same conversation. Jobs is how many are read at a
// time; 0: the number of processors. policies are names as of ParsePolicy, and no two are the
// same.
func NewLabelled(ctx context.Context, o Options, group string, jobs int, policies []string, in Input) (*Labelled, error) {
	choices, err := o.Choices(ctx, in)
	if err != nil {
		return nil, err
	}
	return choices.labelled(ctx, group, jobs, policies)
}

// labelled is NewLabelled for flags that were parsed already. It takes c.
func (c *Choices) labelled(ctx context.Context, group string, jobs int, policies []string) (*Labelled, error) {
	cases, err := c.cases(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := flow.Parallel(jobs); err != nil {
		return nil, err
	}
	if group != "" {
		cases.Choices.Reading.ExtraFields = []string{group}
	}
	all := &Labelled{Cases: cases, group: group, Jobs: jobs, labels: c.labels}
	c.labels = nil // they label the cases, not what a case is read from
	for k, name := range policies {
		if slices.Contains(policies[:k], name) {
			return nil, fmt.Errorf("the policy %.40q is compared already", name)
		}
		of, err := ParsePolicy(ctx, name)
		if err != nil {
			return nil, err
		}
		all.of, all.Policies = append(all.of, of), append(all.Policies, quality.Named{Name: name})
	}
	cases.beir = &beirFiles{c.Options.Run, c.run, all.labels}
	return all, nil
}

// Accept prepares for the budgets in at. If the cases need no budget of their own,
// a recorded scenario may lack one.
func (l *Labelled) Accept(at []quality.Amount) {
	l.firstDecides = len(at) == 0
	l.ownBudgets = slices.ContainsFunc(at, func(a quality.Amount) bool { return a.Own })
	if !l.firstDecides && !l.ownBudgets {
		l.NeedNoBudget()
	}
}

// Amounts returns at. If at is empty and the first case has a budget, it returns
// the amount that means the budget of each case. Call it after All has yielded the
// first case.
func (l *Labelled) Amounts(at []quality.Amount) []quality.Amount {
	if l.firstDecides && l.ownBudgets {
		return []quality.Amount{{Own: true}}
	}
	return at
}

// openedCase is a case that was read, or the error of reading it.
type openedCase struct {
	Case
	opener
	quality   *quality.Case
	own       Own
	labels    string // the name of the case in the labels; "": none
	estimates bool
	guessed   bool // its budget is a guess
	err       error
}

// All yields the cases that can be evaluated, in the order of the sources, and
// passes the failed ones to Failed. It sets Policies before it yields the first case.
// The sequence can be iterated over several times if all sources are files.
func (l *Labelled) All(ctx context.Context) quality.Cases {
	return func(yield func(*quality.Case, error) bool) {
		l.Reading = labelReading{met: map[string]bool{}}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		seen, first, enough, number := 0, true, false, map[string]int{}
		err := l.Answer(ctx, l.Jobs, io.Discard, l.answer, func(p *flow.Parcel) {
			seen++
			if l.Progress != nil {
				l.Progress(seen)
			}
			for _, c := range p.Payload.([]openedCase) {
				number[c.source]++
				c.selected = c.id
				if c.in && c.id == "" {
					c.selected = cmp.Or(l.Choices.Options.Select, strconv.Itoa(number[c.source]))
				}
				if err := l.check(&c, first); err != nil {
					if l.Failed != nil {
						l.Failed(c.Name, err)
					}
					continue
				}
				first = false
				l.Reading.add(&c)
				if enough = !yield(c.quality, nil); enough {
					stop()
					return
				}
			}
		})
		if err != nil && !enough {
			yield(nil, err)
		}
	}
}

// check returns why a case that was read cannot be used.
func (l *Labelled) check(c *openedCase, first bool) error {
	if c.err != nil {
		return c.err
	}
	if err := l.setPolicies(c.own, first); err != nil {
		return err
	}
	if first && l.firstDecides {
		l.ownBudgets = !c.guessed
	}
	if l.ownBudgets && c.guessed {
		return errors.New("it has no budget of its own: give --at or --max-tokens")
	}
	return nil
}

func (r *labelReading) add(c *openedCase) {
	if c.labels != "" {
		r.met[c.labels] = true
	}
	if c.quality.Items.HasSizes() {
		r.Sized++
	}
	if c.estimates {
		r.Estimated++
	}
	r.Unreachable += c.quality.Labels.Unreachable
	c.labelled, c.gap = c.labels != "", c.quality.Budget.Gap()
	r.openers = append(r.openers, c.opener)
}

// setPolicies sets the policies of the first case. It returns an error if another
// case has different ones.
func (l *Labelled) setPolicies(own Own, first bool) error {
	for k, of := range l.of {
		p, err := of(own)
		if err != nil {
			return err
		}
		if first {
			l.Policies[k].Policy = p
		} else if !p.Same(l.Policies[k].Policy) {
			return fmt.Errorf("its policy %.40q is not that of the first case: name one for all with --policy, --preset or --slicer", l.Policies[k].Name)
		}
	}
	return nil
}

// answer reads one case, or each run or result set of a document that holds several.
func (l *Labelled) answer(ctx context.Context, p *flow.Parcel) {
	var all []openedCase
	l.Each(ctx, p, func(one Case) {
		c := openedCase{Case: one, opener: opener{source: p.Source}, err: one.Err}
		if c.err == nil {
			c.err = l.open(ctx, p, one.Loaded, &c)
		}
		c.Loaded = nil // only its set is needed
		all = append(all, c)
	})
	p.Payload = all
}

func (l *Labelled) open(ctx context.Context, p *flow.Parcel, loaded *itemset.Loaded, c *openedCase) error {
	opened, err := l.Choices.OpenCounted(ctx, loaded)
	if err != nil {
		return err
	}
	fields := fieldsOfCase(p)
	q := &quality.Case{Name: c.Name, Question: opened.Question, Items: opened.Set, Budget: opened.Budget, Text: opened.SizeText}
	if q.Group, err = groupOf(l.group, p, opened, fields); err != nil {
		return err
	}
	q.Labels = opened.Labels
	if l.labels != nil {
		if names := l.labels.Named(caseNames(p, c.Name, fields)...); len(names) > 0 {
			c.labels = names[0]
			if _, isQuery := p.Payload.(beirQuery); !isQuery { // which the file has labelled already
				labels, err := l.labels.Labels(names[0], opened.Set, nil)
				if err != nil {
					return err
				}
				labels.Answers = q.Labels.Answers
				q.Labels = labels
			}
		}
	}
	c.quality, c.own, c.estimates, c.guessed = q, opened.Own(), opened.Set.Estimates() > 0, opened.Guessed
	return q.Labels.Validate(opened.Set.Len())
}

// Unmatched returns the number of cases in the label file that the last iteration
// over All did not yield; 0 without a label file.
func (l *Labelled) Unmatched() int {
	if l.labels == nil {
		return 0
	}
	return len(l.labels.Cases()) - len(l.Reading.met)
}

// Opener returns the words of a command line that open the case that the last
// iteration over All yielded at that index, from 0, without the program's name. They
// have the flags as they were typed, but for the policy, whose name ParsePolicy
// knows, and for --max-tokens if at is not 0; the target then stays as far below.
// Opener panics if the index is out of range.
func (l *Labelled) Opener(index int, policy string, at model.Tokens) []string {
	o, one := l.Choices.Options.withPolicy(policy), l.Reading.openers[index]
	if one.source != "" {
		o.Sources = []string{one.source}
	}
	o.Select = one.selected
	if !one.labelled {
		o.Labels = ""
	}
	if at > 0 {
		budget := map[string]string{}
		maps.Copy(budget, o.Budget)
		budget[model.FieldMaxTokens] = strconv.FormatInt(int64(at), 10)
		if budget[model.FieldTargetTokens] != "" {
			budget[model.FieldTargetTokens] = strconv.FormatInt(int64(max(0, at-one.gap)), 10)
		}
		o.Budget = budget
	}
	return slices.Concat(o.sourceWords(), wordsOf(questionFlags(&o)))
}

// Siblings returns the labelled cases of the sources, of which --select may have named
// one. Fields of their lines that are not known are left out. group is
// as of NewLabelled. It is an error if the sources cannot be read again.
func (c *Choices) Siblings(ctx context.Context, group string) (*Labelled, error) {
	if err := c.Options.Reloadable(); err != nil {
		return nil, err
	}
	again, err := c.Again(ctx)
	if err != nil {
		return nil, err
	}
	again.Options.Select, again.Reading.Select = "", 0
	all, err := again.labelled(ctx, group, 0, nil)
	if err != nil {
		return nil, err
	}
	all.anyField = true
	return all, nil
}
