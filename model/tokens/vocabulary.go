package tokens

import (
	_ "embed"
	"encoding/binary"
	"math/bits"
)

// The ranks of an encoding, as merges. Every token is one byte or is merged from two tokens
// of lower ranks, and a text that is a token becomes just that (TestRanks holds both).
// So a list has the 256 bytes by rank, then for each further rank the ranks of the
// two tokens, as varints. `go test ./model/tokens -run Ranks -update` makes the lists from
// OpenAI's, which are in github.com/pkoukk/tiktoken-go-loader.
var (
	//go:embed ranks/o200k_base
	ranksO200k string
	//go:embed ranks/cl100k_base
	ranksCL100k string
	// p50k_base has the tokens of r50k_base, and after them some more.
	//go:embed ranks/p50k_base
	ranksP50k string
)

// vocabulary is the tokens of an encoding. A rank is the place of a token in the
// encoding's list: the lower, the earlier two parts are merged into it.
//
// Its hash tables have linear probing, no deletion and are about half full at most, so that a
// miss ends soon. Keys are integers: those of tokens hold all of their bytes.
type vocabulary struct {
	bytes  [256]int32     // rank of a byte
	pairs  [1 << 16]int32 // rank of two bytes, the first times 256; noRank
	merges []uint64       // of two tokens, not both of one byte, and the rank of their merge; 0: empty
	short  []uint64       // the tokens of at most maxShort bytes
	middle [][2]uint64    // those of at most maxMiddle bytes
	long   map[string]struct{}
	text   string   // all tokens by rank
	ends   []uint32 // where each ends in text
}

const (
	// noRank is the rank of text that is not a token, larger than all ranks.
	noRank = 1<<31 - 1
	// tokensR50k is the number of tokens of r50k_base.
	tokensR50k = 50_256
	// rankBits are the bits that every rank has room in.
	rankBits = 18
	// maxShort and maxMiddle are the bytes of a token that fit one and two integers
	// beside the length.
	maxShort, maxMiddle = 7, 15
)

// unpack returns the first tokens of a list: all for 0. It takes some 10 ms.
func unpack(list string, tokens int) *vocabulary {
	data := []byte(list)
	if tokens == 0 {
		tokens = len(data) // more than there are
	}
	v := &vocabulary{long: map[string]struct{}{}}
	for i := range v.pairs {
		v.pairs[i] = noRank
	}
	text := make([]byte, 0, 2*len(data))
	v.ends = make([]uint32, 0, len(data)/4)
	for rank, b := range data[:256] {
		v.bytes[b] = int32(rank)
		text = append(text, b)
		v.ends = append(v.ends, uint32(rank+1))
	}
	size := 1 << bits.Len(uint(len(data)/2)) // a merge has four bytes or so
	v.merges, v.short, v.middle = make([]uint64, size), make([]uint64, size/2), make([][2]uint64, size/4)
	for at := 256; at < len(data) && len(v.ends) < tokens; {
		left, n := binary.Uvarint(data[at:])
		right, m := binary.Uvarint(data[at+n:])
		at += n + m
		start, rank := len(text), len(v.ends)
		text = append(text, text[v.start(left):v.ends[left]]...)
		text = append(text, text[v.start(right):v.ends[right]]...)
		v.ends = append(v.ends, uint32(len(text)))
		if len(text)-start == 2 {
			v.pairs[int(text[start])<<8|int(text[start+1])] = int32(rank)
			continue
		}
		v.addMerge(left<<rankBits|right, uint64(rank))
	}
	v.text = string(text)
	for rank := range v.ends {
		v.addToken(v.token(rank))
	}
	return v
}

// start returns where the token of a rank begins in text.
func (v *vocabulary) start(rank uint64) uint32 {
	if rank == 0 {
		return 0
	}
	return v.ends[rank-1]
}

func (v *vocabulary) token(rank int) string { return v.text[v.start(uint64(rank)):v.ends[rank]] }

func (v *vocabulary) addMerge(pair, rank uint64) {
	i := slot(pair, len(v.merges))
	for v.merges[i] != 0 {
		i = (i + 1) & (len(v.merges) - 1)
	}
	v.merges[i] = pair<<rankBits | rank
}

// merge returns the rank of two tokens together, or noRank if they are no token or each has
// one byte.
func (v *vocabulary) merge(left, right int32) int32 {
	pair := uint64(left)<<rankBits | uint64(right)
	for i := slot(pair, len(v.merges)); v.merges[i] != 0; i = (i + 1) & (len(v.merges) - 1) {
		if v.merges[i]>>rankBits == pair {
			return int32(v.merges[i] & (1<<rankBits - 1))
		}
	}
	return noRank
}

func (v *vocabulary) addToken(token string) {
	switch key := keyOf(token, 0, len(token)); {
	case len(token) <= maxShort:
		i := slot(key[0], len(v.short))
		for v.short[i] != 0 {
			i = (i + 1) & (len(v.short) - 1)
		}
		v.short[i] = key[0]
	case len(token) <= maxMiddle:
		i := slot(key[0]^key[1], len(v.middle))
		for v.middle[i][1] != 0 {
			i = (i + 1) & (len(v.middle) - 1)
		}
		v.middle[i] = key
	default:
		v.long[token] = struct{}{}
	}
}

// has reports whether text[start:end] is a token.
func (v *vocabulary) has(text string, start, end int) bool {
	if end-start > maxMiddle {
		_, ok := v.long[text[start:end]]
		return ok
	}
	key := keyOf(text, start, end)
	if end-start <= maxShort {
		for i := slot(key[0], len(v.short)); v.short[i] != 0; i = (i + 1) & (len(v.short) - 1) {
			if v.short[i] == key[0] {
				return true
			}
		}
		return false
	}
	for i := slot(key[0]^key[1], len(v.middle)); v.middle[i][1] != 0; i = (i + 1) & (len(v.middle) - 1) {
		if v.middle[i] == key {
			return true
		}
	}
	return false
}

// slot returns where in a table of so many slots, a power of two, the search for a key begins.
func slot(key uint64, slots int) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	key *= golden
	return int((key ^ key>>32) * golden >> 33 & uint64(slots-1))
}

// keyOf returns the bytes and, in the last one that is not 0, the length of text[start:end],
// which has at most maxMiddle bytes. With at most maxShort the second integer is 0.
func keyOf(text string, start, end int) [2]uint64 {
	n := uint(end - start)
	if start+maxMiddle >= len(text) {
		var rest [maxMiddle + 1]byte
		copy(rest[:], text[start:end])
		text, start = string(rest[:]), 0
	}
	low := load64(text[start:])
	if n <= maxShort {
		return [2]uint64{low&(1<<(8*n)-1) | uint64(n)<<56, 0}
	}
	high := load64(text[start+8:])
	return [2]uint64{low, high&(1<<(8*(n-8))-1) | uint64(n)<<56}
}

// load64 returns the first eight bytes of s as an integer.
func load64(s string) uint64 {
	_ = s[7]
	return binary.LittleEndian.Uint64([]byte{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]})
}
