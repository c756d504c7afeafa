package tokens

import (
	"hash/maphash"
	"sync"
)

// memo remembers counts by a hash of the text, because the scenarios of a
// batch, and sources that are opened again, repeat whole texts. It confuses two
// texts only if 128 bits of hash agree, under random seeds.
//
// It has two generations. A count that is asked for moves to the younger one.
// When that is full it becomes the older one, and the former older one is
// dropped. So memory is bounded, and counts in use are kept.
type memo struct {
	seeds        [2]maphash.Seed
	mu           sync.Mutex
	young, older map[[2]uint64]int
}

const (
	// memoTexts is the number of counts that a generation holds, in some two megabytes.
	memoTexts = 1 << 15
	// minMemo and maxMemo bound the texts that are remembered, in bytes: a
	// shorter text is counted as fast, and hashing a longer one could not be
	// cancelled soon enough.
	minMemo, maxMemo = 64, 8 << 20
)

func newMemo() *memo {
	return &memo{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[[2]uint64]int{}}
}

// key returns the key under which the count of a text is remembered.
func (m *memo) key(text string) [2]uint64 {
	return [2]uint64{maphash.String(m.seeds[0], text), maphash.String(m.seeds[1], text)}
}

func (m *memo) find(key [2]uint64) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.young[key]
	if !ok {
		if n, ok = m.older[key]; ok {
			m.put(key, n)
		}
	}
	return n, ok
}

func (m *memo) add(key [2]uint64, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(key, n)
}

func (m *memo) put(key [2]uint64, n int) {
	if len(m.young) >= memoTexts {
		m.older, m.young = m.young, make(map[[2]uint64]int, memoTexts)
	}
	m.young[key] = n
}
