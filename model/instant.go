package model

import (
	"slices"
	"time"
)

// instantOf returns an integer key for a timestamp, or 0 where there is none: the number of
// nanoseconds since 1970. Keys compare like the timestamps. fits is false for a timestamp
// outside the years 1678 to 2262, for which an int64 is too small.
func instantOf(t Option[time.Time]) (key uint64, fits bool) {
	const (
		signBit = 1 << 63
		// lastSecond is the last whole second before or after 1970 all of
		// whose nanoseconds fit an int64. The key 0 is beyond it.
		lastSecond = 1<<63/1_000_000_000 - 1
	)
	if !t.Set {
		return 0, true
	}
	second := t.Value.Unix()
	return uint64(second*1_000_000_000+int64(t.Value.Nanosecond())) ^ signBit, -lastSecond <= second && second <= lastSecond
}

// instantRanks returns a key for the timestamp of each item, as instantOf does, over the whole
// range of time.Time: its rank among all.
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
