package command

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
)

// gzipMagic is how a file begins that was compressed with gzip.
const gzipMagic = "\x1f\x8b\x08"

// unpacked gives what r holds, unpacked if that begins as gzip does. Nothing is
// read of r before it is read.
func unpacked(r io.Reader) io.Reader { return &unpacker{packed: bufio.NewReader(r)} }

type unpacker struct {
	packed *bufio.Reader
	out    io.Reader // nil: not begun
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.out == nil {
		u.out = u.packed
		if magic, _ := u.packed.Peek(len(gzipMagic)); string(magic) == gzipMagic { // what is wrong, the read says
			out, err := gzip.NewReader(u.packed)
			if err != nil {
				return 0, fmt.Errorf("unpacking: %w", err)
			}
			u.out = out
		}
	}
	return u.out.Read(p)
}
