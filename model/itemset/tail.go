package itemset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Tail reads a file of JSON lines that grows at its end, as the session of an
// agent that is still at work. It keeps what it has read in memory, so that Poll
// reads only what was appended.
//
// The caller makes the items anew from the whole Text with Read, because a later row may
// change what earlier ones mean: a compaction takes messages out, a row adds to a
// message that was begun, an answer to a rewound question takes the place of what
// followed it. That takes 0.12 s for a session of 10 MB, and only when it has grown.
//
// A change before the end of what was read is noticed with the first Poll after it: all
// that was read is compared.
//
// A Tail is not safe for concurrent use.
type Tail struct {
	path  string
	limit int64
	info  os.FileInfo // the state of the file when it was last read; nil: never
	data  []byte      // all that was read
	whole int         // length of the whole lines of data
}

// NewTail returns a Tail of a file, which may have at most maxBytes; 0 is
// DefaultMaxBytes. It reads nothing yet: Text is empty before the first Poll.
func NewTail(path string, maxBytes int64) *Tail {
	return &Tail{path: expandHome(path), limit: Options{MaxBytes: maxBytes}.maxBytes()}
}

// Growth says how a file has changed since the Poll before.
type Growth uint8

const (
	Unchanged Growth = iota // there are no new whole lines
	Grown                   // there are more whole lines
	Truncated               // the file is shorter than it was, and was read again from its start
	Replaced                // it is another file, or the part already read has changed; it was read again from its start
)

// NotGrowingError says why a Tail cannot follow a file.
type NotGrowingError struct{ Name, Reason string }

func (e *NotGrowingError) Error() string {
	return fmt.Sprintf("%s cannot be followed: %s", e.Name, e.Reason)
}

// Poll looks at the file, reads what is new, and returns how it has changed. A last
// line without its end is not part of Text until it is complete. The error is a
// *NotGrowingError, a *SizeError, a *SpecialError, one of the file system or
// ctx.Err(). After an error Text is unchanged and the next Poll goes on from there.
// While the file does not change, Poll costs one system call.
func (t *Tail) Poll(ctx context.Context) (Growth, error) {
	info, err := os.Stat(t.path)
	if err != nil {
		return Unchanged, fmt.Errorf("%s: %w", t.path, cause(err))
	}
	if info.IsDir() {
		return Unchanged, &NotGrowingError{t.path, "it is a folder"}
	}
	if t.info != nil && os.SameFile(info, t.info) && info.Size() == int64(len(t.data)) && info.ModTime().Equal(t.info.ModTime()) {
		return Unchanged, nil
	}
	f, err := Open(t.path)
	if err != nil {
		return Unchanged, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return Unchanged, fmt.Errorf("%s: %w", t.path, cause(err))
	}
	found, err := t.compare(ctx, f, info)
	if err != nil {
		return Unchanged, err
	}
	return t.read(ctx, f, info, found)
}

// Text returns the whole lines of the file that were read so far. Later calls of
// Poll do not modify the slice; the caller must not modify it either.
func (t *Tail) Text() []byte { return t.data[:t.whole:t.whole] }

// compare returns what became of the part of the file that was read before: Grown if
// it is unchanged.
func (t *Tail) compare(ctx context.Context, f *os.File, info fs.FileInfo) (Growth, error) {
	switch size := int64(len(t.data)); {
	case t.info == nil:
		return Grown, nil
	case info.Size() < size:
		return Truncated, nil
	case !os.SameFile(info, t.info):
		return Replaced, nil
	}
	return t.changed(ctx, f)
}

// changed compares the file with all that was read before, which costs little beside
// making the items anew. It returns Grown if it begins with that, else Replaced.
func (t *Tail) changed(ctx context.Context, f *os.File) (Growth, error) {
	buf := make([]byte, min(len(t.data), 1<<20))
	for at := 0; at < len(t.data); {
		if ctx.Err() != nil {
			return Unchanged, ctx.Err()
		}
		n, err := f.ReadAt(buf[:min(len(buf), len(t.data)-at)], int64(at))
		if !bytes.Equal(buf[:n], t.data[at:at+n]) || errors.Is(err, io.EOF) && at+n < len(t.data) {
			return Replaced, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return Unchanged, fmt.Errorf("reading %s: %w", t.path, cause(err))
		}
		at += n
	}
	return Grown, nil
}

// read reads what was appended, or the whole file if found is not Grown.
func (t *Tail) read(ctx context.Context, f *os.File, info fs.FileInfo, found Growth) (Growth, error) {
	data, whole := t.data, t.whole
	if found != Grown {
		data, whole = nil, 0
	}
	if info.Size() > t.limit {
		return Unchanged, &SizeError{Name: t.path, Limit: t.limit}
	}
	if _, err := f.Seek(int64(len(data)), io.SeekStart); err != nil {
		return Unchanged, fmt.Errorf("reading %s: %w", t.path, cause(err))
	}
	more, err := readAll(ctx, t.path, io.LimitReader(f, info.Size()-int64(len(data))), info.Size()-int64(len(data)), t.limit)
	if err != nil {
		return Unchanged, err
	}
	data = append(data, more...)
	if len(data) > 0 {
		if why := notGrowing(data); why != "" {
			return Unchanged, &NotGrowingError{t.path, why}
		}
	}
	before := whole
	whole = wholeLines(data, whole)
	t.info, t.data, t.whole = info, data, whole
	if found == Grown && whole == before {
		return Unchanged, nil
	}
	return found, nil
}

// wholeLines returns the length of the whole lines of a text; from is its result for
// an earlier, shorter text. A last line without its newline counts if it is a
// complete JSON value.
func wholeLines(data []byte, from int) int {
	end := from + bytes.LastIndexByte(data[from:], '\n') + 1
	last := bytes.TrimSpace(data[end:])
	if c := jsonwalk.Type(last); (c == '{' || c == '[') && jsonwalk.Check(last) == nil {
		return len(data)
	}
	return end
}

// notGrowing returns why a text cannot grow line by line, or "" if it can.
func notGrowing(data []byte) string {
	const mark = 4 // bytes of the longest byte order mark
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n\v\f")
	_, more, _ := bytes.Cut(text, []byte("\n"))
	switch c := jsonwalk.Type(text); {
	case len(data) < mark || len(text) == 0: // it has hardly begun
		return ""
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return "it is compressed, so that what is appended cannot be read by itself; unpack it"
	case markOf(data) >= 0 || bytes.IndexByte(data[:mark], 0) >= 0:
		return "it is not UTF-8 text"
	case c != '{' && c != '[':
		return "its lines are not JSON; only a file with one row per line grows at its end"
	case len(bytes.TrimSpace(more)) > 0 && !record.Split("", data, record.Options{}).IsLines():
		return "it is one JSON value over several lines, which does not grow at its end; r loads it again"
	}
	return ""
}
