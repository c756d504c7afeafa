package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate/export"
	"cupelscope/simulate/request"
	"cupelscope/simulate/session"
)

// BatchOptions say how a batch is worked through.
type BatchOptions struct {
	Jobs    int  // lines answered at a time; 0: as many as there are processors
	Verbose bool // a summary also when every line was answered and none was changed
	Timings bool // answers say how long the stages took
}

// maxLine bounds a line of a batch, in bytes.
const maxLine = 1 << 28

// Batch answers the scenarios of a source (a path, or "-", which is standard
// input and the default) that has one a line, and writes a line of JSON for
// each to s.Out, in the same order. The line says what is asked for, and what
// is wrong with it is an answer like any other; the error is of the flags, of
// reading, of writing or ctx's.
//
// session.Options go before what the lines say, as they do for a scenario in a file:
// each replaces that field of every line, and stands for what lines lack. Slack
// alone does not: the slack that a query asks about is its own.
//
// Input compressed with gzip is unpacked. Blank lines are skipped. Memory is bounded: a line has at most 256 MiB, a
// longer one is answered with an error, and only some are worked on at a time.
// Cancelling ctx ends it after a whole line.
func Batch(ctx context.Context, o session.Options, b BatchOptions, s Streams) (err error) {
	a, err := newAnswerer(o, b.Timings, s)
	if err != nil {
		return err
	}
	jobs, err := parallel(b.Jobs)
	if err != nil {
		return err
	}
	in := s.In
	if a.name != "-" {
		file, err := os.Open(a.name)
		if err != nil {
			return err
		}
		defer file.Close() // only read
		in = file
	}
	if in == nil {
		return errors.New("there is no standard input to read")
	}
	var sum batchSummary
	err = flow{
		jobs:    jobs,
		maxLine: maxLine,
		answer: func(ctx context.Context, p *parcel) {
			if p.tooLong {
				p.out, p.report = a.tooLong(ctx, p.number, p.line, p.out)
				return
			}
			p.out, p.report = a.answer(ctx, p.number, p.line, p.out)
		},
		done: sum.add,
	}.run(ctx, unpacked(in), s.Out)
	if sum.failed > 0 || len(sum.notes) > 0 || b.Verbose {
		err = errors.Join(err, sum.write(s.Err))
	}
	return err
}

// answerer checks the flags, and is what they say about each line.
func newAnswerer(o session.Options, timings bool, s Streams) (*answerer, error) {
	switch {
	case len(o.Sources) > 1:
		return nil, fmt.Errorf("%d sources: a batch reads one, a path or - for standard input", len(o.Sources))
	case o.Fixture != "":
		return nil, errors.New("--fixture: a batch reads its scenarios from a source, a line each")
	case o.Format != "":
		return nil, errors.New("--format: the lines of a batch are always scenarios")
	}
	choices, err := o.Choices(s.input())
	if err != nil {
		return nil, err
	}
	asked := choices.Overrides
	a := &answerer{name: choices.Options.Sources[0], choices: choices, slack: asked.Slack}
	choices.Overrides.Slack = model.Option[model.Tokens]{}
	a.fallback.Policy = asked.Policy
	if asked.MaxTokens.Set {
		n := asked.MaxTokens.Value
		b, err := model.BudgetOf(n)
		if err != nil {
			return nil, err
		}
		a.fallback.Budget = model.Some(b)
	}
	if timings && s.Now != nil {
		a.clock = []pipeline.Option{pipeline.WithClock(s.Now)}
	}
	return a, nil
}

// tooLong answers a line of which only the beginning was read.
func (a *answerer) tooLong(ctx context.Context, number int, beginning, dst []byte) ([]byte, lineReport) {
	line, _ := request.ReadLine(ctx, a.name, beginning, a.fallback, a.choices.Reading) // for its id alone
	message := fmt.Sprintf("the line is longer than %v bytes", plain.Thousands(len(beginning)))
	return export.AppendError(dst, line.ID, number, string(InvalidInput), message), lineReport{failed: InvalidInput}
}

// batchSummary counts the outcomes of the lines.
type batchSummary struct {
	lines, failed int
	codes         map[ErrorCode]int
	notes         map[string]*batchNote
}

// batchNote counts what had to be changed to read lines, for one reason.
type batchNote struct{ count, firstLine int }

func (s *batchSummary) add(p *parcel) {
	s.lines++
	if code := p.report.failed; code != "" {
		s.failed++
		if s.codes == nil {
			s.codes = map[ErrorCode]int{}
		}
		s.codes[code]++
	}
	for _, e := range p.report.notes {
		if s.notes == nil {
			s.notes = map[string]*batchNote{}
		}
		if s.notes[e.Reason] == nil {
			s.notes[e.Reason] = &batchNote{firstLine: p.number}
		}
		s.notes[e.Reason].count += e.Count
	}
}

// write says it on one line: "61 lines answered, 3 of them with errors:
// 2 invalid-item, 1 overflow; 4 timestamps not understood, left out (first in line 2)".
func (s *batchSummary) write(w io.Writer) error {
	var b strings.Builder
	lines := "lines"
	if s.lines == 1 {
		lines = "line"
	}
	fmt.Fprintf(&b, "%v %s answered", plain.Thousands(s.lines), lines)
	between := fmt.Sprintf(", %v of them with errors: ", plain.Thousands(s.failed))
	for _, code := range slices.Sorted(maps.Keys(s.codes)) {
		fmt.Fprintf(&b, "%s%v %s", between, plain.Thousands(s.codes[code]), code)
		between = ", "
	}
	for _, note := range slices.Sorted(maps.Keys(s.notes)) {
		n := s.notes[note]
		fmt.Fprintf(&b, "; %v %s (first in line %v)", plain.Thousands(n.count), note, plain.Thousands(n.firstLine))
	}
	_, err := fmt.Fprintln(w, "cupelscope: "+plain.Line(b.String(), 1000))
	return err
}
