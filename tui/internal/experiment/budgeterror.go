package experiment

import (
	"errors"
	"strings"

	"cupelscope/model"
)

// knobError is a *model.BudgetError in the words of the screen, where fields have the names of
// knobs and not of members in files.
type knobError struct{ error }

// newBudget is like model.NewBudget, but its error is in the words of the screen.
func newBudget(f model.BudgetFields) (model.Budget, error) {
	b, err := model.NewBudget(f)
	if err != nil {
		err = knobError{err}
	}
	return b, err
}

func (e knobError) Unwrap() error { return e.error }

// Words returns an error in the words of the screen.
func Words(err error) string { return knobError{err}.Error() }

func (e knobError) Error() string {
	of, is := errors.AsType[*model.BudgetError](e.error)
	if !is {
		return e.error.Error()
	}
	if of.Field == "slackTokens" {
		return "the slack (" + of.Value + ") is larger than the budget or its target"
	}
	row, known := model.FieldOfBudget(of.Field)
	if !known || of.Problem != "" {
		return e.error.Error()
	}
	name := row.Label
	if _, kind, slot := strings.Cut(of.Field, "."); slot {
		name += " for " + model.Kind(kind).Noun()
	}
	if of.MaxTokens.Set {
		return "the " + name + " (" + of.Value + ") is larger than the budget (" + of.MaxTokens.Value.String() + ")"
	}
	return name + " is " + of.Value + ", must be " + of.Bounds
}
