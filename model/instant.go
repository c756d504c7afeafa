package model

import (
	"slices"
	"time"
)

// instants returns an integer key for the timestamp of each item, or 0 for an
// item without one. The keys compare like the timestamps over the whole range
// of time.Time.
//
// For the years 1678 to 2262 the key is the number of nanoseconds since 1970.
// If any timestamp lies beyond these years an int64 is too small, and the keys
// of all items are ranks instead. O(n), or O(n log n) for ranks.
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
