package explorer

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/tokens"
	"cupelscope/simulate/session"
)

// Followed is a source that is polled as it grows. It is not safe for concurrent use.
type Followed struct {
	path    string
	tail    *itemset.Tail
	choices *session.Choices // remembers the counts of texts it has counted
	pending itemset.Growth   // what a poll found that had no session to return with it
}

// openFollowed opens a source that is followed from the start, and reads it up to its
// last complete line. The error says why it cannot be followed or opened.
func openFollowed(ctx context.Context, choices *session.Choices) (*Workspace, error) {
	if err := choices.Options.Followable(); err != nil {
		return nil, err
	}
	f := newFollowed(choices, choices.Options.Sources[0])
	if _, err := f.tail.Poll(ctx); err != nil {
		return nil, err
	}
	s, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	s.following = f
	return s, nil
}

// newFollowed returns the Followed of the file at path. Nothing is read yet.
func newFollowed(choices *session.Choices, path string) *Followed {
	return &Followed{path: path, tail: itemset.NewTail(path, choices.Reading.MaxBytes), choices: choices}
}

// follower returns a function that starts to follow the source that was opened, or an
// error that says why it cannot be followed.
func follower(choices *session.Choices, opened *session.Opened) (func() *Followed, error) {
	if err := choices.Options.Followable(); err != nil {
		return nil, err
	}
	sources := opened.Sources()
	if len(sources) != 1 {
		return nil, fmt.Errorf("there are %d files, and only a single one can be followed", len(sources))
	}
	if opened.Scenario.Set {
		return nil, errNoSession
	}
	return func() *Followed { return newFollowed(choices, sources[0]) }, nil
}

// errNoSession is the error for a scenario, which is always written as a whole.
var errNoSession = errors.New("a scenario does not grow: only sessions, a row a line, do")

// open makes a session of the complete lines that were read so far.
func (f *Followed) open(ctx context.Context) (*Workspace, error) {
	opened, err := f.choices.OpenText(ctx, f.path, f.tail.Text())
	if err != nil {
		return nil, err
	}
	if opened.Scenario.Set {
		return nil, errNoSession
	}
	s := newWorkspace(f.choices, opened)
	s.Follow = func() *Followed { return f }
	text := f.tail.Text()
	s.Log = logOf(opened, f.choices, func(ctx context.Context, reading itemset.Options) (*itemset.Loaded, error) {
		return itemset.Read(ctx, f.path, text, reading)
	})
	return s, nil
}

// poll reads what is new in the source. It returns what became of the file and a
// session of everything in it, with its tokens counted. The session is nil if nothing
// has changed, if the file has no complete line any more, or on most errors.
func (f *Followed) poll(ctx context.Context) (itemset.Growth, *Workspace, error) {
	found, err := f.tail.Poll(ctx)
	if err != nil || found == itemset.Unchanged {
		return found, nil, err
	}
	if found == itemset.Grown && f.pending != itemset.Unchanged {
		found = f.pending
	}
	f.pending = found
	if len(f.tail.Text()) == 0 {
		return found, nil, nil
	}
	s, err := f.open(ctx)
	if err == nil {
		f.pending = itemset.Unchanged
	}
	if err != nil || s.Count == nil {
		return found, s, err
	}
	var counts []model.Recount // what was counted before is remembered
	if err := s.Count(ctx, func(p tokens.Progress) { counts = append(counts, p.Recounts...) }); err != nil {
		return found, nil, err
	}
	s.Items, err = s.Items.Counted(counts)
	return found, s, err
}
