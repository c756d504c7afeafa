package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/request"
	"cupelscope/simulate/session"
)

// cases reads sources case by case, for the verbs that look at many. A case is a
// source, or each line of a source whose lines are scenarios, requests or retrieval
// results, or each run of a source that holds several. It is safe for concurrent
// use.
type cases struct {
	choices  *session.Choices
	streams  Streams
	fallback itemset.Fallback // for a recorded scenario that lacks a policy or a budget
	beir     *beirFiles       // each query of a BEIR folder is a case; nil: it is an ordinary folder
}

// wholeSource is the payload of a parcel that holds all of p.source instead of a
// line. For standard input, which can be read only once, p.line is the content.
type wholeSource struct{ stdin bool }

// newCases checks the flags and returns the cases of o.Sources.
func newCases(o session.Options, s Streams) (*cases, error) {
	if err := o.Check(); err != nil { // this also checks that the sources exist
		return nil, err
	}
	if o.Fixture != "" && len(o.Sources) > 0 {
		return nil, fmt.Errorf("--fixture %s and the source %s: give one of them", o.Fixture, o.Sources[0])
	}
	choices, err := o.Choices(s.input())
	if err != nil {
		return nil, err
	}
	return &cases{choices: choices, streams: s, fallback: itemset.Fallback{Policy: choices.Overrides.Policy}}, nil
}

// answerAll calls answer for every case, jobs of them at a time (0: the number of
// processors), and then done for each in the order of the sources. counted returns
// the text for the line of progress. With headings, which only CSV has, the output
// that answer puts into the parcel follows them on standard output.
func (c *cases) answerAll(ctx context.Context, jobs int, headings []export.Cell, answer func(context.Context, *parcel), done func(*parcel), counted func() string) error {
	jobs, err := parallel(jobs)
	if err != nil {
		return err
	}
	out := io.Discard
	if headings != nil {
		out = c.streams.Out
		if _, err := out.Write(export.AppendCSV(nil, headings)); err != nil {
			return err
		}
	}
	progress := c.streams.progressLine()
	defer progress.clear()
	return flow{
		jobs: jobs, maxLine: maxLine, answer: answer,
		done: func(p *parcel) {
			done(p)
			progress.show(counted)
		},
	}.runFrom(ctx, func(put put) error { return c.feed(ctx, put) }, out)
}

// feed sends the cases of all sources.
func (c *cases) feed(ctx context.Context, put put) error {
	if len(c.choices.Options.Sources) == 0 {
		return put(func(p *parcel) (int64, error) {
			p.source, p.payload = "", wholeSource{}
			return 0, nil
		})
	}
	for _, source := range c.choices.Options.Sources {
		var err error
		if c.beir != nil && isBEIR(source) {
			err = c.feedBEIR(ctx, source, put)
		} else {
			err = c.feedSource(source, put)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *cases) feedSource(source string, put put) error {
	whole := func(size int64) error {
		return put(func(p *parcel) (int64, error) {
			p.source, p.number, p.payload = source, 0, wholeSource{}
			return size, nil
		})
	}
	// The feeder reads, not a worker: a worker that waits for input cannot be stopped.
	wholeStdin := func(in io.Reader) error {
		return put(func(p *parcel) (int64, error) {
			data, err := io.ReadAll(io.LimitReader(in, itemset.DefaultMaxBytes+1))
			if err != nil {
				return 0, fmt.Errorf("reading standard input: %w", err)
			}
			p.source, p.number, p.line, p.payload = source, 0, data, wholeSource{stdin: true}
			return int64(len(data)), nil
		})
	}
	in, size := c.streams.In, int64(0)
	if source != "-" {
		info, err := os.Stat(source)
		if err != nil || !info.Mode().IsRegular() {
			return whole(0) // the loader reads it or reports the error
		}
		file, err := os.Open(source)
		if err != nil {
			return whole(0)
		}
		defer file.Close() // only read
		in, size = file, info.Size()
	}
	if in == nil {
		return errors.New("there is no standard input to read")
	}
	if c.choices.Reading.Format != "" && c.choices.Reading.Format != itemset.Auto { // the format applies to the whole source
		if source == "-" {
			return wholeStdin(in)
		}
		return whole(size)
	}
	buffered := bufio.NewReaderSize(unpacked(in), readBytes)
	var read []byte
	if head, _ := buffered.Peek(1); string(head) == "[" && c.choices.Reading.Select == 0 { // a later read returns its error again
		is, begun, err := feedArray(source, buffered, put)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", source, err)
		case is:
			return nil
		case source == "-":
			return wholeStdin(io.MultiReader(bytes.NewReader(begun), buffered))
		}
		return whole(size)
	}
	var first []byte
	for len(bytes.TrimSpace(first)) == 0 {
		var err error
		first, _, err = readLine(buffered, nil, maxLine)
		read = append(append(read, first...), '\n')
		if err != nil {
			if !errors.Is(err, io.EOF) && source != "-" {
				return whole(size) // the loader reports the error
			}
			break
		}
	}
	if !itemset.IsCase(bytes.TrimPrefix(first, []byte("\xef\xbb\xbf"))) {
		if source == "-" {
			return wholeStdin(io.MultiReader(bytes.NewReader(read), buffered))
		}
		return whole(size)
	}
	f := flow{maxLine: maxLine}
	if err := f.lines(source, io.MultiReader(bytes.NewReader(read), buffered))(put); err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	return nil
}

// each calls to with the case of a parcel, or with each run or result set of a
// document that holds several: its name, and what was read or the error.
func (c *cases) each(ctx context.Context, p *parcel, to func(name string, l *itemset.Loaded, err error)) {
	name := p.source
	if _, one := p.payload.(run); one {
		name = fmt.Sprintf("%s[%d]", p.source, p.number)
	} else if p.number > 0 {
		name = fmt.Sprintf("%s:%d", p.source, p.number)
	}
	for r := range c.runs(ctx, p) {
		switch {
		case r.Number > 0:
			to(fmt.Sprintf("%s[%d]", name, r.Number), r.Loaded, r.Err)
		case r.id != "":
			to(name+" "+r.id, r.Loaded, r.Err)
		case p.source == "" && r.Loaded != nil:
			to(r.Loaded.Name(), r.Loaded, r.Err)
		default:
			to(name, r.Loaded, r.Err)
		}
	}
}

// caseRun is the content of a case; id is the id that the case gives itself.
type caseRun struct {
	itemset.Run
	id string
}

// runs yields the runs of a case.
func (c *cases) runs(ctx context.Context, p *parcel) iter.Seq[caseRun] {
	reading := c.choices.Reading
	alone := func(l *itemset.Loaded, id string, err error) iter.Seq[caseRun] {
		return func(yield func(caseRun) bool) { yield(caseRun{itemset.Run{Loaded: l, Err: err}, id}) }
	}
	of := func(runs iter.Seq[itemset.Run]) iter.Seq[caseRun] {
		return func(yield func(caseRun) bool) {
			for r := range runs {
				if !yield(caseRun{Run: r}) {
					return
				}
			}
		}
	}
	whole, isWhole := p.payload.(wholeSource)
	one, isRun := p.payload.(run)
	query, isQuery := p.payload.(beirQuery)
	switch {
	case isQuery:
		loaded, err := query.open(ctx)
		return alone(loaded, query.id, err)
	case isRun:
		if one.of > 1 {
			reading.Select = one.k
		}
		loaded, err := itemset.Read(ctx, p.source, one.element, reading)
		return alone(loaded, "", err)
	case isWhole && p.source == "":
		opened, err := c.choices.Load(ctx)
		if err != nil {
			return alone(nil, "", err)
		}
		return alone(opened.Loaded, "", nil)
	case isWhole:
		if whole.stdin {
			reading.Stdin = bytes.NewReader(p.line)
		}
		return of(itemset.LoadRuns(ctx, p.source, reading))
	case p.tooLong:
		return alone(nil, "", fmt.Errorf("the line is longer than %v bytes", plain.Thousands(len(p.line))))
	case itemset.IsScenario(p.line):
		line, err := request.ReadLine(ctx, p.source, p.line, c.fallback, reading)
		id := string(line.ID)
		var text string
		if json.Unmarshal(line.ID, &text) == nil { // a string, or null
			id = text
		}
		return alone(line.Loaded, id, err)
	}
	return of(itemset.ReadRuns(ctx, p.source, p.line, reading))
}
