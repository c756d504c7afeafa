// Package experiment holds the state of the explorer that does not depend on a terminal:
// the loaded items, their edits, the policies A and B, the budget with its slack and the
// budget axis; the outcome on each side; undo and redo.
//
// A Setup is a value that is never changed in place. An edit makes a new one,
// and what has to be computed for it is described by a Request, which any
// goroutine may run; only the Experiment's owner accepts the Outcome.
package experiment

import (
	"reflect"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Side is one of the two policies that are compared.
type Side int

const (
	A Side = iota
	B
)

func (s Side) String() string { return string(rune('A' + s)) }
func (s Side) Other() Side    { return 1 - s }

// Setup is everything the user can change and undo.
type Setup struct {
	Edits  model.Edits
	Labels model.Labels // which items are needed
	Policy [2]model.Policy
	// Budget may be invalid: the screen says so, and the user fixes it. Its target always
	// follows from the maximum and Gap; see WithMax and WithTarget.
	Budget model.BudgetFields
	// Gap is how far the target lies below the maximum, in tokens. It is stored
	// separately so that it survives a maximum smaller than the gap.
	Gap model.Tokens
	// Slack is how many tokens smaller the budget may turn out to be: an item that
	// would then be out is at risk.
	Slack model.Tokens
	// SlackGuessed says that nobody chose Slack: it follows the maximum.
	SlackGuessed bool
	// Wanted is the share of the value, or of what is needed, in percent, whose least budget is shown.
	Wanted float64
	// Price is the user's price of a million input tokens in dollars; 0: costs are shown at
	// the model's price or, where that is not known, in input tokens.
	Price float64
	// Fixed is how many tokens every prompt of a session begins with that its log does not
	// hold; unset: what the recorded usage says, else 0.
	Fixed model.Option[model.Tokens]
	// Plan is what an agent does when its window is full, as turns.ParsePlan reads it; "":
	// the first of turns.Presets.
	Plan string
	// Ceiling is the largest budget on the axis, unless maxTokens is larger; see
	// Setup.End.
	Ceiling model.Tokens
	// CeilingAsked says that the user chose Ceiling: it does not follow the policies.
	CeilingAsked bool
}

// UsableSlack returns Slack, or the target if that is smaller. A maximum that moves below
// Slack keeps it for the way back, but neither a scenario nor a flag may say it.
func (s Setup) UsableSlack() model.Tokens { return min(s.Slack, s.Budget.Target()) }

// Spared returns the budget that is larger than b by the slack there: what stays in from b on is not at risk.
// It returns false where that is b, or above the ceiling.
func (s Setup) Spared(b model.Tokens) (model.Tokens, bool) {
	to := b
	for to < b+s.WithMax(to).Slack {
		to = b + s.WithMax(to).Slack
	}
	return to, to > b && to <= s.End()
}

// End returns where the budget axis ends: Ceiling, doubled until it is not below
// maxTokens, and at most model.MaxTokens.
func (s Setup) End() model.Tokens {
	if s.Budget.MaxTokens <= s.Ceiling {
		return s.Ceiling
	}
	end := s.Ceiling
	for end > 0 && end < s.Budget.MaxTokens && end < model.MaxTokens {
		end *= 2
	}
	return min(max(end, s.Budget.MaxTokens), model.MaxTokens)
}

// WithMax returns the setup with another maxTokens. The target keeps its distance to it, and a slack that is
// a guess is made anew.
func (s Setup) WithMax(b model.Tokens) Setup {
	s.Budget.MaxTokens, s.Budget.TargetTokens = b, model.Some(max(0, b-s.Gap))
	if s.SlackGuessed {
		s.Slack = simulate.GuessSlack(s.Budget)
	}
	return s
}

// WithTarget returns the setup with another target, which must be at most maxTokens.
func (s Setup) WithTarget(t model.Tokens) Setup {
	s.Gap = s.Budget.MaxTokens - t
	return s.WithMax(s.Budget.MaxTokens)
}

// WithBudget returns the setup with another budget.
func (s Setup) WithBudget(b model.Budget) Setup {
	s.Budget, s.Gap = b.Fields(), b.Gap()
	return s.WithMax(b.MaxTokens())
}

// Slot returns how many tokens are held for a kind.
func (s Setup) Slot(k model.Kind) model.Tokens {
	for _, slot := range s.Budget.ReservedSlots {
		if slot.Kind.Is(k) {
			return slot.Tokens
		}
	}
	return 0
}

// WithSlot returns the setup with t tokens held for a kind; 0 removes the slot.
func (s Setup) WithSlot(k model.Kind, t model.Tokens) Setup {
	s.Budget = s.Budget.WithSlot(k, t)
	return s
}

// WithPolicy returns the setup with another policy on one side.
func (s Setup) WithPolicy(side Side, p model.Policy) Setup {
	s.Policy[side] = p
	return s
}

// OtherSlicer returns a policy with the slicer to compare it with, in its usual size.
func OtherSlicer(p model.Policy) model.Policy {
	p = p.Clone()
	p.SetSlicer(p.Slicer.Other())
	if size, ok := p.Size(); ok {
		_ = p.SetSize(size.Value) // which it has
	}
	return p
}

// WithPinned returns the setup with items pinned, or released; see model.Edits.
func (s Setup) WithPinned(loaded *model.Set, items []int, pinned bool) Setup {
	s.Edits = s.Edits.WithPinned(loaded, pinned, items...)
	if pinned {
		return s.WithExcluded(items, false)
	}
	return s
}

// WithExcluded returns the setup with items excluded, or no longer excluded.
func (s Setup) WithExcluded(items []int, excluded bool) Setup {
	s.Edits = s.Edits.WithExcluded(excluded, items...)
	return s
}

// WithTokens returns the setup with another token count for items, or with their loaded
// ones if t is not set.
func (s Setup) WithTokens(loaded *model.Set, items []int, t model.Option[model.Tokens]) Setup {
	s.Edits = s.Edits.WithTokens(loaded, t, items...)
	return s
}

// WithHint returns the setup with another future relevance hint for items, which must be
// finite, or with their loaded hints, if any.
func (s Setup) WithHint(loaded *model.Set, items []int, hint model.Option[float64]) Setup {
	s.Edits = s.Edits.WithHint(loaded, hint, items...)
	return s
}

// WithNeeded returns the setup with items marked as needed, or as not needed; see
// model.Labels.Marked.
func (s Setup) WithNeeded(loaded model.Labels, items []int, needed bool) Setup {
	s.Labels = s.Labels.Marked(needed, loaded, items...)
	return s
}

// WithQuery returns the setup with another query. Its scores still have to be computed;
// see Experiment.Unscored.
func (s Setup) WithQuery(text string) Setup {
	if text = strings.TrimSpace(text); text != s.Edits.Query.Text {
		s.Edits = s.Edits.WithQuery(model.Query{Text: text})
	}
	return s
}

// SameEdits reports whether two setups edit the same items in the same way.
func (s Setup) SameEdits(o Setup) bool { return s.Edits.Equal(o.Edits) }

// Equal reports whether two setups mean the same.
func (s Setup) Equal(o Setup) bool {
	return s.sameFor(o, A) && s.sameFor(o, B) && s.Gap == o.Gap && s.SlackGuessed == o.SlackGuessed && s.Wanted == o.Wanted && s.Price == o.Price && s.Fixed == o.Fixed && s.Plan == o.Plan
}

// sameFor reports whether two setups mean the same for one side.
func (s Setup) sameFor(o Setup, side Side) bool {
	return s.sameResult(o, side) && s.Labels.Equal(o.Labels)
}

// sameResult reports whether two setups have the same result on one side. Their labels
// may differ.
func (s Setup) sameResult(o Setup, side Side) bool {
	return s.Slack == o.Slack && s.End() == o.End() && s.SameEdits(o) &&
		reflect.DeepEqual(s.Budget, o.Budget) && reflect.DeepEqual(s.Policy[side], o.Policy[side])
}
