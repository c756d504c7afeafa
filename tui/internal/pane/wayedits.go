package pane

import (
	"context"
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// Edit is what a Way does that moves no knob.
type Edit struct {
	Label experiment.Label
	Do    func(experiment.Setup) experiment.Setup
	cuts  bool
}

// wayEdits are what is tried for an item that is out. They return nil if it stays out, or if
// there is no result.
var wayEdits = [...]struct {
	name string
	try  func(ctx context.Context, out *experiment.Outcome, sizer experiment.Sizer, item int) (*Way, error)
}{{"pin", pinWay}, {"shrink", shrinkWay}}

// pinWay pins the item.
func pinWay(ctx context.Context, out *experiment.Outcome, _ experiment.Sizer, item int) (*Way, error) {
	pinned, err := out.Items.With(simulate.Pinning(out.Items, item))
	if err != nil {
		return nil, err
	}
	way, err := wayWith(ctx, out, pinned, item)
	if way != nil {
		way.Edit = &Edit{Label: experiment.Label{Name: "pin"}, Do: func(s experiment.Setup) experiment.Setup {
			return s.WithPinned(out.Items, []int{item}, true)
		}}
	}
	return way, err
}

// cuts are the sizes that shrinkWay tries.
var cuts = [...]model.Tokens{8000, 4000, 2000, 1000, 500, 250, 100}

// shrinkWay adds a size to those that items of the same kind may be cut to: the largest of cuts
// that brings the item in.
func shrinkWay(ctx context.Context, out *experiment.Outcome, sizer experiment.Sizer, item int) (*Way, error) {
	edits := out.Items.Edits()
	kind := out.Items.Item(item).Kind
	now := edits.Shrink.For(kind)
	now.Kind = kind
	for _, to := range cuts {
		rule := now
		rule.To = slices.Sorted(slices.Values(append([]model.Tokens{to}, now.To...)))
		slices.Reverse(rule.To)
		set, err := out.Items.With(edits.WithShrink(edits.Shrink.With(rule)))
		if err != nil || slices.Contains(now.To, to) {
			continue // the size is there already, or one too many
		}
		if set, _, err = sizer.Counted(ctx, set); err != nil {
			return nil, err
		}
		way, err := wayWith(ctx, out, set, item)
		if way != nil {
			label := experiment.Label{Name: "shrink " + kind.Noun(), From: now.Words(), To: rule.Words()}
			way.Edit = &Edit{Label: label, cuts: true, Do: func(s experiment.Setup) experiment.Setup { return s.Shrunk(rule) }}
		}
		if way != nil || work.TooLong(err) {
			return way, err
		}
	}
	return nil, nil
}

// wayWith runs the pipeline on edited items and returns what changes if the item is in, else nil.
func wayWith(ctx context.Context, out *experiment.Outcome, edited *model.Set, item int) (*Way, error) {
	ranking, err := out.Ranking.Pipeline().RankLike(ctx, out.Ranking, edited)
	if err != nil {
		return nil, err
	}
	effect, err := simulate.Against(ctx, out.Report, ranking)
	if err != nil || !effect.Report.In(effect.Report.Survivor(item)) {
		return nil, err
	}
	return &Way{In: effect.In, Out: effect.Out, Resized: experiment.Resized(out.Report, effect.Report)}, nil
}
