package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
)

// TableOptions are what a table says beside the report itself.
type TableOptions struct {
	Title  string // what was loaded, and under which policy
	Notes  []string
	AtRisk []int32 // items that would leave with slack tokens less
	Slack  model.Tokens
	// Profile gives the columns first and stays; nil leaves them out.
	Profile *simulate.Profile
	ASCII   bool // mark estimates with ~ in place of ≈
}

// DefaultItemCells is how much of an item's first line a table shows: with the
// other columns it fits a wide terminal.
const DefaultItemCells = 36

// Table writes the report for a person: a header with the budget arithmetic, a
// line an item, first what is in, as placed, then what is out by score, and the
// totals. The error is that of w.
func Table(w io.Writer, r *model.Report, o TableOptions) error {
	out := bufio.NewWriterSize(w, 64<<10)
	line := func(s string) { out.WriteString(strings.TrimRight(s, " ") + "\n") } // Flush reports the error
	if o.Title != "" {
		line(plain.Line(o.Title, titleCells))
	}
	for _, note := range o.Notes {
		line("note: " + plain.Line(note, titleCells))
	}
	line(Arithmetic(r))
	line("")
	writeRows(line, rows(r, o))
	line("")
	line(Totals(r))
	if len(o.AtRisk) > 0 {
		line(fmt.Sprintf("at risk: %s would leave if the budget were %v tokens smaller", items(len(o.AtRisk)), o.Slack))
	}
	for _, s := range r.Shortfalls {
		line(fmt.Sprintf("shortfall: %s wants %s, has %d", plain.Line(string(s.Kind), nameCells), items(s.Required), s.Satisfied))
	}
	if r.Overflow != nil {
		line(fmt.Sprintf("overflow: %v tokens over the target of %v", r.Overflow.TokensOver, r.Budget.TargetTokens()))
	}
	return out.Flush()
}

// items says how many.
func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return model.Tokens(n).String() + " items"
}

// titleCells bounds lines of the header that hold foreign text.
const titleCells = 400

// column is a heading with how its cells are aligned.
type column struct {
	heading string
	right   bool
	budgets bool // only with a profile
}

var columns = [...]column{
	{"state", false, false},
	{"#", true, false},
	{"kind", false, false},
	{"tokens", true, false},
	{"score", true, false},
	{"first", true, true},
	{"stays", true, true},
	{"item", false, false},
	{"why", false, false},
}

// row holds a cell for each column.
type row [len(columns)]string

func rows(r *model.Report, o TableOptions) []row {
	risk := make([]bool, r.Items.Len())
	for _, i := range o.AtRisk {
		risk[i] = true
	}
	about := "≈"
	if o.ASCII {
		about = "~"
	}
	heading := row{}
	for c, column := range columns {
		if !column.budgets || o.Profile != nil {
			heading[c] = column.heading
		}
	}
	all := append(make([]row, 0, len(r.Codes)+1), heading)
	for _, i := range slices.Concat(r.Included, r.Excluded) {
		all = append(all, newRow(r, int(i), risk[i], o.Profile, about))
	}
	return all
}

func newRow(r *model.Report, i int, risk bool, p *simulate.Profile, about string) row {
	it := r.Items.Loaded(i)
	out := row{
		State(r.Codes[i]),
		strconv.Itoa(i),
		plain.Line(query.ShortKind(it.Kind), kindCells),
		r.Items.Tokens(i).String(),
		strconv.FormatFloat(r.Scores[i], 'f', 3, 64),
		"", "",
		plain.Line(it.FirstLine(4*DefaultItemCells), DefaultItemCells),
		Words(r.Reason(i)),
	}
	if risk {
		out[0] = "risk"
	}
	if r.Codes[i] == model.Pinned {
		out[4] = "pin"
	}
	if !r.Items.Count(i).IsExact() {
		out[3] = about + out[3]
	}
	if p != nil {
		if r.Items.Estimates() == 0 {
			about = ""
		}
		out[5], out[6] = budgets(p, i, about)
	}
	return out
}

// kindCells bounds the name of a kind that has no short name.
const kindCells = 12

// budgets says first and stays of an item in a cell each. With an estimate in
// play they are rounded, and about stands before them.
func budgets(p *simulate.Profile, i int, about string) (first, stays string) {
	say := func(t model.Tokens) string {
		if about == "" {
			return t.String()
		}
		return about + t.Short()
	}
	f, ok := p.First(i)
	if !ok {
		return "-", "never"
	}
	first, stays = say(f), "-"
	if s, ok := p.Stays(i); ok {
		stays = say(s)
		if start, _ := p.Axis().Start(); s == start {
			stays = "always"
		}
	}
	return first, stays
}

// writeRows writes the rows with each column as wide as its widest cell, two
// spaces apart. A column without any text takes no room.
func writeRows(line func(string), rows []row) {
	var widths [len(columns)]int
	for _, r := range rows {
		for c, cell := range r {
			widths[c] = max(widths[c], plain.Width(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		b.Reset()
		for c, cell := range r {
			if widths[c] == 0 {
				continue
			}
			pad := strings.Repeat(" ", widths[c]-plain.Width(cell))
			if b.Len() > 0 {
				b.WriteString("  ")
			}
			if columns[c].right {
				b.WriteString(pad + cell)
			} else {
				b.WriteString(cell + pad)
			}
		}
		line(b.String())
	}
}
