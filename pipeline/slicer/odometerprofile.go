package slicer

import (
	"sort"
	"sync"

	"cupelscope/model"
)

// odometer is the Profile of a slicer that meets items in a fixed order and
// takes each one that fits: the records of all changes. first and stays are by
// rank in that order; 0 stands for never, as no item with tokens is in at
// target 0.
type odometer struct {
	in      *Input
	front   *front
	upTo    Target
	records []record // ascending by from, no two the same
	first   []Target
	stays   []Target
	numbers []int32 // by position in the Input: the rank plus 1, 0: never in, below 0: without tokens (see freeItems)
	free    freeItems

	index   sync.Once // of records by rank, made on the first Bands
	starts  []int32   // by rank, one more element
	byRank  []int32   // record numbers
	curving sync.Once
	series  Series
}

// UpTo implements Profile.
func (p *odometer) UpTo() Target { return p.upTo }

// FirstIn implements Profile in O(1).
func (p *odometer) FirstIn(i int) (Target, bool) {
	return p.of(p.first, p.free.first, i)
}

// StaysFrom implements Profile in O(1).
func (p *odometer) StaysFrom(i int) (Target, bool) {
	return p.of(p.stays, p.free.stays, i)
}

// of returns the target of position i in a column by rank, or for an item without
// tokens in the column free; false: it is 0.
func (p *odometer) of(column []Target, free []Target, i int) (Target, bool) {
	t := Target(0)
	switch number := p.numbers[i]; {
	case number > 0:
		t = column[number-1]
	case number < 0 && p.free.gates == nil:
		return 1, p.upTo > 0
	case number < 0:
		t = free[-1-number]
	}
	return t, t > 0
}

// Bands implements Profile in time proportional to the bands (for an item
// without tokens that is not always in, to all changes). An item that left at T
// comes back at T + its size at the earliest, so its records never touch.
func (p *odometer) Bands(dst []Band, i int) []Band {
	number := p.numbers[i]
	switch {
	case number == 0:
		return dst
	case number < 0:
		return p.freeBands(dst, int(-1-number))
	case p.first[number-1] == p.stays[number-1] && p.stays[number-1] > 0: // most do so
		return append(dst, Band{p.stays[number-1], p.upTo})
	}
	p.index.Do(p.indexRecords)
	for _, r := range p.byRank[p.starts[number-1]:p.starts[number]] {
		dst = append(dst, Band{p.records[r].from, p.records[r].end - 1})
	}
	return dst
}

// indexRecords sorts the record numbers by rank, by counting.
func (p *odometer) indexRecords() {
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
func (p *odometer) after(t Target) int {
	return sort.Search(len(p.records), func(i int) bool { return p.records[i].from > t })
}

// At implements Profile: O(log K) and the number of items selected.
func (p *odometer) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.in.Positions())
	t = min(t, p.upTo)
	if t <= 0 {
		return dst
	}
	k := p.after(t) - 1
	for _, i := range p.free.at[:p.open(k, t)] {
		dst.Add(int(i))
	}
	for r := int32(k); r >= 0; r = p.records[r].parent {
		dst.Add(int(p.front.at[p.records[r].rank]))
	}
	return dst
}

// Next implements Profile in O(log K).
func (p *odometer) Next(t Target) (Target, bool) {
	if t < 1 && len(p.free.at) > 0 && p.upTo > 0 {
		return 1, true
	}
	k := p.after(t)
	if k > 0 && p.records[k-1].from == t && t < p.upTo && p.closes(k-1) {
		return t + 1, true
	}
	if k < len(p.records) {
		return p.records[k].from, true
	}
	return 0, false
}

// Prev implements Profile in O(log K).
func (p *odometer) Prev(t Target) (Target, bool) {
	if k := p.after(t) - 1; k >= 0 {
		from := p.records[k].from
		if from < min(t, p.upTo) && p.closes(k) {
			from++
		}
		return from, true
	}
	return 1, t >= 1 && len(p.free.at) > 0 && p.upTo > 0
}

// Changes implements Profile: O(K), without the series.
func (p *odometer) Changes() []Target {
	all := make([]Target, 0, len(p.records)+1)
	p.eachChange(func(t Target, _ int) { all = append(all, t) })
	return all
}

// eachChange calls f for every change: its target and the last record then, -1
// for none.
func (p *odometer) eachChange(f func(t Target, record int)) {
	if len(p.free.at) > 0 && p.upTo > 0 && (len(p.records) == 0 || p.records[0].from > 1) {
		f(1, -1)
	}
	for k := range p.records {
		from := p.records[k].from
		f(from, k)
		if p.closes(k) && from < p.upTo && (k+1 == len(p.records) || p.records[k+1].from > from+1) {
			f(from+1, k)
		}
	}
}

// Series implements Profile. It is made on the first call, O(K). The score is
// added up in the order in which items are considered and may differ from a report's
// in the last place.
func (p *odometer) Series() Series {
	p.curving.Do(p.makeCurve)
	return p.series
}

// chain sums up a selection of items with tokens.
type chain struct {
	score float64
	used  model.Tokens
	count int32
}

func (p *odometer) makeCurve() {
	chains := make([]chain, len(p.records)) // by record: what is in
	for k := range p.records {
		r := &p.records[k]
		if r.parent >= 0 {
			chains[k] = chains[r.parent]
		}
		i := int(p.front.at[r.rank])
		chains[k].score += p.in.ScoreAt(i)
		chains[k].used += p.in.TokensAt(i)
		chains[k].count += p.in.Size(i)
	}
	free := make([]chain, len(p.free.at)+1) // the first k
	for k, i := range p.free.at {
		free[k+1] = chain{count: free[k].count + p.in.Size(int(i)), score: free[k].score + p.in.Scores[i]}
	}
	c := newSeries(len(p.records) + 2)
	p.eachChange(func(t Target, k int) {
		open := p.open(k, t)
		var in chain
		if k >= 0 {
			in = chains[k]
		}
		c.add(t, free[open].count+in.count, in.used, free[open].score+in.score)
	})
	p.series = c
}

// newSeries has the beginning of every series, nothing at target 0, and room for
// n columns.
func newSeries(n int) Series {
	return Series{make([]Target, 1, n), make([]int32, 1, n), make([]model.Tokens, 1, n), make([]float64, 1, n)}
}

func (c *Series) add(t Target, count int32, used model.Tokens, score float64) {
	c.Targets = append(c.Targets, t)
	c.Counts = append(c.Counts, count)
	c.Used = append(c.Used, used)
	c.Scores = append(c.Scores, score)
}
