package tokens

import (
	_ "embed"
	"encoding/binary"
	"math/bits"
	"sync"
)

// The ranks of an encoding, as merges. Every token is one byte or is merged from two tokens
// of lower ranks, and a text that is a token becomes just that token (TestRanks holds both).
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

// tokensR50k is the number of tokens of r50k_base.
const tokensR50k = 50_256

// vocabulary is the tokens of an encoding. A rank is the place of a token in the
// encoding's list: the lower, the earlier two parts are merged into it.
type vocabulary struct {
	list   string
	size   int                     // tokens
	bytes  [256]int32              // ranks of one byte
	pairs  [1 << 16]int32          // ranks of two bytes, the first times 256; noRank
	merges []uint64                // see merge
	whole  func() *wholeCharacters // found at the first call
	idle   sync.Pool               // of mergers
}

const (
	// noRank is the rank of text that is not a token, larger than all ranks.
	noRank = 1<<rankBits - 1
	// rankBits are the bits that every rank has room in.
	rankBits = 18
)

// unpack reads the first tokens of a list, at most maxTokens. It takes some 10 ms.
func unpack(list string, maxTokens int) *vocabulary {
	v := &vocabulary{list: list}
	v.whole = sync.OnceValue(func() *wholeCharacters { return findWholeCharacters(v) })
	v.idle.New = func() any { return &merger{vocabulary: v, chunk: chunkBytes} }
	for i := range v.pairs {
		v.pairs[i] = noRank
	}
	for rank := range v.bytes {
		v.bytes[list[rank]] = int32(rank)
	}
	v.merges = make([]uint64, 1<<bits.Len(uint(len(list)/2))) // a merge has four bytes or so
	v.size = eachMerge(list, maxTokens, func(rank int, left, right uint64) {
		if left < 256 && right < 256 {
			v.pairs[int(list[left])<<8|int(list[right])] = int32(rank)
			return
		}
		pair := left<<rankBits | right
		i := v.slot(pair)
		for v.merges[i] != 0 {
			i = (i + 1) & (len(v.merges) - 1)
		}
		v.merges[i] = pair<<rankBits | uint64(rank)
	})
	return v
}

// eachMerge calls f for each merge of a list, for tokens below the rank maxTokens. It returns
// the number of tokens, including the tokens of one byte.
func eachMerge(list string, maxTokens int, f func(rank int, left, right uint64)) int {
	data, rank := []byte(list[256:]), 256
	for len(data) > 0 && rank < maxTokens {
		left, n := binary.Uvarint(data)
		right, m := binary.Uvarint(data[n:])
		f(rank, left, right)
		data = data[n+m:]
		rank++
	}
	return rank
}

// tokens returns all tokens by rank, as parts of one string.
func (v *vocabulary) tokens() []string {
	texts := []byte(v.list[:len(v.bytes)])
	ends := make([]int, 1, v.size+1)
	for i := range v.bytes {
		ends = append(ends, i+1)
	}
	eachMerge(v.list, v.size, func(_ int, left, right uint64) {
		texts = append(texts, texts[ends[left]:ends[left+1]]...)
		texts = append(texts, texts[ends[right]:ends[right+1]]...)
		ends = append(ends, len(texts))
	})
	whole := string(texts)
	all := make([]string, v.size)
	for rank := range all {
		all[rank] = whole[ends[rank]:ends[rank+1]]
	}
	return all
}

// merge returns the rank of two tokens together, or noRank if they are no token or each has
// one byte. The table has linear probing and no deletion, and is at most half full, so that a
// miss ends soon. A slot is 0, or has the ranks of both and of their merge.
func (v *vocabulary) merge(left, right int32) int32 {
	pair := uint64(left)<<rankBits | uint64(right)
	for i := v.slot(pair); v.merges[i] != 0; i = (i + 1) & (len(v.merges) - 1) {
		if v.merges[i]>>rankBits == pair {
			return int32(v.merges[i] & noRank)
		}
	}
	return noRank
}

// slot returns where the search for a pair begins.
func (v *vocabulary) slot(pair uint64) int { return int(mix(pair)>>20) & (len(v.merges) - 1) }

// mix returns an integer whose middle bits depend on all bits of x.
func mix(x uint64) uint64 {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	x *= golden
	return (x ^ x>>32) * golden
}
