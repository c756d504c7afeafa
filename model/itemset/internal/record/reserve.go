package record

import "slices"

// Append appends what was found at an offset in a source of the given size, both in
// bytes, as number n of the source, from 0. If all is full, Append reserves memory for what
// the rest of the source holds at the same density, because doubling the capacity again
// and again takes several times the size of the list; at most seven times n, or 63 times
// once n is large enough to trust.
func Append[T any](all []T, one T, n, offset, source int) []T {
	if len(all) == cap(all) && n > 0 && offset > 0 {
		const many = 4096
		most := 7 * n
		if n >= many {
			most = 63 * n
		}
		left := float64(n) * float64(source-offset) / float64(offset)
		all = slices.Grow(all, max(1, min(int(1.02*left), most)))
	}
	return append(all, one)
}
