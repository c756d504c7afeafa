package plain

import (
	"bytes"
	"strings"
)

// Wrap returns s cleaned and broken into lines of at most width cells, and at most maxLines of
// these. A line breaks after a space if it has one, else between characters. It breaks between
// a number and its % or tokens, and before a number that ends s, only if it has no other space.
// Spaces at a break are dropped; spaces that indent a line are kept. An empty line of s stays
// an empty line, and a newline at the end of s does not begin another line. A character wider
// than width becomes a dot. A width or maxLines below 1 gives nil.
//
// To learn whether there is more, ask for one line more than you can show.
func Wrap(s string, width, maxLines int) []string {
	if width < 1 || maxLines < 1 {
		return nil
	}
	s, _ = head(s, width, maxLines)
	w := wrapper{width: width, limit: maxLines}
	sc := scanner{s: s, single: true}
	for sc.next() && len(w.lines) < maxLines {
		switch {
		case sc.cluster == "\n":
			w.flush(len(w.line))
		case sc.cluster == "\t":
			for n := tabStop - w.column%tabStop; n > 0; n-- {
				w.add(" ", 1)
			}
		case sc.width > width:
			w.add("·", 1)
		case sc.cluster == " " && w.breakAt > 0 && ofNumber(w.line, sc.s):
			if w.column < w.width {
				w.line, w.column = append(w.line, ' '), w.column+1
				continue
			}
			w.flush(w.breakAt)
			w.add(" ", 1)
		default:
			w.add(sc.cluster, sc.width)
		}
	}
	if len(w.line) > 0 && len(w.lines) < maxLines {
		w.flush(len(w.line))
	}
	return w.lines
}

// ofNumber reports whether a line ends with a number and the rest begins with its unit, or the
// rest is a number.
func ofNumber(line []byte, rest string) bool {
	end := len(line) - 1
	if end >= 0 && line[end] != ' ' && rest != "" && strings.Trim(rest, "0123456789.,") == "" {
		return true
	}
	return end >= 0 && '0' <= line[end] && line[end] <= '9' && (strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, "tokens"))
}

// wrapper collects one line after the other.
type wrapper struct {
	width, limit int
	lines        []string
	line         []byte
	column       int // cells in line
	// breakAt is the length of line up to and with its last space that has
	// something before it; 0: there is none. breakColumn is its width.
	breakAt, breakColumn int
	text                 bool // line has a character other than a space
}

func (w *wrapper) add(cluster string, cells int) {
	if w.column+cells > w.width {
		switch {
		case cluster == " ":
			// The break is here: this space, and those that follow, vanish.
			if w.text {
				w.flush(len(w.line))
				w.breakAt = -1
				return
			}
			w.flush(len(w.line))
		case w.breakAt > 0:
			w.flush(w.breakAt)
		default:
			w.flush(len(w.line))
		}
	}
	if w.breakAt < 0 { // right after a break at a space
		if cluster == " " {
			return
		}
		w.breakAt = 0
	}
	w.line = append(w.line, cluster...)
	w.column += cells
	if cluster != " " {
		w.text = true
	} else if w.text {
		w.breakAt, w.breakColumn = len(w.line), w.column
	}
}

// flush ends the line after n bytes and begins the next with the rest.
func (w *wrapper) flush(n int) {
	if len(w.lines) < w.limit {
		end := n
		if w.text {
			for end > 0 && w.line[end-1] == ' ' {
				end--
			}
		}
		w.lines = append(w.lines, string(w.line[:end]))
	}
	rest := len(w.line) - n
	copy(w.line, w.line[n:])
	w.line = w.line[:rest]
	if rest > 0 {
		w.column -= w.breakColumn
	} else {
		w.column = 0
	}
	w.text = rest > 0
	w.breakAt, w.breakColumn = 0, 0
	if at := bytes.LastIndexByte(w.line, ' '); at > 0 { // behind a number
		w.breakAt, w.breakColumn = at+1, Width(string(w.line[:at+1]))
	}
}
