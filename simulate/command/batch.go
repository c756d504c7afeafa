package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/internal/request"
	"cupelscope/simulate/session"
)

// batchOptions control how batch works.
type batchOptions struct {
	Jobs    int  // number of lines answered at a time; 0: the number of processors
	Verbose bool // write a summary even if every line was answered and none was changed
	Timings bool // include the times of the stages in the answers
}

// answerBatch answers a source that has one scenario per line. The source is a path or
// "-" for standard input, which is the default. It writes one line of JSON for
// each scenario to s.Out, in the same order. Each line says what it asks for; a
// line that cannot be answered is answered with an error. The error that it
// returns is about the flags, reading, writing or ctx, or an *answeredError if no
// line could be answered, or under o.Strict if any could not.
//
// The options in o override the lines, as they do for a scenario in a file: each
// replaces a field of every line and supplies it where lines lack it. The only
// exception is the slack: the slack in a query takes precedence.
//
// It unpacks input compressed with gzip and skips blank lines. Memory is
// bounded: a line of more than 256 MiB is answered with an error, and only a
// limited number of lines are in memory at a time. If ctx is canceled, it ends
// after a whole line.
func answerBatch(ctx context.Context, o session.Options, b batchOptions, s Streams) (err error) {
	a, err := newAnswerer(ctx, o, b.Timings, s)
	if err != nil {
		return err
	}
	jobs, err := flow.Parallel(b.Jobs)
	if err != nil {
		return err
	}
	in, size := s.In, int64(0)
	if a.name != "-" {
		file, err := itemset.Open(a.name)
		if err != nil {
			return err
		}
		defer file.Close()                        // only read
		if info, err := file.Stat(); err == nil { // a pipe has none
			size = info.Size()
		}
		in = file
	}
	if in == nil {
		return errors.New("there is no standard input to read")
	}
	sum := batchSummary{codes: map[errorCode]int{}, notes: map[string]*batchNote{}}
	err = flow.Flow{
		Jobs: jobs,
		Answer: func(ctx context.Context, p *flow.Parcel) {
			if p.TooLong {
				p.Out, p.Payload = tooLong(p.Number, p.Line, p.Out)
				return
			}
			p.Out, p.Payload = a.answer(ctx, p.Number, p.Line, p.Out)
		},
		Done: sum.add,
	}.Run(ctx, flow.NewLines(flow.Unpacked(flow.Until(ctx, in)), flow.MaxLine, size).Feed(""), s.Out)
	if sum.failed > 0 || len(sum.notes) > 0 || b.Verbose {
		sum.write(s.Err)
	}
	s.sayNotes(a.choices)
	if err == nil && sum.failed > 0 && (o.Strict || sum.failed == sum.lines) {
		says := "no line could be answered"
		if sum.failed < sum.lines {
			says = fmt.Sprintf("%v of %s could not be answered", plain.Thousands(sum.failed), plain.Count(sum.lines, "line"))
		}
		return &answeredError{Failed, says}
	}
	return err
}

// newAnswerer checks the flags and returns an answerer that applies them to each
// line.
func newAnswerer(ctx context.Context, o session.Options, timings bool, s Streams) (*answerer, error) {
	if len(o.Sources) > 1 {
		return nil, fmt.Errorf("%d sources: a batch reads one, a path or - for standard input", len(o.Sources))
	}
	choices, err := o.Choices(ctx, s.input())
	if err != nil {
		return nil, err
	}
	a := &answerer{name: choices.Options.Sources[0], choices: choices, slack: choices.Overrides.Slack, fallback: choices.Fallback()}
	choices.Overrides.Slack = model.Option[model.Tokens]{}
	if timings {
		a.clock = s.clock()
	}
	return a, nil
}

// tooLong answers a line that is too long. beginning is the part that was read.
func tooLong(number int, beginning, dst []byte) ([]byte, lineReport) {
	message := fmt.Sprintf("the line is longer than %v bytes", plain.Thousands(len(beginning)))
	id := request.LineID(bytes.TrimRight(beginning, "+-.0123456789Ee")) // a number at the end may go on
	return export.AppendError(dst, id, number, string(invalidInput), message), lineReport{failed: invalidInput}
}

// batchSummary counts the outcomes of the lines.
type batchSummary struct {
	lines, failed int
	codes         map[errorCode]int
	notes         map[string]*batchNote
}

// batchNote counts the changes that were made for one reason in order to read
// lines.
type batchNote struct{ count, firstLine int }

func (s *batchSummary) add(p *flow.Parcel) {
	report := p.Payload.(lineReport)
	s.lines++
	if code := report.failed; code != "" {
		s.failed++
		s.codes[code]++
	}
	for _, e := range report.notes {
		if s.notes[e.Reason] == nil {
			s.notes[e.Reason] = &batchNote{firstLine: p.Number}
		}
		s.notes[e.Reason].count += e.Count
	}
}

// write writes the summary as one line: "61 lines answered, 3 of them with errors:
// 2 invalid-item, 1 overflow; 4 timestamps not understood, left out (first in line 2)".
func (s *batchSummary) write(w io.Writer) {
	var b strings.Builder
	b.WriteString(plain.Count(s.lines, "line") + " answered")
	between := fmt.Sprintf(", %v of them with errors: ", plain.Thousands(s.failed))
	for _, code := range slices.Sorted(maps.Keys(s.codes)) {
		fmt.Fprintf(&b, "%s%v %s", between, plain.Thousands(s.codes[code]), code)
		between = ", "
	}
	for _, note := range slices.Sorted(maps.Keys(s.notes)) {
		n := s.notes[note]
		fmt.Fprintf(&b, "; %s (first in line %v)", itemset.CountReason(n.count, note), plain.Thousands(n.firstLine))
	}
	fmt.Fprintln(w, "cupelscope: "+plain.Line(b.String(), 1000)) // Program.Run keeps the error
}
