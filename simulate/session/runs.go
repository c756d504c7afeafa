package session

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
)

// ListedRun is a run, result set or scenario of a source that holds several.
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

// Runs yields the runs of the source, in its order, as they are read: it holds one in
// memory at a time. A source that holds one yields that, with the number 1. An error with
// the number 0 is about the source; nothing follows it.
func (c *Choices) Runs(ctx context.Context) iter.Seq[ListedRun] {
	return func(yield func(ListedRun) bool) {
		if len(c.Options.Sources) != 1 {
			yield(ListedRun{Err: errors.New("the runs of one source are listed: give one file")})
			return
		}
		lines, err := scenarioLines(ctx, c.Options.Sources[0])
		switch {
		case err != nil:
			yield(ListedRun{Err: err})
		case lines > 1:
			c.scenarios(ctx, yield)
		default:
			for r := range itemset.LoadRuns(ctx, c.Options.Sources[0], c.Reading) {
				number := r.Number
				if r.Err == nil {
					number = max(1, number)
				}
				if !yield(listed(number, r)) {
					return
				}
			}
		}
	}
}

// Selecting returns the choices with --select N for the one source.
func (c *Choices) Selecting(number int) *Choices {
	other := *c
	other.Options.Select, other.Reading.Select = strconv.Itoa(number), number
	return &other
}

// scenarios yields the scenarios of a file that has one on each line.
func (c *Choices) scenarios(ctx context.Context, yield func(ListedRun) bool) {
	cases := &Cases{Choices: c, Fallback: c.Fallback(), anyField: true}
	enough := errors.New("nobody asks for more")
	var p flow.Parcel
	err := cases.feed(ctx, func(fill func(*flow.Parcel) (int64, error)) error {
		if _, err := fill(&p); err != nil {
			return err
		}
		more := true
		cases.Each(ctx, &p, func(r Case) {
			more = more && yield(listed(p.Position, itemset.Run{Loaded: r.Loaded, Err: r.Err}))
		})
		if !more {
			return enough
		}
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, enough) {
		yield(ListedRun{Err: err})
	}
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
	if l.Scenario.Set {
		one.Title = l.Scenario.Value.Name
	}
	if one.Title == "" {
		one.Title = l.Question
	}
	if one.Title == "" && l.Set.Len() > 0 {
		one.Title = l.Set.Item(max(0, first)).Content
	}
	one.Title = plain.Line(one.Title, maxTitle)
	return one
}
