package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/request"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// errorCode is the reason why a line of a batch has no answer.
type errorCode string

const (
	invalidInput     errorCode = "invalid-input" // the line is not a scenario
	invalidItem      errorCode = "invalid-item"
	invalidBudget    errorCode = "invalid-budget"
	invalidPolicy    errorCode = "invalid-policy"
	invalidQuery     errorCode = "invalid-query"
	pinnedExceeds    errorCode = "pinned-exceeds-budget"
	overflowsTarget  errorCode = "overflow"
	scarce           errorCode = "scarcity"
	tableTooLarge    errorCode = "table-too-large" // also a profile with too many changes
	notMonotonic     errorCode = "not-monotonic"
	maxMessageLength           = 1000 // bytes: a line may hold a name of many megabytes
)

// answerer answers lines of a batch. It is safe for concurrent use.
type answerer struct {
	name     string           // the input's name: itemsFile is relative to it
	choices  *session.Choices // without the slack
	slack    model.Option[model.Tokens]
	fallback itemset.Fallback
	clock    []pipeline.Option
}

// lineReport is the outcome of a line.
type lineReport struct {
	failed errorCode       // "": answered
	notes  []itemset.Entry // what was changed in order to read it
}

// answer appends the answer to a line to dst. The answer is always one line of
// JSON, whatever the line holds. number is the number of the line.
func (a *answerer) answer(ctx context.Context, number int, text, dst []byte) ([]byte, lineReport) {
	line, err := request.ReadLine(ctx, a.name, text, a.fallback, a.choices.Reading)
	var out []byte
	if err == nil {
		out, err = a.query(ctx, line, dst)
	}
	if err != nil {
		code := codeOf(err)
		return export.AppendError(dst, line.ID, number, string(code), messageOf(err)), lineReport{failed: code}
	}
	return out, lineReport{notes: line.Loaded.Report.Entries}
}

func (a *answerer) query(ctx context.Context, line request.Line, dst []byte) ([]byte, error) {
	opened, err := a.choices.OpenCounted(ctx, line.Loaded)
	if err != nil {
		return nil, err
	}
	opening := opened.Opening
	pipe, err := pipeline.New(opening.Policy, a.clock...)
	if err != nil {
		return nil, err
	}
	r, err := pipe.Rank(ctx, opened.Set)
	if err != nil {
		return nil, err
	}
	switch q := line.Query; q.Op {
	case request.OpMarginal:
		items, err := a.marginal(ctx, r, opening, line)
		if err != nil {
			return nil, err
		}
		return export.AppendMarginal(dst, line.ID, r.Items(), items), nil
	case request.OpMinBudget:
		m, err := minBudget(ctx, r, opening.Budget, q)
		if err != nil {
			return nil, err
		}
		return export.AppendMinBudget(dst, line.ID, r.Items(), m), nil
	case request.OpProfile:
		p, err := profile(ctx, r, opening.Budget, "query.ceiling", q.Ceiling)
		if err != nil {
			return nil, err
		}
		return export.AppendProfile(dst, line.ID, p), nil
	case request.OpCompare:
		return a.compare(ctx, r, opening, line, dst)
	case request.OpQuality:
		return needed(ctx, r, opened, line, dst)
	}
	report, err := r.DryRunContext(ctx, opening.Budget)
	if err != nil {
		return nil, err
	}
	return export.AppendReport(dst, line.ID, report, len(a.clock) > 0), nil
}

func (a *answerer) marginal(ctx context.Context, r *pipeline.Ranking, o simulate.Opening, line request.Line) ([]int32, error) {
	if r.Shifts().Percentages { // before the slack is checked
		return nil, simulate.ErrMarginalNotMonotonic
	}
	const field = "query.slackTokens"
	slack := o.Slack
	switch {
	case line.Query.Slack.Set:
		slack = line.Query.Slack.Value
	case a.slack.Set:
		slack = a.slack.Value
	case !line.HasSlack:
		return nil, &request.QueryError{Field: field, Reason: "is required: neither the query nor the scenario says a slack"}
	}
	items, err := simulate.MarginalItems(ctx, r, o.Budget, slack)
	if b, ok := errors.AsType[*model.BudgetError](err); ok {
		if b.Field == "slackTokens" {
			return nil, &request.QueryError{Field: field, Reason: fmt.Sprintf("is %s, must be %s", b.Value, b.Bounds)}
		}
		return nil, &request.QueryError{Field: field, Reason: fmt.Sprintf("is %v, which leaves an %v", slack, err)}
	}
	return items, err
}

func (a *answerer) compare(ctx context.Context, r *pipeline.Ranking, o simulate.Opening, line request.Line, dst []byte) ([]byte, error) {
	policy := line.Loaded.Scenario.Value.PolicyB
	if !policy.Set {
		return nil, &request.QueryError{Field: "query.op", Reason: "is compare, and the scenario has no policyB to compare with"}
	}
	pipe, err := pipeline.New(policy.Value, a.clock...)
	if err != nil {
		return nil, err
	}
	other, err := pipe.RankLike(ctx, r, r.Items())
	if err != nil {
		return nil, err
	}
	reportA, err := r.DryRunContext(ctx, o.Budget)
	if err != nil {
		return nil, err
	}
	reportB, err := other.DryRunContext(ctx, o.Budget)
	if err != nil {
		return nil, fmt.Errorf("policyB: %w", err)
	}
	return export.AppendComparison(dst, line.ID, reportA, reportB), nil
}

// needed answers how much of what was needed is in at the budget, and from which
// budgets on the wanted recall is reached.
func needed(ctx context.Context, r *pipeline.Ranking, o *session.Opened, line request.Line, dst []byte) ([]byte, error) {
	labels := line.Loaded.Labels
	if len(labels.Grades)+len(labels.Answers) == 0 {
		return nil, &request.QueryError{Field: "query.op", Reason: "is quality, and the scenario has neither labels nor answers"}
	}
	judge, err := quality.NewJudge(r, labels, o.SizeText)
	if err != nil {
		return nil, err
	}
	report, err := r.DryRunContext(ctx, o.Budget)
	if err != nil {
		return nil, err
	}
	p, err := profile(ctx, r, o.Budget, "query.ceiling", line.Query.Ceiling)
	if err != nil {
		return nil, err
	}
	q, err := export.QualityAt(ctx, judge.Measure(report), labels, judge, p, line.Query.Wanted.Or(quality.DefaultWanted))
	if err != nil {
		return nil, err
	}
	return export.AppendQuality(dst, line.ID, r.Items(), q), nil
}

func minBudget(ctx context.Context, r *pipeline.Ranking, template model.Budget, q request.Query) (export.MinBudget, error) {
	var m export.MinBudget
	// The preconditions come first, as they cost less than a profile.
	switch err := simulate.Searchable(r, q.ItemIndex, q.SearchCeiling); {
	case errors.Is(err, simulate.ErrNotAnElement):
		return m, &request.QueryError{Field: "query.itemIndex:", Reason: fmt.Sprintf("%v: %s", err, plain.ThereAre(r.Items().Len()))}
	case errors.Is(err, simulate.ErrCeilingLow):
		return m, &request.QueryError{Field: "query.searchCeiling:", Reason: fmt.Sprintf("%v, which is %v", err, r.Items().Tokens(q.ItemIndex))}
	case err != nil:
		return m, err
	}
	if q.Bare {
		template = model.Budget{} // only has a maximum, which the axis moves
	}
	p, err := profile(ctx, r, template, "query.searchCeiling", q.SearchCeiling)
	if err != nil {
		return m, err
	}
	if m.BinarySearch, err = p.BinarySearch(q.ItemIndex, q.SearchCeiling); err != nil {
		return m, err
	}
	m.Summary = p.Summary(q.ItemIndex)
	m.Bands, m.Sized = p.Bands(nil, q.ItemIndex), r.Items().HasSizes()
	return m, nil
}

// profile profiles a ranking under a template up to a ceiling. field is the name
// of the field that gives the ceiling.
func profile(ctx context.Context, r *pipeline.Ranking, template model.Budget, field string, ceiling model.Tokens) (*simulate.Profile, error) {
	if ceiling < 0 || ceiling > model.MaxTokens {
		return nil, &request.QueryError{Field: field, Reason: fmt.Sprintf("must be 0 to %v", model.MaxTokens)}
	}
	p, err := simulate.NewProfile(ctx, r, template, ceiling)
	if errors.Is(err, slicer.ErrNoProfile) {
		return nil, &request.QueryError{Field: "query.op", Reason: "cannot be answered under this policy: " + err.Error()}
	}
	return p, err
}

// codeOf returns the code of an error of answer.
func codeOf(err error) errorCode {
	switch {
	case as[*request.QueryError](err):
		return invalidQuery
	case errors.Is(err, simulate.ErrSearchNotMonotonic), errors.Is(err, simulate.ErrMarginalNotMonotonic):
		return notMonotonic
	case as[*model.PinnedError](err):
		return pinnedExceeds
	case as[*model.OverflowError](err):
		return overflowsTarget
	case as[*model.ScarcityError](err):
		return scarce
	case as[*model.TableError](err), as[*slicer.RecordsError](err):
		return tableTooLarge
	case as[*model.PolicyError](err):
		return invalidPolicy
	case as[*model.BudgetError](err):
		return invalidBudget
	case as[*model.ItemError](err), as[*itemset.RecordError](err):
		return invalidItem
	}
	if s, ok := errors.AsType[*itemset.ScenarioError](err); ok {
		switch {
		case s.Field == "policy" || s.Field == "policyB":
			return invalidPolicy
		case s.Field == "budget" || s.Field == "slackTokens":
			return invalidBudget
		case strings.HasPrefix(s.Field, "items["), s.Field == "items" && s.Err != nil: // Err: too many
			return invalidItem
		}
	}
	return invalidInput
}

func as[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// messageOf returns the message of an error, without the name of the batch: the
// id identifies the line.
func messageOf(err error) string {
	message := err.Error()
	if s, ok := errors.AsType[*itemset.ScenarioError](err); ok {
		switch {
		case s.Err == nil && s.Field == "scenario":
			message = "the line " + s.Reason
		case s.Err == nil:
			message = s.Field + " " + s.Reason
		case s.Field == "policy" || s.Field == "budget" || s.Field == "scenario":
			message = s.Err.Error() // names itself
		default:
			message = s.Field + ": " + s.Err.Error()
		}
	}
	if len(message) > maxMessageLength {
		message = strings.ToValidUTF8(message[:maxMessageLength], "") + "..."
	}
	return message
}
