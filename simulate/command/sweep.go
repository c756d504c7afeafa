package command

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// sweepOptions say which budgets sweep is about.
type sweepOptions struct {
	studyOptions
	From, To string                     // budgets in tokens; "": 0 and the ceiling; values of Over
	Over     string                     // a number to look at in place of budgets, see model.Numbers; "": none
	Step     model.Option[model.Tokens] // between budgets; not set: every budget at which the result changes
	// PolicyB is another policy to compare with at the same budgets, see
	// session.NamedPolicy; "": none.
	PolicyB string
}

// sweep is a range of budgets with what is needed to answer at each.
type sweep struct {
	*study
	from, to, step model.Tokens // step 0: where the result changes
	a, b           *simulate.Profile
	best           *simulate.Optimum // nil: unknown
	watched        banded            // the selected items
	cutA, cutB     banded            // the items that are in, in a size that is not the whole
	ctx            context.Context   // checked between changes
}

// writeSweep writes the size and value of the result over a range of budgets: at every
// budget at which the result changes, or in steps of Step tokens.
func writeSweep(ctx context.Context, o session.Options, a sweepOptions, s Streams) error {
	if a.Over != "" {
		return sweepOver(ctx, o, a, s)
	}
	w := &sweep{ctx: ctx}
	if err := w.read(a); err != nil {
		return err
	}
	var err error
	if w.study, err = openStudy(ctx, o, a.studyOptions, s); err != nil {
		return err
	}
	if err := w.limit(a.Ceiling.Set); err != nil {
		return err
	}
	if err := w.profiled(ctx); err != nil {
		return err
	}
	w.a = w.profile
	unknown, err := w.findBest(ctx)
	if err != nil {
		return err
	}
	title := title(w.Opened)
	if a.PolicyB != "" {
		policy, err := session.NamedPolicy(ctx, a.PolicyB, w.Own())
		if err != nil {
			return fmt.Errorf("--policy-b: %w", err)
		}
		if w.b, err = w.other(ctx, policy); err != nil {
			return fmt.Errorf("--policy-b %.40q: %w", a.PolicyB, err)
		}
		title += "  against " + nameOr(policy.Title(), "without a name")
	}
	if len(w.selected) > 0 {
		items, err := w.pick(ctx)
		if err != nil {
			return err
		}
		w.watched = bandsOf(items, w.a.Bands)
	}
	w.cutA, w.cutB = cutBands(w.a), cutBands(w.b)
	sheet := w.sheet()
	sheet.Title = title
	if unknown != "" {
		sheet.Notes = append(sheet.Notes, unknown)
	}
	return s.write(ctx, w.Output, sheet)
}

// read reads the flags of budgets; a last budget that is not given is below 0.
func (w *sweep) read(a sweepOptions) error {
	for _, f := range [...]struct {
		flag, text string
		to         *model.Tokens
		otherwise  model.Tokens
	}{{"from", a.From, &w.from, 0}, {"to", a.To, &w.to, -1}} {
		given, err := session.ParseTokens(f.flag, f.text)
		if err != nil {
			return err
		}
		*f.to = given.Or(f.otherwise)
	}
	if w.step = a.Step.Value; a.Step.Set && w.step < 1 {
		return errors.New("--step: must be at least 1")
	}
	return nil
}

// maxSwept is how many budgets a sweep in steps answers: a minute of rows.
const maxSwept model.Tokens = 10_000_000

// limit makes the last budget and the ceiling agree; given says that --ceiling was given.
func (w *sweep) limit(given bool) error {
	switch {
	case w.to < 0:
		w.to = w.ceiling
	case !given:
		w.ceiling = w.to
	case w.to > w.ceiling:
		return fmt.Errorf("--to: %v is beyond --ceiling, which is %v", w.to, w.ceiling)
	}
	if w.from > w.to {
		return fmt.Errorf("--from: %v is beyond the last budget, which is %v", w.from, w.to)
	}
	if budgets := (w.to-w.from)/max(1, w.step) + 1; w.step > 0 && budgets > maxSwept {
		return fmt.Errorf("--step: %v gives %v budgets, must be at most %v: take a larger step or a smaller range", w.step, budgets, maxSwept)
	}
	return nil
}

// findBest computes the best possible value at every budget. If that takes too much
// memory, unknown says so.
func (w *sweep) findBest(ctx context.Context) (unknown string, err error) {
	if w.ranking.Shifts().Counts { // counts may take more than the room
		return "", nil
	}
	target, _ := w.a.Axis().Target(w.to)
	begin := w.flow.now()
	if w.best, err = simulate.NewOptimum(ctx, w.ranking, target); err == nil {
		w.took("found the best possible", begin)
		return "", nil
	}
	if large, ok := errors.AsType[*simulate.OptimumError](err); ok {
		w.best = nil
		return "note: " + large.Error(), nil
	}
	return "", err
}

// other returns the profile of another policy over the same items and budgets.
func (st *study) other(ctx context.Context, policy model.Policy) (*simulate.Profile, error) {
	pipe, err := pipeline.New(policy)
	if err != nil {
		return nil, err
	}
	r, err := pipe.RankLike(ctx, st.ranking, st.Set)
	if err != nil {
		return nil, err
	}
	return simulate.NewProfile(ctx, r, st.Budget, st.ceiling)
}

// budgets yields the budgets to look at, ascending.
func (w *sweep) budgets() iter.Seq[model.Tokens] {
	if w.step == 0 {
		return slices.Values(w.changes())
	}
	return func(yield func(model.Tokens) bool) {
		for b := w.from; b <= w.to; b += w.step {
			if !yield(b) {
				return
			}
		}
	}
}

// changes returns the first budget and the budgets at which a result changes; some of
// them where ctx is done.
func (w *sweep) changes() []model.Tokens {
	all := []model.Tokens{w.from}
	for _, p := range [...]*simulate.Profile{w.a, w.b} {
		if p == nil {
			continue
		}
		for point := range p.Points() {
			if point.Budget > w.to || len(all)%1024 == 0 && w.ctx.Err() != nil {
				break
			}
			if point.Budget > w.from {
				all = append(all, point.Budget)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sweepRow is a budget, with the points of both policies at it and at the budget before.
type sweepRow struct {
	budget     model.Tokens
	a, beforeA simulate.Point
	b, beforeB simulate.Point
}

func (w *sweep) sheet() *export.Sheet {
	s := export.Sheet{
		Name:  "points",
		Notes: w.notes(fmt.Sprintf("budgets %v to %v; %s", w.from, w.to, template(w.Budget))),
		Facts: w.facts("sweep", w.Budget,
			export.Fact{Name: "from", Value: export.Tokens(w.from)},
			export.Fact{Name: "to", Value: export.Tokens(w.to)},
			export.Fact{Name: "step", Value: export.Tokens(w.step)}),
	}
	a := func(r sweepRow) simulate.Point { return r.a }
	columns := slices.Concat([]export.Column[sweepRow]{
		{Name: "maxTokens", Heading: "budget", Right: true, Cell: func(r sweepRow) export.Cell { return export.Tokens(r.budget) }},
		{Name: "room", Heading: "room", Right: true, Cell: func(r sweepRow) export.Cell { return export.Tokens(r.a.Room()) }},
	}, export.Of(a, w.pointColumns("", "", &w.cutA)...), export.Of(a, w.bestColumns()...), []export.Column[sweepRow]{
		{Name: "falls", Heading: "falls", Cell: func(r sweepRow) export.Cell { return falls(r.beforeA, r.a) }},
	})
	if len(w.selected) > 0 {
		columns = append(columns, export.Column[sweepRow]{Name: "selected", Heading: "selected", Right: true, Cell: func(r sweepRow) export.Cell {
			return export.Count(w.watched.at(r.budget))
		}})
	}
	if w.b != nil {
		columns = append(columns, export.Of(func(r sweepRow) simulate.Point { return r.b }, w.pointColumns("B", " B", &w.cutB)...)...)
		columns = append(columns, export.Column[sweepRow]{Name: "fallsB", Heading: "falls B", Cell: func(r sweepRow) export.Cell { return falls(r.beforeB, r.b) }})
	}
	return export.SheetOf(s, columns, w.rows)
}

func (w *sweep) rows(yield func(sweepRow) bool) {
	var r sweepRow
	first := true
	for b := range w.budgets() {
		r = sweepRow{budget: b, a: w.a.PointAt(b), beforeA: r.a, beforeB: r.b}
		if w.b != nil {
			r.b = w.b.PointAt(b)
		}
		if first {
			r.beforeA, r.beforeB, first = r.a, r.b, false
		}
		if !yield(r) {
			return
		}
	}
}

// pointColumns returns the columns of items, tokens, filled and value, and of how many items
// are cut if any may be, with what follows their names and headings. The cells are empty
// where the pipeline does not run.
func (w *sweep) pointColumns(name, heading string, cut *banded) []export.Column[simulate.Point] {
	items := func(p simulate.Point) export.Cell {
		if !p.Runs {
			return export.None.But("-")
		}
		return export.Count(p.Items)
	}
	columns := []export.Column[simulate.Point]{
		{Name: "includedCount" + name, Heading: "items" + heading, Right: true, Cell: items},
	}
	if w.Set.HasSizes() {
		columns = append(columns, export.Column[simulate.Point]{Name: "cutCount" + name, Heading: "cut" + heading, Right: true, Cell: func(p simulate.Point) export.Cell {
			return export.Count(cut.at(p.Budget)).If(p.Runs)
		}})
	}
	return append(columns, export.Known(func(p simulate.Point) bool { return p.Runs }, []export.Column[simulate.Point]{
		{Name: "tokens" + name, Heading: "tokens" + heading, Right: true, Cell: func(p simulate.Point) export.Cell { return export.Tokens(p.Tokens) }},
		{Name: "filled" + name, Heading: "filled" + heading, Right: true, Cell: func(p simulate.Point) export.Cell { return export.Share(p.Filled()) }},
		{Name: "value" + name, Heading: "value" + heading, Right: true, Cell: func(p simulate.Point) export.Cell { return export.Number(p.Value, 3) }},
	}...)...)
}

// bestColumns returns the columns of the best possible value in the room of a point, and
// of how far below it the point is; "?" where that is not known.
func (w *sweep) bestColumns() []export.Column[simulate.Point] {
	known := func(cell func(p simulate.Point, below float64) export.Cell) func(simulate.Point) export.Cell {
		return func(p simulate.Point) export.Cell {
			below := w.best.BelowBest(p.Value, p.Target)
			if !below.Set {
				return export.None.But("?")
			}
			return cell(p, below.Value)
		}
	}
	return export.Known(func(p simulate.Point) bool { return p.Runs && w.best != nil }, []export.Column[simulate.Point]{
		{Name: "best", Heading: "best", Right: true, Cell: known(func(p simulate.Point, _ float64) export.Cell {
			return export.Number(max(p.Value, w.best.At(p.Target)), 3)
		})},
		{Name: "belowBest", Heading: "below", Right: true, Cell: known(func(_ simulate.Point, below float64) export.Cell {
			return export.Number(below, 3).But(belowBest(below))
		})},
	}...)
}

// falls returns a cell that says what is less at p than at before.
func falls(before, p simulate.Point) export.Cell {
	items, value := p.Fewer(before), p.Less(before)
	switch {
	case items && value:
		return export.Word("items value")
	case items:
		return export.Word("items")
	case value:
		return export.Word("value")
	}
	return export.Word("")
}

// banded counts the bands of some items.
type banded struct{ enter, leave []model.Tokens } // their first and last budgets, ascending

// bandsOf returns the bands of items that bands appends.
func bandsOf(items []int, bands func([]simulate.Band, int) []simulate.Band) (of banded) {
	var all []simulate.Band
	for _, i := range items {
		all = bands(all[:0], i)
		for _, b := range all {
			of.enter, of.leave = append(of.enter, b.From), append(of.leave, b.To)
		}
	}
	slices.Sort(of.enter)
	slices.Sort(of.leave)
	return of
}

// cutBands returns the bands of all items in their sizes that are neither whole nor a note; p
// may be nil.
func cutBands(p *simulate.Profile) (none banded) {
	if p == nil {
		return none
	}
	set := p.Ranking().Items()
	var cut []int
	for i := range set.Len() {
		if set.PinnedSize(i) > 0 {
			cut = append(cut, i)
		}
	}
	return bandsOf(cut, func(dst []simulate.Band, i int) []simulate.Band {
		for size := range set.PinnedSize(i) {
			dst = p.SizeBands(dst, i, size+1)
		}
		return dst
	})
}

// at returns the number of bands that have the budget b.
func (of *banded) at(b model.Tokens) int {
	entered, _ := slices.BinarySearch(of.enter, b+1)
	left, _ := slices.BinarySearch(of.leave, b)
	return entered - left
}
