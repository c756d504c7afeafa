package command

import (
	"cupelscope/model"
	"cupelscope/simulate/export"
)

// sheet returns the answer as rows of items or of sums.
func (c *census) sheet(by Grouping) *export.Sheet {
	s := &export.Sheet{Title: c.title(), Closing: c.closing(by), Facts: c.facts(by)}
	switch by {
	case ByKind:
		c.sums(s, "kinds", "kind", c.kind)
	case ByProvenance:
		c.sums(s, "counts", "count", c.provenance)
	default:
		c.items(s)
	}
	return s
}

// facts returns what JSON has beside the rows.
func (c *census) facts(by Grouping) []export.Fact {
	all := []export.Fact{
		export.SchemaFact("tokens"),
		{Name: "name", Value: export.Text(c.Name(), 0)},
		{Name: "format", Value: export.Word(string(c.Format))},
		{Name: "model", Value: export.None},
		{Name: "window", Value: export.None},
		{Name: "encoding", Value: export.Word(c.Encoding())},
		{Name: "tokenFactor", Value: export.None},
		{Name: "messageOverhead", Value: export.Tokens(c.Method.Overhead)},
		{Name: "estimatedCounts", InRows: true, Value: export.Count(c.Set.Estimates())},
		{Name: "totalItems", Value: export.Count(c.Set.Len())},
		{Name: "totalTokens", Value: export.Tokens(c.Set.Total())},
		{Name: "totalBytes", Value: export.Count(c.bytes())},
	}
	if c.model != "" {
		all[3].Value = export.Text(c.model, 0)
	}
	if c.window > 0 {
		all[4].Value = export.Tokens(c.window)
	}
	if c.Method.StandIn {
		all[6].Value = export.Number(c.Method.Factor, 2)
	}
	if by != ByKind {
		all = append(all, export.Fact{Name: "kinds", Value: export.Tallies("kind", c.tally(c.kind))})
	}
	if by != ByProvenance {
		all = append(all, export.Fact{Name: "counts", Value: export.Tallies("count", c.tally(c.provenance))})
	}
	for k, encoding := range c.encodings {
		all = append(all, export.Fact{Name: encoding, Value: export.Tokens(sum(c.counts[k]))})
	}
	if c.verified != nil {
		all = append(all, export.Fact{Name: "verified", Value: verifiedCell(c.verified)})
	}
	return all
}

// items fills a sheet with one row for each item.
func (c *census) items(s *export.Sheet) {
	s.Name = "items"
	s.Columns = identity()
	s.Columns[3].Heading = "count"
	s.Columns = append(s.Columns,
		export.Head{Name: "bytes", Heading: "bytes", Right: true, Spare: true},
		export.Head{Name: "bytesPerToken", Heading: "per tok", Right: true, Spare: true})
	for _, encoding := range c.encodings {
		s.Columns = append(s.Columns, export.Head{Name: encoding, Heading: encoding, Right: true})
	}
	s.Columns = append(s.Columns, firstLine)
	s.Rows = func(yield func([]export.Cell) bool) {
		var row []export.Cell
		for i := range c.Set.Len() {
			size, count := len(c.Set.Loaded(i).Content), c.Set.Tokens(i)
			row = append(c.identify(row[:0], i), export.Count(size), perToken(size, count))
			for _, column := range c.counts {
				if c.Set.Loaded(i).Count == model.Opaque {
					row = append(row, export.None)
				} else {
					row = append(row, export.Tokens(column[i]))
				}
			}
			if !yield(append(row, c.firstLineOf(i))) {
				return
			}
		}
	}
}

// perToken returns a cell for the mean number of bytes per token.
func perToken(size int, count model.Tokens) export.Cell {
	if count <= 0 {
		return export.None
	}
	return export.Number(float64(size)/float64(count), 1)
}

// sums fills a sheet with one row for each name; of(i) is the name for item i.
func (c *census) sums(s *export.Sheet, name, column string, of func(i int) string) {
	s.Name = name
	s.Columns = []export.Head{
		{Name: column, Heading: column},
		{Name: "items", Heading: "items", Right: true},
		{Name: "tokens", Heading: "tokens", Right: true},
		{Name: "tokenShare", Heading: "share", Right: true},
	}
	compared := make([]map[string]model.Tokens, len(c.encodings))
	for k, encoding := range c.encodings {
		s.Columns = append(s.Columns, export.Head{Name: encoding, Heading: encoding, Right: true})
		compared[k] = map[string]model.Tokens{}
		for i, n := range c.counts[k] {
			compared[k][of(i)] += n
		}
	}
	s.Rows = export.RowsOf(c.tally(of), func(row []export.Cell, _ int, t export.Tally) []export.Cell {
		share := export.None
		if total := c.Set.Total(); total > 0 {
			share = export.Share(float64(t.Tokens) / float64(total))
		}
		row = append(row, export.Text(t.Name, kindCells), export.Count(t.Items), export.Tokens(t.Tokens), share)
		for k := range compared {
			row = append(row, export.Tokens(compared[k][t.Name]))
		}
		return row
	})
}
