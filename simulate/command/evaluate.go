package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// EvaluateOptions say what is held against labels, and at which budgets.
type EvaluateOptions struct {
	AnswerOptions
	PolicyB []string // policies to compare with that of the flags, see session.ParsePolicy
	At      []string // budgets: token numbers, or percentages of all tokens of a case
	Labels  string   // path of a file with labels; "": those that the sources have
	Group   string   // what hangs together, see caseSource.group; "": each case is alone
	Wanted  string   // recall for which budgets are told, in percent; "": 90
	Ceiling string   // the largest budget that is looked at for these
	Worst   int      // how many cases are named at each budget
	NoBest  bool     // do without the best possible value
	Jobs    int      // cases worked on at a time; 0: as many as there are processors
}

// VerbFlags are what evaluate understands.
func (e *EvaluateOptions) VerbFlags() []Flag {
	return append([]Flag{e.OutputFlag(), {Name: "quiet", Letter: "q", Bool: &e.Quiet, Usage: "say nothing on standard error but errors"}},
		Flag{Name: "at", Texts: &e.At, Usage: "`BUDGETS` to evaluate at: tokens or shares of all tokens of a case, as in 8k,32k,50%"},
		Flag{Name: "labels", Text: &e.Labels, Usage: "`FILE` with labels: TREC qrels, those of BEIR with their header, or JSON lines of case, item and relevance"},
		Flag{Name: "policy-b", Texts: &e.PolicyB, Offers: session.PolicyNames(), Files: true, Usage: "another `POLICY`: a slicer (knapsack, knapsack:1), a preset or a file; may be repeated"},
		Flag{Name: "group", Text: &e.Group, Usage: "cases with the same `FIELD` of their line hang together, or with source those of one file (default: none do)"},
		Flag{Name: "wanted", Text: &e.Wanted, Usage: "the recall for which budgets are told, in `PERCENT` (default 90)"},
		Flag{Name: "ceiling", Text: &e.Ceiling, Usage: "the largest budget that is looked at for the wanted recall, in `TOKENS` (default: as for min-budget)"},
		Flag{Name: "worst", Int: &e.Worst, Usage: "how many cases with the least recall are named at each budget: `COUNT`"},
		Flag{Name: "no-best", Bool: &e.NoBest, Usage: "do without the best possible value, which takes most of the time"},
		Flag{Name: "jobs", Letter: "j", Int: &e.Jobs, Usage: "`NUMBER` of cases worked on at a time (default: as many as processors)"})
}

// evaluateSeed makes the flips that are drawn the same in every run.
const evaluateSeed = 1

// Evaluate tells how much of what was needed policies let in, over the labelled
// cases of sources, with a paired test against the first of them, the policy of
// the flags or of the cases. What cannot be evaluated is counted with its
// reason. Memory is a few numbers a case.
func Evaluate(ctx context.Context, o session.Options, v EvaluateOptions, s Streams) error {
	form, err := v.form()
	if err != nil {
		return err
	}
	if v.Quiet {
		s.Err = io.Discard
	}
	e, err := newEvaluator(o, v, s)
	if err != nil {
		return err
	}
	options := quality.Options{Wanted: e.wanted, AxisEnd: e.ceiling, At: e.at, Best: !v.NoBest, Seed: evaluateSeed, Processors: v.Jobs}
	source := caseSource{labelledCases: e, ctx: ctx, jobs: v.Jobs}
	next, stop := iter.Pull2(source.all())
	defer stop()
	first, err, more := next()
	if err != nil {
		return err
	}
	if !more {
		return e.failures.conclude(s.Err, 0, "case", "not evaluated", "there is nothing to evaluate")
	}
	options.Policies = e.policies
	result, err := quality.Evaluate(ctx, func(yield func(*quality.Case, error) bool) {
		for c, err := first, error(nil); more && yield(c, err); {
			c, err, more = next()
		}
	}, options)
	if err != nil {
		return err
	}
	if err := e.failures.conclude(s.Err, result.Cases, "case", "not evaluated", "there is nothing to evaluate"); err != nil {
		return err
	}
	if result.Labelled+result.Answerable == 0 {
		return errors.New("no case says what was needed: give labels with --labels, or sources that have them")
	}
	answer := &evaluation{Evaluation: result, labelledCases: e, worst: max(0, v.Worst)}
	if form == export.AsCSV {
		return s.write(answer.resultSheet(), form)
	}
	return s.writeBook(answer.book(form), form)
}

// labelledCases reads cases and what was needed of them. Its policies are those
// of the first case.
type labelledCases struct {
	*cases
	of      []session.PolicyOf
	at      []quality.Amount
	wanted  float64
	ceiling model.Tokens
	group   string
	labels  *quality.LabelFile // nil: there is none

	policies  []quality.Named
	failures  failures
	met       map[string]bool // cases of labels
	estimated int             // cases with token counts that are estimates
}

// newEvaluator checks the flags and reads the files that they name.
func newEvaluator(o session.Options, v EvaluateOptions, s Streams) (*labelledCases, error) {
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
	e := &labelledCases{cases: cases, group: v.Group, met: map[string]bool{}}
	names := []string{"own"}
	for _, name := range v.PolicyB {
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("--policy-b: %.40q is compared already", name)
		}
		names = append(names, name)
	}
	for _, name := range names {
		of, err := session.ParsePolicy(name)
		if err != nil {
			return nil, err
		}
		e.of, e.policies = append(e.of, of), append(e.policies, quality.Named{Name: name})
	}
	for _, text := range v.At {
		for one := range strings.SplitSeq(text, ",") {
			amount, err := quality.ParseAmount(one)
			if err != nil {
				return nil, fmt.Errorf("--at: %w", err)
			}
			e.at = append(e.at, amount)
		}
	}
	if len(e.at) == 0 {
		return nil, errors.New("evaluate wants the budgets to evaluate at: --at 8k,32k,50%")
	}
	percent, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(cmp.Or(v.Wanted, "90"), "%")), 64)
	if err != nil || !(percent > 0 && percent <= 100) {
		return nil, fmt.Errorf("--wanted: %.40q is not a percentage above 0 and up to 100", v.Wanted)
	}
	e.wanted = percent / 100
	ceiling, err := session.ParseTokens("ceiling", v.Ceiling)
	if err != nil {
		return nil, err
	}
	e.ceiling = ceiling.Value
	if v.Labels != "" {
		data, err := readLabels(v.Labels)
		if err != nil {
			return nil, fmt.Errorf("--labels: %w", err)
		}
		if e.labels, err = quality.ReadLabelFile(data); err != nil {
			return nil, fmt.Errorf("--labels %s: %w", v.Labels, err)
		}
	}
	if b, err := model.BudgetOf(max(1, e.at[0].Tokens)); err == nil { // where a recorded scenario lacks one; At sets it anyway
		e.fallback.Budget = model.Some(b)
	}
	return e, nil
}

func readLabels(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is no file")}
	case info.Size() > itemset.DefaultMaxBytes:
		return nil, fmt.Errorf("%s has %v bytes, at most %v are read", path, plain.Thousands(int(info.Size())), plain.Thousands(int(itemset.DefaultMaxBytes)))
	}
	return os.ReadFile(path)
}

// caseSource hands out the cases one by one.
type caseSource struct {
	*labelledCases
	ctx  context.Context
	jobs int
}

// openedCase is a case that was read, or why it was not.
type openedCase struct {
	name      string
	quality   *quality.Case
	own       session.Own
	labels    string // the case of labels that it is; "": none
	estimates bool
	err       error
}

// all is every case that can be evaluated, in the order of the sources. What
// cannot be is told to failures. The policies are set before the first.
func (s *caseSource) all() quality.Cases {
	return func(yield func(*quality.Case, error) bool) {
		ctx, stop := context.WithCancel(s.ctx)
		read, end := make(chan []openedCase), make(chan error, 1)
		go func() {
			seen := 0
			end <- s.answerAll(ctx, s.jobs, nil, s.answer, func(p *parcel) {
				seen++
				select {
				case read <- p.payload.([]openedCase):
				case <-ctx.Done():
				}
			}, func() string { return plain.Count(seen, "case") + " read" })
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
func (s *caseSource) setPolicies(own session.Own, first bool) error {
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
func (s *caseSource) answer(ctx context.Context, p *parcel) {
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

func (s *caseSource) open(ctx context.Context, p *parcel, l *itemset.Loaded, c *openedCase) error {
	opened, err := s.choices.OpenCounted(ctx, l)
	if err != nil {
		return err
	}
	fields := fieldsOfLine(p)
	q := &quality.Case{Name: c.name, Items: opened.Set, Budget: opened.Budget}
	if q.Group, err = s.groupOf(p, fields); err != nil {
		return err
	}
	q.Labels = quality.Labels{Grades: map[int]int{}, Answers: l.Answers, Unreachable: l.Unlabelled}
	for _, label := range l.Labels {
		q.Labels.Grades[label.Item] = label.Grade
	}
	for _, name := range caseNames(p, c.name, fields) {
		if s.labels != nil && s.labels.Has(name) {
			labels, err := s.labels.Labels(name, opened.Set)
			if err != nil {
				return err
			}
			labels.Answers = q.Labels.Answers
			q.Labels, c.labels = labels, name
			break
		}
	}
	c.quality, c.own, c.estimates = q, opened.Own(), opened.Set.Estimates() > 0
	return q.Labels.Validate(opened.Set.Len())
}

// groupOf is the group of a case: what a field of its line says, or its source.
func (s *caseSource) groupOf(p *parcel, fields map[string]string) (string, error) {
	switch {
	case s.group == "":
		return "", nil
	case s.group == "source":
		return p.source, nil
	}
	group := fields[s.group]
	if group == "" {
		return "", fmt.Errorf("--group: its line has no text or number in the field %.40q", s.group)
	}
	return group, nil
}

// fieldsOfLine are the texts and numbers that the line of a case has beside its
// items; nil where the case is no line.
func fieldsOfLine(p *parcel) map[string]string {
	var raw map[string]json.RawMessage
	if _, whole := p.payload.(wholeSource); whole || json.Unmarshal(bytes.TrimSpace(p.line), &raw) != nil {
		return nil
	}
	fields := map[string]string{}
	for key, value := range raw {
		var text string
		var number json.Number
		if json.Unmarshal(value, &text) == nil {
			fields[key] = text
		} else if json.Unmarshal(value, &number) == nil {
			fields[key] = number.String()
		}
	}
	return fields
}

// caseNames are the names under which labels may mean a case: what its line calls
// it, its name here, that without the folder, and of a whole file also without
// the ending.
func caseNames(p *parcel, name string, fields map[string]string) []string {
	var names []string
	for _, key := range []string{"id", "_id", "qid", "query_id", "query-id", "question_id"} {
		if fields[key] != "" {
			names = append(names, fields[key])
		}
	}
	if p.number > 0 { // its own id may stand behind the number of the line
		name = fmt.Sprintf("%s:%d", p.source, p.number)
	}
	base := filepath.Base(name)
	names = append(names, name, base)
	if name == p.source {
		names = append(names, strings.TrimSuffix(base, filepath.Ext(base)))
	}
	return names
}
