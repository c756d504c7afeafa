package simulate

import (
	"context"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/scorer"
)

// Joined is a set in which the call of a tool and its result are one item of
// the slicer. This is ours, not Cupel's.
//
// A joined item costs the sum of its members and is worth the sum of their
// scores, which are those of the members on their own. It is a duplicate only
// of another pair both of whose members are equal, pinned if a member is, and it
// stands where its first member does. An item without a partner stays single;
// so does one whose partner takes no part: excluded, or with negative tokens.
//
//	loaded   0 user   1 call   2 call   3 result of 1   4 result of 2
//	joined   0 user   1 call + 3 result   2 call + 4 result
//
// The joined set is a model.Set like any other, so that a ranking of it has dry
// runs, exact profiles and steps. Members leads back to the loaded items.
type Joined struct {
	loaded  *model.Set
	items   *model.Set
	members [][2]int32 // by joined item; the second is -1 for a single one
	first   []int32    // by loaded item: the first joined item that stands there or later; one more for the end
	pairOf  []int32    // by loaded item: its pair among the joined items, or -1
}

// Join joins the pairs of a set. The joined set also holds the members of each
// pair as single items, excluded: see Part. O(n) and one pass over the contents.
func Join(s *model.Set, pairs Pairs) (*Joined, error) {
	n := s.Len()
	j := &Joined{loaded: s, pairOf: make([]int32, n), first: make([]int32, n+1)}
	items := make([]model.Item, 0, n+pairs.Len())
	classes := newClasses(s)
	for i := range n {
		j.first[i], j.pairOf[i] = int32(len(items)), -1
		items = append(items, j.item(classes, i, -1))
		pair, ok := pairs.Of(i)
		if !ok || !takesPart(s, pair.Call) || !takesPart(s, pair.Result) {
			continue
		}
		if i == pair.Call {
			j.pairOf[i] = int32(len(items))
			items = append(items, j.item(classes, i, pair.Result))
		} else {
			j.pairOf[i] = j.pairOf[pair.Call]
		}
	}
	j.first[n] = int32(len(items))
	var err error
	if j.items, err = model.NewSet(items); err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	return j, nil
}

func takesPart(s *model.Set, i int) bool { return !s.Excluded(i) && s.Tokens(i) >= 0 }

// item makes the joined item of one or two members and notes them. Its content
// only tells which items are duplicates.
func (j *Joined) item(classes classes, a, b int) model.Item {
	it := j.loaded.Item(a)
	it.Metadata, it.Tags = nil, nil
	j.members = append(j.members, [2]int32{int32(a), int32(b)})
	if b < 0 {
		it.Content = fmt.Sprintf("item %d", classes.of(a))
		return it
	}
	it.Content = fmt.Sprintf("pair %d %d", classes.of(a), classes.of(b))
	it.Tokens += j.loaded.Tokens(b)
	it.Pinned = it.Pinned || j.loaded.Pinned(b)
	return it
}

// Whole is the joined set of all items.
func (j *Joined) Whole() *model.Set { return j.Part(j.loaded.Len(), nil) }

// Part is the joined set of what Set.Part(n, out) has of the loaded one: a pair
// of which only one member is there is that member alone.
func (j *Joined) Part(n int, out []bool) *model.Set {
	there := func(i int32) bool {
		return int(i) < n && (int(i) >= len(out) || !out[i]) && !j.loaded.Excluded(int(i))
	}
	end := int(j.first[n])
	hidden := make([]bool, end)
	for k, m := range j.members[:end] {
		if m[1] >= 0 {
			hidden[k] = !there(m[0]) || !there(m[1])
			continue
		}
		hidden[k] = !there(m[0])
		if pair := j.pairOf[m[0]]; pair >= 0 {
			both := j.members[pair]
			hidden[k] = hidden[k] || there(both[0]) && there(both[1])
		}
	}
	return j.items.Part(end, hidden)
}

// Of is the item of the whole joined set that a loaded item is in.
func (j *Joined) Of(i int) int {
	if pair := j.pairOf[i]; pair >= 0 {
		return int(pair)
	}
	return int(j.first[i])
}

// Members appends the loaded items that joined items are made of to dst: each
// pair's call, then its result.
func (j *Joined) Members(dst []int32, joined ...int32) []int32 {
	for _, k := range joined {
		m := j.members[k]
		dst = append(dst, m[0])
		if m[1] >= 0 {
			dst = append(dst, m[1])
		}
	}
	return dst
}

// Pipeline builds the pipeline of a policy for the joined set and its parts.
// Quotas, which count by kind, and stream, which goes by arrival, are refused
// with a *model.PolicyError: a pair has two kinds and two arrivals.
func (j *Joined) Pipeline(p model.Policy) (*pipeline.Pipeline, error) {
	if err := CheckJoinable(p); err != nil {
		return nil, err
	}
	pipe, err := pipeline.New(p)
	if err != nil {
		return nil, err
	}
	return pipe.Rescored(func(inner scorer.Scorer) scorer.Scorer { return memberScorer{j, inner} }), nil
}

// CheckJoinable reports, as a *model.PolicyError, why pairs cannot be joined
// under a policy; nil if they can.
func CheckJoinable(p model.Policy) error {
	switch {
	case len(p.Quotas) > 0:
		return &model.PolicyError{Field: "quotas", Reason: "cannot be combined with pairs as one item: a pair has two kinds"}
	case len(p.CountQuotas) > 0:
		return &model.PolicyError{Field: "countQuotas", Reason: "cannot be combined with pairs as one item: a pair has two kinds"}
	case p.Slicer == model.Stream:
		return &model.PolicyError{Field: "slicerType", Reason: "stream cannot be combined with pairs as one item: call and result arrive apart"}
	}
	return nil
}

// memberScorer scores the members and gives each joined item their sum.
type memberScorer struct {
	joined *Joined
	inner  scorer.Scorer
}

var _ scorer.Scorer = memberScorer{}

// Score implements scorer.Scorer.
func (m memberScorer) Score(ctx context.Context, l scorer.List, dst []float64) error {
	members := m.joined.Members(make([]int32, 0, 2*l.Len()), l.Items...)
	slices.Sort(members) // scorers take items in input order
	scores := make([]float64, len(members))
	if err := m.inner.Score(ctx, scorer.List{Set: m.joined.loaded, Items: members}, scores); err != nil {
		return err
	}
	byItem := make([]float64, m.joined.loaded.Len())
	for k, i := range members {
		byItem[i] = scores[k]
	}
	for k, item := range l.Items {
		both := m.joined.members[item]
		dst[k] = byItem[both[0]]
		if both[1] >= 0 {
			dst[k] += byItem[both[1]]
		}
	}
	return nil
}

// classes numbers the contents of a set: equal ones have equal numbers.
type classes struct {
	set    *model.Set
	number map[string]int
}

func newClasses(s *model.Set) classes { return classes{s, make(map[string]int, s.Len())} }

func (c classes) of(i int) int {
	content := c.set.Loaded(i).Content
	number, ok := c.number[content]
	if !ok {
		number = len(c.number)
		c.number[content] = number
	}
	return number
}
