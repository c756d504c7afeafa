package itemset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"cupelscope/model"
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

func (e *SizeError) limit() model.Tokens { return model.Tokens(e.Limit) }

func (e *SizeError) Error() string {
	if e.Unpacked {
		return fmt.Sprintf("%s grows to more than %v bytes when it is unpacked, which is the most that is read of it: unpack it first", e.Name, e.limit())
	}
	if e.Folder {
		return fmt.Sprintf("%s holds more than %v bytes, which is the most that is read of one folder", e.Name, e.limit())
	}
	return fmt.Sprintf("%s is larger than %v bytes, which is the most that is read of one source", e.Name, plain.Thousands(e.Limit))
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
	data, err = readAll(ctx, name, opts.Stdin, 0, opts.maxBytes())
	if err != nil {
		return nil, "", err
	}
	return unpack(ctx, name, data, opts.maxBytes())
}

// piece is the largest number of bytes read at once, and pieceMost the largest size
// of a buffer for an input of unknown size.
const (
	piece     = 1 << 20
	pieceMost = 64 << 20
)

// readAll reads all of r, which may hold at most limit bytes. An input larger than
// size is kept in pieces until its end is known, so that it takes at most about
// twice its size in memory. With an error of r, readAll returns what was read before.
func readAll(ctx context.Context, name string, r io.Reader, size, limit int64) ([]byte, error) {
	tell := progressOf(ctx)
	buf := make([]byte, 0, cmp.Or(min(size, limit), 4096)+1)
	var full [][]byte
	before := int64(0) // in the pieces that are full
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			full, before = append(full, buf), before+int64(len(buf))
			buf = make([]byte, 0, max(1, min(before, pieceMost, limit+1-before)))
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+piece)])
		buf = buf[:len(buf)+n]
		done := before + int64(len(buf))
		tell(Progress{Bytes: done, Size: size})
		switch {
		case done > limit:
			return nil, &SizeError{Name: name, Limit: limit}
		case err == io.EOF:
			return inOne(full, buf), nil
		case err != nil:
			return inOne(full, buf), fmt.Errorf("reading %s: %w", name, err)
		}
	}
}

// inOne returns the pieces and the last one joined. It releases each piece after
// copying it.
func inOne(full [][]byte, last []byte) []byte {
	if len(full) == 0 {
		return last
	}
	n := len(last)
	for _, p := range full {
		n += len(p)
	}
	all := make([]byte, 0, n)
	for i, p := range full {
		all = append(all, p...)
		full[i] = nil
	}
	return append(all, last...)
}
