package slicer

import "context"

// This file enforces caps on an odometer. A record holds the item that enters,
// and its parents hold all selected items before it. So whether a cap takes the
// item out is decided once for each record, by the number of items of its kind
// among its parents. Items without tokens come before all others and are in from
// target 1 on, so they are counted first.

// cappedOdometer is the profile of an odometer with all above the caps taken out: O(K), and
// what newTabulated takes. It is nil for an odometer whose items without tokens come and go, or
// come after others.
func cappedOdometer(ctx context.Context, o *odometer, caps *caps) (Profile, error) {
	if o.free.gates != nil {
		return nil, nil
	}
	places, free, ok := caps.freePlaces(o.free.at)
	if !ok {
		return nil, nil
	}
	room := make([]int, len(caps.kinds)) // for items with tokens
	for k, kind := range caps.kinds {
		room[k] = kind.room - free[k]
	}
	var all []toggle
	for k, i := range o.free.at {
		if kind := caps.of[i]; o.upTo > 0 && (kind == 0 || int(places[k]) < caps.kinds[kind-1].room) {
			all = append(all, toggle{i, 1})
		}
	}
	return newTabulated(ctx, o.in, o.upTo, o.replay(caps, room, all))
}

// replay goes through the records as they came about, with the selected items of each on a stack
// and the number of each kind on it. It adds what enters and leaves below the caps to all.
func (o *odometer) replay(caps *caps, room []int, all []toggle) []toggle {
	taken := make([]int, len(room))
	kindOf := func(record int32) int32 { return caps.of[o.front.at[o.records[record].rank]] }
	var stack []int32
	for k, r := range o.records {
		for len(stack) > 0 && stack[len(stack)-1] != r.parent {
			if kind := kindOf(stack[len(stack)-1]); kind > 0 {
				taken[kind-1]--
			}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, int32(k))
		kind := kindOf(int32(k))
		if kind == 0 || taken[kind-1] < room[kind-1] {
			all = addBands(all, o.front.at[r.rank], []Band{{r.from, r.end - 1}}, 0, o.upTo)
		}
		if kind > 0 {
			taken[kind-1]++
		}
	}
	return all
}
