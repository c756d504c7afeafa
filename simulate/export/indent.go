package export

import (
	"io"
	"slices"
)

// maxIndented is the depth down to which JSON has a line for each member. Deeper
// values stand on one line: otherwise each line of a value nested a hundred deep
// would begin with two hundred blanks.
const maxIndented = 12

// indenter lays out compact JSON as json.Indent does with two blanks a level,
// down to maxIndented levels.
type indenter struct {
	to                io.Writer
	depth             int
	empty             bool // nothing has followed the bracket that was opened last
	inString, escaped bool // escaped: a backslash comes before
	out               []byte
}

// Write implements io.Writer. Values may be cut anywhere between two calls. What is long
// goes on in pieces, so that a writer that was cancelled ends it.
func (d *indenter) Write(p []byte) (int, error) {
	for piece := range slices.Chunk(p, writeBytes) {
		d.indent(piece)
		if _, err := d.to.Write(d.out); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// indent sets out to a piece with its lines and blanks.
func (d *indenter) indent(p []byte) {
	d.out = d.out[:0]
	for _, c := range p {
		if d.inString {
			d.out = append(d.out, c)
			d.inString = c != '"' || d.escaped
			d.escaped = c == '\\' && !d.escaped
			continue
		}
		closing := c == '}' || c == ']'
		if d.empty && !closing {
			d.line()
		}
		if closing {
			d.depth--
			if !d.empty && d.depth < maxIndented {
				d.newline()
			}
		}
		d.empty = false
		d.out = append(d.out, c)
		switch c {
		case '{', '[':
			d.depth++
			d.empty = true
		case ',':
			d.line()
		case ':':
			if d.depth <= maxIndented {
				d.out = append(d.out, ' ')
			}
		case '"':
			d.inString = true
		}
	}
}

// line begins the line of a member, if members have lines at this depth.
func (d *indenter) line() {
	if d.depth <= maxIndented {
		d.newline()
	}
}

func (d *indenter) newline() {
	d.out = append(d.out, '\n')
	for range d.depth {
		d.out = append(d.out, "  "...)
	}
}
