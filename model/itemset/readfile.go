package itemset

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
)

// readFile reads the whole file that open opens. If it is a regular one, readFile returns when
// it was modified, and whether it was written to meanwhile.
func readFile(ctx context.Context, open func(name string) (*os.File, error), name string, limit int64) (data []byte, modified model.Option[time.Time], changed bool, err error) {
	f, err := open(name)
	if err != nil {
		return nil, modified, false, naming(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errFolder
	}
	if err != nil {
		return nil, modified, false, naming(name, err)
	}
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, modified, false, &SizeError{Name: name, Limit: limit}
	}
	if data, err = readAll(ctx, name, f, info.Size(), limit); err != nil {
		return nil, modified, false, err
	}
	if info.Mode().IsRegular() {
		modified = model.Some(info.ModTime().UTC())
		after, err := f.Stat()
		changed = err == nil && (after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime()))
	}
	return data, modified, changed, nil
}

// quiet returns a context without progress, because the progress of a folder is counted in
// files.
func quiet(ctx context.Context) context.Context { return WithProgress(ctx, func(Progress) {}) }

// Open opens a file that the user named, or the pipe that a shell makes for <(...). Anything
// else, such as a named pipe, which may never be written to, is an error at once.
func Open(name string) (*os.File, error) {
	f, err := openNamed(name)
	return f, naming(name, err)
}

// openNamed is Open with an error that does not name the file.
func openNamed(name string) (*os.File, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errFolder
	case info.Mode().IsRegular():
		return openRegular(name)
	}
	if err := checkSpecial(name, info.Mode()); err != nil {
		return nil, err
	}
	return os.Open(name)
}

var errFolder = errors.New("is a folder, must be a file here")

// naming returns an error that names the file, as a SpecialError does.
func naming(name string, err error) error {
	if _, special := errors.AsType[*SpecialError](err); err == nil || special {
		return err
	}
	return fmt.Errorf("%s: %w", name, cause(err))
}

// readFile is the function readFile, and reports a file that changed while it was read.
func (b *builder) readFile(ctx context.Context, open func(name string) (*os.File, error), name string, limit int64) ([]byte, model.Option[time.Time], error) {
	data, modified, changed, err := readFile(ctx, open, name, limit)
	if changed {
		b.out.Report.addFile(Changed, "files that changed during the reading", name)
	}
	return data, modified, err
}

const (
	// maxInflation is the largest factor by which compressed data may grow: data made to fill
	// memory shrinks to a thousandth.
	maxInflation = 200
	// maxReserved is the largest factor for which memory is reserved beforehand: logs shrink to
	// a twentieth.
	maxReserved = 20
	// minInflated is the size in bytes to which it may grow in any case.
	minInflated = 16 << 20
)

// damagedGzip is the note for a source of which the compressed data is not whole.
const damagedGzip = "compressed data ends early or is damaged: what could be unpacked is read"

// unpack returns the content of data compressed with gzip, as far as it can be
// unpacked, and other data as it is.
func unpack(ctx context.Context, name string, data []byte, limit int64) (text []byte, note string, err error) {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b\x08")) {
		return data, "", nil
	}
	limit = min(limit, max(minInflated, maxInflation*int64(len(data))))
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		size := int64(binary.LittleEndian.Uint32(data[len(data)-4:])) // as the last member says, unless it is cut short
		if size > max(minInflated, maxReserved*int64(len(data))) {
			size = 0
		}
		text, err = readAll(ctx, name, r, size, limit)
	}
	_, size := errors.AsType[*SizeError](err)
	switch {
	case size:
		return nil, "", &SizeError{Name: name, Limit: limit, Unpacked: true}
	case err != nil && len(text) > 0 && ctx.Err() == nil:
		note = damagedGzip
	case err != nil:
		why := err.Error()
		if _, corrupt := errors.AsType[flate.CorruptInputError](err); corrupt || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
			why = "it is damaged"
		} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			why = "it ends early"
		}
		return nil, "", &FormatError{Name: name, Reason: "compressed with gzip, and cannot be unpacked: " + why, Known: true}
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
		data, _, _, err := readFile(quiet(ctx), openNamed, path, limit)
		if special, ok := errors.AsType[*SpecialError](err); ok {
			special.File = true
		}
		return data, err
	})
}

// whileLasts returns what f returns, or the error of ctx as soon as ctx ends. Then f goes on in
// its goroutine until it ends by itself.
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
