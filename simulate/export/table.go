package export

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
)

// ReportOptions says what to write besides the report itself.
type ReportOptions struct {
	Basis
	Title  string // what was loaded, and under which policy
	Notes  []string
	AtRisk []int32 // items that would leave if the budget were smaller by Slack
	// RiskUnknown says that AtRisk could not be found out; JSON then has null.
	RiskUnknown bool
	Slack       model.Tokens
	// Profile tells from which budgets items are in. If it is nil, that is
	// left out.
	Profile *simulate.Profile
	Quality *ReportQuality // nil: there are no labels
	// Recorded is the result that the source itself records of a run over the
	// same items; nil: it records none.
	Recorded  *model.Report
	ASCII     bool // mark estimates with ~ in place of ≈
	NoContent bool // leave the texts of items out of JSON and CSV
	Timings   bool // write the durations of the stages in JSON
}

// DefaultItemCells is the number of terminal cells of an item's first line
// that a table shows. With the other columns that fits a wide terminal.
const DefaultItemCells = 36

// LeastItemCells is the number of terminal cells of an item's first line that
// a table keeps in a narrow terminal.
const LeastItemCells = 16

// ReportSheet returns the report as a sheet for a table, Markdown and CSV: the
// arithmetic of the budget, a row for each item, and the totals. Items that
// are in come first, in placed order, then those that are out, by score. CSV
// has the whole contents. The function JSON writes a report as JSON.
func ReportSheet(r *model.Report, o ReportOptions) *Sheet {
	s := &Sheet{Title: o.Title, Name: "items", Facts: o.Facts("report", r.Items, r.Budget), Rows: func(yield func([]Cell) bool) { reportRows(r, o, yield) }}
	for _, note := range o.Notes {
		s.Notes = append(s.Notes, "note: "+note)
	}
	s.Notes = append(s.Notes, Arithmetic(r))
	s.Closing = append(s.Closing, Totals(r))
	if len(o.AtRisk) > 0 {
		s.Closing = append(s.Closing, fmt.Sprintf("at risk: %s would leave if the budget were %v tokens smaller", plain.Count(len(o.AtRisk), "item"), o.Slack))
	}
	if o.Quality != nil {
		s.Closing = append(s.Closing, o.Quality.line(Mark(r.Items, o.ASCII)))
	}
	for _, f := range r.Shortfalls {
		s.Closing = append(s.Closing, fmt.Sprintf("shortfall: %s wants %s, has %d", plain.Line(string(f.Kind), nameCells), plain.Count(f.Required, "item"), f.Satisfied))
	}
	if o.Recorded != nil {
		s.Closing = append(s.Closing, RecordedNote(r, o.Recorded))
	}
	if r.Overflow != nil {
		s.Closing = append(s.Closing, fmt.Sprintf("overflow: %v tokens over the target of %v", r.Overflow.TokensOver, r.Budget.TargetTokens()))
	}
	s.Columns = []Head{
		{Name: "state", Heading: "state"},
		{Name: "index", Heading: "#", Right: true},
		{Name: "place", Right: true},
		{Name: "kind", Heading: "kind"},
		{Name: "tokens", Heading: "tokens", Right: true},
		{Name: "count"},
		{Name: "score", Heading: "score", Right: true},
		{Name: "firstIn", Heading: "first in", Right: true, Spare: true},
		{Name: "staysFrom", Heading: "stays from", Right: true, Spare: true},
		{Heading: "item", Flows: LeastItemCells},
		{Name: "reason"},
		{Name: "why", Heading: "why", Flows: 24},
		{Name: "recorded", Heading: "as recorded", Flows: 16},
		{Name: "content"},
	}
	if o.Recorded == nil {
		s.Columns = slices.DeleteFunc(s.Columns, func(c Head) bool { return c.Name == "recorded" })
	}
	if o.Profile == nil {
		s.Columns = slices.DeleteFunc(s.Columns, func(c Head) bool { return c.Name == "firstIn" || c.Name == "staysFrom" })
	}
	if o.NoContent {
		s.Columns = s.Columns[:len(s.Columns)-1]
	}
	if o.Quality != nil {
		s.Columns = append(s.Columns, Head{Name: "relevance", Heading: "needed", Right: true})
	}
	return s
}

// risk returns for each of n items whether it is at risk.
func (o ReportOptions) risk(n int) []bool {
	risk := make([]bool, n)
	for _, i := range o.AtRisk {
		risk[i] = true
	}
	return risk
}

func reportRows(r *model.Report, o ReportOptions, yield func([]Cell) bool) {
	risk := o.risk(r.Items.Len())
	mark := Mark(r.Items, o.ASCII)
	var row []Cell
	for k, item := range slices.Concat(r.Included, r.Excluded) {
		i := int(item)
		state, place, score := State(r.Codes[i]), None, Number(r.Scores[i], 3)
		if risk[i] {
			state = "risk"
		}
		if k < len(r.Included) {
			place = Index(k + 1)
		}
		if r.Codes[i] == model.Pinned {
			score = score.But("pin")
		}
		it := r.Items.Loaded(i)
		row = append(row[:0], Word(state), Index(i), place, Kind(it.Kind), ItemTokens(r.Items, i, o.ASCII), Provenance(r.Items, i), score)
		if o.Profile != nil {
			first, stays := budgets(o.Profile, i, mark)
			row = append(row, first, stays)
		}
		headline := None
		if !o.NoContent {
			headline = Text(it.Headline(4*DefaultItemCells), DefaultItemCells)
		}
		row = append(row, headline, Word(r.Codes[i].String()), Text(Words(r.Reason(i)), titleCells))
		if o.Recorded != nil {
			row = append(row, Word(o.Recorded.Codes[i].String()).But(recordedWords(o.Recorded, i)))
		}
		if !o.NoContent {
			row = append(row, Text(it.Content, 0))
		}
		if o.Quality != nil {
			row = append(row, o.Quality.relevance(i))
		}
		if !yield(row) {
			return
		}
	}
}

// kindCells bounds the name of a kind that has no short name.
const kindCells = 12

// Kind returns a cell with the kind of an item: its short name for a person.
func Kind(k model.Kind) Cell {
	return Text(string(k), 0).But(plain.Line(query.ShortKind(k), kindCells))
}

// ItemTokens returns a cell with the token count of item i, marked for a
// person if it is an estimate.
func ItemTokens(s *model.Set, i int, ascii bool) Cell {
	c := Tokens(s.Tokens(i))
	if !s.Count(i).IsExact() {
		return c.But(about(ascii) + c.shown)
	}
	return c
}

// Provenance returns a cell that says where the token count of item i comes
// from.
func Provenance(s *model.Set, i int) Cell { return Word(s.Count(i).String()) }

// Mark returns the mark to put before budgets that rest on estimates, ≈ or in
// ASCII ~. It is "" if the set has no estimates.
func Mark(s *model.Set, ascii bool) string {
	if s.Estimates() == 0 {
		return ""
	}
	return about(ascii)
}

func about(ascii bool) string {
	if ascii {
		return "~"
	}
	return "≈"
}

// budgets returns a cell with the budget from which an item is in, and one with the
// budget from which it stays in.
func budgets(p *simulate.Profile, i int, mark string) (first, stays Cell) {
	f, ok := p.FirstIn(i)
	if !ok {
		return None.But("-"), None.But("never")
	}
	first, stays = About(f, mark), None.But("-")
	if s, ok := p.StaysFrom(i); ok {
		stays = StaysFrom(p, s, mark)
	}
	return first, stays
}

// StaysFrom returns a cell with the budget b from which an item stays in. For
// a person it is "always" if that is the least budget at which the pipeline
// runs.
func StaysFrom(p *simulate.Profile, b model.Tokens, mark string) Cell {
	c := About(b, mark)
	if start, _ := p.Axis().Start(); b == start {
		c.shown = "always"
	}
	return c
}
