package window

import (
	"strings"

	"cupelscope/model/plain"
)

// The content of an item is wrapped in pieces of some kilobytes, cut at the end
// of a line if possible. Only the pieces on the screen are wrapped, so a content
// of many megabytes scrolls as quickly as a short one.

// pieceBytes is the maximum length of a piece in bytes.
const pieceBytes = 8 << 10

// pieceEnd returns the end of the piece of a content that begins at from.
func pieceEnd(content string, from int) int {
	if len(content)-from <= pieceBytes {
		return len(content)
	}
	head := content[from : from+pieceBytes]
	for _, end := range [...]byte{'\n', ' '} {
		if k := strings.LastIndexByte(head, end); k >= 0 {
			return from + k + 1
		}
	}
	end := from + pieceBytes
	for k := 1; k < 4; k++ { // not inside a character
		if content[end]&0xC0 != 0x80 {
			break
		}
		end--
	}
	return end
}

// lineCache holds contents broken into lines, as far as they were shown.
type lineCache struct {
	width  int
	starts map[int][]int // by item: where its pieces begin; only items with several pieces
	lines  map[pieceKey][]string
}

type pieceKey struct{ item, piece int }

// heldPieces bounds how many pieces are kept: they take about 16 MiB.
const heldPieces = 2000

// reset clears the cache for a new width. It is also needed for items of another
// set.
func (w *lineCache) reset(width int) {
	*w = lineCache{width: width, starts: make(map[int][]int), lines: make(map[pieceKey][]string)}
}

var oneStart = []int{0}

// pieces returns where the pieces of an item's content begin.
func (w *lineCache) pieces(item int, content string) []int {
	if len(content) <= pieceBytes {
		return oneStart
	}
	if starts, ok := w.starts[item]; ok {
		return starts
	}
	var starts []int
	for at := 0; at < len(content); at = pieceEnd(content, at) {
		starts = append(starts, at)
	}
	w.starts[item] = starts
	return starts
}

// piece returns the lines of a piece of an item's content.
func (w *lineCache) piece(item int, content string, piece int) []string {
	key := pieceKey{item, piece}
	if lines, ok := w.lines[key]; ok {
		return lines
	}
	if len(w.lines) >= heldPieces {
		clear(w.lines)
	}
	starts := w.pieces(item, content)
	end := len(content)
	if piece+1 < len(starts) {
		end = starts[piece+1]
	}
	lines := plain.Wrap(content[starts[piece]:end], w.width, pieceBytes+1)
	w.lines[key] = lines
	return lines
}

// lineOf returns the piece, and the line in it, that show the byte before end,
// which must be greater than 0.
func (w *lineCache) lineOf(item int, content string, end int) (piece, line int) {
	starts := w.pieces(item, content)
	for piece+1 < len(starts) && starts[piece+1] < end {
		piece++
	}
	return piece, max(0, len(plain.Wrap(content[starts[piece]:end], w.width, pieceBytes+1))-1)
}
