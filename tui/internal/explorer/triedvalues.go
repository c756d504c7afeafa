package explorer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// tried is the results at all values of the knob in focus. Where that is little work, see
// pane.MaxWayWork, they are computed at once, else once one of these keys is
// pressed. They stay while keys turn that knob and nothing else.
type tried struct {
	out   *experiment.Outcome // where the values are tried; nil: no knob is in focus
	field string              // of the knob
	value float64             // of the knob now
	then  string              // the action that was asked for, which waits for the results; "": none
	said  string              // the message line when it began to wait

	axis experiment.KnobID // the knob that these keys move where none is in focus; "": none, they move maxTokens

	triedValues
	err    error
	items  *model.Set // what of or err was computed for, with policy and budget
	policy model.Policy
	budget model.Budget
}

// triedValues are the results over a number; of is nil if computing them takes long and no key
// has asked for them.
type triedValues struct {
	of    *simulate.ProfileOver
	asked model.Number // its Name is "" until it is known
}

type triedKey struct {
	out    *experiment.Outcome
	field  string
	anyhow bool // however long that takes
}

// arrange sets the knob; a knob without a Field has no values to try. out is the outcome of the
// current setup, or nil.
func (t *tried) arrange(out *experiment.Outcome, knob experiment.Knob) {
	if out == nil || out.Report == nil || knob.Field == "" {
		t.out, t.then = nil, ""
		return
	}
	if t.out == out && t.field == knob.Field {
		return
	}
	t.out, t.field, t.value, t.then = out, knob.Field, knob.Number.Value, ""
	if t.knows() {
		return
	}
	t.triedValues, t.err = triedValues{}, nil
	t.items, t.policy, t.budget = out.Items, out.Ranking.Policy(), out.Report.Budget
}

// knows reports whether the results still belong to the current setup: it differs at most
// in the value of the knob, and that value was tried.
func (t *tried) knows() bool {
	if t.of == nil || t.items != t.out.Items || !strings.EqualFold(t.asked.Field, t.field) {
		return false
	}
	n := t.asked
	point, on := n.Point(t.value)
	if t.value != n.Value && (!on || point < n.First || point > n.Last) {
		return false
	}
	if _, there := numberOf(t.out.Ranking.Policy(), t.out.Report.Budget, t.field); !there {
		return false // its quota or its scorer is gone
	}
	policy, fields := n.Set(t.out.Ranking.Policy(), t.out.Report.Budget.Fields(), n.Value)
	budget, err := model.NewBudget(fields)
	return err == nil && policy.Same(t.policy) && reflect.DeepEqual(budget, t.budget)
}

// Job returns the work of trying the values. Only an action that asked for it waits for it.
func (t *tried) Job() (work.Job, bool) {
	large := t.asked.Name != "" // the first job found that trying all values takes long
	if t.out == nil || t.of != nil || t.err != nil || large && t.then == "" {
		return work.Job{}, false
	}
	ranking, budget, field := t.out.Ranking, t.budget, t.field
	limit := pane.MaxWayTime
	if large {
		limit = 0
	}
	return work.Job{Key: triedKey{t.out, field, large}, CanWait: t.then == "", Limit: limit, Run: work.Pass(func(ctx context.Context) (triedValues, error) {
		number, there := numberOf(ranking.Policy(), budget, field)
		if !there {
			return triedValues{}, errors.New("this knob has no values to try")
		}
		if !large && simulate.OverWork(ranking, budget, number) > pane.MaxWayWork {
			return triedValues{asked: number}, nil
		}
		of, err := simulate.NewProfileOver(ctx, ranking, budget, number)
		return triedValues{of, number}, err
	}, func(values triedValues, err error) {
		t.triedValues, t.err = values, err
		if work.TooLong(err) {
			t.err = nil // a key may still ask for it
		}
	})}, true
}

// numberOf returns the number of a field; false: the policy and the budget have none there.
func numberOf(p model.Policy, b model.Budget, field string) (model.Number, bool) {
	_, kind, _ := strings.Cut(field, ".")
	all := model.Numbers(p, b, []model.Kind{model.Kind(kind)})
	k := slices.IndexFunc(all, func(n model.Number) bool { return strings.EqualFold(n.Field, field) })
	if k < 0 {
		return model.Number{}, false
	}
	return all[k], true
}

// stop ends the work. It returns false if none was asked for.
func (t *tried) stop() bool {
	waits := t.then != ""
	t.then = ""
	return waits
}

// whyNot returns why the values of a knob were not tried.
func (t *tried) whyNot(name string) screen.Idle {
	if large, is := errors.AsType[*simulate.OverError](t.err); is {
		return screen.Idle{Why: fmt.Sprintf("%s has %v values, too many to try with %v items", name, t.count(), model.Tokens(large.Items)), Brief: "too many values"}
	}
	return screen.Idle{Why: t.err.Error(), Brief: "not tried"}
}

func (t *tried) count() model.Tokens { return model.Tokens(t.asked.Last - t.asked.First + 1) }
