package tokens

import (
	"context"
	"encoding/binary"
	"unicode/utf8"
)

// Byte pair encoding takes a piece of text as its bytes and, as long as any two
// neighbours together are a token, merges the two whose token has the lowest
// rank, the leftmost of equals. What is left are the tokens of the piece.
//
// A direct implementation is quadratic, which is fastest for pieces of a few
// parts. For more than shortPiece a heap holds the neighbours, by rank
// and then by place, which is O(n log n). A piece longer than chunkBytes is
// encoded in chunks:
//
// Claim. Let t1 ... tn be tokens such that the encoding of ti followed by ti+1
// is just these two, for every i < n. Then t1 ... tn is the encoding of the text
// they make, and so is every stretch of them of its own.
//
// Proof. Suppose that some merge crosses the border of two of them, ti and ti+1,
// and look at the first that does. Until then merges stayed within tokens, and
// those within ti ti+1 came in the order in which they come if these two are
// encoded alone: each was the first by rank and place of all there were, so also of
// those there. So alone, the crossing merge would come too, and the encoding of the
// two would not be ti ti+1. So no merge crosses, and each ti becomes what it becomes
// beside its neighbour: one token. A stretch has the same borders. Conversely the
// neighbours in any encoding are such pairs, by the same argument.
//
// So let one chunk be encoded, and let the next begin at a border b of two of its tokens. If
// the first token of the next chunk is also the token that the first chunk has behind b, then
// the tokens before b and the tokens of the next chunk are together the encoding of both: every
// two neighbours are neighbours in one of the two. b is chosen so far before the end of the
// chunk that its end makes no difference to the token at b; where it does (which the comparison
// tells), an earlier border is taken, then all is done in larger chunks.

const (
	// shortPiece is the largest number of parts for which comparing all pairs is
	// fastest.
	shortPiece = 32
	// chunkBytes is the number of bytes of a long piece that are encoded at a
	// time: few enough to stay in the first cache.
	chunkBytes = 4 << 10
	// overlap is the part of a chunk, from its end, that is encoded again: one
	// in so many bytes.
	overlap = 8
	// bordersTried is the number of borders at which two chunks are tried to be
	// joined before the piece is encoded again in larger chunks.
	bordersTried = 8
)

// merger encodes the pieces of a text, one after the other, and reuses its
// memory.
type merger struct {
	*vocabulary
	pieces      [knownPieces]piece
	asked       [askedMerges]uint64 // answers of vocabulary.merge, as its table has them
	chunk       int                 // see chunkBytes
	part        []int32             // rank of a part, by its place when merging began
	end         []int32             // where it ended then
	next        []int32             // the following part
	before      []int32             // the part before
	merged      []int32             // rank of a part merged with the following one
	heap        []int64             // rank<<32 | place; those that merged disagrees with are stale
	ends, other []int32             // where the tokens of a chunk end
	last        string              // the chunk that was encoded last, and where its tokens end:
	lastEnds    []int32             // a run of one letter is the same chunk again and again
	// progress is called with the number of bytes of a long piece counted so far;
	// it may be nil.
	progress func(bytes int)
}

// rest keeps the memory of a merger for the next text.
func (m *merger) rest() {
	m.last, m.progress = "", nil
	m.idle.Put(m)
}

// piece is the bytes of a piece with, in the last byte, its length and the number of its
// tokens. Most pieces of a text were there before: words, signs, indents.
type piece [2]uint64

const (
	// knownPieces is the number of pieces that are remembered, in 256 kB: a power of two.
	knownPieces = 1 << 14
	// askedMerges is the number of answers that are remembered, in 256 kB: the table of all
	// answers does not fit in the second cache.
	askedMerges = 1 << 15
	// maxKnown is the largest piece, in bytes, that is remembered.
	maxKnown = 15
)

// pieceOf returns text[start:end], which has at most maxKnown bytes, without its tokens.
func pieceOf(text string, start, end int) piece {
	n := uint(end - start)
	if start+maxKnown >= len(text) {
		var rest [maxKnown + 1]byte
		copy(rest[:], text[start:end])
		return cut(load64(string(rest[:8])), load64(string(rest[8:])), n)
	}
	return cut(load64(text[start:]), load64(text[start+8:]), n)
}

// cut returns the first n of 16 bytes as a piece.
func cut(low, high uint64, n uint) piece {
	if n < 8 {
		return piece{low & (1<<(8*n) - 1), uint64(n) << 60}
	}
	return piece{low, high&(1<<(8*n-64)-1) | uint64(n)<<60}
}

// load64 returns the first eight bytes of s as an integer.
func load64(s string) uint64 {
	_ = s[7]
	return binary.LittleEndian.Uint64([]byte{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]})
}

// count returns the number of tokens of the piece text[start:end]. In a piece longer than
// a chunk it checks ctx now and then, and returns its error.
func (m *merger) count(ctx context.Context, text string, start, end int) (int, error) {
	switch n := end - start; {
	case n == 1:
		return 1, nil
	case n > utf8.UTFMax*shortPiece || n > shortPiece && text[end-1] < utf8.RuneSelf:
		return m.countLong(ctx, text[start:end])
	case n > maxKnown:
		if n, ok := m.countShort(text[start:end]); ok {
			return n, nil
		}
		return m.countLong(ctx, text[start:end])
	}
	p := pieceOf(text, start, end)
	known := &m.pieces[mix(p[0]^p[1])>>32&(knownPieces-1)]
	if known[0] != p[0] || known[1]&^(15<<56) != p[1] {
		*known = p
		n, _ := m.countShort(text[start:end])
		known[1] |= uint64(n) << 56
	}
	return int(known[1] >> 56 & 15), nil
}

// merge is vocabulary.merge, and remembers what it was asked last.
func (m *merger) merge(left, right int32) int32 {
	pair := uint64(left)<<rankBits | uint64(right)
	asked := &m.asked[mix(pair)>>20&(askedMerges-1)]
	if *asked>>rankBits != pair {
		*asked = pair<<rankBits | uint64(m.vocabulary.merge(left, right))
	}
	return int32(*asked & noRank)
}

// countShort counts a piece of at most shortPiece parts, and returns false if it has more.
// It compares all pairs before each merge.
func (m *merger) countShort(piece string) (tokens int, ok bool) {
	var parts, ranks [shortPiece]int32 // ranks: of a part merged with the following one
	n, end := m.begin(piece, parts[:], ranks[:], nil)
	if end < len(piece) {
		return 0, false
	}
	for n > 1 {
		at, lowest := 0, ranks[0]
		for i := 1; i < n-1; i++ {
			if ranks[i] < lowest {
				at, lowest = i, ranks[i]
			}
		}
		if lowest == noRank {
			break
		}
		n--
		copy(parts[at+1:n], parts[at+2:n+1])
		copy(ranks[at+1:n], ranks[at+2:n+1])
		parts[at], ranks[at] = lowest, noRank
		if at+1 < n {
			ranks[at] = m.merge(lowest, parts[at+1])
		}
		if at > 0 {
			ranks[at-1] = m.merge(parts[at-1], lowest)
		}
	}
	return n, true
}

// countLong counts a piece in chunks, in larger ones if these cannot be joined.
func (m *merger) countLong(ctx context.Context, piece string) (int, error) {
	for chunk := m.chunk; ; chunk *= 2 {
		if n, ok, err := m.countChunks(ctx, piece, chunk); ok || err != nil {
			return n, err
		}
	}
}

// countChunks counts a piece in chunks, or returns false if two of them could
// not be joined.
func (m *merger) countChunks(ctx context.Context, piece string, chunk int) (sum int, ok bool, err error) {
	m.ends = m.encode(m.ends[:0], piece[:min(chunk, len(piece))])
	for whole := len(piece); len(piece) > chunk; {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		kept := m.join(piece, chunk)
		if kept == 0 {
			return 0, false, nil
		}
		sum += kept
		piece = piece[m.ends[kept-1]:]
		if m.progress != nil {
			m.progress(whole - len(piece))
		}
		m.ends, m.other = m.other, m.ends
	}
	return sum + len(m.ends), true, nil
}

// join finds a border among the tokens of the first chunk of piece, which
// m.ends holds, where the next chunk can be joined to them. It returns how many
// tokens are before the border, 0 if it found none; the tokens of the next
// chunk are left in m.other.
func (m *merger) join(piece string, chunk int) int {
	k := len(m.ends) - 1
	for k > 0 && int(m.ends[k-1]) > chunk-chunk/overlap {
		k--
	}
	for range bordersTried {
		if k <= 0 {
			break
		}
		border := int(m.ends[k-1])
		m.other = m.encode(m.other[:0], piece[border:min(border+chunk, len(piece))])
		if int(m.other[0]) == int(m.ends[k])-border {
			return k
		}
		k -= max(1, k/bordersTried)
	}
	return 0
}

// encode appends the ends of the tokens of text.
func (m *merger) encode(ends []int32, text string) []int32 {
	if text != m.last {
		m.lastEnds = m.mergeLong(m.lastEnds[:0], text)
		m.last = text
	}
	return append(ends, m.lastEnds...)
}

func (m *merger) mergeLong(ends []int32, text string) []int32 {
	n := len(text)
	m.part, m.merged, m.end = grow(m.part, n), grow(m.merged, n), grow(m.end, n)
	n, _ = m.begin(text, m.part, m.merged, m.end)
	m.next, m.before = grow(m.next, n), grow(m.before, n)
	m.heap = m.heap[:0]
	for i := range n {
		m.next[i], m.before[i] = int32(i+1), int32(i-1)
		if rank := m.merged[i]; rank != noRank {
			m.heap = append(m.heap, int64(rank)<<32|int64(i))
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	for len(m.heap) > 0 {
		top := m.heap[0]
		at := int32(top & (1<<32 - 1))
		if m.merged[at] != int32(top>>32) { // it was merged since
			m.drop()
			continue
		}
		gone := m.next[at]
		after := m.next[gone]
		m.part[at], m.next[at], m.merged[gone] = m.merged[at], after, noRank
		m.merged[at] = noRank
		if int(after) < n {
			m.before[after] = at
			m.merged[at] = m.merge(m.part[at], m.part[after])
		}
		if m.merged[at] != noRank { // in the place of the one that is done
			m.heap[0] = int64(m.merged[at])<<32 | int64(at)
			m.sink(0)
		} else {
			m.drop()
		}
		if left := m.before[at]; left >= 0 {
			if rank := m.merge(m.part[left], m.part[at]); rank != m.merged[left] {
				m.merged[left] = rank
				if rank != noRank {
					m.push(int64(rank)<<32 | int64(left))
				}
			}
		}
	}
	for i := int32(0); int(i) < n; {
		i = m.next[i]
		ends = append(ends, m.end[i-1])
	}
	return ends
}

// grow returns a slice of n elements of any value, in the memory of s if it is
// large enough.
func grow(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	return s[:n]
}

// drop removes the least element of the heap.
func (m *merger) drop() {
	last := len(m.heap) - 1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
	if last > 0 {
		m.sink(0)
	}
}

func (m *merger) push(x int64) {
	m.heap = append(m.heap, x)
	i := len(m.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if m.heap[up] <= x {
			break
		}
		m.heap[i] = m.heap[up]
		i = up
	}
	m.heap[i] = x
}

// sink moves the element at i down to where no child is less.
func (m *merger) sink(i int) {
	h := m.heap
	x := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if h[child] >= x {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}
