package itemset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
)

// readFile reads a whole file as readPlain does, and unpacks it if it is compressed with
// gzip.
func readFile(ctx context.Context, name string, limit int64) (data []byte, at fileTime, err error) {
	if data, at, err = readPlain(ctx, name, limit); err == nil {
		data, at.note, err = unpack(ctx, name, data, limit)
	}
	return data, at, err
}

// readPlain reads a whole file, and returns when it was modified and whether it was
// written to meanwhile.
func readPlain(ctx context.Context, name string, limit int64) (data []byte, at fileTime, err error) {
	f, err := Open(name)
	if err != nil {
		return nil, at, err
	}
	return readOpened(ctx, f, name, limit)
}

// readWithin is readPlain for a file of a folder, which must be a regular one: its progress
// is counted in files.
func readWithin(ctx context.Context, name string, limit int64) ([]byte, fileTime, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, fileTime{}, naming(name, err)
	}
	return readOpened(quiet(ctx), f, name, limit)
}

// readOpened reads an opened file as readPlain does, and closes it.
func readOpened(ctx context.Context, f *os.File, name string, limit int64) (data []byte, at fileTime, err error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, at, fmt.Errorf("%s: %w", name, cause(err))
	}
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, at, &SizeError{Name: name, Limit: limit}
	}
	if data, err = readAll(ctx, name, f, info.Size(), limit); err != nil {
		return nil, at, err
	}
	if info.Mode().IsRegular() {
		at.modified = model.Some(info.ModTime().UTC())
		after, err := f.Stat()
		at.changed = err == nil && (after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime()))
	}
	return data, at, nil
}

// quiet returns a context without progress.
func quiet(ctx context.Context) context.Context { return WithProgress(ctx, func(Progress) {}) }

type fileTime struct {
	modified model.Option[time.Time]
	changed  bool   // the file changed while it was read
	note     string // note about unpacking it; "" if there is none
}

// Open opens a file that the user named, or the pipe that a shell makes for <(...). Anything
// else, as a named pipe, which may never be written to, is an error, without waiting for it.
func Open(name string) (*os.File, error) {
	var f *os.File
	info, err := os.Stat(name)
	switch {
	case err != nil:
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a folder, must be a file here", name)
	case info.Mode().IsRegular():
		f, err = openRegular(name)
	default:
		if err = checkSpecial(name, info.Mode()); err == nil {
			f, err = os.Open(name)
		}
	}
	return f, naming(name, err)
}

// naming returns an error that names the file, as a SpecialError does.
func naming(name string, err error) error {
	if _, special := errors.AsType[*SpecialError](err); err == nil || special {
		return err
	}
	return fmt.Errorf("%s: %w", name, cause(err))
}

// readFile reads a file with one of the functions above, noting if it changed.
func (b *builder) readFile(name string, limit int64, read func(context.Context, string, int64) ([]byte, fileTime, error)) ([]byte, model.Option[time.Time], error) {
	data, at, err := read(b.ctx, name, limit)
	if at.changed {
		b.out.Report.addFile(Changed, "files that changed during the reading", name)
	}
	if at.note != "" {
		b.out.Report.addFile(Damaged, at.note, name)
	}
	return data, at.modified, err
}

const (
	// maxInflation is the largest factor by which compressed data may grow: logs
	// shrink to a twentieth, data made to fill memory to a thousandth.
	maxInflation = 200
	// minInflated is the size in bytes to which it may grow in any case.
	minInflated = 16 << 20
)

// truncatedGzip is the note for a source whose compressed data ends early.
const truncatedGzip = "compressed data ends early: what could be unpacked is read"

// unpack returns the content of data compressed with gzip, as far as it can be
// unpacked, and other data as it is.
func unpack(ctx context.Context, name string, data []byte, limit int64) (text []byte, note string, err error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b\x08")) {
		return data, "", nil
	}
	limit = min(limit, max(minInflated, maxInflation*int64(len(data))))
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		text, err = readAll(ctx, name, r, 0, limit)
	}
	_, size := errors.AsType[*SizeError](err)
	switch {
	case size:
		return nil, "", &SizeError{Name: name, Limit: limit, Unpacked: true}
	case errors.Is(err, io.ErrUnexpectedEOF) && len(text) > 0:
		note = truncatedGzip
	case err != nil:
		return nil, "", &FormatError{Name: name, Reason: "compressed with gzip, and cannot be unpacked: " + err.Error(), Known: true}
	}
	const tarMark = 257 // where a tar archive says what it is
	if len(text) > tarMark+5 && string(text[tarMark:tarMark+5]) == "ustar" {
		return nil, "", &FormatError{Name: name, Reason: "it is a tar archive compressed with gzip: unpack it first, and open the folder", Known: true}
	}
	return text, note, nil
}

// MaxSmallBytes bounds a file that a person writes, as a policy or checks, so that
// a wrong path does not take long to read.
const MaxSmallBytes = 1 << 20

// ReadSmall reads such a file as ReadNamed does.
func ReadSmall(ctx context.Context, path string) ([]byte, error) {
	data, err := ReadNamed(ctx, path, MaxSmallBytes)
	if _, large := errors.AsType[*SizeError](err); large {
		err = fmt.Errorf("%s has more than %v bytes: a policy or checks may not", path, plain.Thousands(MaxSmallBytes))
	}
	return data, err
}

// ReadNamed reads a file that a flag names, or the pipe that a shell makes for <(...). A
// file of more than limit bytes is a *SizeError before it is read, a pipe at the limit. When
// ctx ends, ReadNamed returns at once; the goroutine that reads ends later by itself.
func ReadNamed(ctx context.Context, path string, limit int64) ([]byte, error) {
	return whileLasts(ctx, func() ([]byte, error) {
		data, _, err := readPlain(quiet(ctx), path, limit)
		if special, ok := errors.AsType[*SpecialError](err); ok {
			special.File = true
		}
		return data, err
	})
}

// whileLasts returns what f returns, or the error of ctx as soon as that ends; then f goes
// on in its goroutine until it ends by itself.
func whileLasts[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = relay.Catch(func() (err error) {
			r.value, err = f()
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		relay.Release(r.err)
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
