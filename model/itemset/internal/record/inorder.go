package record

import (
	"iter"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/relay"
)

// blockBytes is how much text InOrder reads before it hands on what it has read: enough to
// occupy all processors, and little to hold twice.
const blockBytes = 1 << 21

// InOrder reads records on all processors and calls take for each in order, until that returns
// false. raw returns the text of a record. read is called for valid JSON only, beside itself; its
// ends are from the check of a text that contains the record. If valid is set, all of the records
// are known to be valid JSON, and known has the ends of their text or is nil; else each is checked.
func InOrder[V, R any](valid bool, known *jsonwalk.Ends, records iter.Seq[V], raw func(V) []byte, read func(record V, ends *jsonwalk.Ends) R, take func(record V, valid bool, as R) bool) {
	type result struct {
		valid bool
		as    R
	}
	var block []V
	var results []result
	size := 0
	flush := func() bool {
		results = slices.Grow(results[:0], len(block))[:len(block)]
		relay.Spread(len(block), func(i int) int { return len(raw(block[i])) }, func(from, to int) {
			var ends jsonwalk.Ends // it keeps where it was asked last
			if valid && known != nil {
				ends = *known
			}
			for i := from; i < to; i++ {
				results[i] = result{valid: valid || jsonwalk.ValidEnds(raw(block[i]), &ends)}
				if results[i].valid {
					results[i].as = read(block[i], &ends)
				}
			}
		})
		for i, record := range block {
			if !take(record, results[i].valid, results[i].as) {
				return false
			}
		}
		block, size = block[:0], 0
		return true
	}
	for record := range records {
		block, size = append(block, record), size+len(raw(record))
		if size >= blockBytes && !flush() {
			return
		}
	}
	flush()
}
