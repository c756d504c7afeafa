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
type Cell struct {
	shown, csv, json string
	text             string // that shown is a part of, not cleaned; "": shown is all
	tail             bool   // of text the end is shown
	brief            string // in place of shown where that is too wide; "": shown is cut
}

// None is a value that there is not: blank in a table and in CSV, null in JSON.
var None = Cell{json: "null"}

// But is the cell with other words for a person, which must be safe to print.
func (c Cell) But(shown string) Cell {
	c.shown, c.text = shown, ""
	return c
}

// Brief is the cell with words for a person that stand where its own are too
// wide. They must be safe to print.
func (c Cell) Brief(shown string) Cell {
	c.brief = shown
	return c
}

// within is what a person reads of the cell in a column of so many cells.
func (c Cell) within(limit int) string {
	switch {
	case c.text != "" && c.tail:
		return plain.Tail(c.text, limit)
	case c.text != "":
		return plain.Line(c.text, limit)
	case c.brief != "" && plain.Width(c.shown) > limit:
		return plain.Line(c.brief, limit)
	}
	return plain.Line(c.shown, limit)
}

// Word is a text of ours.
func Word(s string) Cell { return Cell{shown: s, csv: s, json: string(appendQuoted(nil, s))} }

// Text is a text that a file gave: cleaned and at most limit cells wide for a
// person, whole for a program. A column that flows may show more of it.
func Text(s string, limit int) Cell {
	return Cell{shown: plain.Line(s, limit), csv: guarded(s), json: string(appendQuoted(nil, s)), text: s}
}

// Path is Text of which the end tells most, as that of a file does: what is cut
// is the beginning.
func Path(s string, limit int) Cell {
	c := Text(s, limit)
	c.shown, c.tail = plain.Tail(s, limit), true
	return c
}

// Index is the number of an item, or how many there are of something small.
func Index(n int) Cell {
	s := strconv.Itoa(n)
	return Cell{shown: s, csv: s, json: s}
}

// Count is how many there are of something.
func Count(n int) Cell { return Tokens(model.Tokens(n)) }

// Tokens is a number of tokens, with separators for a person.
func Tokens(t model.Tokens) Cell {
	exact := strconv.FormatInt(int64(t), 10)
	return Cell{shown: t.String(), csv: exact, json: exact}
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
	return Cell{shown: strconv.FormatFloat(f, 'f', decimals, 64), csv: exact, json: exact}
}

// Share is a part of a whole: percent for a person, 0 to 1 for a program.
func Share(f float64) Cell { return Number(f, 0).But(Percent(f)) }

// Percent is a part of a whole in percent. No share but none at all is 0 %, and
// none but the whole 100 %.
func Percent(f float64) string {
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
		return Cell{shown: "yes", csv: "true", json: "true"}
	}
	return Cell{csv: "false", json: "false"}
}

// Indexes is a list of items.
func Indexes(all []int32) Cell {
	text := string(appendInts(nil, all))
	return Cell{shown: text, csv: text, json: text}
}

// Bands is a list of ranges of budgets: [[from, to], ...] for a program.
func Bands(bands []simulate.Band) Cell {
	text := string(appendBands(nil, bands))
	shown := make([]string, len(bands))
	for k, b := range bands {
		shown[k] = b.From.String() + ".." + b.To.String()
	}
	return Cell{shown: strings.Join(shown, "  "), csv: text, json: text}
}

// BudgetOf is a budget as scenarios spell it.
func BudgetOf(b model.Budget) Cell {
	text := string(appendBudget(nil, b))
	return Cell{shown: b.MaxTokens().String(), csv: text, json: text}
}

// Raw is JSON as it is, on one line.
func Raw(text json.RawMessage) Cell {
	text = escaped(text)
	return Cell{shown: string(text), csv: string(text), json: string(text)}
}
