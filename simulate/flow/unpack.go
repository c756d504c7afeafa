package flow

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// gzipMagic is the beginning of every file compressed with gzip.
const gzipMagic = "\x1f\x8b\x08"

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
