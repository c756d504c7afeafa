package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"cupelscope/model/itemset"
)

// CheckWritable is itemset.CheckWritable for a file that a verb writes beside its answer.
// It also returns an error if that file is read for a source (see itemset.Reads), is the labels,
// the run, or one of the other files that are read: writing it would destroy what a person has
// only there.
func (o Options) CheckWritable(ctx context.Context, path string, read ...string) error {
	if err := itemset.CheckWritable(path); err != nil {
		return err
	}
	written, err := os.Stat(path)
	if err != nil {
		return nil // a new file replaces nothing
	}
	for _, name := range slices.Concat(o.Sources, []string{o.Labels, o.Run}, read) {
		if itemset.Reads(ctx, name, written) {
			return fmt.Errorf("writing %s: it is read here, and would be lost: name another file", path)
		}
	}
	return ctx.Err()
}

// Reloadable returns nil if what was opened can be loaded again to see what
// changed, or an error that says why it cannot.
func (o Options) Reloadable() error {
	if len(o.Sources) == 0 {
		return errors.New("no file is given, and a fixture never changes")
	}
	for _, source := range o.Sources {
		if source == "-" || strings.HasPrefix(source, "/dev/fd/") {
			return errors.New("standard input is read once: give a file")
		}
	}
	return nil
}

// Followable returns an error that says why what is to be opened cannot be
// followed as it grows, or nil if that depends only on its text (see
// itemset.Tail).
func (o Options) Followable() error {
	if len(o.Sources) > 1 {
		return fmt.Errorf("there are %d sources, and only a single file can be followed", len(o.Sources))
	}
	return o.Reloadable()
}

// SourceName returns a name for what will be opened, to show while it loads.
func (o Options) SourceName() string {
	switch {
	case len(o.Sources) == 1 && o.Sources[0] != "-":
		return o.Sources[0]
	case len(o.Sources) > 1:
		return fmt.Sprintf("%s and %d more", o.Sources[0], len(o.Sources)-1)
	case o.Fixture != "":
		return "fixture " + o.Fixture
	}
	return "standard input"
}
