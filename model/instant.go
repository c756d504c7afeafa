package model

import (
	"slices"
	"time"
)

// instants gives the timestamps of items integer keys that compare as they do,
// over the whole range of time.Time; 0 for an item without one.
//
// Nanoseconds since 1970 are such a key for the years 1678 to 2262. Where an
// instant lies beyond them an int64 is too small, and the keys of all are their
// ranks instead. O(n), or O(n log n) for ranks.
func instants(items []Item) []uint64 {
	const (
		signBit = 1 << 63
		// lastSecond is the last whole second before or after 1970 all of
		// whose nanoseconds fit an int64. The key 0 is beyond it.
		lastSecond = 1<<63/1_000_000_000 - 1
	)
	keys := make([]uint64, len(items))
	for i := range items {
		t := &items[i].Timestamp
		if !t.Set {
			continue
		}
		second := t.Value.Unix()
		if second < -lastSecond || second > lastSecond {
			return instantRanks(items)
		}
		keys[i] = uint64(second*1_000_000_000+int64(t.Value.Nanosecond())) ^ signBit
	}
	return keys
}

func instantRanks(items []Item) []uint64 {
	keys := make([]uint64, len(items))
	var dated []int32
	for i := range items {
		if items[i].Timestamp.Set {
			dated = append(dated, int32(i))
		}
	}
	at := func(i int32) time.Time { return items[i].Timestamp.Value }
	slices.SortFunc(dated, func(i, j int32) int { return at(i).Compare(at(j)) })
	key := uint64(0)
	for k, i := range dated {
		if k == 0 || !at(i).Equal(at(dated[k-1])) {
			key++
		}
		keys[i] = key
	}
	return keys
}
