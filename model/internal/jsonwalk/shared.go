package jsonwalk

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strconv"
	"sync/atomic"
)

// The records of a file have the same few keys and often small numbers. What is met again
// and again shares its memory, which would be several times that of its source.

// longKey is the length of the longest key that is remembered, with its quotes.
const longKey = 34

// keys are some of the keys that were met last, each in the place of its hash.
var (
	keys [1 << 10]atomic.Pointer[string]
	seed = maphash.MakeSeed()
)

// known returns the text of a key, like String.
func known(raw []byte) string {
	if len(raw) < 2 || len(raw) > longKey {
		key, _ := String(raw)
		return key
	}
	body, place := raw[1:len(raw)-1], &keys[maphash.Bytes(seed, raw)%uint64(len(keys))]
	if met := place.Load(); met != nil && *met == string(body) {
		return *met
	}
	key, _ := String(raw)
	if key == string(body) { // it has no escapes
		place.Store(&key)
	}
	return key
}

// small are the numbers from 0 to 999 as values.
var small = func() (all [1000]any) {
	for n := range all {
		all[n] = json.Number(strconv.Itoa(n))
	}
	return all
}()

// number returns a number as a value.
func number(raw []byte) any {
	n := 0
	for _, c := range raw {
		if c < '0' || c > '9' || len(raw) > 3 || len(raw) > 1 && raw[0] == '0' {
			return json.Number(raw)
		}
		n = 10*n + int(c-'0')
	}
	return small[n]
}

// room returns how many members a map for an object must have room for: one that grows
// takes twice the memory meanwhile. It is 0 for the few that any map has room for.
func room(object []byte) int {
	const any = 8
	if bytes.Count(object, []byte(",")) < any {
		return 0
	}
	n := 0
	for range Members(object) {
		n++
	}
	return n
}
