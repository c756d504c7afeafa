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

// Cell is one value, in the three ways in which it is written: for a person,
// in CSV and in JSON.
type Cell struct {
	shown, csv, json string
	whole            string // a text from a file, if json is "": csv and json are made when they are written
	text             string // that shown is a part of, not cleaned; "": shown is all
	tail             bool   // shown is the end of text
	brief            string // in place of shown where that is too wide; "": shown is cut
	absent           bool   // an object leaves the field out
	colour           colour
}

// None is a missing value: blank in a table and in CSV, null in JSON.
var None = Cell{json: "null"}

// Absent is like None, but an object of Objects does not have the field.
var Absent = Cell{json: "null", absent: true}

// If returns the cell, or None where known is false.
func (c Cell) If(known bool) Cell {
	if !known {
		return None
	}
	return c
}

// But returns the cell with another text for a person, which must be safe to
// print.
func (c Cell) But(shown string) Cell {
	c.shown, c.text = shown, ""
	return c
}

// Brief returns the cell with a shorter text for a person, to use where its
// own is too wide. It must be safe to print.
func (c Cell) Brief(shown string) Cell {
	c.brief = shown
	return c
}

// colour is the colour of a cell on a terminal, one of its own palette. Only a table of a
// Sheet with Colour has it.
type colour int

const (
	noColour colour = 0
	red      colour = 31
	green    colour = 32
	yellow   colour = 33
)

// Judged returns the cell in green if what it says is good, in red if it is bad, and in
// yellow if that is not known.
func (c Cell) Judged(good model.Option[bool]) Cell {
	switch {
	case !good.Set:
		c.colour = yellow
	case good.Value:
		c.colour = green
	default:
		c.colour = red
	}
	return c
}

// within returns what a person reads of the cell in a column of limit cells.
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

// Word returns a cell with a text of the program's own; Text is for texts that
// come from a file.
func Word(s string) Cell { return Cell{shown: s, csv: s, json: string(appendQuoted(nil, s))} }

// Text returns a cell with a text that comes from a file: cleaned and at most
// limit terminal cells wide for a person, whole for a program. A column that
// flows may show more of it.
func Text(s string, limit int) Cell {
	return Cell{shown: plain.Line(s, limit), whole: s, text: s}
}

// field returns the cell in CSV, not yet in quotes.
func (c Cell) field() string {
	if c.json == "" {
		return guarded(c.whole)
	}
	return c.csv
}

// appendJSON appends the cell in JSON.
func (c Cell) appendJSON(dst []byte) []byte {
	if c.json == "" {
		return appendQuoted(dst, c.whole)
	}
	return append(dst, c.json...)
}

// Path is like Text for a text whose end says most, such as the path of a
// file: it is cut at the beginning.
func Path(s string, limit int) Cell {
	c := Text(s, limit)
	c.shown, c.tail = plain.Tail(s, limit), true
	return c
}

// Index returns a cell with the index of an item, or another number without
// separators.
func Index(n int) Cell {
	s := strconv.Itoa(n)
	return Cell{shown: s, csv: s, json: s}
}

// Count returns a cell with a count, with separators for a person.
func Count(n int) Cell { return Tokens(model.Tokens(n)) }

// Tokens returns a cell with a number of tokens, with separators for a person.
func Tokens(t model.Tokens) Cell {
	exact := strconv.FormatInt(int64(t), 10)
	return Cell{shown: t.String(), csv: exact, json: exact}
}

// About returns a cell with a number that rests on estimates. For a person it
// is rounded, with the mark before it; a program gets the exact number. If
// mark is empty, About is like Tokens.
func About(t model.Tokens, mark string) Cell {
	c := Tokens(t)
	if mark != "" {
		c.shown = mark + t.Short()
	}
	return c
}

// Number returns a cell with a number, with the given number of decimals for a
// person and with full precision for a program. A number that is not finite is
// null.
func Number(f float64, decimals int) Cell {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return None.But(strconv.FormatFloat(f, 'f', -1, 64))
	}
	exact := string(appendNumber(nil, f))
	return Cell{shown: strconv.FormatFloat(f, 'f', decimals, 64), csv: exact, json: exact}
}

// Probability returns a cell with the p of a test. One below 0.0001 is "< 0.0001" for a
// person, and the exact number for a program.
func Probability(p float64) Cell {
	c := Number(p, 4)
	if p < 0.0001 {
		return c.But("< 0.0001")
	}
	return c
}

// Share returns a cell with a share: percent for a person, 0 to 1 for a
// program.
func Share(f float64) Cell { return Number(f, 0).But(plain.Percent(f)) }

// Truth returns a cell with a truth value: for a person "yes", or nothing if
// it is false.
func Truth(b bool) Cell {
	if b {
		return Cell{shown: "yes", csv: "true", json: "true"}
	}
	return Cell{csv: "false", json: "false"}
}

// Indexes returns a cell with a list of item indexes.
func Indexes(all []int32) Cell {
	text := string(appendInts(nil, all))
	return Cell{shown: text, csv: text, json: text}
}

// Bands returns a cell with ranges of budgets, as [[from, to], ...] for a
// program.
func Bands(bands []simulate.Band) Cell {
	text := string(appendBands(nil, bands))
	shown := plain.Texts(bands, func(b simulate.Band) string { return b.From.String() + ".." + b.To.String() })
	return Cell{shown: strings.Join(shown, "  "), csv: text, json: text}
}

// budgetOf returns a cell with a budget: its maxTokens for a person, the
// object of scenario files for a program.
func budgetOf(b model.Budget) Cell {
	text := string(appendBudget(nil, b))
	return Cell{shown: b.MaxTokens().String(), csv: text, json: text}
}

// Raw returns a cell with JSON, which must be on one line.
func Raw(text json.RawMessage) Cell {
	text = escaped(text)
	return Cell{shown: string(text), csv: string(text), json: string(text)}
}
