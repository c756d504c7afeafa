package slicer

import (
	"context"
	"sort"
	"sync"

	"cupelscope/model"
)

// odometer is the Profile of Greedy: the records of all changes. first and
// stays are by density rank; 0 stands for never, as no item with tokens is in
// at target 0.
type odometer[W uint32 | int64] struct {
	g       *greedy
	front   *front
	upTo    Target
	records []record[W] // ascending by from, no two the same
	first   []W
	stays   []W
	numbers []int32 // by position in the Input: the rank plus 1, 0: never in, isFree: without tokens
	free    freeItems

	index   sync.Once // of records by rank, made on the first Bands
	starts  []int32   // by rank, one more element
	byRank  []int32   // record numbers
	curving sync.Once
	curve   Curve
}

// isFree is the number of an item that has no rank because it has no tokens.
const isFree = -1

// freeItems is what the items without tokens add to every selection.
type freeItems struct {
	count int32
	score float64
}

func newOdometer[W uint32 | int64](ctx context.Context, g *greedy, f *front, last, upTo Target, limit int) (Profile, error) {
	n := len(f.tok)
	columns := make([]W, 2*n)
	p := &odometer[W]{g: g, front: f, upTo: upTo, first: columns[:n], stays: columns[n:]}
	if err := changes(ctx, last, limit, p); err != nil {
		return nil, err
	}
	p.numbers = make([]int32, g.in.Len())
	for _, i := range g.free {
		p.numbers[i] = isFree
		p.free.count++
		p.free.score += g.in.Scores[i]
	}
	for k, i := range f.at {
		p.numbers[i] = int32(k) + 1
	}
	return p, nil
}

// UpTo implements Profile.
func (p *odometer[W]) UpTo() Target { return p.upTo }

// First implements Profile in O(1).
func (p *odometer[W]) First(i int) (Target, bool) {
	return p.of(p.first, i)
}

// Stays implements Profile in O(1).
func (p *odometer[W]) Stays(i int) (Target, bool) {
	return p.of(p.stays, i)
}

// of is the target of position i in a column by rank.
func (p *odometer[W]) of(column []W, i int) (Target, bool) {
	switch number := p.numbers[i]; number {
	case isFree:
		return 1, p.upTo > 0
	case 0:
		return 0, false
	default:
		t := Target(column[number-1])
		return t, t > 0
	}
}

// Bands implements Profile in time proportional to the bands. An item that
// left at T comes back at T + its size at the earliest, so its records never touch.
func (p *odometer[W]) Bands(dst []Band, i int) []Band {
	rank := p.numbers[i] - 1
	switch p.numbers[i] {
	case isFree:
		if p.upTo > 0 {
			dst = append(dst, Band{1, p.upTo})
		}
		return dst
	case 0:
		return dst
	}
	p.index.Do(p.indexRecords)
	for _, r := range p.byRank[p.starts[rank]:p.starts[rank+1]] {
		dst = append(dst, Band{Target(p.records[r].from), Target(p.records[r].end) - 1})
	}
	return dst
}

// indexRecords sorts the record numbers by rank, by counting.
func (p *odometer[W]) indexRecords() {
	starts := make([]int32, len(p.front.tok)+1)
	for i := range p.records {
		starts[p.records[i].rank]++
	}
	sum := int32(0)
	for k, c := range starts {
		sum += c
		starts[k] = sum // the end of rank k, moved to its start below
	}
	p.byRank = make([]int32, len(p.records))
	for i := len(p.records) - 1; i >= 0; i-- {
		at := &starts[p.records[i].rank]
		*at--
		p.byRank[*at] = int32(i)
	}
	p.starts = starts
}

// after is the number of records at or before t.
func (p *odometer[W]) after(t Target) int {
	return sort.Search(len(p.records), func(i int) bool { return Target(p.records[i].from) > t })
}

// At implements Profile: O(log K) and the number of items selected.
func (p *odometer[W]) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.g.in.Len())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	for _, i := range p.g.free {
		dst.Add(int(i))
	}
	for r := int32(p.after(t)) - 1; r >= 0; r = p.records[r].parent {
		dst.Add(int(p.front.at[p.records[r].rank]))
	}
	return dst
}

// Next implements Profile in O(log K).
func (p *odometer[W]) Next(t Target) (Target, bool) {
	if t < 1 && p.free.count > 0 && p.upTo > 0 {
		return 1, true
	}
	if k := p.after(t); k < len(p.records) {
		return Target(p.records[k].from), true
	}
	return 0, false
}

// Prev implements Profile in O(log K).
func (p *odometer[W]) Prev(t Target) (Target, bool) {
	if k := p.after(t); k > 0 {
		return Target(p.records[k-1].from), true
	}
	if t >= 1 && p.free.count > 0 && p.upTo > 0 {
		return 1, true
	}
	return 0, false
}

// Curve implements Profile. It is made on the first call, O(K). The score is
// added up in density order and may differ from a report's in the last place.
func (p *odometer[W]) Curve() Curve {
	p.curving.Do(p.makeCurve)
	return p.curve
}

func (p *odometer[W]) makeCurve() {
	n := len(p.records) + 2
	c := Curve{make([]Target, 1, n), make([]int32, 1, n), make([]model.Tokens, 1, n), make([]float64, 1, n)}
	if p.free.count > 0 && p.upTo > 0 && (len(p.records) == 0 || p.records[0].from > 1) {
		c.Targets = append(c.Targets, 1)
		c.Counts = append(c.Counts, p.free.count)
		c.Used = append(c.Used, 0)
		c.Scores = append(c.Scores, p.free.score)
	}
	base := len(c.Targets)
	for i := range p.records {
		r := &p.records[i]
		count, score := p.free.count, p.free.score // of the items before this one
		if r.parent >= 0 {
			count, score = c.Counts[base+int(r.parent)], c.Scores[base+int(r.parent)]
		}
		c.Targets = append(c.Targets, Target(r.from))
		c.Counts = append(c.Counts, count+1)
		c.Used = append(c.Used, model.Tokens(r.from))
		c.Scores = append(c.Scores, score+p.g.in.Scores[p.front.at[r.rank]])
	}
	p.curve = c
}
