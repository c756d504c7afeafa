package export

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// ReportOptions says what to write besides the report itself.
type ReportOptions struct {
	Basis
	Notes  []string
	AtRisk []int32 // items that would leave if the budget were smaller by Slack
	// RiskErr says why AtRisk is not known or, without a Profile, why nothing is that a profile
	// tells; JSON then has null.
	RiskErr error
	Slack   model.Tokens
	// Profile knows from which budgets items are in. If it is nil, these columns are
	// left out.
	Profile *simulate.Profile
	Quality *Quality           // nil: there are no labels
	Why     func(i int) string // see Words; JSON needs none
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

// MinItemCells is the number of terminal cells of an item's first line that
// a table keeps in a narrow terminal.
const MinItemCells = 16

// notes returns what was assumed and what is not known.
func (o *ReportOptions) notes() []string {
	var all []string
	if o.Guess != "" {
		all = append(all, o.Guess+"; set it with --max-tokens")
	}
	switch {
	case o.RiskErr != nil && o.Profile == nil:
		all = append(all, "no first in, "+plain.StaysFrom+" and "+plain.AtRisk+": "+o.RiskErr.Error())
	case o.RiskErr != nil:
		all = append(all, fmt.Sprintf("%s is not known: with %s less, %v", plain.AtRisk, plain.Count(o.Slack, "token"), o.RiskErr))
	}
	return append(all, o.Notes...)
}

// ReportSheet returns the report as a sheet for a table, Markdown and CSV: the
// arithmetic of the budget, a row for each item, and the totals. Items that
// are in come first, in placed order, then those that are out, by score. CSV
// has the whole contents. The function JSON writes a report as JSON.
func ReportSheet(r *model.Report, o ReportOptions) *Sheet {
	s := Sheet{Title: o.Title(r.Items), Name: "items", Facts: o.Facts("report", r.Items, r.Budget)}
	for _, note := range o.notes() {
		s.Notes = append(s.Notes, "note: "+note)
	}
	s.Notes = append(s.Notes, arithmetic(r))
	s.Closing = append(s.Closing, totals(r))
	if len(o.AtRisk) > 0 {
		s.Closing = append(s.Closing, fmt.Sprintf("%s: %s would %s if the budget were %s smaller", plain.AtRisk, plain.Count(len(o.AtRisk), "item"), leave(r), plain.Count(o.Slack, "token")))
	}
	if o.Quality != nil {
		s.Closing = append(s.Closing, o.Quality.line(Mark(r.Items, o.ASCII), r.Items))
	}
	for _, f := range r.Shortfalls {
		s.Closing = append(s.Closing, fmt.Sprintf("shortfall: %s wants %s, has %d", f.Kind.Noun(), plain.Count(f.Required, "item"), f.Satisfied))
	}
	if o.Recorded != nil {
		s.Closing = append(s.Closing, RecordedNote(r, o.Recorded))
	}
	if r.Overflow != nil {
		s.Closing = append(s.Closing, fmt.Sprintf("overflow: %s over the target of %v", plain.Count(r.Overflow.TokensOver, "token"), r.Budget.TargetTokens()))
	}
	items := slices.Concat(r.Included, r.Excluded)
	row := func(k int) reportRow { return reportRow{int(items[k]), k} }
	return SheetOf(s, Of(row, reportColumns(r, o)...), Upto(len(items)))
}

// leave says what items at risk would do.
func leave(r *model.Report) string {
	if r.Sizes != nil {
		return "leave or shrink"
	}
	return "leave"
}

// risk returns for each of n items whether it is at risk.
func (o ReportOptions) risk(n int) []bool {
	risk := make([]bool, n)
	for _, i := range o.AtRisk {
		risk[i] = true
	}
	return risk
}

// reportRow is an item, and its place among those that are in, from 0; from
// len(Report.Included) on it is out.
type reportRow struct{ item, place int }

func reportColumns(r *model.Report, o ReportOptions) []Column[reportRow] {
	risk, mark := o.risk(r.Items.Len()), Mark(r.Items, o.ASCII)
	columns := []Column[reportRow]{
		{Name: "state", Heading: "state", Cell: func(of reportRow) Cell {
			switch {
			case risk[of.item]:
				return Word("risk")
			case r.Shrunk(of.item):
				return Word("cut")
			case r.Noted(of.item):
				return Word("note")
			}
			return Word(state(r.Codes[of.item]))
		}},
		{Name: "index", Heading: "#", Right: true, Cell: func(of reportRow) Cell { return Index(of.item) }},
		{Name: "place", Right: true, Cell: func(of reportRow) Cell { return Index(of.place + 1).If(of.place < len(r.Included)) }},
		{Name: "kind", Heading: "kind", Cell: func(of reportRow) Cell { return Kind(r.Items.Loaded(of.item).Kind) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(of reportRow) Cell { return ItemTokens(r.Items, of.item, o.ASCII) }},
		{Name: "count", Cell: func(of reportRow) Cell { return Provenance(r.Items, of.item) }},
		{Name: "score", Heading: "score", Right: true, Cell: func(of reportRow) Cell {
			score := Number(r.Scores[of.item], 3)
			if r.Codes[of.item] == model.Pinned {
				return score.But("pin")
			}
			return score
		}},
	}
	add := func(when bool, more ...Column[reportRow]) {
		if when {
			columns = append(columns, more...)
		}
	}
	add(r.Sizes != nil, Column[reportRow]{Name: "taken", Heading: "taken", Right: true, Cell: func(of reportRow) Cell {
		if !r.In(of.item) && !r.Noted(of.item) {
			return None
		}
		taken := Tokens(r.Taken(of.item))
		if !sizeExact(r, of.item) {
			return taken.But(about(o.ASCII) + taken.shown)
		}
		return taken
	}}, Column[reportRow]{Name: "size", Cell: func(of reportRow) Cell { return SizeOf(r, of.item) }},
		Column[reportRow]{Name: "sizeCount", Cell: func(of reportRow) Cell { return SizeCount(r.Items, of.item) }})
	add(o.Profile != nil,
		Column[reportRow]{Name: "firstIn", Heading: "first in", Right: true, Spare: true, Cell: func(of reportRow) Cell {
			first, _ := budgets(r, o.Profile, of.item, mark)
			return first
		}},
		Column[reportRow]{Name: "staysFrom", Heading: plain.StaysFrom, Right: true, Spare: true, Cell: func(of reportRow) Cell {
			_, stays := budgets(r, o.Profile, of.item, mark)
			return stays
		}})
	add(true,
		Column[reportRow]{Heading: "item", Flows: MinItemCells, Cell: func(of reportRow) Cell {
			if o.NoContent {
				return None
			}
			return Text(r.Items.Loaded(of.item).Headline(4*DefaultItemCells), DefaultItemCells)
		}},
		Column[reportRow]{Name: "reason", Cell: func(of reportRow) Cell { return Word(r.Codes[of.item].String()) }},
		Column[reportRow]{Name: "why", Heading: "why", Flows: 24, Cell: func(of reportRow) Cell { return Text(o.whyOf(r, of.item), titleCells) }})
	add(o.Recorded != nil, Column[reportRow]{Name: "recorded", Heading: "as recorded", Flows: 16, Cell: func(of reportRow) Cell {
		return Word(o.Recorded.Codes[of.item].String()).But(recordedWords(o.Recorded, of.item))
	}})
	add(!o.NoContent, Column[reportRow]{Name: "content", Cell: func(of reportRow) Cell { return Text(r.Items.Loaded(of.item).Content, 0) }})
	add(o.Quality != nil, Column[reportRow]{Name: "relevance", Heading: "needed", Right: true, Cell: func(of reportRow) Cell { return o.Quality.relevance(of.item) }})
	return columns
}

// SizeOf returns a cell with the size that item i is in: 0 the whole, 1 the next, and so on;
// none if it is out.
func SizeOf(r *model.Report, i int) Cell {
	return Count(r.Size(i)).If(r.In(i))
}

// SizeCount returns a cell with the number of sizes that an item may be in: the whole counts, a
// note does not.
func SizeCount(set *model.Set, i int) Cell {
	sizes := set.Sizes(i)
	if n := len(sizes); n > 0 && sizes[n-1].Note {
		return Count(n)
	}
	return Count(len(sizes) + 1)
}

// sizeExact reports whether the tokens that item i takes are exact.
func sizeExact(r *model.Report, i int) bool {
	if size := r.Size(i); size > 0 {
		return r.Items.Sizes(i)[size-1].Count.IsExact()
	}
	return r.Items.Count(i).IsExact()
}

// whyOf returns the reason of item i in words, and the size that it is taken in.
func (o ReportOptions) whyOf(r *model.Report, i int) string {
	words := o.Why(i)
	switch {
	case r.Shrunk(i):
		return fmt.Sprintf("cut to %v of %v", r.Taken(i), r.Items.Tokens(i))
	case r.Noted(i):
		return fmt.Sprintf("%s; a note of %v in its place", words, r.Taken(i))
	}
	return words
}

// kindCells bounds the name of a kind that has no short name.
const kindCells = 12

// Kind returns a cell with the kind of an item: its short name for a person.
func Kind(k model.Kind) Cell {
	return Text(string(k), 0).But(plain.Line(k.Short(), kindCells))
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

// budgets returns a cell with the smallest budget at which an item is in, and one with the
// budget from which it stays in. Of a duplicate both name the item that it repeats.
func budgets(r *model.Report, p *simulate.Profile, i int, mark string) (first, stays Cell) {
	f, ok := p.FirstIn(i)
	if !ok {
		if kept := r.Survivor(i); kept != i {
			as := fmt.Sprintf("as #%d", kept)
			return None.But(as), None.But(as)
		}
		return None.But("never"), None.But("-")
	}
	first, stays = About(f, mark), None.But("-")
	if s, ok := p.StaysFrom(i); ok {
		stays = StaysFrom(p, s, mark)
	}
	return first, stays
}

// StaysFrom returns a cell with the budget b from which an item stays in. For
// a person it is "always" if that is the smallest budget at which the pipeline
// runs.
func StaysFrom(p *simulate.Profile, b model.Tokens, mark string) Cell {
	c := About(b, mark)
	if start, _ := p.Axis().Start(); b == start {
		c.shown = "always"
	}
	return c
}
