package jsonwalk

import (
	"math"
	"sort"
)

// longValue is the least size in bytes of a value whose end Ends keeps. A shorter value is
// scanned again as fast as its end is found.
const longValue = 32

// Ends holds where the long values of a text end, at any depth, as the check of the text found
// them: no walk needs to scan them a second time. It knows the values in every slice of that
// text, and none of another text. A nil *Ends knows no value. Ends is not safe for concurrent
// use.
type Ends struct {
	text   []byte
	long   []extent // in the order in which they begin
	next   int      // index in long after the last answer
	opened []int    // indexes in long of the open objects and arrays; -1: not in long
	most   int      // largest length of long
}

type extent struct{ from, to uint32 }

// ValidEnds is like Valid and sets ends to the ends of the text. It leaves out the last values
// of a text that has very many: ends takes at most an eighth of the memory of the text and half
// a megabyte.
func ValidEnds(text []byte, ends *Ends) bool {
	*ends = Ends{text: text, long: ends.long[:0], opened: ends.opened[:0], most: 1<<16 + len(text)/64}
	if len(text) > math.MaxUint32 {
		ends.most = 0
	}
	if valid(text, ends) {
		return true
	}
	ends.text = nil
	return false
}

// add notes a value that is no object or array.
func (e *Ends) add(from, to int) {
	if to-from >= longValue && len(e.long) < e.most {
		e.long = append(e.long, extent{uint32(from), uint32(to)})
	}
}

// open notes where an object or array begins.
func (e *Ends) open(from int) {
	place := -1
	if len(e.long) < e.most {
		place = len(e.long)
		e.long = append(e.long, extent{from: uint32(from)})
	}
	e.opened = append(e.opened, place)
}

// close notes where the object or array ends that was opened last.
func (e *Ends) close(to int) {
	last := len(e.opened) - 1
	place := e.opened[last]
	e.opened = e.opened[:last]
	if place < 0 {
		return
	}
	e.long[place].to = uint32(to)
	if to-int(e.long[place].from) < longValue {
		e.long = e.long[:place] // nothing within it is longer
	}
}

// skip returns the end of the value that begins at i.
func (e *Ends) skip(b []byte, i int) int {
	if e != nil && len(b)-i >= longValue && (b[i] == '"' || b[i] == '{' || b[i] == '[') {
		from := cap(e.text) - cap(b) + i
		if from >= 0 && from < len(e.text) && &e.text[from] == &b[i] { // else b is of another text
			if end := i + e.size(from); end > i && end <= len(b) {
				return end
			}
		}
	}
	end, _ := measure(b, i)
	return end
}

// size returns the size of the long value that begins at from in the text, and 0 if it is not
// known.
func (e *Ends) size(from int) int {
	// Values are mostly asked for in order, some of them left out.
	const near = 8
	k := e.next
	for range near {
		if k == len(e.long) || int(e.long[k].from) >= from {
			break
		}
		k++
	}
	if k == 0 || int(e.long[k-1].from) >= from || k < len(e.long) && int(e.long[k].from) < from {
		k = sort.Search(len(e.long), func(k int) bool { return int(e.long[k].from) >= from })
	}
	e.next = k
	if k == len(e.long) || int(e.long[k].from) != from {
		return 0
	}
	e.next++
	return int(e.long[k].to) - from
}
