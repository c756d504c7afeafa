package command

import (
	"slices"

	"cupelscope/model"
	"cupelscope/simulate/export"
)

// sheet returns the answer as rows of items or of sums.
func (c *census) sheet(by grouping) *export.Sheet {
	s := export.Sheet{Title: c.title(), Closing: c.closing(by), Facts: c.facts(by)}
	switch by {
	case byKind:
		s.Name = "kinds"
		return c.sums(s, "kind", c.kind)
	case byProvenance:
		s.Name = "counts"
		return c.sums(s, "count", c.provenance)
	}
	s.Name = "items"
	return c.items(s)
}

// facts returns what JSON has beside the rows.
func (c *census) facts(by grouping) []export.Fact {
	all := []export.Fact{
		export.SchemaFact("tokens"),
		{Name: "name", Value: export.Text(c.Name(), 0)},
		{Name: "format", Value: export.Word(string(c.Format))},
		{Name: "model", Value: export.Text(c.model, 0).If(c.model != "")},
		{Name: "window", Value: export.Tokens(c.window).If(c.window > 0)},
		{Name: "encoding", Value: export.Word(c.Encoding())},
		{Name: "tokenFactor", Value: export.Number(c.Method.Factor, 2).If(c.Method.StandIn)},
		{Name: "messageOverhead", Value: export.Tokens(c.Method.Overhead)},
		{Name: "estimatedCounts", InRows: true, Value: export.Count(c.Set.Estimates())},
		{Name: "totalItems", Value: export.Count(c.Set.Len())},
		{Name: "totalTokens", Value: export.Tokens(c.Set.Total())},
		{Name: "totalBytes", Value: export.Count(c.bytes())},
	}
	if by != byKind {
		all = append(all, export.Fact{Name: "kinds", Value: export.Objects(sumColumns("kind"), slices.Values(c.tally(c.kind)))})
	}
	if by != byProvenance {
		all = append(all, export.Fact{Name: "counts", Value: export.Objects(sumColumns("count"), slices.Values(c.tally(c.provenance)))})
	}
	for k, encoding := range c.encodings {
		all = append(all, export.Fact{Name: encoding, Value: export.Tokens(sum(c.counts[k]))})
	}
	if c.verified != nil {
		all = append(all, export.Fact{Name: "verified", Value: verifiedCell(c.verified)})
	}
	return all
}

// items returns a sheet with one row for each item.
func (c *census) items(s export.Sheet) *export.Sheet {
	size := func(i int) int { return len(c.Set.Loaded(i).Content) }
	columns := append(c.identity("count"),
		export.Column[int]{Name: "bytes", Heading: "bytes", Right: true, Spare: true, Cell: func(i int) export.Cell { return export.Count(size(i)) }},
		export.Column[int]{Name: "bytesPerToken", Heading: "per tok", Right: true, Spare: true, Cell: func(i int) export.Cell {
			return export.Number(float64(size(i))/float64(c.Set.Tokens(i)), 1).If(c.Set.Tokens(i) > 0)
		}})
	for k, encoding := range c.encodings {
		columns = append(columns, export.Column[int]{Name: encoding, Heading: encoding, Right: true, Cell: func(i int) export.Cell {
			return export.Tokens(c.counts[k][i]).If(c.Set.Loaded(i).Count != model.Opaque)
		}})
	}
	return export.SheetOf(s, append(columns, firstLine(c.firstLineOf)), export.Upto(c.Set.Len()))
}

// sumColumns returns the columns of sums, whose names stand in a column of that name.
func sumColumns(column string) []export.Column[tokenSum] {
	return []export.Column[tokenSum]{
		{Name: column, Heading: column, Cell: func(t tokenSum) export.Cell { return export.Text(t.Name, kindCells) }},
		{Name: "items", Heading: "items", Right: true, Cell: func(t tokenSum) export.Cell { return export.Count(t.Items) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(t tokenSum) export.Cell { return export.Tokens(t.Tokens) }},
	}
}

// sums returns a sheet with one row for each name; of(i) is the name for item i.
func (c *census) sums(s export.Sheet, column string, of func(i int) string) *export.Sheet {
	columns := append(sumColumns(column), export.Column[tokenSum]{
		Name: "tokenShare", Heading: "share", Right: true, Cell: func(t tokenSum) export.Cell {
			total := c.Set.Total()
			return export.Share(float64(t.Tokens) / float64(total)).If(total > 0)
		},
	})
	for k, encoding := range c.encodings {
		compared := map[string]model.Tokens{}
		for i, n := range c.counts[k] {
			compared[of(i)] += n
		}
		columns = append(columns, export.Column[tokenSum]{Name: encoding, Heading: encoding, Right: true, Cell: func(t tokenSum) export.Cell {
			return export.Tokens(compared[t.Name])
		}})
	}
	return export.SheetOf(s, columns, slices.Values(c.tally(of)))
}
