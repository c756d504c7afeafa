package explorer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/widget"
)

// workspaceState is a workspace and the experiment with it.
type workspaceState struct {
	workspace *Workspace
	exp       *experiment.Experiment // nil: nothing is loaded yet
	side      experiment.Side        // that is shown and edited
	original  experiment.Setup
	saved     experiment.Setup // the setup that was last saved or loaded
	first     bool             // no result was shown yet
	offered   string           // the notice that offers to keep pairs together; "": there is none
	pairsTold bool             // there was one
	touring   bool             // the tour begins once there is one
	fits      fits
	nearest   [2]nearest // the next change below the budget, and above
	named     namedList  // the newest
}

// newWorkspaceState returns the state in which the exploration of a workspace begins with a setup.
func newWorkspaceState(s *Workspace, setup experiment.Setup) (workspaceState, error) {
	exp, err := experiment.New(s.Items, setup)
	if err != nil {
		return workspaceState{}, err
	}
	exp.Tell(s.Told, s.Log, s.Sizer)
	return workspaceState{workspace: s, exp: exp, original: setup, saved: setup, first: true}, nil
}

// budget returns the current maxTokens.
func (s *workspaceState) budget() model.Tokens { return s.exp.Setup().Budget.MaxTokens }

// unsaved reports whether a scenario that is written now would differ from the one
// that was written last, or loaded.
func (s *workspaceState) unsaved() bool {
	now := s.exp.EndSetup()
	now.Wanted, now.Price, now.Fixed, now.Plan = s.saved.Wanted, s.saved.Price, s.saved.Fixed, s.saved.Plan // a scenario keeps these as what the screen shows
	return !now.Equal(s.saved)
}

// edit selects the side that is shown and edited.
func (s *workspaceState) edit(side experiment.Side) {
	s.side = side
	s.exp.Watch(side)
}

// current returns the outcome of a side, or nil if it belongs to an older setup.
func (s *workspaceState) current(side experiment.Side) *experiment.Outcome {
	if s.exp.State(side) == experiment.Pending {
		return nil
	}
	return s.exp.Outcome(side)
}

const budgetsPending = "the budgets are still being computed"

// needsProfile returns why there is no profile of the side that is shown, or "".
func (s *workspaceState) needsProfile() string {
	switch {
	case s.exp.Profile(s.side) != nil:
		return ""
	case s.exp.State(s.side) == experiment.Failed:
		return "there is no result at any budget"
	}
	return budgetsPending
}

// needsResult returns why there is no result to copy or to write, or "".
func (s *workspaceState) needsResult() string {
	o := s.exp.Outcome(s.side)
	switch state := s.exp.State(s.side); {
	case o == nil || o.Report == nil, state == experiment.Failed:
		return "there is no result at this budget"
	case state == experiment.Pending:
		return "the result is still being computed"
	}
	return ""
}

// extendAxis moves a ceiling that was derived from estimates to where all items fit
// with better counts. It never moves it down.
func (s *workspaceState) extendAxis() {
	if s.workspace.CeilingAsked {
		return
	}
	from := s.original.Ceiling
	b, err := model.NewBudget(s.original.Budget)
	if err != nil {
		return
	}
	end := endFor(s.exp.Whole(), s.original.Policy, b)
	if end <= from {
		return
	}
	s.exp.ExtendAxis(from, end)
	s.original.Ceiling = end
	if s.saved.Ceiling == from {
		s.saved.Ceiling = end
	}
}

// required returns which required numbers of items to lower, if err says that the result exceeds a
// target that holds the pinned items: only count quotas can exceed it, because they take items
// whatever these cost.
func (s *workspaceState) required(err error) []string {
	over, exceeds := errors.AsType[*model.OverflowError](err)
	if !exceeds || s.exp.Items().PinnedTokens() > over.Target {
		return nil
	}
	var ways []string
	for _, q := range s.exp.Setup().Policy[s.side].CountQuotas {
		if q.Require > 0 {
			ways = append(ways, fmt.Sprintf("lower %s require %d (p)", q.Kind.Noun(), q.Require))
		}
	}
	return ways
}

// helps returns what helps where err is why there is no result: the key that leads to the nearest
// budget with a result, and the knobs.
func (m *Model) helps(err error) []string {
	budget := m.exp.Setup().Budget
	fixes := experiment.Fixes(err, budget)
	wrong, invalid := errors.AsType[*model.BudgetError](err)
	missing := pane.Missing(budget, m.exp.Items().PinnedTokens())
	var ways []string
	for _, id := range fixes {
		the := "the " + strings.TrimPrefix(string(id), "the ")
		way := "change " + the
		switch {
		case id == experiment.MaxTokens:
			continue // it goes first
		case id == experiment.TargetTokens && !invalid && budget.Target() == budget.MaxTokens:
			continue // it is as large as it may be
		case id == experiment.Overflow:
			way = "set overflow to " + string(model.Truncate) + " or " + string(model.Proceed)
		case invalid && wrong.MaxTokens.Set, id == experiment.Ceiling:
			way = "lower " + the
		case id == experiment.Bucket, id == experiment.TargetTokens:
			way = "raise " + the
		}
		for _, d := range budget.Deductions(0) {
			if missing > 0 && d.OnlyMax && experiment.KnobOf(d.Field, "") == id {
				way = "" // nothing that it gives is enough
				if to := d.Tokens - missing; to >= 0 {
					way = "lower " + the + " to " + to.String()
				}
			}
		}
		if way != "" {
			ways = append(ways, way)
		}
	}
	ways = append(m.required(err), ways...)
	if slices.Contains(fixes, experiment.MaxTokens) {
		ways = slices.Insert(ways, 0, m.raise())
	}
	if n := releases(err, m.exp.Items()); n > 0 {
		ways = append(ways, "release "+widget.Verb(n, "the largest "+plain.Pinned+" item", plain.Count(n, plain.Pinned+" item"))+" ("+m.keyOf("item.pin")+")")
	}
	return ways
}

// releases returns how many pinned items, the largest first, it is enough to release where err is why there is no
// result; 0 where all are too few.
func releases(err error, items *model.Set) int {
	var over model.Tokens
	if pinned, needs := errors.AsType[*model.PinnedError](err); needs && pinned.Available > 0 { // else a release leaves no room either
		over = pinned.Pinned - pinned.Available
	} else if result, exceeds := errors.AsType[*model.OverflowError](err); exceeds {
		over = result.Merged - result.Target
	}
	var sizes []model.Tokens
	for i := range items.Len() {
		if items.Pinned(i) && items.TakesPart(i) && over > 0 {
			sizes = append(sizes, items.SizeTokens(i, items.PinnedSize(i)))
		}
	}
	slices.Sort(sizes)
	for k, size := range slices.Backward(sizes) {
		if over -= size; over <= 0 {
			return len(sizes) - k
		}
	}
	return 0
}

// inWidth returns the ways as a sentence of at most width cells, without the last ones if need be.
func inWidth(ways []string, width int) string {
	var forms []string
	for n := len(ways); n > 0; n-- {
		text := capital(strings.Join(ways[:n], ", or ")) + "."
		forms = append(forms, text, strings.Replace(text, pinsAlone, "", 1))
	}
	return widget.Fitting(width, forms...)
}

const pinsAlone = " (" + plain.Pinned + " items alone)"

// raise returns which larger budget has a result, and the key that leads there.
func (m *Model) raise() string {
	c, err := m.nextChange(1)
	if err != nil || c.Words == pinsTooLarge {
		return "raise the budget"
	}
	way := "press " + m.keyOf("budget.next") + " for " + c.Budget.Value.String()
	if n := len(c.In); n > 0 && n == len(m.exp.Profile(m.side).Ranking().Pinned()) {
		way += pinsAlone
	}
	return way
}
