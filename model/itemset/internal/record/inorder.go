package record

import (
	"iter"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/relay"
)

// blockBytes is how much text InOrder reads before it hands on what it has read: enough to
// occupy all processors, and little to hold twice. A record counts as recordBytes more than its
// text, for what is made of it.
const blockBytes, recordBytes = 1 << 21, 1 << 9

// InOrder reads records on all processors and calls take for each in order, until that returns
// false. read is called for valid JSON only, beside itself; its ends are from the check of a text
// that contains the record, number n from 0 on. If valid is set, all of the records are known to be
// valid JSON, and known has the ends of their text or is nil; else each is checked.
func InOrder(valid bool, known *jsonwalk.Ends, records iter.Seq2[Place, []byte], read func(n int, raw []byte, ends *jsonwalk.Ends) any, take func(at Place, raw []byte, valid bool, as any) bool) {
	type one struct {
		at    Place
		raw   []byte
		valid bool
		as    any
	}
	var block []one
	size, before := 0, 0 // before: records of the blocks before
	flush := func() bool {
		relay.Spread(len(block), func(i int) int { return len(block[i].raw) }, func(from, to int) {
			var ends jsonwalk.Ends // it keeps where it was asked last
			if valid && known != nil {
				ends = *known
			}
			for i := from; i < to; i++ {
				r := &block[i]
				if r.valid = valid || jsonwalk.ValidEnds(r.raw, &ends); r.valid {
					r.as = read(before+i, r.raw, &ends)
				}
			}
		})
		for _, r := range block {
			if !take(r.at, r.raw, r.valid, r.as) {
				return false
			}
		}
		block, size, before = block[:0], 0, before+len(block)
		return true
	}
	for at, raw := range records {
		block, size = append(block, one{at: at, raw: raw}), size+len(raw)+recordBytes
		if size >= blockBytes && !flush() {
			return
		}
	}
	flush()
}
