package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
)

// run is the payload of a parcel that holds one of the runs of an element of an
// array.
type run struct {
	element []byte
	of      int // the number of runs of the element
	k       int // the number of this run, from 1
}

// feedArray sends the runs of a source that is an array of samples or result sets,
// element by element, so that the source need not fit into memory and is read only
// once. If it is not such an array, is is false, nothing was sent, and read holds
// the bytes that were read from in to find out.
func feedArray(source string, in *bufio.Reader, put flow.Put) (is bool, read []byte, err error) {
	var seen bytes.Buffer
	keep := &struct{ io.Writer }{&seen}
	number := 0
	for element, err := range elements(bufio.NewReaderSize(io.TeeReader(in, keep), readBytes)) {
		n := 0
		if err == nil {
			n = itemset.Runs(element)
		}
		if number == 0 && n == 0 {
			return false, seen.Bytes(), nil
		}
		keep.Writer, seen = io.Discard, bytes.Buffer{}
		if err != nil {
			return true, nil, fmt.Errorf("after %s: %w", plain.Count(number, "run"), err)
		}
		for k := range max(1, n) {
			number++
			err := put(func(p *flow.Parcel) (int64, error) {
				p.Source, p.Number, p.Payload = source, number, run{element, n, k + 1}
				return int64(len(element) / max(1, n)), nil
			})
			if err != nil {
				return true, nil, err
			}
		}
	}
	return number > 0, seen.Bytes(), nil
}

// elements yields the elements of an array without parsing them, so it also splits
// JSON that contains NaN. It yields nothing if the input is not an array.
func elements(in *bufio.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var element []byte
		depth, quoted, escaped := 0, false, false
		for {
			c, err := in.ReadByte()
			switch {
			case errors.Is(err, io.EOF) && depth == 0:
				return
			case errors.Is(err, io.EOF):
				yield(nil, errors.New("the array ends early"))
				return
			case err != nil:
				yield(nil, err)
				return
			case depth == 0 && c != '[' && !blank(c):
				return
			}
			between := depth == 1 && !quoted && (c == ',' || c == ']')
			switch {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '[' || c == '{':
				depth++
			case c == ']' || c == '}':
				depth--
			}
			switch {
			case between:
				if whole := bytes.TrimSpace(element); len(whole) > 0 && !yield(whole, nil) {
					return
				}
				element = nil // the receiver keeps it
			case depth > 1 || depth == 1 && c != '[' || len(element) > 0:
				if len(element) == flow.MaxLine {
					yield(nil, fmt.Errorf("an element is longer than %v bytes", plain.Thousands(flow.MaxLine)))
					return
				}
				element = append(element, c)
			}
			if between && c == ']' {
				return
			}
		}
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
