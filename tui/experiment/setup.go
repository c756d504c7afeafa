// Package experiment holds what the user is trying, without a terminal: the
// loaded items, their edits, the policies A and B, the budget with its slack
// and the budget axis; what came of it on each side; undo and redo.
//
// A Setup is a value that is never changed in place. An edit makes a new one,
// and what has to be computed for it is described by a Request, which any
// goroutine may run; only the Experiment's owner accepts the Outcome.
package experiment

import (
	"reflect"
	"slices"
	"strings"

	"cupelscope/model"
)

// Side is one of the two policies that are compared.
type Side int

const (
	A Side = iota
	B
)

func (s Side) String() string { return string(rune('A' + s)) }

// Other is the other side.
func (s Side) Other() Side { return 1 - s }

// Setup is everything the user can change and undo.
type Setup struct {
	Edits  model.Edits
	Labels model.Labels // what is needed
	Policy [2]model.Policy
	// Budget may be invalid: the user is told, and fixes it. Its target always
	// follows from the maximum and Gap; see WithMax and WithTarget.
	Budget model.BudgetFields
	// Gap is how far the target lies below the maximum. It is kept apart
	// because a maximum below it would lose it.
	Gap model.Tokens
	// Slack is what a budget may be missing: an item lost within it is at risk.
	Slack model.Tokens
	// Wanted is the recall for which budgets are told, in percent.
	Wanted float64
	// AxisEnd is the largest budget that is looked at; see Setup.End.
	AxisEnd model.Tokens
}

// End is where the budget axis ends: AxisEnd, or further where the budget
// itself lies beyond it.
func (s Setup) End() model.Tokens {
	if s.Budget.MaxTokens <= s.AxisEnd {
		return s.AxisEnd
	}
	end := s.AxisEnd
	for end > 0 && end < s.Budget.MaxTokens && end < model.MaxTokens {
		end *= 2
	}
	return min(max(end, s.Budget.MaxTokens), model.MaxTokens)
}

// WithMax moves the budget along its axis: the target keeps its distance.
func (s Setup) WithMax(b model.Tokens) Setup {
	s.Budget.MaxTokens, s.Budget.TargetTokens = b, model.Some(max(0, b-s.Gap))
	return s
}

// WithTarget sets the target, at most the maximum.
func (s Setup) WithTarget(t model.Tokens) Setup {
	s.Gap = s.Budget.MaxTokens - t
	return s.WithMax(s.Budget.MaxTokens)
}

// WithBudget replaces the whole budget.
func (s Setup) WithBudget(b model.Budget) Setup {
	s.Budget, s.Gap = b.Fields(), b.Gap()
	return s
}

// Slot is what is held back for a kind.
func (s Setup) Slot(k model.Kind) model.Tokens {
	for _, slot := range s.Budget.ReservedSlots {
		if slot.Kind.Is(k) {
			return slot.Tokens
		}
	}
	return 0
}

// WithSlot holds back t tokens for a kind; 0 removes the slot.
func (s Setup) WithSlot(k model.Kind, t model.Tokens) Setup {
	slots := slices.Clone(s.Budget.ReservedSlots)
	i := slices.IndexFunc(slots, func(slot model.Slot) bool { return slot.Kind.Is(k) })
	switch {
	case i >= 0 && t == 0:
		slots = slices.Delete(slots, i, i+1)
	case i >= 0:
		slots[i].Tokens = t
	case t != 0:
		slots = append(slots, model.Slot{Kind: k, Tokens: t})
	}
	s.Budget.ReservedSlots = slots
	return s
}

// HeldBack is the sum of the slots.
func (s Setup) HeldBack() model.Tokens {
	var sum model.Tokens
	for _, slot := range s.Budget.ReservedSlots {
		sum += slot.Tokens
	}
	return sum
}

// WithPolicy replaces the policy of one side.
func (s Setup) WithPolicy(side Side, p model.Policy) Setup {
	s.Policy[side] = p
	return s
}

// WithPinned pins items, or releases them; see model.Edits.
func (s Setup) WithPinned(loaded *model.Set, items []int, pinned bool) Setup {
	s.Edits = s.Edits.WithPinned(loaded, pinned, items...)
	return s
}

// WithExcluded takes items out, or back in.
func (s Setup) WithExcluded(items []int, excluded bool) Setup {
	s.Edits = s.Edits.WithExcluded(excluded, items...)
	return s
}

// WithTokens gives items another token count.
func (s Setup) WithTokens(loaded *model.Set, items []int, t model.Tokens) Setup {
	s.Edits = s.Edits.WithTokens(loaded, t, items...)
	return s
}

// WithoutTokens gives items the counts that were loaded.
func (s Setup) WithoutTokens(items []int) Setup {
	s.Edits = s.Edits.WithoutTokens(items...)
	return s
}

// WithHint gives items another future relevance hint, which is finite.
func (s Setup) WithHint(loaded *model.Set, items []int, hint float64) Setup {
	s.Edits = s.Edits.WithHint(loaded, hint, items...)
	return s
}

// WithoutHint gives items the hints that were loaded, if any.
func (s Setup) WithoutHint(items []int) Setup {
	s.Edits = s.Edits.WithoutHint(items...)
	return s
}

// WithNeeded marks items as needed, or as not needed; see model.Labels.Marked.
func (s Setup) WithNeeded(loaded model.Labels, items []int, needed bool) Setup {
	s.Labels = s.Labels.Marked(needed, loaded, items...)
	return s
}

// WithQuery asks a question, whose answer has to be worked out; see Unscored.
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
	return s.sameFor(o, A) && s.sameFor(o, B) && s.Gap == o.Gap && s.Wanted == o.Wanted
}

// sameFor reports whether two setups mean the same for one side.
func (s Setup) sameFor(o Setup, side Side) bool {
	return s.sameResult(o, side) && s.Labels.Equal(o.Labels)
}

// sameResult reports whether two setups have the same result on one side; what of
// it is needed may be another.
func (s Setup) sameResult(o Setup, side Side) bool {
	return s.Slack == o.Slack && s.End() == o.End() && s.SameEdits(o) &&
		reflect.DeepEqual(s.Budget, o.Budget) && reflect.DeepEqual(s.Policy[side], o.Policy[side])
}
