package command

import (
	"fmt"
	"slices"

	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// compactionRow is a compaction, and what the policy keeps in the same room.
type compactionRow struct {
	turns.Compaction
	kept turns.Kept
}

// known returns a cell about what is kept, or why nothing is.
func (c compactionRow) known(cell export.Cell) export.Cell {
	if c.kept.Err != nil {
		return export.None.But(plain.Line(messageOf(c.kept.Err), 40))
	}
	return cell
}

// againRow is something that came again after a compaction.
type againRow struct {
	turns.Again
	compaction int // its request, by index
	*sessionResult
}

// compactionSheets returns the recorded compactions, and what came again after them. They
// are empty where several sessions are summed up.
func (t *turnTotals) compactionSheets() []*export.Sheet {
	var all []compactionRow
	var again []againRow
	closing := "--compactions lists those of one session"
	if t.only != nil {
		all = t.only.compactions
		closing = fmt.Sprintf("again: what came within %d requests and repeats what was taken out, a sign that it was missed; "+
			"A keeps: what %s takes of what was there before, in as many tokens as there were after", turns.WithinRequests, t.plans[policyA].Name)
		if len(all) == 0 {
			closing = "the session records no compaction, so nothing was taken out and nothing came again"
		}
	}
	for _, c := range all {
		for _, a := range c.Again {
			again = append(again, againRow{a, c.Request, t.only})
		}
	}
	count := func(name, heading string, of func(compactionRow) export.Cell) export.Column[compactionRow] {
		return export.Column[compactionRow]{Name: name, Heading: heading, Right: true, Cell: of}
	}
	return []*export.Sheet{
		export.SheetOf(export.Sheet{Title: plain.Count(len(all), "recorded compaction"), Name: "compactions", Closing: []string{closing}}, []export.Column[compactionRow]{
			count("request", "request", func(c compactionRow) export.Cell { return export.Index(c.Request + 1) }),
			count("before", "before", func(c compactionRow) export.Cell { return export.Tokens(c.Before) }),
			count("after", "after", func(c compactionRow) export.Cell { return export.Tokens(c.After) }),
			count("gone", "items gone", func(c compactionRow) export.Cell { return export.Count(c.Gone) }),
			count("summary", "summary", func(c compactionRow) export.Cell { return export.Tokens(c.Summary) }),
			count("again", "again", func(c compactionRow) export.Cell { return export.Count(len(c.Again)) }),
			count("tokensAgain", "tokens", func(c compactionRow) export.Cell { return export.Tokens(c.TokensAgain()) }),
			count("keptItems", "A keeps", func(c compactionRow) export.Cell { return c.known(export.Count(c.kept.Items)) }),
			count("keptTokens", "tokens", func(c compactionRow) export.Cell { return c.known(export.Tokens(c.kept.Tokens)) }),
			count("keptAgain", "of again", func(c compactionRow) export.Cell { return c.known(export.Count(c.kept.Again)) }),
		}, slices.Values(all)),
		export.SheetOf(export.Sheet{Title: "what came again", Name: "again"}, []export.Column[againRow]{
			{Name: "compaction", Heading: "compaction", Right: true, Cell: func(a againRow) export.Cell { return export.Index(a.compaction + 1) }},
			{Name: "request", Heading: "request", Right: true, Cell: func(a againRow) export.Cell { return export.Index(a.Request + 1) }},
			{Name: "item", Heading: "item", Right: true, Cell: func(a againRow) export.Cell { return export.Index(int(a.Item)).But(number(a.Item)) }},
			{Name: "of", Heading: "repeats", Right: true, Cell: func(a againRow) export.Cell { return export.Index(int(a.Of)).But(number(a.Of)) }},
			{Name: "sign", Heading: "sign", Cell: func(a againRow) export.Cell { return export.Word(a.Sign) }},
			{Name: "tokens", Heading: "tokens", Right: true, Cell: func(a againRow) export.Cell { return export.Tokens(a.Tokens) }},
		}, slices.Values(again)),
	}
}
