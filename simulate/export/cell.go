package export

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// Cell is one value, as a person reads it, as CSV has it, and as JSON.
type Cell struct{ shown, csv, json string }

// None is a value that there is not: blank in a table and in CSV, null in JSON.
var None = Cell{"", "", "null"}

// But is the cell with other words for a person, which must be safe to print.
func (c Cell) But(shown string) Cell {
	c.shown = shown
	return c
}

// Word is a text of ours.
func Word(s string) Cell { return Cell{s, s, string(appendQuoted(nil, s))} }

// Text is a text that a file gave: cleaned and at most limit cells wide for a
// person, whole for a program.
func Text(s string, limit int) Cell {
	return Cell{plain.Line(s, limit), guarded(s), string(appendQuoted(nil, s))}
}

// Index is the number of an item, or how many there are of something small.
func Index(n int) Cell {
	s := strconv.Itoa(n)
	return Cell{s, s, s}
}

// Count is how many there are of something.
func Count(n int) Cell { return Tokens(model.Tokens(n)) }

// Tokens is a number of tokens, with separators for a person.
func Tokens(t model.Tokens) Cell {
	exact := strconv.FormatInt(int64(t), 10)
	return Cell{t.String(), exact, exact}
}

// About marks a number that rests on estimates: for a person it is rounded, and
// the mark stands before it. Without a mark it is Tokens.
func About(t model.Tokens, mark string) Cell {
	c := Tokens(t)
	if mark != "" {
		c.shown = mark + t.Short()
	}
	return c
}

// AboutOption is About, None where there is no number.
func AboutOption(o model.Option[model.Tokens], mark string) Cell {
	if !o.Set {
		return None
	}
	return About(o.Value, mark)
}

// Number is a number with so many decimals for a person, and all of it for a
// program; one that is not finite is null.
func Number(f float64, decimals int) Cell {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return None.But(strconv.FormatFloat(f, 'f', -1, 64))
	}
	exact := string(appendNumber(nil, f))
	return Cell{strconv.FormatFloat(f, 'f', decimals, 64), exact, exact}
}

// Share is a part of a whole: percent for a person, 0 to 1 for a program. No
// share but none at all is shown as 0 %, and none but the whole as 100 %.
func Share(f float64) Cell { return Number(f, 0).But(percent(f)) }

func percent(f float64) string {
	switch p := math.Round(100 * f); {
	case p == 0 && f > 0:
		return "<1 %"
	case p == 100 && f < 1:
		return ">99 %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// Truth is yes or, for a person, nothing.
func Truth(b bool) Cell {
	if b {
		return Cell{"yes", "true", "true"}
	}
	return Cell{"", "false", "false"}
}

// Indexes is a list of items.
func Indexes(all []int32) Cell {
	text := string(appendInts(nil, all))
	return Cell{text, text, text}
}

// Bands is a list of ranges of budgets: [[from, to], ...] for a program.
func Bands(bands []simulate.Band) Cell {
	text := string(appendBands(nil, bands))
	shown := make([]string, len(bands))
	for k, b := range bands {
		shown[k] = b.From.String() + ".." + b.To.String()
	}
	return Cell{strings.Join(shown, "  "), text, text}
}

// BudgetOf is a budget as scenarios spell it.
func BudgetOf(b model.Budget) Cell {
	text := string(appendBudget(nil, b))
	return Cell{b.MaxTokens().String(), text, text}
}

// Raw is JSON as it is, on one line.
func Raw(text json.RawMessage) Cell { return Cell{string(text), string(text), string(text)} }
