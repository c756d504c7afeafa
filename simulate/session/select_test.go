package session

import (
	"io"
	"testing"

	"cupelscope/simulate/internal/flow"
)

// endless is a file of one line without an end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.read += int64(len(p)); e.read > 2*flow.MaxLine {
		return 0, io.ErrUnexpectedEOF
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A file that is larger than what is read of a source is refused by its size: to look whether
// it has a scenario a line does not read it first.
func TestALargeFileOfOneLineIsNotReadForItsLines(t *testing.T) {
	var file endless
	if severalLines(t.Context(), &file) || file.read > flow.MaxLine+1<<20 {
		t.Errorf("%d bytes were read", file.read)
	}
}
