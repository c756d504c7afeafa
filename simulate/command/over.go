package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// overStudy is a source that was ranked, and the results at the values of a number.
type overStudy struct {
	*study
	number model.Number
	over   *simulate.ProfileOver
}

// openOver opens a source and tries the values of a number.
func openOver(ctx context.Context, o session.Options, a studyOptions, over, from, to string, s Streams) (*overStudy, error) {
	if a.Ceiling.Set {
		return nil, errors.New("--ceiling is about budgets; the values of --over end at --to")
	}
	st, err := openStudy(ctx, o, a, s)
	if err != nil {
		return nil, err
	}
	w := &overStudy{study: st}
	policy := st.ranking.Policy()
	if w.number, err = model.FindNumber(model.Numbers(policy, st.Budget, st.Set.Kinds()), over); err != nil {
		return nil, fmt.Errorf("--over: %w", err)
	}
	if err := w.narrow(policy, from, to); err != nil {
		return nil, err
	}
	begin := st.flow.now()
	if w.over, err = simulate.NewProfileOver(ctx, st.ranking, st.Budget, w.number); err != nil {
		return nil, fmt.Errorf("--over: %w", err)
	}
	st.took("tried "+plain.Count(int(w.number.Last-w.number.First+1), "value"), begin)
	return w, nil
}

// narrow sets the ends of the grid to the flags from and to.
func (w *overStudy) narrow(policy model.Policy, from, to string) error {
	n := w.number
	first, last := n.First, n.Last
	for _, f := range [...]struct {
		flag, text string
		to         *int64
	}{{"--from", from, &first}, {"--to", to, &last}} {
		if f.text == "" {
			continue
		}
		v, err := parseValue(n, f.text)
		if err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
		var on bool
		if *f.to, on = n.Point(v); !on {
			return fmt.Errorf("%s: %.40s is no value of %s, which has steps of %s", f.flag, f.text, n.Name, n.Text(n.At(1)))
		}
		if err := n.Fits(policy, w.Budget.Fields(), *f.to); err != nil {
			return fmt.Errorf("%s: %w", f.flag, err)
		}
	}
	if first > last {
		return fmt.Errorf("--from: %s is beyond the last value, which is %s", n.Text(n.At(first)), n.Text(n.At(last)))
	}
	w.number.First, w.number.Last = first, last
	return nil
}

// parseValue reads a value of a number: tokens, a percentage or a weight.
func parseValue(n model.Number, text string) (float64, error) {
	switch {
	case n.Percent:
		return model.ParsePercent(text)
	case n.PerUnit == 1:
		t, err := model.ParseTokens(text)
		return float64(t), err
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%.40q is not a number", text)
	}
	return v, nil
}

// overFacts returns the facts of an answer over a number.
func (w *overStudy) overFacts(verb string, more ...export.Fact) []export.Fact {
	n := w.number
	return w.facts(verb, w.Budget, append([]export.Fact{
		{Name: "over", Value: export.Text(n.Name, 0)},
		{Name: "grid", Value: w.value(n.At(1))},
		{Name: "value", Value: w.value(n.Value)},
		{Name: "from", Value: w.value(n.At(n.First))},
		{Name: "to", Value: w.value(n.At(n.Last))},
	}, more...)...)
}

// value returns a cell with a value of the number.
func (w *overStudy) value(v float64) export.Cell {
	return export.Number(v, 0).But(w.number.Text(v))
}

// about says what varies, and what stays.
func (w *overStudy) about() string {
	n := w.number
	return fmt.Sprintf("%s from %s to %s in steps of %s, here %s; budget %v, %s",
		plain.Line(n.Name, 80), n.Text(n.At(n.First)), n.Text(n.At(n.Last)), n.Text(n.At(1)), n.Text(n.Value), w.Budget.MaxTokens(), template(w.Budget))
}

// sweepOver writes the ranges of values of a number that have one result each.
func sweepOver(ctx context.Context, o session.Options, a sweepOptions, s Streams) error {
	for _, f := range [...]struct {
		name  string
		given bool
	}{{"--step", a.Step.Set}, {"--policy-b", a.PolicyB != ""}, {"--item", len(a.Items) > 0}} {
		if f.given {
			return fmt.Errorf("%s goes with budgets, not with --over; profile --over says where items are in", f.name)
		}
	}
	w, err := openOver(ctx, o, a.studyOptions, a.Over, a.From, a.To, s)
	if err != nil {
		return err
	}
	stretches := w.over.Stretches()
	here := w.over.At(w.number.Value)
	moved := func(k int, items []int32) export.Cell { // as people name them
		if k > 0 && stretches[k-1].None {
			items = nil // as in the first
		}
		return export.Indexes(items).But(strings.Join(plain.Texts(items, number), " ")).If(!stretches[k].None)
	}
	columns := []export.Column[int]{
		{Heading: "here", Right: true, Cell: func(k int) export.Cell {
			if k == here && w.number.Value <= stretches[k].To {
				return w.value(w.number.Value)
			}
			return export.Word("")
		}},
		{Name: "from", Heading: "from", Right: true, Cell: func(k int) export.Cell { return w.value(stretches[k].From) }},
		{Name: "to", Heading: "to", Right: true, Cell: func(k int) export.Cell { return w.value(stretches[k].To) }},
		{Name: "includedCount", Heading: "items", Right: true, Cell: func(k int) export.Cell {
			if stretches[k].None {
				return export.None.But("no result")
			}
			return export.Count(stretches[k].Items)
		}},
		{Name: "cameIn", Heading: "came in", Flows: 16, Cell: func(k int) export.Cell { return moved(k, stretches[k].In) }},
		{Name: "left", Heading: "left", Flows: 16, Cell: func(k int) export.Cell { return moved(k, stretches[k].Out) }},
	}
	closing := []string{plain.Count(len(stretches)-1, "change")}
	if w.Set.HasSizes() {
		columns = append(columns, export.Column[int]{Name: "resized", Heading: "resized", Flows: 16, Cell: func(k int) export.Cell { return moved(k, stretches[k].Resized) }})
		closing = append(closing, "resized: in before and after, in another size, or out with a note once (not Cupel's)")
	}
	sheet := export.SheetOf(export.Sheet{
		Title: title(w.Opened), Name: "stretches", Notes: w.notes(w.about()), Facts: w.overFacts("sweep"), Closing: closing,
	}, columns, export.Upto(len(stretches)))
	return s.write(ctx, w.Output, sheet)
}

// profileOver writes at which values of a number items are in.
func profileOver(ctx context.Context, o session.Options, a profileOptions, s Streams) error {
	w, err := openOver(ctx, o, a.studyOptions, a.Over, a.From, a.To, s)
	if err != nil {
		return err
	}
	items, err := w.pick(ctx)
	if err != nil {
		return err
	}
	several := count(items, func(i int) bool { return len(w.bands(i)) > 1 })
	var sheet *export.Sheet
	if w.Output == export.AsCSV {
		sheet = w.valueRows(items)
	} else {
		sheet = w.valueBands(items)
	}
	sheet.Title, sheet.Name, sheet.Notes = title(w.Opened), "items", w.notes(w.about())
	sheet.Facts = w.overFacts("profile", export.Fact{Name: "severalRanges", Value: export.Count(several)})
	sheet.Closing = append(sheet.Closing, fmt.Sprintf("%s: %v in at several ranges of values", plain.Count(len(items), "item"), model.Tokens(several)))
	return s.write(ctx, w.Output, sheet)
}

// bands returns the ranges of values at which an item is in.
func (w *overStudy) bands(item int) [][2]float64 {
	var all [][2]float64
	stretches := w.over.Stretches()
	before := false
	for k, in := range w.over.Has(item) {
		switch {
		case in && before:
			all[len(all)-1][1] = stretches[k].To
		case in:
			all = append(all, [2]float64{stretches[k].From, stretches[k].To})
		}
		before = in
	}
	return all
}

func (w *overStudy) valueBands(items []int) *export.Sheet {
	columns := slices.Concat(w.identity(""), []export.Column[int]{
		{Name: "ranges", Heading: "ranges", Right: true, Cell: func(i int) export.Cell { return export.Count(len(w.bands(i))) }},
		{Name: "bands", Heading: w.number.Name, Flows: 26, Cell: func(i int) export.Cell { return w.bandsCell(w.bands(i)) }},
	}, []export.Column[int]{firstLine(w.firstLineOf)})
	return export.SheetOf(export.Sheet{}, columns, slices.Values(items))
}

func (w *overStudy) bandsCell(bands [][2]float64) export.Cell {
	if len(bands) == 0 {
		return export.Raw([]byte("[]")).But("never")
	}
	exact, shown := make([]string, len(bands)), make([]string, len(bands))
	for k, b := range bands {
		from, to := w.number.Text(b[0]), w.number.Text(b[1])
		exact[k], shown[k] = "["+from+","+to+"]", from+".."+to
		if from == to {
			shown[k] = from
		}
	}
	return export.Raw([]byte("[" + strings.Join(exact, ",") + "]")).But(strings.Join(shown, ", ")).Brief(shown[0])
}

func (w *overStudy) valueRows(items []int) *export.Sheet {
	return w.rangeSheet(items, []string{"from", "to"}, func(i int) (all [][]export.Cell) {
		for _, band := range w.bands(i) {
			all = append(all, []export.Cell{w.value(band[0]), w.value(band[1])})
		}
		return all
	})
}
