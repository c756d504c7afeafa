package slicer

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// This file enforces caps on any other profile. At each change it takes the
// selection, enforces the caps and compares the result with the one before. A
// change costs a pass over the words of a selection and the items in it.

// sweep makes the profile without the items above the caps. Errors: see tabulate.
func sweep(ctx context.Context, inner Profile, caps *caps, limit int) (Profile, error) {
	caps.order()
	walk := newCapWalk(caps)
	return tabulate(ctx, caps.in, inner.UpTo(), slices.Values(inner.Changes()), limit, func(t Target, dst Selection) (Selection, error) {
		dst = inner.At(t, dst)
		walk.enforce(dst)
		return dst, nil
	})
}

// capWalk enforces caps on one selection after the other.
type capWalk struct {
	*caps
	selected [][]int32 // by capped kind
}

func newCapWalk(c *caps) *capWalk {
	return &capWalk{c, make([][]int32, len(c.kinds))}
}

// enforce is counts.enforce for a selection that holds few of the candidates.
func (w *capWalk) enforce(sel Selection) {
	for k := range w.selected {
		w.selected[k] = w.selected[k][:0]
	}
	for at, word := range sel {
		for ; word != 0; word &= word - 1 {
			i := int32(64*at + bits.TrailingZeros64(word))
			if k := w.of[i]; k > 0 {
				w.selected[k-1] = append(w.selected[k-1], i)
			}
		}
	}
	for k, items := range w.selected {
		room := w.kinds[k].room
		if len(items) <= room {
			continue
		}
		slices.SortFunc(items, func(a, b int32) int { return cmp.Compare(w.place[a], w.place[b]) })
		for _, i := range items[room:] {
			sel.Remove(int(i))
		}
	}
}
