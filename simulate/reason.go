package simulate

import (
	"context"
	"errors"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Obstacle is what keeps an item out of a result.
type Obstacle uint8

// The obstacles. Those from Short to OverCap come from the slicer's own steps.
const (
	noObstacle  Obstacle = iota // the item is in
	NoRoom                      // the effective target is 0, so nothing is selected
	OverRoom                    // the item alone is larger than the room
	OverShare                   // the item alone is larger than its kind's share of the room
	Short                       // less is left than it needs when the slicer comes to it; not under a knapsack
	NothingLeft                 // nothing is left before the slicer comes to it
	OutsideBest                 // knapsack: the best set, which is chosen as a whole, does not have it
	Stopped                     // prefix: an item before it did not fit, which ends the selection
	NoValue                     // knapsack: its score is too small to have a value
	OverCap                     // count quota: enough of its kind are in
	CutOff                      // selected, then cut off by overflow truncate
	IsDuplicate                 // another item has the same content
	IsNegative                  // its token count is below 0
	IsExcluded                  // the user took it out
	Unknown                     // the slicer does not report its steps
)

// Reason says why an item is in or out of a result, with the numbers that
// decide. Fields that do not apply to the obstacle are zero.
type Reason struct {
	Obstacle Obstacle
	Tokens   model.Tokens      // of the item, and of its partner where With is set
	With     model.Option[int] // the other item of its pair, if pairs are kept whole (model.Policy.KeepPairs)

	// Left is the room that is left when the slicer comes to the item: of the share
	// if Kind is set, otherwise of the whole room. It is set for Short,
	// Stopped and CutOff, and for OutsideBest and NoValue, for which it is
	// what the best set leaves, in whole buckets.
	Left model.Tokens
	// Short is by how many tokens the item is too large: Tokens less Left
	// (Short, CutOff), Charged less the room (OverRoom) or Charged less Share
	// (OverShare). A budget larger by Short need not bring the item in, because
	// items before it may take the room. Profile.NextFor returns the budget that
	// does.
	Short model.Tokens

	// Charged is what the slicer charges for the item: Tokens, rounded up
	// under a knapsack to whole buckets of Bucket tokens. Bucket is 0 if there
	// are no buckets.
	Charged, Bucket model.Tokens

	// Kind is set if the room is divided among kinds. Share is the number of
	// tokens that the kind may fill.
	Kind  model.Kind
	Share model.Tokens

	// Cap is how many items of the kind may be in, and Place is the position
	// of the item among those that the cap drops, from 1: with a cap raised by
	// Place the item is in. Place is 0 if the cap is 0 and the slicer leaves the item out too.
	// Both are set for OverCap only.
	Cap, Place int

	By int // IsDuplicate: the item that is kept instead
}

// Reasons holds why each item of a result is in or out. A Reasons is immutable
// and safe for concurrent use.
type Reasons struct {
	report *model.Report
	steps  bool       // the slicer has steps
	last   []lastStep // by item
	// out returns, in place of last, the step of a candidate that is out, by position of the
	// ranking: most of a long list is never asked for.
	out     func(at int, left bool) slicer.Step
	ranking *pipeline.Ranking
	unused  []model.Tokens // what the best set leaves, by share+1; of knapsacks only
	bucket  model.Tokens   // 0: the slicer has none
	shares  []kindShare
	drops   map[int32]capDrop
}

// lastStep is the last thing that the slicer, or Truncate, did with an item.
type lastStep struct {
	left     model.Tokens
	obstacle Obstacle
	share    int32 // index in shares, -1: the room is not divided
}

type kindShare struct {
	kind  model.Kind
	share model.Tokens
}

type capDrop struct{ limit, place int }

// NewReasons replays the steps of a result. The report must be of the ranking
// r. It takes O(n): under most slicers a pass over the selection (see Ranking.Out), else all
// steps, and with them the computation of a knapsack's table, unless r still has it. The
// error comes from Ranking.Steps, except that a slicer without steps is not an
// error: items whose obstacle only the steps show are then Unknown.
func NewReasons(ctx context.Context, r *pipeline.Ranking, report *model.Report) (*Reasons, error) {
	if out := r.Out(report); out != nil {
		rs, any := &Reasons{report: report, steps: true, out: out, ranking: r}, out(0, true)
		if any.Unit > 1 {
			rs.bucket = any.Unit
		}
		rs.unused = []model.Tokens{model.Tokens(any.Left) * any.Unit}
		return rs, nil
	}
	return replayed(ctx, r, report)
}

// replayed is NewReasons from the steps, whatever the slicer.
func replayed(ctx context.Context, r *pipeline.Ranking, report *model.Report) (*Reasons, error) {
	rs := &Reasons{report: report, last: make([]lastStep, report.Items.Len()), unused: make([]model.Tokens, 1), drops: map[int32]capDrop{}}
	for i := range rs.last {
		rs.last[i].share = -1
	}
	dropped := map[int]int{} // by kind number
	share := int32(-1)
	err := r.Steps(ctx, report.Budget, func(s pipeline.Step) {
		rs.steps = true
		if s.Phase == slicer.Notes { // what is in a candidate's way is known
			return
		}
		if s.Item < 0 {
			if o, ok := s.Opens.(slicer.KindShare); ok {
				share = int32(len(rs.shares))
				rs.shares = append(rs.shares, kindShare{o.Kind, model.Tokens(o.Target)})
				rs.unused = append(rs.unused, 0)
			}
			return
		}
		t := &rs.last[s.Item]
		if s.Phase != slicer.Truncation && s.Phase != slicer.EnforceCaps {
			t.share = share
		}
		if s.Unit > 1 {
			rs.bucket = s.Unit
		}
		t.left = model.Tokens(s.Left) * max(1, s.Unit)
		if s.Phase == slicer.WalkBack {
			rs.unused[share+1] = model.Tokens(s.After) * max(1, s.Unit)
		}
		t.obstacle = ObstacleOf(&s.Step)
		if t.obstacle == OverCap {
			kind := report.Items.KindID(int(s.Item))
			dropped[kind]++
			rs.drops[s.Item] = capDrop{limit: int(s.Of), place: dropped[kind]}
		}
	})
	if err != nil && !errors.Is(err, slicer.ErrNoSteps) {
		return nil, err
	}
	return rs, nil
}

// ObstacleOf returns what a step puts in an item's way, as far as the step alone shows.
func ObstacleOf(s *slicer.Step) Obstacle {
	switch {
	case s.Verdict.In():
		return noObstacle
	case s.Verdict == slicer.Dropped && s.Phase == slicer.Truncation:
		return CutOff
	case s.Verdict == slicer.Dropped:
		return OverCap
	}
	switch s.Why {
	case slicer.NothingLeft:
		return NothingLeft
	case slicer.NoValue:
		return NoValue
	case slicer.Stopped:
		return Stopped
	case slicer.Dispensable:
		return OutsideBest
	}
	if s.Phase == slicer.WalkBack { // the walk is no order of choice: the set is chosen already
		return OutsideBest
	}
	return Short
}

// lastOf returns the last step of an item that competes, with what was left if that is asked for.
func (rs *Reasons) lastOf(item int, left bool) lastStep {
	if rs.out == nil {
		return rs.last[item]
	}
	at, candidate := rs.ranking.Position(item)
	if !candidate || rs.report.In(item) {
		return lastStep{share: -1}
	}
	s := rs.out(at, left)
	return lastStep{left: model.Tokens(s.Left) * s.Unit, obstacle: ObstacleOf(&s), share: -1}
}

// closed reports whether the cap of the item's kind is 0.
func (rs *Reasons) closed(item int) bool {
	if rs.report.CountCaps == nil {
		return false
	}
	kind, limit, _ := rs.report.CountCaps(item)
	return kind != "" && limit == 0
}

// beforehand is what keeps items out that do not compete.
var beforehand = [...]Obstacle{model.Deduplicated: IsDuplicate, model.NegativeTokens: IsNegative, model.Filtered: IsExcluded}

// decided is lastOf of any item, with what keeps it out in the end.
func (rs *Reasons) decided(item int, left bool) lastStep {
	r := rs.report
	if o := beforehand[r.Codes[item]]; o != noObstacle {
		return lastStep{obstacle: o, share: -1}
	}
	first := item // the slicer's steps name the first of a pair
	if r.Pairs != nil && r.Pairs[item] >= 0 {
		first = min(item, int(r.Pairs[item]))
	}
	t := rs.lastOf(first, left)
	switch room := r.Effective.Target; {
	case r.In(item):
		t.obstacle = noObstacle
	case t.obstacle == CutOff:
	case room <= 0:
		t.obstacle = NoRoom
	case !rs.steps:
		t.obstacle = Unknown
	case t.obstacle == OverCap, rs.closed(item): // with a cap of 0 no budget has it, whatever the slicer says
		t.obstacle = OverCap
	case rs.charged(item) > room:
		t.obstacle = OverRoom
	case t.share >= 0 && rs.charged(item) > rs.shares[t.share].share:
		t.obstacle = OverShare
	}
	return t
}

// charged returns what the slicer charges for an item.
func (rs *Reasons) charged(item int) model.Tokens {
	cost := rs.report.Cost(item)
	if rs.bucket == 0 {
		return cost
	}
	return (cost + rs.bucket - 1) / rs.bucket * rs.bucket
}

// Obstacle returns the obstacle of Of, and which share of the room the item competes for; -1 if the
// room is not divided. Under most slicers it takes O(1).
func (rs *Reasons) Obstacle(item int) (obstacle Obstacle, share int) {
	t := rs.decided(item, false)
	return t.obstacle, int(t.share)
}

// Of returns the reason of an item, in O(log n). It panics if the set
// has no such item.
func (rs *Reasons) Of(item int) Reason {
	r, t := rs.report, rs.decided(item, true)
	reason := Reason{Obstacle: t.obstacle, Tokens: r.Cost(item)}
	if r.Pairs != nil && r.Pairs[item] >= 0 {
		reason.With = model.Some(int(r.Pairs[item]))
	}
	if !r.Codes[item].NeverIn() {
		reason.Charged, reason.Bucket = rs.charged(item), rs.bucket
	}
	if t.share >= 0 {
		s := rs.shares[t.share]
		reason.Kind, reason.Share = s.kind, s.share
	}
	switch t.obstacle {
	case IsDuplicate:
		reason.By = int(r.Survivors[item])
	case CutOff, Short:
		reason.Left, reason.Short = t.left, reason.Tokens-t.left
	case OverCap:
		d := rs.drops[int32(item)]
		reason.Cap, reason.Place = d.limit, d.place
	case OverRoom:
		reason.Short = reason.Charged - r.Effective.Target
	case OverShare:
		reason.Short = reason.Charged - reason.Share
	case OutsideBest, NoValue:
		reason.Left = rs.unused[t.share+1]
	case Stopped, NothingLeft:
		reason.Left = t.left
	}
	return reason
}
