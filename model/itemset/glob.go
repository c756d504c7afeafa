package itemset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// Patterns for files that no shell has expanded: *, ?, [a-z], ** for any
// folders, {a,b} for either. As in a shell a name that begins with a dot must be
// given so; as in a folder what .gitignore names is left out.

// isGlob reports whether a name for which there is no file may be a pattern.
func isGlob(name string) bool {
	_, set, _ := strings.Cut(name, "[")
	return strings.ContainsAny(name, "*?") || strings.Contains(set, "]") || choice.MatchString(name)
}

// glob adds the files that match a pattern, each a source of its own.
func (b *builder) glob(pattern string, several bool) error {
	files, err := globFiles(b.ctx, pattern, func(path string, err error) error { return b.skip(path, naming(path, err)) })
	if err != nil {
		return err
	}
	return b.each(files, false, func(path string) error { return b.file(path, several || len(files) > 1) })
}

// NoMatchError says that no file matches a pattern. errors.Is reports it as
// fs.ErrNotExist.
type NoMatchError struct {
	Pattern string
	Ignored int // number of files that match but are ignored by .gitignore
}

func (e *NoMatchError) Error() string {
	text := fmt.Sprintf("%s: no such file, and none that matches it as a pattern", e.Pattern)
	if e.Ignored > 0 {
		text += fmt.Sprintf(" (%s left out as .gitignore says)", plain.Count(e.Ignored, "file"))
	}
	return text
}

func (e *NoMatchError) Is(target error) bool { return target == fs.ErrNotExist }

// CheckPatterns returns a *NoMatchError for the first source that is a pattern and
// matches no file. It walks folders, without reading files.
func CheckPatterns(ctx context.Context, sources []string) error {
	for _, name := range sources {
		name = expandHome(name)
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) || !isGlob(name) {
			continue
		}
		if _, err := globFiles(ctx, name, func(string, error) error { return nil }); err != nil { // reading reports unreadable folders
			return err
		}
	}
	return nil
}

// maxBraces is about the largest number of patterns that braces expand to.
const maxBraces = 1000

// globFiles returns the files that match, each once, in the order of their paths; if none does,
// the error is a *NoMatchError. It calls unreadable for a folder that cannot be read, and stops
// if that returns an error.
func globFiles(ctx context.Context, pattern string, unreadable func(path string, err error) error) (files []string, err error) {
	ignored := 0
	for _, p := range braces(pattern) {
		some, n, err := globOne(ctx, filepath.ToSlash(p), unreadable)
		if err != nil {
			return nil, err
		}
		files, ignored = append(files, some...), ignored+n
	}
	if len(files) == 0 {
		return nil, &NoMatchError{pattern, ignored}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// globOne is globFiles for a pattern without braces; ignored is the number of files that match
// and that .gitignore excludes.
func globOne(ctx context.Context, pattern string, unreadable func(path string, err error) error) (files []string, ignored int, err error) {
	// Whole names before the first special one are the folder to begin with.
	special := strings.IndexAny(pattern, "*?[")
	if special < 0 {
		if _, err := os.Stat(pattern); err == nil {
			files = []string{pattern}
		}
		return files, 0, nil
	}
	base, rest := "", pattern
	if slash := strings.LastIndexByte(pattern[:special], '/'); slash >= 0 {
		base, rest = pattern[:slash+1], pattern[slash+1:]
	}
	match := newWildcard(rest)
	parts := strings.Split(rest, "/")
	deep := slices.Contains(parts, "**")
	t := tree{
		ctx: ctx,
		hidden: func(name string) bool {
			return slices.ContainsFunc(parts, func(part string) bool {
				w := newWildcard(part)
				return strings.HasPrefix(part, ".") && w.match(name)
			})
		},
		enter: func(path string) bool { return deep || strings.Count(path, "/")+1 < len(parts) },
		file: func(path, name string) error {
			if match.match(name) {
				files = append(files, base+filepath.FromSlash(name))
			}
			return nil
		},
		leftOut: func(path, name string, reason leftReason, err error) error {
			if reason == leftUnreadable && !errors.Is(err, fs.ErrNotExist) { // a missing folder has no files
				return unreadable(path, err)
			}
			switch {
			case !match.match(name):
			case reason == leftIgnored:
				ignored++
			case reason == leftSpecial: // reading it as a source reports it
				files = append(files, base+filepath.FromSlash(name))
			}
			return nil
		},
	}
	return files, ignored, t.walk(cmp.Or(filepath.FromSlash(base), "."))
}

// choice matches braces that hold a comma, and no other braces.
var choice = regexp.MustCompile(`\{([^{}]*,[^{}]*)\}`)

// braces expands {a,b}, the innermost first. Braces that are not closed, or hold no comma,
// stay as they are.
func braces(pattern string) []string {
	done, open := []string(nil), []string{pattern}
	for len(open) > 0 && len(done)+len(open) <= maxBraces {
		p := open[0]
		open = open[1:]
		at := choice.FindStringSubmatchIndex(p)
		if at == nil {
			done = append(done, p)
			continue
		}
		for part := range strings.SplitSeq(p[at[2]:at[3]], ",") {
			open = append(open, p[:at[0]]+part+p[at[1]:])
		}
	}
	return append(done, open...)
}
