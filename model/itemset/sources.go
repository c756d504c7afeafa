package itemset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupelscope/model/internal/relay"
)

// A source is standard input, a file, a folder, or a pattern for files that no
// shell has expanded. Of several sources one that cannot be used costs only
// itself, unless Options.Strict; a single one is an error. What is named twice
// is read once.

// SourceCount is what one source gave.
type SourceCount struct {
	Name   string
	Format Format
	Items  int
}

// Load reads the sources, paths, patterns or "-", into one set in the order
// given. Only a single source may be a scenario or a vector. When ctx ends it
// returns at once; what was under way then ends by itself. The error is a
// *FormatError, *RecordError, *SizeError, *SpecialError,
// *record.SelectError, *vector.Error, an error of the file system, one of the policy or
// budget of a scenario, or ctx.Err().
func Load(ctx context.Context, sources []string, opts Options) (*Loaded, error) {
	if len(sources) == 0 {
		return nil, errors.New("no source given: a path, or - for standard input")
	}
	type result struct {
		loaded *Loaded
		err    error
	}
	done := make(chan result, 1)
	ctx, silence := silenced(ctx)
	go func() {
		var r result
		r.err = relay.Catch(func() (err error) {
			r.loaded, err = load(ctx, sources, opts)
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		relay.Release(r.err)
		return r.loaded, r.err
	case <-ctx.Done():
		silence()
		return nil, ctx.Err()
	}
}

func load(ctx context.Context, sources []string, opts Options) (*Loaded, error) {
	b := newBuilder(ctx, opts.opening())
	b.met = map[string]bool{}
	var first error
	for _, name := range sources {
		before := len(b.items)
		err := b.try(func() error { return b.source(name, len(sources) > 1) })
		if err != nil && (len(sources) == 1 || !b.skippable(err)) {
			return nil, err
		}
		if err != nil {
			b.out.Report.addFile(Skipped, reasonOf(err), name)
			if first == nil {
				first = err
			}
			continue
		}
		if len(b.items) > before || b.out.Set != nil {
			b.out.Names = append(b.out.Names, name)
		}
	}
	if first != nil && len(b.items) == 0 {
		return nil, first
	}
	return b.loaded()
}

// CheckSources finds out, without reading them, whether there is something at
// the sources that Load could read: all of them if strict, else one.
func CheckSources(sources []string, strict bool) error {
	var first error
	for _, name := range sources {
		err := checkSource(name)
		if err == nil && !strict {
			return nil
		}
		if err != nil && first == nil {
			first = err
		}
	}
	return first
}

func checkSource(name string) error {
	if name == "-" {
		return nil
	}
	name = expandHome(name)
	info, err := os.Stat(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && isGlob(name) {
			return nil // walking may take long
		}
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	return checkSpecial(name, info.Mode())
}

// expandHome expands a leading ~ that no shell has expanded, as in quotes or in
// a prompt, unless a file of that very name exists.
func expandHome(name string) string {
	rest, ok := strings.CutPrefix(name, "~"+string(filepath.Separator))
	if _, err := os.Lstat(name); !ok || err == nil {
		return name
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return name
	}
	return filepath.Join(home, rest)
}

// checkSpecial refuses what is never opened. The pipes that shells make for
// <(command) are no files that lie around: those are read.
func checkSpecial(name string, mode fs.FileMode) error {
	is := special(mode)
	if is == "" || mode&fs.ModeNamedPipe != 0 && (strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/self/fd/")) {
		return nil
	}
	return &SpecialError{name, is}
}

// source adds what is at one source.
func (b *builder) source(name string, several bool) error {
	if name == "-" {
		if b.twice(name) {
			return nil
		}
		data, note, err := readSource(b.ctx, name, b.opts)
		if err != nil {
			return err
		}
		if note != "" {
			b.out.Report.add(Changed, note, "")
		}
		return b.read(name, data, several)
	}
	name = expandHome(name)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isGlob(name):
		return b.glob(name, several)
	case err != nil:
		return fmt.Errorf("%s: %w", name, cause(err))
	case info.IsDir():
		return b.folder(name, several)
	}
	return b.file(name, several)
}

// file adds what is in one file.
func (b *builder) file(name string, several bool) error {
	if b.twice(name) {
		return nil
	}
	data, at, err := b.readFile(name)
	if err != nil {
		return err
	}
	b.modified = at
	defer func() { b.modified.Set = false }()
	return b.read(name, data, several)
}

// twice reports whether a source was read before, and notes it: by another
// name, through a link, or within a folder.
func (b *builder) twice(name string) bool { return b.twiceAt(name, resolved(name)) }

// resolved is the one name that a source has.
func resolved(name string) string {
	if name == "-" {
		return name
	}
	key := name
	if path, err := filepath.EvalSymlinks(name); err == nil {
		key = path
	}
	if path, err := filepath.Abs(key); err == nil {
		key = path
	}
	return key
}

func (b *builder) twiceAt(name, key string) bool {
	if b.met[key] {
		b.out.Report.addFile(LeftOut, "named before, read once", name)
		return true
	}
	if b.met != nil {
		b.met[key] = true
	}
	return false
}

// skippable reports whether a source that failed with err is skipped when there
// are others. An error that only the user can resolve is not skipped, nor is any
// error under Strict.
func (b *builder) skippable(err error) bool {
	if b.opts.Strict || b.ctx.Err() != nil {
		return false
	}
	_, format := errors.AsType[*FormatError](err)
	_, size := errors.AsType[*SizeError](err)
	_, special := errors.AsType[*SpecialError](err)
	_, none := errors.AsType[*NoMatchError](err)
	_, folder := errors.AsType[*FolderError](err)
	return format || size || special || none || folder || isFileError(err)
}

// isFileError reports whether err comes from the file system.
func isFileError(err error) bool {
	for _, is := range [...]error{fs.ErrNotExist, fs.ErrPermission} {
		if errors.Is(err, is) {
			return true
		}
	}
	var errno interface{ Temporary() bool } // of the system, as syscall.Errno
	return errors.As(err, &errno)
}

// reasonOf is why a source was skipped, without its name.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*FormatError](err); ok {
		if e.Taken != "" && e.Taken != Text {
			return fmt.Sprintf("without a usable item of the format %q", string(e.Taken))
		}
		return e.Reason
	}
	if e, ok := errors.AsType[*FolderError](err); ok {
		return "that " + e.Reason
	}
	if e, ok := errors.AsType[*SizeError](err); ok && e.Folder {
		return fmt.Sprintf("beyond the %v bytes that are read of one folder", e.limit())
	} else if ok {
		return fmt.Sprintf("larger than %v bytes", e.limit())
	}
	if e, ok := errors.AsType[*SpecialError](err); ok {
		return "that is " + e.Is
	}
	if _, ok := errors.AsType[*NoMatchError](err); ok {
		return "pattern that no file matches"
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// try reads a source; if that fails nothing of it is left, neither items nor
// what was noted of its records.
func (b *builder) try(read func() error) error {
	before, items, firsts := b.out, len(b.items), len(b.firsts)
	b.out.Report.Entries = nil
	err := read()
	if err != nil {
		b.out, b.items, b.firsts, b.paired = before, b.items[:items], b.firsts[:firsts], min(b.paired, items)
		return err
	}
	own := b.out.Report.Entries
	b.out.Report.Entries = before.Report.Entries
	b.out.Report.merge(own)
	return nil
}

// recordOrigin notes that the items from before on came from a source.
func (b *builder) recordOrigin(name string, format Format, before int) {
	b.firsts = append(b.firsts, before)
	b.out.Report.Sources = append(b.out.Report.Sources, SourceCount{name, format, len(b.items) - before})
	if b.out.Format == "" {
		b.out.Format = format
	}
}

// Sources are where the items came from, in their order: files, folders, or
// "-". A pattern is one for each of its files.
func (l *Loaded) Sources() []string {
	names := make([]string, len(l.Report.Sources))
	for i, s := range l.Report.Sources {
		names[i] = s.Name
	}
	return names
}

// nameSources says in the metadata of each item from which file it came, where
// there are several sources; a "file" that is there already stays.
func (b *builder) nameSources() {
	if len(b.firsts) < 2 {
		return
	}
	for k, first := range b.firsts {
		end := len(b.items)
		if k+1 < len(b.firsts) {
			end = b.firsts[k+1]
		}
		for i := range b.items[first:end] {
			it := &b.items[first+i]
			if it.Metadata == nil {
				it.Metadata = map[string]any{}
			}
			if _, taken := it.Metadata["file"]; !taken {
				it.Metadata["file"] = b.out.Report.Sources[k].Name
			}
		}
	}
}

// isData reports whether a file's name says that it holds records, so that it
// is no text to be read as it is.
func isData(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(name))
}
