package command

import (
	"context"
	"fmt"
	"slices"
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

// StudyOptions are the flags of the verbs that ask about items over budgets.
type StudyOptions struct {
	AnswerOptions
	// Items are selectors in the grammar of the filter, see query. An item that
	// any of them names is meant; none: all items.
	Items   []string
	Ceiling string // the last budget that is looked at; "": chosen, see simulate.AxisEnd
}

// study is a source that was opened and ranked, to be asked at many budgets.
type study struct {
	*session.Opened
	ranking  *pipeline.Ranking
	form     export.Form
	ascii    bool
	ceiling  model.Tokens
	selected []query.Query
	flow     Streams
	timings  bool
	textless bool // texts of items are left out

	profile *simulate.Profile // made when it is asked for
	result  *model.Report     // likewise
}

// openStudy reads the flags, then the sources, and ranks what is there. What
// was not as it should be goes to s.Err.
func openStudy(ctx context.Context, o session.Options, a StudyOptions, s Streams) (*study, error) {
	st := &study{ascii: a.ASCII, flow: s, timings: a.Timings, textless: a.NoContent}
	var err error
	if st.form, err = a.form(); err != nil {
		return nil, err
	}
	for _, text := range a.Items {
		q, err := query.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--item %.40q: %w", text, err)
		}
		st.selected = append(st.selected, q)
	}
	ceiling := model.Tokens(-1)
	if a.Ceiling != "" {
		if ceiling, err = model.ParseTokens(a.Ceiling); err != nil {
			return nil, fmt.Errorf("--ceiling: %w", err)
		}
	}
	if st.Opened, err = session.OpenCounted(ctx, o, s.input()); err != nil {
		return nil, err
	}
	if err := a.diagnose(st.Opened, st.form, s); err != nil {
		return nil, err
	}
	if st.ceiling = ceiling; ceiling < 0 {
		st.ceiling = st.AxisEnd
	}
	begin := st.now()
	if st.ranking, err = rank(ctx, st.Opened, s); err != nil {
		return nil, err
	}
	if a.Verbose {
		if err := say(s.Err, "%s", title(st.Opened)); err != nil {
			return nil, err
		}
	}
	return st, st.took("ranked", begin)
}

func (st *study) now() time.Time {
	if st.flow.Now == nil {
		return time.Time{}
	}
	return st.flow.Now()
}

// took says how long something took, if that is wanted.
func (st *study) took(what string, since time.Time) error {
	if !st.timings || st.flow.Now == nil {
		return nil
	}
	return say(st.flow.Err, "%s in %.1f ms", what, milliseconds(st.now().Sub(since)))
}

// along is the profile under a template up to the ceiling.
func (st *study) along(ctx context.Context, template model.Budget) (*simulate.Profile, error) {
	axis, err := simulate.NewAxis(template, st.ranking.PinnedTokens(), st.Policy.Overflow, st.ceiling)
	if err != nil {
		return nil, err
	}
	begin := st.now()
	p, err := simulate.NewProfile(ctx, st.ranking, axis)
	if err != nil {
		return nil, fmt.Errorf("budgets up to %v cannot be profiled: %w", st.ceiling, err)
	}
	return p, st.took(fmt.Sprintf("profiled up to %v", st.ceiling), begin)
}

// profiled makes the profile under the budget's own template.
func (st *study) profiled(ctx context.Context) (err error) {
	if st.profile == nil {
		st.profile, err = st.along(ctx, st.Budget)
	}
	return err
}

// report is the result at the budget.
func (st *study) report() (*model.Report, error) {
	var err error
	if st.result == nil {
		st.result, err = st.ranking.DryRun(st.Budget)
	}
	return st.result, err
}

// pick lists the items that the selectors name, ascending; all without
// selectors. A selector that names none is an error, as it is probably a typing mistake.
func (st *study) pick(ctx context.Context) ([]int, error) {
	n := st.Set.Len()
	picked := make([]bool, n)
	for _, q := range st.selected {
		items, err := st.matching(ctx, q)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--item %.40q: %w", q, err)
		case len(items) == 0:
			return nil, fmt.Errorf("--item %.40q: none of %s matches", q, plain.Count(n, "item"))
		}
		for _, i := range items {
			picked[i] = true
		}
	}
	var all []int
	for i := range n {
		if picked[i] || len(st.selected) == 0 {
			all = append(all, i)
		}
	}
	return all, nil
}

// matching lists the items that a query names, ascending.
func (st *study) matching(ctx context.Context, q query.Query) ([]int, error) {
	pairs := simulate.NewPairs(st.Set.Len(), st.Pairing())
	facts := query.Facts{Needed: st.Labels.Needs, Split: func(i int) bool {
		_, split := pairs.Alone(st.result, i)
		return split
	}}
	if q.NeedsProfile() {
		if err := st.profiled(ctx); err != nil {
			return nil, err
		}
		facts.Profile = st.profile
	}
	var err error
	if facts.Report, err = st.report(); err != nil {
		if q.NeedsResult() {
			return nil, err
		}
		facts.Report = st.emptyReport()
	}
	if q.NeedsRisk() {
		lost, _, err := simulate.AtRisk(st.ranking, st.Budget, st.Slack)
		if err != nil {
			return nil, fmt.Errorf("at risk is not known: with %v tokens less, %w", st.Slack, err)
		}
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

// emptyReport is a report with only the facts about items that do not depend on
// a budget. It does not say which items are in.
func (st *study) emptyReport() *model.Report {
	r := &model.Report{Items: st.Set, Scores: st.ranking.Scores(), Codes: make([]model.Code, st.Set.Len()), FirstPinned: -1}
	survivors := st.ranking.Survivors()
	for i := range r.Codes {
		switch {
		case st.Set.Excluded(i):
			r.Codes[i] = model.Filtered
		case st.Set.Tokens(i) < 0:
			r.Codes[i] = model.NegativeTokens
		case st.Set.Pinned(i):
			r.Codes[i] = model.Pinned
		case survivors != nil && survivors[i] >= 0:
			r.Codes[i] = model.Deduplicated
		default:
			r.Codes[i] = model.BudgetExceeded
		}
	}
	return r
}

// facts are the first ones of a verb's answer, about budgets like b.
func (st *study) facts(verb string, b model.Budget, more ...export.Fact) []export.Fact {
	return append(basis(st.Opened).Facts(verb, st.Set, b), more...)
}

// notes begin with the one that the budget is a guess.
func (st *study) notes(more ...string) []string {
	if note := st.GuessNote(); note != "" {
		return append([]string{"note: " + note + "; set it with --max-tokens"}, more...)
	}
	return more
}

// mark is what stands before budgets that rest on estimates.
func (st *study) mark() string { return export.Mark(st.Set, st.ascii) }

// template says in words what is the same at every budget.
func template(b model.Budget) string {
	var parts []string
	if b.Gap() > 0 {
		parts = append(parts, fmt.Sprintf("target %v below", b.Gap()))
	}
	if b.OutputReserve() > 0 {
		parts = append(parts, fmt.Sprintf("output reserve %v", b.OutputReserve()))
	}
	if b.Reserved() > 0 {
		parts = append(parts, fmt.Sprintf("held back %v", b.Reserved()))
	}
	if b.SafetyMargin() > 0 {
		parts = append(parts, fmt.Sprintf("safety margin %v %%", b.SafetyMargin()))
	}
	if len(parts) == 0 {
		return "nothing held back"
	}
	return strings.Join(parts, ", ")
}

// identity are the columns that say which item a row is about.
func identity() []export.Column {
	return []export.Column{
		{Name: "index", Heading: "#", Right: true},
		{Name: "kind", Heading: "kind"},
		{Name: "tokens", Heading: "tokens", Right: true},
		{Name: "count"},
	}
}

// identify appends the cells of identity.
func (st *study) identify(row []export.Cell, i int) []export.Cell {
	return append(row, export.Index(i), export.Kind(st.Set.Loaded(i).Kind), export.ItemTokens(st.Set, i, st.ascii), export.Provenance(st.Set, i))
}

// firstLineBytes is how much of a text an answer holds that is not about texts.
const firstLineBytes = 160

// firstLine is the column of firstLineOf.
var firstLine = export.Column{Name: "firstLine", Heading: "item", Flows: export.LeastItemCells}

func (st *study) firstLineOf(i int) export.Cell {
	if st.textless {
		return export.None
	}
	return export.Text(st.Set.Loaded(i).Headline(firstLineBytes), export.DefaultItemCells)
}
