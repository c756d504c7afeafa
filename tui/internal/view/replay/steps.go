package replay

import (
	"context"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// replayed holds all steps of an outcome. It is made in one go. After that only the
// view changes it.
type replayed struct {
	steps  []pipeline.Step
	opens  []int32  // indexes of the steps that open a phase
	packs  []packed // by index in opens: what the walk back takes in all
	marks  []total  // before each markEvery-th step
	cut    bool     // there are more steps than are kept
	short  []int32  // steps that leave an item out for want of room, those that miss by least first
	shorts int      // how many such steps there are
	final  int      // the last step that changes what is in
}

// total sums up the items that are in after some steps.
type total struct {
	items  int
	tokens model.Tokens
	value  float64
}

// maxSteps bounds the memory of the steps, at 90 bytes each. Nobody looks through
// more of them.
const maxSteps = 2_000_000

// markEvery is the distance between marks: at most so many steps are added up
// again when the cursor moves.
const markEvery = 512

// add adds what a step takes, and takes off what it drops.
func (t *total) add(in *slicer.Input, s *pipeline.Step) {
	if s.At < 0 {
		return
	}
	sign := 1
	switch s.Verdict {
	case slicer.Taken, slicer.Free, slicer.Committed:
	case slicer.Dropped:
		sign = -1
	default:
		return
	}
	t.items += sign * int(in.Size(int(s.At)))
	t.tokens += model.Tokens(sign) * in.TokensAt(int(s.At))
	t.value += float64(sign) * in.ScoreAt(int(s.At))
}

// replay collects the steps of an outcome. It leaves out the phase that the greedy
// slicer opens within a share or within the rest of count quotas, because that
// says nothing new.
func replay(ctx context.Context, o *experiment.Outcome, steps []pipeline.Step) (replayed, error) {
	in := o.Ranking.Input()
	made := replayed{steps: slices.Grow(steps, min(in.Len()+1, maxSteps))} // a step a candidate, or more
	err := o.Ranking.Steps(ctx, o.Report.Budget, func(s pipeline.Step) {
		if made.cut || s.Opens != nil && s.Depth > 0 && (s.Phase == slicer.ByDensity || s.Phase == slicer.ByScore) {
			return
		}
		n := len(made.steps)
		if made.cut = n == maxSteps; made.cut {
			return
		}
		if s.Opens != nil {
			made.opens, made.packs = append(made.opens, int32(n)), append(made.packs, packed{})
		}
		if s.Phase == slicer.WalkBack && s.Verdict == slicer.Taken {
			pack := &made.packs[len(made.packs)-1]
			pack.tokens += in.TokensAt(int(s.At))
			pack.charged += model.Tokens(s.Need) * s.Unit
		}
		made.steps = append(made.steps, s)
		if s.Verdict == slicer.Skipped && s.Why == slicer.NoRoom {
			made.miss(n)
		}
	})
	if err != nil {
		return replayed{}, err
	}
	made.mark(in)
	return made, nil
}

// miss takes up a step that leaves an item out for want of room.
func (r *replayed) miss(step int) {
	r.shorts++
	r.short = widget.Most(r.short, int32(step), maxMisses, func(k int32) float64 { return float64(r.steps[k].Left - r.steps[k].Need) })
}

// mark sums up the items that are in before every markEvery-th step.
func (r *replayed) mark(in *slicer.Input) {
	r.marks, r.final = r.marks[:0], 0
	var now total
	for n := range r.steps {
		if n%markEvery == 0 {
			r.marks = append(r.marks, now)
		}
		was := now
		if now.add(in, &r.steps[n]); now != was {
			r.final = n
		}
	}
}

// after returns the sums of the items that are in when a step has been done.
func (p *View) after(step int) total {
	if step >= len(p.steps) {
		return total{}
	}
	mark := step / markEvery
	now, in := p.marks[mark], p.of.Ranking.Input()
	for k := mark * markEvery; k <= step; k++ {
		now.add(in, &p.steps[k])
	}
	return now
}

// opening returns the index in opens of the phase of a step, or -1 if there is
// none.
func (p *View) opening(step int) int {
	k := sort.Search(len(p.opens), func(k int) bool { return int(p.opens[k]) > step })
	return k - 1
}

// same returns the step that corresponds to step cursor of the steps before: the step that
// decides on the same item, or opens the phase of the same number.
func (p *View) same(before replayed, cursor int) int {
	last := max(0, len(p.steps)-1)
	if cursor >= len(before.steps) {
		return 0
	}
	was := &before.steps[cursor]
	if was.Item >= 0 {
		if cursor <= last && len(p.steps) > 0 && p.steps[cursor].Item == was.Item && p.steps[cursor].Phase == was.Phase {
			return cursor // the order of the steps rarely changes
		}
		if at, ok := p.decides(int(was.Item)); ok {
			return at
		}
		return min(cursor, last)
	}
	if nth, _ := slices.BinarySearch(before.opens, int32(cursor)); nth < len(p.opens) { // so many phases open before the cursor
		return int(p.opens[nth])
	}
	return min(cursor, last)
}

// decides returns the step that finally decided on an item: the last one that took it,
// skipped it or dropped it. ok is false if there is none.
func (p *View) decides(item int) (step int, ok bool) {
	if pairs := p.of.Report.Pairs; pairs != nil && pairs[item] >= 0 {
		item = min(item, int(pairs[item])) // the steps name the first of a pair
	}
	for k := len(p.steps) - 1; k >= 0; k-- {
		s := &p.steps[k]
		if int(s.Item) != item {
			continue
		}
		if !ok {
			step, ok = k, true
		}
		if s.Verdict != slicer.Kept {
			return k, true
		}
	}
	return step, ok
}
