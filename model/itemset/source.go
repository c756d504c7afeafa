package itemset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"cupelscope/model/plain"
)

// SizeError says that a source is larger than its limit.
type SizeError struct {
	Name   string // name of the source
	Limit  int64  // the most that is read, in bytes
	Folder bool   // the files of a folder are larger together
	// Unpacked says that the source is compressed and larger once it is unpacked.
	Unpacked bool
}

func (e *SizeError) Error() string {
	form := "%s is larger than %v bytes, which is the most that is read of one source"
	switch {
	case e.Unpacked:
		form = "%s grows to more than %v bytes when it is unpacked, which is the most that is read of it: unpack it first"
	case e.Folder:
		form = "%s holds more than %v bytes, which is the most that is read of one folder"
	}
	return fmt.Sprintf(form, e.Name, plain.Thousands(e.Limit))
}

// RecordError says which record cannot be used; see Options.Strict.
type RecordError struct {
	Name, Unit string // the source, and what Place counts: "line", "record" or the unit of the format
	Place      int    // number of the record, from 1; 0 if it is not known
	Reason     string // why it cannot be used
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s: %s %d: %s", e.Name, e.Unit, e.Place, e.Reason)
}

// readStdin reads all of opts.Stdin. It stops with a *SizeError at the limit of the
// options, so that it also ends for an endless input. note goes into the load report,
// unless it is "".
func readStdin(ctx context.Context, opts Options) (data []byte, note string, err error) {
	const name = "standard input"
	if opts.Stdin == nil {
		return nil, "", errors.New("there is no standard input to read")
	}
	if data, err = readAll(ctx, name, opts.Stdin, 0, opts.maxBytes()); err != nil {
		return nil, "", err
	}
	return unpack(ctx, name, data, opts.maxBytes())
}

// piece is the largest number of bytes read at once.
const piece = 1 << 20

// readAll reads all of r, which may hold at most limit bytes and has about size, 0 if that is
// not known. With an error of r, readAll returns what was read before.
func readAll(ctx context.Context, name string, r io.Reader, size, limit int64) (data []byte, err error) {
	w := &watched{Reader: r, ctx: ctx, tell: progressOf(ctx), name: name, size: size, limit: limit}
	if size > 0 {
		// Buffer.Grow would clear the memory, and touch all of it before the first piece is read.
		all := bytes.NewBuffer(make([]byte, 0, int(min(size, limit))+bytes.MinRead))
		_, err = all.ReadFrom(w)
		data = all.Bytes()
	} else {
		data, err = io.ReadAll(w)
	}
	if _, large := errors.AsType[*SizeError](err); err == nil || !large && ctx.Err() == nil {
		return data, err
	}
	return nil, err
}

// watched is a reader that reports the progress with a source. It fails when the context ends,
// and beyond the limit.
type watched struct {
	io.Reader
	ctx               context.Context
	tell              func(Progress)
	name              string
	size, limit, done int64
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(p[:min(len(p), piece)])
	if w.done += int64(n); w.done > w.size {
		w.size = 0 // size is of the last member alone if compressed data has several
	}
	w.tell(Progress{Bytes: w.done, Size: w.size})
	switch {
	case w.done > w.limit:
		err = &SizeError{Name: w.name, Limit: w.limit}
	case err != nil && err != io.EOF:
		err = fmt.Errorf("reading %s: %w", w.name, err)
	}
	return n, err
}
