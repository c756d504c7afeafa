package session

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
)

// ListedRun is a run, result set, scenario or set of items of a source that holds several.
type ListedRun struct {
	Number int    // the value of --select that opens it
	Title  string // the name that the source gives it, else its question or its first request, in one line
	Items  int
	Tokens model.Tokens // estimated where the source has no counts
	// Estimated reports whether any of the counts is an estimate.
	Estimated bool
	Time      model.Option[time.Time] // of its latest item that has one
	Err       error                   // why it cannot be opened; only Number is set then
}

// Runs calls tell with each run of the source, in order, as it is read: it holds one in
// memory at a time. A source that holds a single run has it as number 1. The error is
// about the source.
func (c *Choices) Runs(ctx context.Context, tell func(ListedRun)) error {
	if len(c.Options.Sources) != 1 {
		return errors.New("the runs of one source are listed: give one file")
	}
	switch several, err := caseLines(ctx, c.Options.Sources[0]); {
	case err != nil:
		return err
	case several > 1:
		return c.lines(ctx, tell)
	}
	for r := range itemset.LoadRuns(ctx, c.Options.Sources[0], c.Reading) {
		if r.Err != nil && r.Number == 0 {
			return r.Err
		}
		if r.Err == nil {
			c.notes.read(r.Loaded)
		}
		tell(listed(max(1, r.Number), r))
	}
	return nil
}

// Selecting returns the choices with --select N for the one source.
func (c *Choices) Selecting(number int) *Choices {
	other := *c
	other.Options.Select, other.Reading.Select = strconv.Itoa(number), number
	return &other
}

// lines calls tell with the cases of a file that has one on each line.
func (c *Choices) lines(ctx context.Context, tell func(ListedRun)) error {
	cases := &Cases{Choices: c, Fallback: c.Fallback(), anyField: true}
	var p flow.Parcel
	return cases.feed(ctx, func(fill func(*flow.Parcel) (int64, error)) error {
		if _, err := fill(&p); err != nil {
			return err
		}
		cases.Each(ctx, &p, func(r Case) { tell(listed(p.Position, itemset.Run{Loaded: r.Loaded, Err: r.Err})) })
		return ctx.Err()
	})
}

// maxTitle is the most cells of a title.
const maxTitle = 200

// listed describes a run that was read.
func listed(number int, r itemset.Run) ListedRun {
	if r.Err != nil {
		return ListedRun{Number: number, Err: r.Err}
	}
	l := r.Loaded
	one := ListedRun{Number: number, Items: l.Set.Len(), Estimated: len(l.Pending) > 0}
	first := -1 // of the user
	for i := range l.Set.Len() {
		it := l.Set.Item(i)
		one.Tokens += max(0, it.Tokens)
		if it.Timestamp.Set && (!one.Time.Set || it.Timestamp.Value.After(one.Time.Value)) && !l.SyntheticTimestamps {
			one.Time = it.Timestamp
		}
		if role, _ := it.Metadata["role"].(string); first < 0 && role == "user" {
			first = i
		}
	}
	content := ""
	if l.Set.Len() > 0 {
		content = l.Set.Item(max(0, first)).Content
	}
	one.Title = plain.Line(cmp.Or(l.Scenario.Value.Name, l.Question, content), maxTitle)
	return one
}
