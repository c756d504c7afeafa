package flow

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"cupelscope/model/plain"
)

// MaxLine bounds a line of the program's inputs, in bytes.
const MaxLine = 1 << 28

// maxSkipped bounds how far the end of a line that is too long is looked for, in bytes: a device
// may have none.
const maxSkipped = 1 << 30

// readBytes is the size of the buffer that lines are read with.
const readBytes = 1 << 18

// Lines reads the lines of an input that are not blank, each up to a bound. The rest of a line
// beyond the bound is read only when the next line is asked for.
type Lines struct {
	Number int // of the line that Next returned, from 1; blank lines count

	in   *bufio.Reader
	max  int
	size int64
	rest bool   // the line goes on in the input
	back []byte // what Next returns again
}

// NewLines returns the lines of r, cut after max bytes. size is the size of the input in bytes,
// or 0 if it is not known.
func NewLines(r io.Reader, max int, size int64) *Lines {
	return &Lines{in: bufio.NewReaderSize(r, readBytes), max: max, size: size}
}

// Next returns the next line, without its newline, in the memory of room if it has enough.
// tooLong says that line is only its beginning. The error is io.EOF after the last line, else it
// names the line.
func (l *Lines) Next(room []byte) (line []byte, tooLong bool, err error) {
	if l.back != nil {
		line, l.back = l.back, nil
		return line, false, nil
	}
	for {
		if err := l.skipRest(); err != nil {
			return room, false, err
		}
		l.Number++
		line, tooLong, err = l.read(room[:0])
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return line, false, l.naming(err)
		case tooLong || len(bytes.Trim(line, " \t\r")) > 0:
			return line, tooLong, nil
		case err != nil:
			return line, false, io.EOF
		}
		room = line
	}
}

// read appends the next line, which may be blank, to line. The error io.EOF comes with the last one.
func (l *Lines) read(line []byte) (_ []byte, tooLong bool, err error) {
	for {
		piece, err := l.in.ReadSlice('\n')
		if l.rest = errors.Is(err, bufio.ErrBufferFull); l.rest {
			err = nil
		} else if err == nil {
			piece = piece[:len(piece)-1]
		}
		room := l.max - len(line)
		tooLong := len(piece) > room
		piece = piece[:min(len(piece), room)]
		if len(piece) > cap(line)-len(line) { // append's own steps would copy a long line four times as often
			more := max(len(piece), cap(line))
			if l.rest && l.Number == 1 { // a document on one line
				more = max(more, int(min(l.size, int64(l.max))))
			}
			line = slices.Grow(line, min(more, room))
		}
		line = append(line, piece...)
		if tooLong || !l.rest {
			return line, tooLong, err
		}
	}
}

// skipRest reads over what a line that was too long has left.
func (l *Lines) skipRest() error {
	for skipped := 0; l.rest; {
		piece, err := l.in.ReadSlice('\n')
		if skipped += len(piece); skipped > maxSkipped {
			return fmt.Errorf("line %v goes on for more than %v bytes: what follows it is not read", plain.Thousands(l.Number), plain.Thousands(maxSkipped))
		}
		if l.rest = errors.Is(err, bufio.ErrBufferFull); !l.rest && err != nil && !errors.Is(err, io.EOF) {
			return l.naming(err)
		}
	}
	return nil
}

func (l *Lines) naming(err error) error {
	return fmt.Errorf("reading line %v: %w", plain.Thousands(l.Number), err)
}

// Back makes Next return the line that it returned last once more. line may not be too long.
func (l *Lines) Back(line []byte) { l.back = line }

// All returns a reader of line, which Next returned first, and of all that follows; lines keep
// their numbers.
func (l *Lines) All(line []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(bytes.Repeat([]byte("\n"), max(0, l.Number-1))), bytes.NewReader(line), bytes.NewReader([]byte("\n")), l.in)
}

// errUTF16 reports that the input is UTF-16.
var errUTF16 = errors.New("the input is UTF-16: convert it to UTF-8")

// skipMark reads over a byte order mark.
func (l *Lines) skipMark() error {
	head, _ := l.in.Peek(2) // a later read returns its error again
	switch {
	case bytes.Equal(head, []byte("\xff\xfe")), bytes.Equal(head, []byte("\xfe\xff")):
		return errUTF16
	case bytes.Equal(head, []byte("\xef\xbb")):
		if head, _ = l.in.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
			_, err := l.in.Discard(3)
			return err
		}
	}
	return nil
}

// Feed returns a Feeder of the lines, each with the source that it is from.
func (l *Lines) Feed(source string) Feeder {
	return func(put Put) error {
		if l.Number == 0 {
			if err := l.skipMark(); err != nil {
				return err
			}
		}
		for position := 1; ; position++ {
			err := put(func(p *Parcel) (_ int64, err error) {
				p.Line, p.TooLong, err = l.Next(p.Line)
				p.Source, p.Number, p.Position = source, l.Number, position
				return int64(len(p.Line)), err
			})
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
		}
	}
}
