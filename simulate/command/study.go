package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/query"
	"cupelscope/simulate/session"
)

// studyOptions are the flags of the verbs that ask about items over budgets.
type studyOptions struct {
	answerOptions
	// Items lists selectors in the grammar of package query. The verb is about
	// the items that match any of them, or about all items if the list is empty.
	Items   []string
	Ceiling model.Option[model.Tokens] // the largest budget to look at; not set: see simulate.Ceiling
}

// study is a source that was opened and ranked, for questions at many budgets.
type study struct {
	*session.Opened
	answerOptions
	ranking  *pipeline.Ranking
	ceiling  model.Tokens
	selected []query.Query
	flow     Streams

	profile *simulate.Profile // computed on first use
	result  *model.Report     // computed on first use
}

// openStudy parses the flags, reads the sources and ranks their items. It writes
// notes about the sources to s.Err.
func openStudy(ctx context.Context, o session.Options, a studyOptions, s Streams) (*study, error) {
	s = a.muted(s)
	st := &study{answerOptions: a.answerOptions, flow: s}
	var err error
	for _, text := range a.Items {
		if n, err := strconv.Atoi(text); err == nil && n < 0 { // as a selector: all items but one
			return nil, fmt.Errorf("--item: %q is not the number of an item (they count from 0); -#%d is all items but #%[2]d", text, -n)
		}
		q, err := query.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--item %.40q: %w", text, err)
		}
		st.selected = append(st.selected, q)
	}
	if st.Opened, err = session.OpenCounted(ctx, o, s.input()); err != nil {
		return nil, err
	}
	a.diagnose(st.Opened, s)
	st.ceiling = a.Ceiling.Or(st.Ceiling)
	begin := st.flow.now()
	pipe, err := pipeline.New(st.Policy, s.clock()...)
	if err != nil {
		return nil, err
	}
	if st.ranking, err = pipe.Rank(ctx, st.Set); err != nil {
		return nil, err
	}
	if a.Verbose {
		s.say("%s", title(st.Opened))
	}
	st.took("ranked", begin)
	return st, nil
}

// took writes how long something took, if --timings asks for it.
func (st *study) took(what string, since time.Time) {
	if st.Timings && st.flow.Now != nil {
		st.flow.say("%s in %.1f ms", what, milliseconds(st.flow.now().Sub(since)))
	}
}

// along returns the profile under a template up to the ceiling.
func (st *study) along(ctx context.Context, template model.Budget) (*simulate.Profile, error) {
	begin := st.flow.now()
	p, err := simulate.NewProfile(ctx, st.ranking, template, st.ceiling)
	if err != nil {
		return nil, fmt.Errorf("budgets up to %v cannot be profiled: %w", st.ceiling, err)
	}
	st.took(fmt.Sprintf("profiled up to %v", st.ceiling), begin)
	return p, nil
}

// profiled computes st.profile, under the budget's own template.
func (st *study) profiled(ctx context.Context) (err error) {
	if st.profile == nil {
		st.profile, err = st.along(ctx, st.Budget)
	}
	return err
}

// report returns the result at the budget.
func (st *study) report(ctx context.Context) (*model.Report, error) {
	var err error
	if st.result == nil {
		st.result, err = st.ranking.DryRunContext(ctx, st.Budget)
	}
	return st.result, err
}

// withLess returns the result at the budget that is smaller by the slack.
func (st *study) withLess(ctx context.Context) (*model.Report, error) {
	reduced, err := st.Budget.Less(st.Slack)
	if err != nil {
		return nil, err
	}
	return st.ranking.DryRunContext(ctx, reduced)
}

// pick returns the items that match the selectors, ascending, or all items if there
// are no selectors. It returns an error if a selector matches none, because that is
// probably a typing mistake.
func (st *study) pick(ctx context.Context) ([]int, error) {
	var all []int
	for _, q := range st.selected {
		items, err := st.matching(ctx, q)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--item %.40q: %w", q, err)
		case len(items) == 0:
			return nil, fmt.Errorf("--item %.40q: none of %s matches", q, plain.Count(st.Set.Len(), "item"))
		}
		all = append(all, items...)
	}
	if len(st.selected) == 0 {
		all = slices.Collect(export.Upto(st.Set.Len()))
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// matching returns the items that match a query, ascending.
func (st *study) matching(ctx context.Context, q query.Query) ([]int, error) {
	facts := query.Facts{Needed: st.Labels.Needs, Split: func(i int) bool {
		_, split := st.result.Alone(i)
		return split
	}}
	if q.NeedsProfile() {
		if err := st.profiled(ctx); err != nil {
			return nil, err
		}
		facts.FirstIn, facts.StaysFrom = st.profile.FirstIn, st.profile.StaysFrom
	}
	var err error
	if facts.Report, err = st.report(ctx); err != nil {
		if q.NeedsResult() {
			return nil, err
		}
		// This report has only what does not depend on a budget: it does not say which items are in.
		facts.Report = &model.Report{Items: st.Set, Scores: st.ranking.Scores(), Codes: st.ranking.Outline(), FirstPinned: -1}
	}
	if q.NeedsRisk() {
		small, err := st.withLess(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s is not known: with %s less, %w", plain.AtRisk, plain.Count(st.Slack, "token"), err)
		}
		lost, _ := simulate.Lost(facts.Report, small)
		slices.Sort(lost)
		facts.Risk = func(i int) bool {
			_, found := slices.BinarySearch(lost, int32(i))
			return found
		}
	}
	var all []int
	for i := range st.Set.Len() {
		if q.Match(&facts, i) {
			all = append(all, i)
		}
	}
	return all, nil
}

// facts returns the leading facts of a verb's answer, about budgets like b,
// followed by more.
func (st *study) facts(verb string, b model.Budget, more ...export.Fact) []export.Fact {
	return append(basis(st.Opened).Facts(verb, st.Set, b), more...)
}

// notes returns more, preceded by a note if the budget is a guess.
func (st *study) notes(more ...string) []string {
	if note := st.GuessNote(); note != "" {
		return append([]string{"note: " + note + "; set it with --max-tokens"}, more...)
	}
	return more
}

// mark returns the prefix of budgets that rest on estimates.
func (st *study) mark() string { return export.Mark(st.Set, st.ASCII) }

// template describes in words the parts of a budget that are the same at every
// maximum.
func template(b model.Budget) string {
	var parts []string
	if b.Gap() > 0 {
		parts = append(parts, fmt.Sprintf("target %v below", b.Gap()))
	}
	f := b.Fields()
	for _, field := range model.FieldsOfBudget() {
		var tokens model.Tokens
		switch {
		case field.Name == model.FieldMaxTokens || field.Name == model.FieldTargetTokens: // they are the axis
		case field.Percent != nil:
			if percent := *field.Percent(&f); percent > 0 {
				parts = append(parts, fmt.Sprintf("%s %v %%", field.Label, percent))
			}
		case field.Slots != nil:
			for _, slot := range *field.Slots(&f) {
				tokens += slot.Tokens
			}
		default:
			tokens = *field.Tokens(&f)
		}
		if tokens > 0 {
			parts = append(parts, fmt.Sprintf("%s %v", field.Label, tokens))
		}
	}
	if len(parts) == 0 {
		return "nothing kept back"
	}
	return strings.Join(parts, ", ")
}

// never returns what stands for the budgets of an item that is in at none: the item that it
// repeats, if it is a duplicate.
func (st *study) never(i int) string {
	if kept := st.ranking.Survivors(); kept != nil && kept[i] >= 0 {
		return fmt.Sprintf("as #%d", kept[i])
	}
	return "never"
}

// identity returns the columns that say which item a row is about. provenance is the heading
// for where its count comes from, which is in no table without a heading.
func (st *study) identity(provenance string) []export.Column[int] {
	return []export.Column[int]{
		{Name: "index", Heading: "#", Right: true, Cell: export.Index},
		{Name: "kind", Heading: "kind", Cell: func(i int) export.Cell { return export.Kind(st.Set.Loaded(i).Kind) }},
		{Name: "tokens", Heading: "tokens", Right: true, Cell: func(i int) export.Cell { return export.ItemTokens(st.Set, i, st.ASCII) }},
		{Name: "count", Heading: provenance, Cell: func(i int) export.Cell { return export.Provenance(st.Set, i) }},
	}
}

// firstLineBytes is the length of the beginning of an item's text in answers that
// are not about texts.
const firstLineBytes = 160

// firstLine returns the column of firstLineOf.
func firstLine[T any](cell func(T) export.Cell) export.Column[T] {
	return export.Column[T]{Name: "firstLine", Heading: "item", Flows: export.MinItemCells, Cell: cell}
}

func (st *study) firstLineOf(i int) export.Cell { return firstLineOf(st.Set.Loaded(i), st.NoContent) }

func firstLineOf(it *model.Item, textless bool) export.Cell {
	if textless {
		return export.None
	}
	return export.Text(it.Headline(firstLineBytes), export.DefaultItemCells)
}
