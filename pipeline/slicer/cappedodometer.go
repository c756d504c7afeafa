package slicer

// This file enforces caps on an odometer. A record holds the item that enters,
// and its parents hold all selected items before it. So whether a cap takes the
// item out is decided once for each record, by the number of items of its kind
// among its parents. Items without tokens come before all others and are in from
// target 1 on, so they are counted first.

// cappedOdometer is an odometer with all above the caps taken out.
type cappedOdometer struct {
	breakpoints
	all     *odometer
	out     []uint64 // bits by record: the item that enters is above its cap
	first   []Target // by rank, 0: never
	stays   []Target
	freeOut []bool  // by item without tokens: above its cap
	kept    []int32 // items without tokens that are not
}

// newCappedOdometer replays the records: O(K). It is not possible for an
// odometer whose items without tokens come and go, or come after others.
func newCappedOdometer(o *odometer, caps *caps) (*cappedOdometer, bool) {
	if o.free.gates != nil {
		return nil, false
	}
	places, free, ok := caps.freePlaces(o.free.at)
	if !ok {
		return nil, false
	}
	room := make([]int, len(caps.kinds)) // for items with tokens
	for k, kind := range caps.kinds {
		room[k] = kind.room - free[k]
	}
	p := &cappedOdometer{
		all: o, out: make([]uint64, (len(o.records)+63)/64),
		first: make([]Target, len(o.first)), stays: make([]Target, len(o.stays)),
		freeOut: make([]bool, len(o.free.at)),
	}
	for k, i := range o.free.at {
		if kind := caps.of[i]; kind > 0 && int(places[k]) >= caps.kinds[kind-1].room {
			p.freeOut[k] = true
		} else {
			p.kept = append(p.kept, i)
		}
	}
	p.replay(caps, room)
	return p, true
}

// replay goes through the records as they came about, with the selected items
// of each on a stack and the number of each kind on it.
func (p *cappedOdometer) replay(caps *caps, room []int) {
	if len(p.kept) > 0 && p.all.upTo > 0 {
		p.breakpoints = append(p.breakpoints, 1)
	}
	taken := make([]int, len(room))
	var stack []int32
	for k := range p.all.records {
		r := &p.all.records[k]
		changed := false
		for len(stack) > 0 && stack[len(stack)-1] != r.parent {
			left := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if kind := caps.of[p.all.front.at[p.all.records[left].rank]]; kind > 0 {
				taken[kind-1]--
			}
			changed = changed || p.counted(int(left))
		}
		stack = append(stack, int32(k))
		in := true
		if kind := caps.of[p.all.front.at[r.rank]]; kind > 0 {
			in = taken[kind-1] < room[kind-1]
			taken[kind-1]++
		}
		if in {
			changed = true
			if p.first[r.rank] == 0 {
				p.first[r.rank] = r.from
			}
			if r.end == p.all.upTo+1 {
				p.stays[r.rank] = r.from
			}
		} else {
			p.out[k>>6] |= 1 << (k & 63)
		}
		if t := r.from; changed && (len(p.breakpoints) == 0 || p.breakpoints[len(p.breakpoints)-1] < t) {
			p.breakpoints = append(p.breakpoints, t)
		}
	}
}

// counted reports whether the item that enters at record k is in.
func (p *cappedOdometer) counted(k int) bool { return p.out[k>>6]>>(k&63)&1 == 0 }

// UpTo implements Profile.
func (p *cappedOdometer) UpTo() Target { return p.all.upTo }

// FirstIn implements Profile in O(1).
func (p *cappedOdometer) FirstIn(i int) (Target, bool) { return p.of(p.first, i) }

// StaysFrom implements Profile in O(1).
func (p *cappedOdometer) StaysFrom(i int) (Target, bool) { return p.of(p.stays, i) }

func (p *cappedOdometer) of(column []Target, i int) (Target, bool) {
	switch number := p.all.numbers[i]; {
	case number > 0:
		t := column[number-1]
		return t, t > 0
	case number < 0 && !p.freeOut[-1-number]:
		return 1, p.all.upTo > 0
	}
	return 0, false
}

// Bands implements Profile in time proportional to the bands without caps.
func (p *cappedOdometer) Bands(dst []Band, i int) []Band {
	number := p.all.numbers[i]
	if number <= 0 {
		if first, ok := p.FirstIn(i); ok {
			dst = append(dst, Band{first, p.all.upTo})
		}
		return dst
	}
	p.all.index.Do(p.all.indexRecords)
	for _, k := range p.all.byRank[p.all.starts[number-1]:p.all.starts[number]] {
		if r := &p.all.records[k]; p.counted(int(k)) {
			dst = append(dst, Band{r.from, r.end - 1})
		}
	}
	return dst
}

// At implements Profile: see odometer.At.
func (p *cappedOdometer) At(t Target, dst Selection) Selection {
	dst = NewSelection(dst, p.all.in.Len())
	t = min(t, p.all.upTo)
	if t <= 0 {
		return dst
	}
	for _, i := range p.kept {
		dst.Add(int(i))
	}
	for k := int32(p.all.after(t)) - 1; k >= 0; k = p.all.records[k].parent {
		if p.counted(int(k)) {
			dst.Add(int(p.all.front.at[p.all.records[k].rank]))
		}
	}
	return dst
}

// Curve implements Profile. It is made on the first call, O(K).
func (p *cappedOdometer) Curve() Curve {
	p.all.curving.Do(p.makeCurve)
	return p.all.curve
}

func (p *cappedOdometer) makeCurve() {
	chains := p.all.chains(p.counted)
	score := 0.0
	for _, i := range p.kept {
		score += p.all.in.Scores[i]
	}
	c := newCurve(len(p.breakpoints) + 1)
	k := -1
	for _, t := range p.breakpoints {
		for k+1 < len(p.all.records) && p.all.records[k+1].from <= t {
			k++
		}
		var in chain
		if k >= 0 {
			in = chains[k]
		}
		c.add(t, int32(len(p.kept))+in.count, in.used, score+in.score)
	}
	p.all.curve = c
}
