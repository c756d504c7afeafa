package turns

import (
	"fmt"
	"time"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Log is what a recorded conversation says: its items in the order in which
// they came, and what is known of each.
type Log struct {
	Items *model.Set
	Facts []Fact         // an entry an item
	Pairs simulate.Pairs // calls of tools with their results
	// Recorded is what the provider said of each answer, by answer number less
	// one; shorter, or nil, where it said nothing.
	Recorded []model.Option[Usage]
}

// Fact is what is known of an item beside its content.
type Fact struct {
	// Answer is the number, from 1, of the answer of the model that the item
	// is part of; 0 for what the model did not write. Numbers rise in order of
	// first appearance.
	Answer int
	// Gone is the index of the item before which a compaction or a rewind took
	// this one out; 0 if it stays to the end.
	Gone int
	// Copy is 1 plus the index of an earlier item of which this one is a later
	// version, as compactions write them; 0 if it is none.
	Copy int
}

// Usage is what a provider said of the prompt of one answer, in tokens.
type Usage struct {
	Plain      model.Tokens // neither read from the cache nor written to it
	CacheRead  model.Tokens
	CacheWrite model.Tokens
}

// Total is all tokens of the prompt.
func (u Usage) Total() model.Tokens { return u.Plain + u.CacheRead + u.CacheWrite }

// Request is a moment at which a window is chosen: before an answer of the
// model, or now, when all items have come.
type Request struct {
	Before   int                     // the items below this index had come
	Answer   int                     // number of the answer that followed; 0: now
	At       model.Option[time.Time] // the newest timestamp of what had come; decay measures ages from it
	Recorded model.Option[Usage]
}

// IsNow reports whether the request is the one that has not been sent yet.
func (r Request) IsNow() bool { return r.Answer == 0 }

// Session is a conversation cut into requests. It is immutable and safe for
// concurrent use.
type Session struct {
	log      Log
	requests []Request
	roots    []int32 // by item: the first version of it
	keys     []int32 // by item: the first version that has the same content
}

// NewSession cuts a log into requests: one before each answer, and the last one
// now; those that nothing is there for are left out. The error says which fact is out of bounds.
// O(n).
func NewSession(l Log) (*Session, error) {
	n := l.Items.Len()
	if len(l.Facts) != n {
		return nil, fmt.Errorf("turns: %d facts for %d items: must be one an item", len(l.Facts), n)
	}
	l.Items = l.Items.WithPairs(l.Pairs.All())
	s := &Session{log: l, roots: make([]int32, n), keys: make([]int32, n)}
	newest := model.Option[time.Time]{}
	answers, usable := 0, 0
	leaving := make([]int, n+1) // usable items that go before an index
	request := func(before, answer int) {
		if usable == 0 {
			return
		}
		r := Request{Before: before, Answer: answer, At: newest}
		if answer > 0 && answer <= len(l.Recorded) {
			r.Recorded = l.Recorded[answer-1]
		}
		s.requests = append(s.requests, r)
	}
	for i, fact := range l.Facts {
		switch {
		case fact.Answer < 0 || fact.Answer > answers+1:
			return nil, fmt.Errorf("turns: item %d: answer %d follows answer %d", i, fact.Answer, answers)
		case fact.Gone != 0 && fact.Gone <= i || fact.Gone > n:
			return nil, fmt.Errorf("turns: item %d: gone before item %d, must be %d to %d", i, fact.Gone, i+1, n)
		case fact.Copy < 0 || fact.Copy > i:
			return nil, fmt.Errorf("turns: item %d: a copy of item %d, must be an earlier one", i, fact.Copy-1)
		}
		usable -= leaving[i]
		if fact.Answer > answers {
			answers = fact.Answer
			request(i, answers)
		}
		s.roots[i], s.keys[i] = int32(i), int32(i)
		if fact.Copy > 0 {
			s.roots[i] = s.roots[fact.Copy-1]
			if l.Items.Loaded(i).Content == l.Items.Loaded(fact.Copy-1).Content && l.Items.Tokens(i) == l.Items.Tokens(fact.Copy-1) {
				s.keys[i] = s.keys[fact.Copy-1]
			}
		}
		if s.takesPart(i) {
			usable++
			leaving[fact.Gone]++ // at 0, for what stays, it is never read again
		}
		if t := l.Items.Loaded(i).Timestamp; t.Set && (!newest.Set || t.Value.After(newest.Value)) {
			newest = t
		}
	}
	usable -= leaving[n]
	request(n, 0)
	return s, nil
}

// Items is the items of the session, those that went included.
func (s *Session) Items() *model.Set { return s.log.Items }

// Left is the tokens of what is there at the end, whatever a compaction or a
// rewind took out.
func (s *Session) Left() (sum model.Tokens) {
	for i, f := range s.log.Facts {
		if f.Gone == 0 && s.takesPart(i) {
			sum += s.log.Items.Tokens(i)
		}
	}
	return sum
}

// Requests is the requests in order; now, if anything is left, is the last.
// Read only.
func (s *Session) Requests() []Request { return s.requests }

// takesPart reports whether an item can be in a window at all.
func (s *Session) takesPart(i int) bool { return s.log.Items.TakesPart(i) }

// Gone says, for each item that had come before a request, whether a compaction or
// a rewind had taken it out again.
func (s *Session) Gone(r Request) []bool {
	out := make([]bool, r.Before)
	for i := range out {
		fact := s.log.Facts[i]
		out[i] = fact.Gone != 0 && fact.Gone <= r.Before
	}
	return out
}
