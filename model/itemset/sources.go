package itemset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// A source is standard input, a file, a folder, or a pattern for files that no
// shell has expanded. One of several sources that is there and cannot be used is
// skipped, unless Options.Strict or Named is set; a single one is an error, and so is any that
// is not there or cannot be opened. A file that is named twice is read once.

// SourceCount is the number of items that one source gave.
type SourceCount struct {
	Name   string
	Format Format
	Items  int
}

// Load reads the sources into one set, in the order given. A source is the path of a
// file or folder, a pattern, or "-" for standard input; there must be at least one.
// A scenario or a vector must be the only source.
//
// When ctx ends, Load returns at once; the goroutine that reads ends later by itself.
// The error is a *FormatError, *FolderError, *NoMatchError, *RecordError,
// *ScenarioError, *SizeError, *SpecialError, *record.SelectError, *cupel.Error, an
// error of the file system, or ctx.Err().
func Load(ctx context.Context, sources []string, opts Options) (*Loaded, error) {
	if len(sources) == 0 {
		return nil, errors.New("no source given: a path, or - for standard input")
	}
	ctx, silence := silenced(ctx)
	defer silence()
	return whileLasts(ctx, func() (*Loaded, error) { return load(ctx, sources, opts) })
}

func load(ctx context.Context, sources []string, opts Options) (*Loaded, error) {
	if err := CheckSources(sources); err != nil {
		return nil, err
	}
	opts.files = true
	b := newBuilder(ctx, opts)
	b.readPaths = map[string]bool{}
	err := b.each(sources, opts.Named, func(name string) error {
		before := len(b.items)
		err := b.source(name, len(sources) > 1)
		if err == nil && (len(b.items) > before || b.out.Set != nil) {
			b.out.Names = append(b.out.Names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.loaded()
}

// each reads sources, or the files that match a pattern. It skips sources that cannot be used,
// unless all must be usable or there is only one. If it can use none, it returns the first
// error.
func (b *builder) each(names []string, all bool, read func(name string) error) error {
	var first error
	before := len(b.items)
	for _, name := range names {
		err := b.try(func() error { return read(name) })
		if all && err != nil {
			return err
		}
		if left := b.skip(name, err); left != nil || err != nil && len(names) == 1 {
			return err
		}
		if first == nil {
			first = err
		}
	}
	if len(b.items) > before {
		return nil
	}
	return first
}

// skip reports that a file or folder is skipped because of err, and returns nil. It returns err
// if no source is skipped for such an error.
func (b *builder) skip(path string, err error) error {
	if err == nil || !b.skippable(err) {
		return err
	}
	b.out.Report.addFile(Skipped, reasonOf(err), path)
	return nil
}

// CheckSources returns an error if one of the sources does not exist, cannot be opened, or is
// of a kind that is never opened. It reads no source, and checks no pattern: see CheckPatterns.
func CheckSources(sources []string) error {
	for _, name := range sources {
		if name == "-" {
			continue
		}
		if err := checkSource(expandHome(name)); err != nil {
			return err
		}
	}
	return nil
}

func checkSource(name string) error {
	info, err := os.Stat(name)
	if err == nil && special(info.Mode()) != "" {
		return checkSpecial(name, info.Mode())
	}
	switch {
	case err == nil:
		file, err := openRegular(name)
		if err != nil {
			return naming(name, err)
		}
		return file.Close()
	case errors.Is(err, fs.ErrNotExist) && isGlob(name):
		return nil // walking may take long
	case strings.Contains(name, "://"):
		return fmt.Errorf("%s: nothing is read from the network: download it first, or pipe it in", name)
	case name == "":
		return fmt.Errorf("\"\": %w; is a variable not set?", cause(err))
	}
	err = naming(name, err)
	if near := neighbour(name); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}

// maxNeighbours is the largest number of files that neighbour looks at, so that a
// mistyped name costs no second in any folder.
const maxNeighbours = 10000

// neighbour returns the path of a file beside name whose name differs by one slip of
// the fingers; "" if there is none. Very short names are too much alike.
func neighbour(name string) string {
	folder, base := filepath.Split(name)
	if stem, _, _ := strings.Cut(base, "."); len(stem) < 4 {
		return ""
	}
	dir, err := os.Open(filepath.Join(folder, "."))
	if err != nil {
		return ""
	}
	defer dir.Close() // only read
	names, _ := dir.Readdirnames(maxNeighbours)
	slices.Sort(names)
	at := slices.IndexFunc(names, func(n string) bool { return n != base && plain.OneSlip(strings.ToLower(n), strings.ToLower(base)) })
	if at < 0 {
		return ""
	}
	return folder + names[at]
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

// checkSpecial returns a *SpecialError for pipes, sockets and devices, which are
// never opened. It allows the pipes that shells make for <(command).
func checkSpecial(name string, mode fs.FileMode) error {
	is := special(mode)
	if is == "" || mode&fs.ModeNamedPipe != 0 && (strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/self/fd/")) {
		return nil
	}
	return &SpecialError{Name: name, Is: is}
}

func (b *builder) source(name string, several bool) error {
	if name == "-" {
		if b.twice(name) {
			return nil
		}
		data, note, err := readStdin(b.ctx, b.opts)
		if err != nil {
			return err
		}
		if note != "" {
			b.out.Report.add(Changed, note, "")
		}
		return b.read(name, data, several)
	}
	name = expandHome(name)
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist) && isGlob(name):
		return b.glob(name, several)
	case err == nil && info.IsDir():
		return b.folder(name)
	}
	return b.file(name, several)
}

func (b *builder) file(name string, several bool) error {
	if b.twice(name) {
		return nil
	}
	data, at, err := b.readFile(b.ctx, openNamed, name, b.opts.maxBytes())
	var note string
	if err == nil {
		data, note, err = unpack(b.ctx, name, data, b.opts.maxBytes())
	}
	if note != "" {
		b.out.Report.addFile(Damaged, note, name)
	}
	if err == nil {
		data, err = b.gathered(name, data)
	}
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

// resolved returns the absolute path of a source without symbolic links, so that
// equal files have equal names; "-" stays.
func resolved(name string) string {
	if name == "-" {
		return name
	}
	if path, err := filepath.EvalSymlinks(name); err == nil {
		name = path
	}
	if path, err := filepath.Abs(name); err == nil {
		name = path
	}
	return name
}

// Distinct returns the sources without those that were named before, by another name
// or through a link, and the latter.
func Distinct(sources []string) (once, again []string) {
	met := map[string]bool{}
	for _, name := range sources {
		if key := resolved(name); met[key] {
			again = append(again, name)
		} else {
			met[key] = true
			once = append(once, name)
		}
	}
	return once, again
}

func (b *builder) twiceAt(name, key string) bool {
	if b.readPaths[key] {
		b.out.Report.addFile(LeftOut, "files named twice, read once", name)
		return true
	}
	if b.readPaths != nil {
		b.readPaths[key] = true
	}
	return false
}

// skippable reports whether a source that failed with err is skipped when there
// are others. An error that only the user can resolve is not skipped, nor is any
// error under Strict.
func (b *builder) skippable(err error) bool {
	_, missing := errors.AsType[*NoMatchError](err)
	if b.opts.Strict || missing || b.ctx.Err() != nil {
		return false
	}
	_, format := errors.AsType[*FormatError](err)
	_, size := errors.AsType[*SizeError](err)
	_, special := errors.AsType[*SpecialError](err)
	_, folder := errors.AsType[*FolderError](err)
	return format || size || special || folder || isFileError(err)
}

// isFileError reports whether err comes from the file system.
func isFileError(err error) bool {
	var errno interface{ Temporary() bool } // of the system, as syscall.Errno
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.As(err, &errno)
}

// reasonOf returns why a source was skipped, without its name.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*FormatError](err); ok {
		if e.Format != "" && e.Format != Text {
			return fmt.Sprintf("without a usable item of the format %q", string(e.Format))
		}
		return e.Reason
	}
	if e, ok := errors.AsType[*FolderError](err); ok {
		return "that " + e.Reason
	}
	if e, ok := errors.AsType[*SizeError](err); ok && e.Folder {
		return fmt.Sprintf("beyond the %v bytes that are read of one folder", plain.Thousands(e.Limit))
	} else if ok {
		return fmt.Sprintf("larger than %v bytes", plain.Thousands(e.Limit))
	}
	if e, ok := errors.AsType[*SpecialError](err); ok {
		return "that is " + e.Is
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// try reads a source with read. If that fails, try removes the items that were added,
// their labels and the entries that were reported.
func (b *builder) try(read func() error) error {
	before, items, firsts := b.out, len(b.items), len(b.sourceStarts)
	b.out.Report.Entries = nil
	err := read()
	if err != nil {
		b.out, b.items, b.sourceStarts, b.paired = before, b.items[:items], b.sourceStarts[:firsts], min(b.paired, items)
		maps.DeleteFunc(b.out.Labels.Grades, func(item, _ int) bool { return item >= items })
		maps.DeleteFunc(b.out.Sizes, func(item int, _ []model.Size) bool { return item >= items })
		return err
	}
	own := b.out.Report.Entries
	b.out.Report.Entries = before.Report.Entries
	for _, e := range own {
		b.out.Report.put(e)
	}
	return nil
}

// recordOrigin notes that the items from before on came from a source.
func (b *builder) recordOrigin(name string, format Format, before int) {
	b.sourceStarts = append(b.sourceStarts, before)
	b.out.Report.Sources = append(b.out.Report.Sources, SourceCount{name, format, len(b.items) - before})
	b.out.Format = cmp.Or(b.out.Format, format)
}

// Sources returns the names of the sources that the items came from, in order:
// files, folders, or "-". A pattern is replaced by the files that match it.
func (l *Loaded) Sources() []string {
	return plain.Texts(l.Report.Sources, func(s SourceCount) string { return s.Name })
}

// nameSources sets "file" in the metadata of each item to the name of its source if
// there are several sources. It keeps a "file" that an item already has.
func (b *builder) nameSources() {
	if len(b.sourceStarts) < 2 {
		return
	}
	starts := append(b.sourceStarts, len(b.items))
	for k, source := range b.out.Report.Sources {
		for i := starts[k]; i < starts[k+1]; i++ {
			it := &b.items[i]
			if it.Metadata == nil {
				it.Metadata = map[string]any{}
			}
			if _, taken := it.Metadata["file"]; !taken {
				it.Metadata["file"] = source.Name
			}
		}
	}
}

// isData reports whether a file has a name for records (.json, .jsonl, .ndjson, also
// with .gz), so that it is not read as text.
func isData(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(name))
}
