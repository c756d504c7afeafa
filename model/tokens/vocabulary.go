package tokens

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// vocabulary is the tokens of an encoding with their ranks. A rank is the place
// of a token in the encoding's list: the lower, the earlier two parts are merged
// into it.
//
// Tokens are found by a hash table with linear probing and no deletion. A token of at most
// inlineBytes is its own key; the key of a longer one is a hash, and its bytes
// are compared. The ranks of two bytes, which every merge begins with, have an
// array of their own.
type vocabulary struct {
	pairs [1 << 16]int32 // rank of two bytes, the first times 256; noRank
	keys  []uint64       // 0: empty; the length is a power of two
	ranks []int32        // of the keys
	ends  []uint32       // by rank: where its bytes end in bytes
	bytes string         // of all tokens, by rank
	long  int            // bytes of the longest token
}

const (
	// inlineBytes is the number of bytes of a token that fit its key beside the length.
	inlineBytes = 7
	// noRank is the rank of text that is not a token, larger than all ranks.
	noRank = 1<<31 - 1
	// hashedKey marks the keys of longer tokens.
	hashedKey = 0xFF << 56
)

// loadVocabulary reads the list of an encoding that is part of the program: a
// token a line, in base64, with its rank, which only rises. It takes some 40 ms.
func loadVocabulary(encoding string) (*vocabulary, error) {
	list, err := assets.Assets.ReadFile(encoding + ".tiktoken")
	if err != nil {
		return nil, err
	}
	return parseVocabulary(string(list))
}

func parseVocabulary(list string) (*vocabulary, error) {
	n := strings.Count(list, "\n") + 1
	v := &vocabulary{ends: make([]uint32, 0, n)}
	size := 1 << bits.Len(uint(2*n)) // at most half full, so that a miss ends soon
	v.keys, v.ranks = make([]uint64, size), make([]int32, size)
	for i := range v.pairs {
		v.pairs[i] = noRank
	}
	all := make([]byte, 0, len(list)/2)
	before := -1
	for line := range strings.Lines(list) {
		code, rank, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if !ok && code == "" {
			continue
		}
		start := len(all)
		var err error
		if all, err = base64.StdEncoding.AppendDecode(all, []byte(code)); err != nil {
			return nil, fmt.Errorf("token %d: %w", len(v.ends), err)
		}
		// Ranks are compared only, so the place in a rising list will do.
		at, err := strconv.Atoi(rank)
		if err != nil || at <= before || len(all) == start {
			return nil, fmt.Errorf("token %d: rank %.20q after %d, must be a higher number", len(v.ends), rank, before)
		}
		before = at
		v.ends = append(v.ends, uint32(len(all)))
	}
	v.bytes = string(all)
	for rank := range v.ends {
		token := v.token(int32(rank))
		if v.rank(token) != noRank {
			return nil, fmt.Errorf("token %d: stands twice", rank)
		}
		v.add(token, int32(rank))
	}
	for b := range 256 {
		if v.rank(string([]byte{byte(b)})) == noRank {
			return nil, fmt.Errorf("byte %d is not a token", b)
		}
	}
	return v, nil
}

func (v *vocabulary) add(token string, rank int32) {
	v.long = max(v.long, len(token))
	if len(token) == 2 {
		v.pairs[int(token[0])<<8|int(token[1])] = rank
	}
	key := keyOf(token)
	i := v.slot(key)
	for v.keys[i] != 0 {
		i = (i + 1) & (len(v.keys) - 1)
	}
	v.keys[i], v.ranks[i] = key, rank
}

// rank returns the rank of the token s, or noRank if s is not a token.
func (v *vocabulary) rank(s string) int32 {
	if len(s) > v.long || s == "" {
		return noRank
	}
	key := keyOf(s)
	for i := v.slot(key); v.keys[i] != 0; i = (i + 1) & (len(v.keys) - 1) {
		if v.keys[i] == key && (len(s) <= inlineBytes || v.token(v.ranks[i]) == s) {
			return v.ranks[i]
		}
	}
	return noRank
}

func (v *vocabulary) token(rank int32) string {
	start := uint32(0)
	if rank > 0 {
		start = v.ends[rank-1]
	}
	return v.bytes[start:v.ends[rank]]
}

// slot returns the index at which the search for a key begins.
func (v *vocabulary) slot(key uint64) int {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	key *= golden
	return int((key ^ key>>32) * golden >> 33 & uint64(len(v.keys)-1))
}

// keyOf returns the bytes and the length of a token, or a hash of them; never 0.
func keyOf(s string) uint64 {
	if len(s) <= inlineBytes {
		key := uint64(len(s)) << 56
		for i := range len(s) {
			key |= uint64(s[i]) << (8 * i)
		}
		return key
	}
	const odd = 0xD6E8FEB86659FD93
	hash := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		hash = bits.RotateLeft64((hash^load64(s))*odd, 29)
	}
	for i := range len(s) {
		hash = (hash ^ uint64(s[i])) * odd
	}
	return hash | hashedKey
}

// load64 returns the first eight bytes of s as an integer.
func load64(s string) uint64 {
	_ = s[7]
	return binary.LittleEndian.Uint64([]byte{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]})
}
