package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// runsOptions say how runs writes its answer.
type runsOptions struct{ answerOptions }

func (r *runsOptions) verbFlags() []session.Flag { return r.answerFlags("verbose", "timings") }

// writeRuns writes the runs of a source that can be opened, and says on Err how many cannot and
// why. It is an error if none can.
func writeRuns(ctx context.Context, o session.Options, r runsOptions, s Streams) error {
	s = r.muted(s)
	if o.Select != "" {
		return errors.New("runs lists all that --select could open: leave it out")
	}
	choices, err := o.Choices(ctx, s.input())
	if err != nil {
		return err
	}
	if choices.Options.Fixture != "" {
		return errors.New("a fixture is one scenario: give a file")
	}
	var all []session.ListedRun
	closed, first := 0, session.ListedRun{}
	err = choices.Runs(ctx, func(run session.ListedRun) {
		if run.Err == nil {
			all = append(all, run)
		} else if closed++; closed == 1 {
			first = run
		}
	})
	if err != nil {
		return err
	}
	if len(all) == 0 && closed > 0 {
		return first.Err
	}
	s.sayNotes(choices)
	if closed > 0 {
		s.say("not listed: %s that cannot be opened; number %d: %v", plain.Count(closed, "run"), first.Number, first.Err)
	}
	return s.write(ctx, r.Output, r.sheet(all, choices.Options.Sources[0]))
}

func (r *runsOptions) sheet(all []session.ListedRun, source string) *export.Sheet {
	mark := "≈"
	if r.ASCII {
		mark = "~"
	}
	columns := []export.Column[session.ListedRun]{
		{Name: "number", Heading: "number", Right: true, Cell: func(run session.ListedRun) export.Cell { return export.Index(run.Number) }},
		{Name: "title", Heading: "title", Flows: 20, Cell: func(run session.ListedRun) export.Cell { return export.Text(run.Title, 80) }},
		{Name: "items", Heading: "items", Right: true, Cell: func(run session.ListedRun) export.Cell { return export.Count(run.Items) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(run session.ListedRun) export.Cell {
			if run.Estimated {
				return export.About(run.Tokens, mark)
			}
			return export.Tokens(run.Tokens)
		}},
		{Name: "estimated", Cell: func(run session.ListedRun) export.Cell { return export.Truth(run.Estimated) }},
		{Name: "time", Heading: "time", Spare: true, Cell: func(run session.ListedRun) export.Cell { return when(run.Time) }},
	}
	if r.NoContent {
		columns = slices.DeleteFunc(columns, func(c export.Column[session.ListedRun]) bool { return c.Name == "title" })
	}
	return export.SheetOf(export.Sheet{
		Name:  "runs",
		Title: fmt.Sprintf("%s, %s: --select NUMBER opens one", plain.Tail(source, 60), plain.Count(len(all), "run")),
		Facts: []export.Fact{export.SchemaFact("runs"), {Name: "source", Value: export.Path(source, 400)}},
	}, columns, slices.Values(all))
}

// when is a cell with a time in UTC, to the minute for a person.
func when(t model.Option[time.Time]) export.Cell {
	return export.Word(t.Value.UTC().Format(time.RFC3339)).But(t.Value.UTC().Format("2006-01-02 15:04")).If(t.Set)
}
