package slicer

import (
	"context"
	"math/bits"
	"slices"
)

// This file enforces caps on any other profile. At each change it takes the
// selection, enforces the caps and compares the result with the one before. A
// change costs some passes over the words of a selection, what it changes, and
// the items above the caps.

// sweep makes the profile without the items above the caps. Errors: see tabulate.
func sweep(ctx context.Context, inner Profile, caps *caps, limit int) (Profile, error) {
	caps.order()
	walk, selects := newCapWalk(caps), inner.At
	if p, ok := inner.(*tabulated); ok {
		selects = p.ascending()
	}
	return tabulate(ctx, caps.in, inner.UpTo(), slices.Values(inner.Changes()), limit, func(t Target, dst Selection) (Selection, error) {
		dst = selects(t, dst)
		walk.enforce(dst)
		return dst, nil
	})
}

// capWalk enforces caps on one selection after the other.
type capWalk struct {
	*caps
	walks  [][]int32   // by capped kind: its candidates as caps meet them
	places []Selection // by capped kind: where in its walk what was selected last stands
	last   Selection
}

func newCapWalk(c *caps) *capWalk {
	_, walks := c.c.order()
	w := &capWalk{caps: c, walks: walks, last: NewSelection(nil, len(c.of))}
	for _, walk := range walks {
		w.places = append(w.places, NewSelection(nil, len(walk)))
	}
	return w
}

// enforce is counts.enforce, in the time of what has changed since the last selection and a pass
// over the words of this one.
func (w *capWalk) enforce(sel Selection) {
	for at, word := range sel {
		for diff := word ^ w.last[at]; diff != 0; diff &= diff - 1 {
			i := 64*at + bits.TrailingZeros64(diff)
			if k := w.of[i]; k > 0 {
				w.places[k-1].flip(int(w.place[i]))
			}
		}
	}
	copy(w.last, sel)
	for k, places := range w.places {
		room := w.kinds[k].room
		for at, word := range places {
			if n := bits.OnesCount64(word); n <= room {
				room -= n
				continue
			}
			for ; word != 0; word &= word - 1 {
				if room > 0 {
					room--
				} else {
					sel.Remove(int(w.walks[k][64*at+bits.TrailingZeros64(word)]))
				}
			}
		}
	}
}
