package export

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// pageBytes bounds a page without texts: a browser lays it out at once, and mail
// takes it.
const pageBytes = 1 << 20

// errNoPage says that there is no profile, from which a page reads every budget.
var errNoPage = errors.New("a page needs the result at every budget, which is not known here")

// pageHTML is the page, with its style and script. pageData stands where the data goes.
//
//go:embed page.html
var pageHTML []byte

const pageData = "{{data}}"

// page is the data of a page. Its script only prints what is here.
type page struct {
	Name, Title string
	Notes       []string
	Mark        string       // before token counts, if any is an estimate
	Budget, End model.Tokens // the budget that is shown first, and the last
	Items       []pageItem
	Points      pagePoints
}

type pageItem struct {
	Kind   string
	Tokens model.Tokens
	Score  string
	// State is the state of an item that is not in, and Why its reason where no budget changes it.
	State, Why         string
	FirstIn, StaysFrom string
	Sizes              []pageSize // the whole first
	Text               string     `json:",omitempty"`
}

// pageSize is a size of an item with the budgets at which the item is taken in it.
type pageSize struct {
	Tokens model.Tokens
	Note   bool `json:",omitempty"`
	Bands  [][2]model.Tokens
}

// pagePoints are the points of the curve, a slice for each number: at Budgets[k], and up to
// the budget before the next, Items[k] items are in. Where the pipeline does not run it is -1.
type pagePoints struct {
	Budgets, Tokens []model.Tokens
	Items           []int
	Values          []float64 // rounded to 3 decimals, as a report prints them
}

// Page writes a report at every budget of its profile as one file of HTML, with a slider
// over the budgets. It loads nothing and sends nothing. Texts of items are in it unless
// o.NoContent; without them it has at most pageBytes, and none is made that must be larger.
// It reads the bands of all items and the whole curve. The error is w's, errNoPage, or says
// that the page is too large.
func Page(w io.Writer, r *model.Report, o ReportOptions) error {
	if o.Profile == nil {
		return errNoPage
	}
	p, mark := o.Profile, Mark(r.Items, o.ASCII)
	data := page{
		Name: plain.Line(o.Name, titleCells), Title: plain.Line(o.Title(r.Items), titleCells), Notes: append([]string{}, o.notes()...),
		Mark: mark, Budget: r.Budget.MaxTokens(), End: p.Axis().End(),
	}
	const minItem = len(`{"Kind":"","Tokens":0,"Score":"","State":"","Why":"","FirstIn":"","StaysFrom":"","Sizes":[]},`)
	const minBand, minPoint = len(`[0,0],`), len(`0,0,0,0,`)
	least := len(pageHTML) + minItem*r.Items.Len() // bytes that the page has at least
	tooLarge := func() error {
		if !o.NoContent || least <= pageBytes {
			return nil
		}
		return fmt.Errorf("the page would have more than the %v bytes that are allowed, for %s at every budget up to %v",
			model.Tokens(pageBytes), plain.Count(r.Items.Len(), "item"), data.End)
	}
	for i := range r.Items.Len() {
		if err := tooLarge(); err != nil {
			return err
		}
		it := pageItem{Kind: Kind(r.Items.Loaded(i).Kind).shown, Tokens: r.Items.Tokens(i), Score: Number(r.Scores[i], 3).shown, State: state(r.Codes[i]), Sizes: pageSizes(p, i)}
		for _, size := range it.Sizes {
			least += minBand * len(size.Bands)
		}
		first, stays := budgets(r, p, i, mark)
		it.FirstIn, it.StaysFrom = first.shown, stays.shown
		switch code := r.Codes[i]; {
		case code == model.Pinned:
			it.Score = "pin"
		case code.NeverIn():
			it.Why = o.Why(i)
		default:
			it.State = state(model.BudgetExceeded)
		}
		if !o.NoContent {
			it.Text = r.Items.Loaded(i).Content
		}
		data.Items = append(data.Items, it)
	}
	for point := range p.Points() {
		items := point.Items
		if !point.Runs {
			items = -1
		}
		if math.IsInf(point.Value, 0) || math.IsNaN(point.Value) {
			return fmt.Errorf("the value at a budget of %v is not a finite number, which a page cannot draw", point.Budget)
		}
		data.Points.Budgets = append(data.Points.Budgets, point.Budget)
		data.Points.Tokens = append(data.Points.Tokens, point.Tokens)
		data.Points.Items = append(data.Points.Items, items)
		data.Points.Values = append(data.Points.Values, math.Round(point.Value*1000)/1000)
		least += minPoint
		if err := tooLarge(); err != nil {
			return err
		}
	}
	text, err := json.Marshal(data) // escapes <, > and &, so that no text ends the script
	if err != nil {
		return err
	}
	whole := bytes.Replace(pageHTML, []byte(pageData), escaped(text), 1)
	least = len(whole)
	if err := tooLarge(); err != nil {
		return err
	}
	_, err = w.Write(whole)
	return err
}

// pageSizes returns the sizes of item i, the whole first.
func pageSizes(p *simulate.Profile, i int) []pageSize {
	set := p.Ranking().Items()
	sizes := set.Sizes(i)
	all := make([]pageSize, len(sizes)+1)
	for k := range all {
		all[k] = pageSize{Tokens: set.SizeTokens(i, k), Note: k > 0 && sizes[k-1].Note, Bands: [][2]model.Tokens{}}
		bands := p.Bands(nil, i)
		if sizes != nil {
			bands = p.SizeBands(nil, i, k)
		}
		for _, b := range bands {
			all[k].Bands = append(all[k].Bands, [2]model.Tokens{b.From, b.To})
		}
	}
	return all
}
