package export

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
)

// wide is a sheet of which each part can be too wide.
func wide(width int) *Sheet {
	return &Sheet{
		Title: "a title of some words", Closing: []string{"and a line that closes it"}, Width: width,
		Columns: []head{
			{Heading: "#", Right: true},
			{Heading: "first", Right: true, Spare: true},
			{Heading: "stays", Right: true, Spare: true},
			{Heading: "item", Flows: 6},
			{Heading: "budgets", Flows: 8},
		},
		Rows: func(yield func([]Cell) bool) {
			_ = yield([]Cell{Index(1), Tokens(1200), Tokens(3400), Text("a long text\nof lines", 10), Word("1..2, 5..6, 9").Brief("1 to 9")}) &&
				yield([]Cell{Index(2), None, None, Text("数据", 10), Word("7")})
		},
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"no width: texts as they were cut", 0, `
a title of some words

#  first  stays  item        budgets
1  1,200  3,400  a long te…  1..2, 5..6, 9
2                数据        7

and a line that closes it
`},
		{"room for more of the texts", 80, `
a title of some words

#  first  stays  item                  budgets
1  1,200  3,400  a long text of lines  1..2, 5..6, 9
2                数据                  7

and a line that closes it
`},
		{"both are narrowed, the widest first", 40, `
a title of some words

#  first  stays  item        budgets
1  1,200  3,400  a long te…  1 to 9
2                数据        7

and a line that closes it
`},
		{"what can be spared goes, the last first", 30, `
a title of some words

#  first  item       budgets
1  1,200  a long t…  1 to 9
2         数据       7

and a line that closes it
no room in 30 columns for:
stays
`},
		{"all that can be spared goes", 20, `
a title of some
words

#  item     budgets
1  a long…  1 to 9
2  数据     7

and a line that
closes it
no room in 20
columns for: first,
stays
`},
		{"too narrow: no column vanishes that is needed", 10, `
a title of
some words

#  item    budgets
1  a lon…  1 to 9
2  数据    7

and a line
that
closes it
no room in
10 columns
for:
first,
stays
`},
	} {
		musttest.Is(t, written(t, wide(c.width), AsTable), c.want[1:], c.name)
	}
}

func TestWidthIsOfTablesOnly(t *testing.T) {
	for _, f := range []Form{AsJSON, AsCSV, AsMarkdown} {
		musttest.Is(t, written(t, wide(0), f), written(t, wide(10), f), f, "a width changes it")
	}
}

// No line is wider than the table, unless its columns cannot do with less.
func TestFitRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s := &Sheet{Width: 1 + r.IntN(90), Title: "t"}
		least, row := -gapCells, []Cell(nil)
		for range 1 + r.IntN(6) {
			c := head{Heading: strings.Repeat("h", 1+r.IntN(5)), Spare: r.IntN(3) == 0}
			text := strings.Repeat("数x", r.IntN(20))
			if r.IntN(2) == 0 {
				c.Flows = 1 + r.IntN(12)
			}
			cell := Text(text, 60)
			width := max(plain.Width(cell.shown), len(c.Heading))
			if c.Flows > 0 {
				width = min(width, max(c.Flows, len(c.Heading)))
			}
			if text != "" && !c.Spare {
				least += width + gapCells
			}
			s.Columns, row = append(s.Columns, c), append(row, cell)
		}
		s.Rows = func(yield func([]Cell) bool) { yield(row) }
		out := written(t, s, AsTable)
		for line := range strings.Lines(out) {
			if w := plain.Width(strings.TrimRight(line, "\n")); w > max(s.Width, least) {
				t.Fatalf("width %d, least %d: a line of %d:\n%s", s.Width, least, w, out)
			}
		}
	}
}
