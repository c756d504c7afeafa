package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/internal/request"
)

// Cases reads sources case by case, for verbs about many. A case is a source,
// or each line of a source whose lines are scenarios, requests or retrieval results,
// or each run of a source that holds several. It is safe for concurrent use.
type Cases struct {
	Choices  *Choices
	Fallback itemset.Fallback // for a recorded scenario that lacks a policy or a budget
	// Again lists the sources that were named before. They are read once: a case that
	// counted twice would make a difference out of chance.
	Again []string

	// anyField says that lines with scenarios may have fields that are not known.
	anyField bool
	in       io.Reader  // standard input; nil: there is none
	beir     *beirFiles // each query of a BEIR folder is a case; nil: it is an ordinary folder
}

// readBytes is the size of the buffer that a source is read with.
const readBytes = 1 << 18

// wholeSource is the payload of a parcel that holds all of p.Source instead of a
// line. For standard input, which can be read only once, p.Line is the content.
type wholeSource struct{ stdin bool }

// NewCases checks the flags and returns the cases of o.Sources.
func NewCases(ctx context.Context, o Options, in Input) (*Cases, error) {
	choices, err := o.Choices(ctx, in)
	if err != nil {
		return nil, err
	}
	return choices.cases(ctx)
}

// cases returns the cases of the sources. It takes c, whose sources become distinct.
func (c *Choices) cases(ctx context.Context) (*Cases, error) {
	o := &c.Options
	if err := itemset.CheckPatterns(ctx, o.Sources); err != nil {
		return nil, err
	}
	var again []string
	o.Sources, again = itemset.Distinct(o.Sources)
	return &Cases{Choices: c, Again: again, Fallback: c.Fallback(), in: c.Reading.Stdin}, nil
}

// NeedNoBudget lets recorded scenarios lack a budget, as each case gets another one.
func (c *Cases) NeedNoBudget() {
	if b, err := model.BudgetOf(1); err == nil && !c.Fallback.Budget.Set {
		c.Fallback.Budget = model.Some(b)
	}
}

// Answer calls answer for every case, jobs of them at a time (0: the number of
// processors), and then done for each in the order of the sources. What answer puts
// into Parcel.Out is written to out. answer passes a Parcel to Each.
func (c *Cases) Answer(ctx context.Context, jobs int, out io.Writer, answer func(context.Context, *flow.Parcel), done func(*flow.Parcel)) error {
	jobs, err := flow.Parallel(jobs)
	if err != nil {
		return err
	}
	return flow.Flow{Jobs: jobs, Answer: answer, Done: done}.
		Run(ctx, func(put flow.Put) error { return c.feed(ctx, put) }, out)
}

// feed sends the cases of all sources.
func (c *Cases) feed(ctx context.Context, put flow.Put) error {
	if len(c.Choices.Options.Sources) == 0 {
		return put(func(p *flow.Parcel) (int64, error) {
			p.Source, p.Payload = "", wholeSource{}
			return 0, nil
		})
	}
	for _, source := range c.Choices.Options.Sources {
		var err error
		if c.beir != nil && isBEIR(source) {
			err = c.feedBEIR(ctx, source, put)
		} else {
			err = c.feedSource(ctx, source, put)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// errOther reports a case that is not the selected one.
var errOther = errors.New("another case was selected")

// selected returns a put that skips all cases of a source but the one that --select
// numbers; without that, it returns put.
func (c *Cases) selected(put flow.Put) flow.Put {
	number := c.Choices.Reading.Select
	if number == 0 {
		return put
	}
	return func(fill func(*flow.Parcel) (int64, error)) error {
		err := put(func(p *flow.Parcel) (int64, error) {
			size, err := fill(p)
			position := p.Position
			switch p.Payload.(type) {
			case wholeSource:
				position = number // itemset.Load selects
			case run:
				position = p.Number
			}
			if err == nil && position != number {
				err = errOther
			}
			return size, err
		})
		if errors.Is(err, errOther) {
			return nil
		}
		return err
	}
}

// feeding is a source while its cases are put into parcels.
type feeding struct {
	source string
	size   int64 // in bytes; 0: it is not known
	put    flow.Put
}

// whole puts the source as one case. in is what is left of standard input; the loader
// itself reads any other source.
func (f feeding) whole(in io.Reader) error {
	return f.put(func(p *flow.Parcel) (int64, error) {
		p.Source, p.Number, p.Payload = f.source, 0, wholeSource{stdin: f.source == "-"}
		if f.source != "-" {
			return f.size, nil
		}
		// The feeder reads, not a worker: a worker that waits for input cannot be stopped.
		data, err := io.ReadAll(io.LimitReader(in, itemset.DefaultMaxBytes+1))
		if err != nil {
			return 0, fmt.Errorf("reading standard input: %w", err)
		}
		p.Line = data
		return int64(len(data)), nil
	})
}

func (c *Cases) feedSource(ctx context.Context, source string, put flow.Put) error {
	f := feeding{source: source, put: c.selected(put)}
	in := c.in
	if source != "-" {
		file, size := regular(source)
		if file == nil {
			return f.whole(nil)
		}
		defer file.Close() // only read
		in, f.size = file, size
	}
	if in == nil {
		return errors.New("there is no standard input to read")
	}
	if c.Choices.Reading.Format != "" && c.Choices.Reading.Format != itemset.Auto { // the format applies to the whole source
		return f.whole(in)
	}
	buffered := bufio.NewReaderSize(flow.Unpacked(flow.Until(ctx, in)), readBytes)
	if head, _ := buffered.Peek(1); string(head) == "[" { // a later read returns its error again
		is, begun, err := feedArray(source, buffered, f.put)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", source, err)
		case is:
			return nil
		}
		return f.whole(io.MultiReader(bytes.NewReader(begun), buffered))
	}
	return f.lines(buffered)
}

// regular opens a regular file, of size bytes. It returns nil for any other source, which
// the loader reads, and where there is an error, which the loader reports.
func regular(source string) (file *os.File, size int64) {
	info, err := os.Stat(source)
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0
	}
	if file, err = os.Open(source); err != nil {
		return nil, 0
	}
	return file, info.Size()
}

// lines puts each line as a case if the first line is one by itself, else the source as one.
func (f feeding) lines(in io.Reader) error {
	lines := flow.NewLines(in, flow.MaxLine, f.size)
	first, tooLong, err := lines.Next(nil)
	bad := err != nil && !errors.Is(err, io.EOF)
	switch {
	case f.source != "-" && (tooLong || bad):
		return f.whole(nil) // the loader reads it, or reports the error
	case tooLong:
		return fmt.Errorf("standard input: a line is longer than %s bytes; a file may have such a line", plain.Thousands(flow.MaxLine))
	case bad:
		return fmt.Errorf("standard input: %w", err)
	}
	first = bytes.TrimPrefix(first, []byte("\xef\xbb\xbf"))
	if is, _ := itemset.IsCase(first); !is {
		return f.whole(lines.All(first))
	}
	lines.Back(first)
	if err := lines.Feed(f.source)(f.put); err != nil {
		return fmt.Errorf("%s: %w", f.source, err)
	}
	return nil
}

// Case is a case that was read.
type Case struct {
	Name   string          // for answers: the source, with the line, the run or the query in it
	Loaded *itemset.Loaded // nil if Err is set
	Err    error

	id string // of a query of a BEIR folder; "": it is none
	in bool   // there may be other cases in its source
}

// Each calls to with the case of a parcel, or with each run or result set of a
// document that holds several.
func (c *Cases) Each(ctx context.Context, p *flow.Parcel, to func(Case)) {
	name := p.Source
	_, ofArray := p.Payload.(run)
	if ofArray {
		name = fmt.Sprintf("%s[%d]", p.Source, p.Number)
	} else if p.Number > 0 {
		name = fmt.Sprintf("%s:%d", p.Source, p.Number)
	}
	c.runs(ctx, p, func(r itemset.Run, id string) {
		one := Case{Name: name, Loaded: r.Loaded, Err: r.Err, in: p.Number > 0 || r.Number > 0}
		switch {
		case r.Number > 0:
			one.Name = fmt.Sprintf("%s[%d]", name, r.Number)
		case id != "":
			one.Name = name + " " + id
			if query, ok := p.Payload.(beirQuery); ok {
				one.id, one.in = query.id, true
			}
		case p.Source == "" && r.Loaded != nil:
			one.Name = r.Loaded.Name()
		}
		to(one)
	})
}

// runs calls to with the runs of a case, and the id that the case gives itself.
func (c *Cases) runs(ctx context.Context, p *flow.Parcel, to func(r itemset.Run, id string)) {
	reading := c.Choices.Reading
	alone := func(l *itemset.Loaded, id string, err error) { to(itemset.Run{Loaded: l, Err: err}, id) }
	whole, isWhole := p.Payload.(wholeSource)
	one, isRun := p.Payload.(run)
	if !isWhole {
		reading.Select = 0 // the parcel is the selected one
	}
	query, isQuery := p.Payload.(beirQuery)
	switch {
	case isQuery:
		loaded, err := query.open(ctx)
		alone(loaded, query.id, err)
	case isRun:
		if one.of > 1 {
			reading.Select = one.k
		}
		loaded, err := itemset.Read(ctx, p.Source, one.element, reading)
		alone(loaded, "", err)
	case isWhole && p.Source == "":
		opened, err := c.Choices.Load(ctx)
		if err != nil {
			opened = new(Opened)
		}
		alone(opened.Loaded, "", err)
	case isWhole:
		if whole.stdin {
			reading.Stdin = bytes.NewReader(p.Line)
		}
		for r := range itemset.LoadRuns(ctx, p.Source, reading) {
			to(r, "")
		}
	case p.TooLong:
		alone(nil, "", fmt.Errorf("the line is longer than %v bytes", plain.Thousands(len(p.Line))))
	case itemset.IsScenario(p.Line):
		if c.anyField {
			reading.ExtraFields = nil
			for _, m := range itemset.ObjectOf(p.Line) {
				reading.ExtraFields = append(reading.ExtraFields, m.Key)
			}
		}
		line, err := request.ReadLine(ctx, p.Source, p.Line, c.Fallback, reading)
		id := string(line.ID)
		var text string
		if json.Unmarshal(line.ID, &text) == nil { // a string, or null
			id = text
		}
		alone(line.Loaded, id, err)
	default:
		for r := range itemset.ReadRuns(ctx, p.Source, p.Line, reading) {
			to(r, "")
		}
	}
}
