package flow

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
)

// gzipMagic is the beginning of every file compressed with gzip.
const gzipMagic = "\x1f\x8b\x08"

// Until returns a reader of the content of r that ends with the error of ctx once
// that is cancelled.
func Until(ctx context.Context, r io.Reader) io.Reader { return until{ctx, r} }

type until struct {
	ctx context.Context
	r   io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// Unpacked returns a reader of the content of r, which it decompresses if it begins
// with gzipMagic. It reads nothing from r until its first Read.
func Unpacked(r io.Reader) io.Reader { return &unpacker{packed: bufio.NewReader(r)} }

type unpacker struct {
	packed *bufio.Reader
	out    io.Reader // nil before the first Read
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.out == nil {
		u.out = u.packed
		if magic, _ := u.packed.Peek(len(gzipMagic)); string(magic) == gzipMagic { // a later read returns its error
			out, err := gzip.NewReader(u.packed)
			if err != nil {
				return 0, fmt.Errorf("unpacking: %w", err)
			}
			u.out = out
		}
	}
	return u.out.Read(p)
}
