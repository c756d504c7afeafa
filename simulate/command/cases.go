package command

import (
	"context"
	"io"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/session"
)

// cases are the cases of the sources, for a verb about many cases.
type cases struct {
	*session.Cases
	streams Streams
}

// newCases checks the flags and returns the cases of o.Sources. It says on standard error
// which of them were named before.
func newCases(ctx context.Context, o session.Options, s Streams) (*cases, error) {
	c, err := session.NewCases(ctx, o, s.input())
	if err != nil {
		return nil, err
	}
	s.sayAgain(c.Again)
	return &cases{c, s}, nil
}

// sayAgain says which sources were named before.
func (s Streams) sayAgain(sources []string) {
	if len(sources) > 0 {
		s.say("%s named before, read once (%s)", plain.Count(len(sources), "source"), plain.Line(strings.Join(sources, ", "), 200))
	}
}

// answerAll is Cases.Answer with a line of progress, whose text counted returns. With
// headings, which only CSV has, the output that answer puts into the parcel follows
// them on standard output.
func (c *cases) answerAll(ctx context.Context, jobs int, headings []byte, answer func(context.Context, *flow.Parcel), done func(*flow.Parcel), counted func() string) error {
	if _, err := flow.Parallel(jobs); err != nil {
		return err
	}
	out := io.Discard
	if headings != nil {
		out = c.streams.Out
		if _, err := out.Write(headings); err != nil {
			return err
		}
	}
	progress := c.streams.progressLine()
	defer progress.clear()
	err := c.Answer(ctx, jobs, out, answer, func(p *flow.Parcel) {
		done(p)
		progress.show(counted)
	})
	if err == nil {
		progress.clear()
		c.streams.sayNotes(c.Choices)
	}
	return err
}

// sayNotes says what was damaged or skipped in the cases, and which slots and shrink rules have
// no effect in any case; where s is muted, it says only what was skipped.
func (s Streams) sayNotes(c *session.Choices) {
	muted := s.loud != nil
	if muted {
		s.Err = s.loud
	}
	s.sayAll(c.Notes(muted))
}
