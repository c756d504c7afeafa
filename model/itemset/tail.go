package itemset

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Tail reads a file of JSON lines that grows at its end, as the session of an
// agent that is still at work.
//
// The caller makes the items anew from the whole Text with Read, because a later row may
// change what earlier ones mean: a compaction takes messages out, a row adds to a
// message that was begun, an answer to a rewound question takes the place of what
// followed it. That takes 0.12 s for a session of 10 MB, and only when it has grown.
//
// A change before the end of what was read is noticed with the first Poll after it: a file
// that has changed is read whole, and compared with what it was.
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

// Poll looks at the file, reads it if it has changed, and returns how it did. A last
// line without its end is not part of Text until it is complete. The error is a
// *NotGrowingError, a *SizeError, a *SpecialError, one of the file system or
// ctx.Err(). After an error Text is unchanged and the next Poll tries again.
// While the file does not change, Poll costs one system call.
func (t *Tail) Poll(ctx context.Context) (Growth, error) {
	info, err := os.Stat(t.path)
	if err != nil {
		return Unchanged, naming(t.path, err)
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
		return Unchanged, naming(t.path, err)
	}
	if info.Size() > t.limit {
		return Unchanged, &SizeError{Name: t.path, Limit: t.limit}
	}
	data, err := readAll(ctx, t.path, io.LimitReader(f, info.Size()), info.Size(), t.limit)
	if err != nil {
		return Unchanged, err
	}
	if len(data) > 0 {
		if why := notGrowing(data); why != "" {
			return Unchanged, &NotGrowingError{t.path, why}
		}
	}
	found, before := Grown, t.whole
	switch {
	case t.info == nil:
	case len(data) < len(t.data):
		found, before = Truncated, 0
	case !os.SameFile(info, t.info) || !bytes.HasPrefix(data, t.data):
		found, before = Replaced, 0
	}
	whole := wholeLines(data, before)
	t.info, t.data, t.whole = info, data, whole
	if found == Grown && whole == before {
		return Unchanged, nil
	}
	return found, nil
}

// Text returns the whole lines of the file that were read so far. Later calls of
// Poll do not modify the slice; the caller must not modify it either.
func (t *Tail) Text() []byte { return t.data[:t.whole:t.whole] }

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
