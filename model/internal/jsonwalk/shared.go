package jsonwalk

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"strconv"
	"sync/atomic"
)

// The records of a file have the same few keys, and often small numbers. Equal keys and equal
// small numbers share their memory, which would otherwise be several times the memory of the
// source.

// longKey is the length of the longest key that is remembered.
const longKey = 32

// keys are some of the keys that were met last, each in the place of its hash.
var keys [1 << 10]atomic.Pointer[string]

// keyAt returns the text of the key that begins at i, like String, and where it ends.
func keyAt(b []byte, i int) (key string, end int) {
	const mixing = 0x9FB21C651E98DF25 // makes the highest bits depend on all others, and gives common keys places of their own
	hash, found := uint64(0), uint64(0)
	for end = i + 1; found == 0; {
		w := word(b, end)
		size := 8
		// found has a bit for each byte that is a quote or a backslash. Only its lowest bit is
		// certain, as in shortEnd.
		if found = ((w ^ '"'*ones - ones) | (w ^ '\\'*ones - ones)) &^ w & highs; found != 0 {
			size = bits.TrailingZeros64(found) / 8
			w &= 1<<(8*size) - 1
		}
		hash = (bits.RotateLeft64(hash, 5) ^ w) * mixing
		if end += size; end-i-1 > longKey || end >= len(b) || b[end] == '\\' {
			end = skipString(b, i)
			key, _ = String(b[i:end])
			return key, end
		}
	}
	body, end := b[i+1:end], end+1
	place := &keys[hash>>(64-10)]
	if met := place.Load(); met != nil && *met == string(body) {
		return *met, end
	}
	text, _ := String(b[i:end])
	if text == string(body) { // it is valid UTF-8
		place.Store(&text)
	}
	return text, end
}

// word returns the eight bytes at i, zeros for those behind the end.
func word(b []byte, i int) (w uint64) {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	for k := i; k < len(b); k++ {
		w |= uint64(b[k]) << (8 * (k - i))
	}
	return w
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
