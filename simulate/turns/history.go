package turns

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// transcript is a recorded conversation: its items in the order in which they came,
// and what is known of each.
type transcript struct {
	Items *model.Set // with their pairs, see model.Set.WithPairs
	Facts []fact     // one for each item
	// Recorded is what the provider reported for each answer; answer n is at
	// n-1. It may be shorter, or nil, and an entry may be unset.
	Recorded []model.Option[itemset.Prompt]
}

// fact is what is known of an item besides its content.
type fact struct {
	// Answer is the number, from 1, of the model's answer that the item is
	// part of; 0 if the model did not write it. Numbers rise in order of first
	// appearance.
	Answer int
	// Gone is the index of the item before which a compaction or a rewind took
	// this one out, or the number of items if that came after the last; 0 if
	// it stays to the end.
	Gone int
	// Copy is 1 plus the index of an earlier item that this one is a later
	// version of, as compactions write them; 0 if it is not a version of
	// another.
	Copy int
	// Continues says that the item is of the same message as the one before it. The items
	// of one answer are, where they are neighbours, whatever it says.
	Continues bool
}

// Request is a moment at which a window is chosen: before an answer of the
// model, or now, when all items have come.
type Request struct {
	Before   int                     // the items with an index below it had come
	Answer   int                     // the number of the answer that followed; 0: the current request
	At       model.Option[time.Time] // the newest timestamp of the items that had come; decay measures ages from it
	Recorded model.Option[itemset.Prompt]
}

// IsNow reports whether the request is the current one, which has not been
// sent yet.
func (r Request) IsNow() bool { return r.Answer == 0 }

// History is a conversation cut into requests. It is immutable and safe for
// concurrent use.
type History struct {
	log      transcript
	requests []Request
	roots    []int32 // by item: the first version of it
	keys     []int32 // by item: the first version that has the same content
	messages []int32 // by item: the first item of its message
	taken    []int32 // how many items were taken out before each index, and in all
	needed   []grade // by index, ascending; nil: nothing is labelled
}

// grade is what a needed item is worth.
type grade struct {
	item  int32
	worth int
}

// Needing returns the history with labels: the grades of items by their index, of which those
// above 0 are needed. Totals then have a Recall.
func (s *History) Needing(grades map[int]int) *History {
	labelled := *s
	labelled.needed = nil
	for _, i := range slices.Sorted(maps.Keys(grades)) {
		if grades[i] > 0 && i >= 0 && i < s.Items().Len() && s.takesPart(i) {
			labelled.needed = append(labelled.needed, grade{int32(i), grades[i]})
		}
	}
	return &labelled
}

// recall returns the sum of the grades of the needed items that are there at a request, and
// has, the part of it whose texts a window has, in any size, from this item or another one.
func (s *History) recall(r Request, w Window) (has, needed int) {
	if s.needed == nil {
		return 0, 0
	}
	in := make(map[uint64]bool, len(w.Items))
	for _, item := range w.Items {
		in[s.Items().Hash(int(item))] = true
	}
	for _, n := range s.needed {
		if !s.There(r, int(n.item)) {
			continue
		}
		needed += n.worth
		if in[s.Items().Hash(int(n.item))] {
			has += n.worth
		}
	}
	return has, needed
}

// newHistory cuts a transcript into requests, in O(n): one before each answer, and
// the current one at the end. A request is left out if no item could be in its
// window, or if the record, which has other requests, says that no prompt was sent: the
// program answered in the model's place. The error says which fact is out of bounds, or
// that their number is not the number of items.
func newHistory(l transcript) (*History, error) {
	n := l.Items.Len()
	if len(l.Facts) != n {
		return nil, fmt.Errorf("turns: %d facts for %d items: must be one an item", len(l.Facts), n)
	}
	s := &History{log: l, roots: make([]int32, n), keys: make([]int32, n), messages: make([]int32, n), taken: make([]int32, n+1)}
	newest := model.Option[time.Time]{}
	answers, usable := 0, 0
	leaving := make([]int, n+1) // usable items that go before an index
	sent := func(p model.Option[itemset.Prompt]) bool { return p.Value.Total() > 0 }
	recorded := slices.ContainsFunc(l.Recorded, sent)
	request := func(before, answer int) {
		r := Request{Before: before, Answer: answer, At: newest}
		if answer > 0 && answer <= len(l.Recorded) {
			r.Recorded = l.Recorded[answer-1]
		}
		if usable > 0 && !(recorded && r.Recorded.Set && !sent(r.Recorded)) {
			s.requests = append(s.requests, r)
		}
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
		s.roots[i], s.keys[i], s.messages[i] = int32(i), int32(i), int32(i)
		if i > 0 && (fact.Continues || fact.Answer > 0 && fact.Answer == l.Facts[i-1].Answer) {
			s.messages[i] = s.messages[i-1]
		}
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
		if fact.Gone > 0 {
			s.taken[fact.Gone]++
		}
		if t := l.Items.Loaded(i).Timestamp; t.Set && (!newest.Set || t.Value.After(newest.Value)) {
			newest = t
		}
	}
	for i := range n {
		s.taken[i+1] += s.taken[i]
	}
	usable -= leaving[n]
	request(n, 0)
	return s, nil
}

// Items returns the items of the history, including those that were taken out
// later.
func (s *History) Items() *model.Set { return s.log.Items }

// Left returns the tokens of the items that are left at the end, without those
// that a compaction or a rewind took out.
func (s *History) Left() (sum model.Tokens) {
	for i, f := range s.log.Facts {
		if f.Gone == 0 && s.takesPart(i) {
			sum += s.log.Items.Tokens(i)
		}
	}
	return sum
}

// Requests returns the requests in order. The last is the current one, if any
// item is left for it. The result must not be modified.
func (s *History) Requests() []Request { return s.requests }

// takesPart reports whether an item can be in a window at all.
func (s *History) takesPart(i int) bool { return s.log.Items.TakesPart(i) }

// gone returns, for each item that had come before a request, whether a
// compaction or a rewind had taken it out by then.
func (s *History) gone(r Request) []bool {
	out := make([]bool, r.Before)
	for i := range out {
		out[i] = !s.There(r, i)
	}
	return out
}

// There reports whether an item had come before a request, and no compaction or
// rewind had taken it out by then. It panics if there is no such item.
func (s *History) There(r Request, item int) bool {
	gone := s.log.Facts[item].Gone
	return item < r.Before && (gone == 0 || gone > r.Before)
}
