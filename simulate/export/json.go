package export

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"time"
	"unicode/utf8"

	"cupelscope/model"
)

// JSON writes the report as one JSON object and a newline: what it rests on,
// budget, effective, included in placed order, excluded in report order, totals,
// utilization, stages, shortfalls and, if there was one, overflow. A score that
// is not finite is null, as is what only a profile tells where there is none.
// Without Timings equal reports give equal bytes. The error is that of w.
func JSON(w io.Writer, r *model.Report, o ReportOptions) error {
	return writeJSON(w, newReportJSON(r, o))
}

// controlEscaper writes what JSON leaves as it is but a terminal obeys as
// escapes, and what is no UTF-8 as U+FFFD. All else passes unchanged.
type controlEscaper struct {
	to   *bufio.Writer
	held []byte // the beginning of a character whose end is still to come
}

// Write implements io.Writer. JSON has such characters in strings alone.
func (e *controlEscaper) Write(p []byte) (int, error) {
	n := len(p)
	if len(e.held) > 0 {
		p = append(e.held, p...)
	}
	start, i := 0, 0
	for i < len(p) {
		if p[i] < 0x7f {
			i++
			continue
		}
		if !utf8.FullRune(p[i:]) {
			break
		}
		r, size := utf8.DecodeRune(p[i:])
		if obeyed(r) || r == utf8.RuneError && size == 1 {
			e.to.Write(p[start:i]) // the last Write reports the error
			fmt.Fprintf(e.to, `\u%04x`, r)
			start = i + size
		}
		i += size
	}
	if _, err := e.to.Write(p[start:i]); err != nil {
		return 0, err
	}
	e.held = append(e.held[:0], p[i:]...)
	return n, nil
}

// escaped is JSON in which nothing is left that a terminal obeys.
func escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7f && obeyed(r) || r == utf8.RuneError }) {
		return text
	}
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	(&controlEscaper{to: out}).Write(text) // a buffer has no errors
	out.Flush()
	return b.Bytes()
}

type reportJSON struct {
	Schema                string          `json:"schema"`
	Name                  string          `json:"name"`
	Format                string          `json:"format"`
	Policy                policyJSON      `json:"policy"`
	Budget                model.Budget    `json:"budget"`
	BudgetGuessed         bool            `json:"budgetGuessed"`
	EstimatedCounts       int             `json:"estimatedCounts"`
	SlackTokens           model.Tokens    `json:"slackTokens"`
	Ceiling               *model.Tokens   `json:"ceiling"`
	Value                 *float64        `json:"value"`
	Filled                float64         `json:"filled"`
	Effective             effectiveJSON   `json:"effective"`
	Included              []includedJSON  `json:"included"`
	Excluded              []excludedJSON  `json:"excluded"`
	TotalTokens           model.Tokens    `json:"totalTokens"`
	TotalCandidates       int             `json:"totalCandidates"`
	TotalTokensConsidered model.Tokens    `json:"totalTokensConsidered"`
	Utilization           float64         `json:"utilization"`
	Stages                []stageJSON     `json:"stages"`
	Shortfalls            []shortfallJSON `json:"shortfalls"`
	Overflow              *overflowJSON   `json:"overflow,omitempty"`
}

type effectiveJSON struct {
	MaxTokens    model.Tokens `json:"maxTokens"`
	TargetTokens model.Tokens `json:"targetTokens"`
}

type includedJSON struct {
	outcomeJSON
	AtRisk bool           `json:"atRisk"`
	Item   model.ItemJSON `json:"item"`
}

type excludedJSON struct {
	outcomeJSON
	reasonJSON
	Item model.ItemJSON `json:"item"`
}

// outcomeJSON is what is said of any item.
type outcomeJSON struct {
	Index     int           `json:"index"`
	Score     *float64      `json:"score"`
	Reason    string        `json:"reason"`
	FirstIn   *model.Tokens `json:"firstIn"`
	StaysFrom *model.Tokens `json:"staysFrom"`
}

func newOutcomeJSON(r *model.Report, i int, o ReportOptions) outcomeJSON {
	out := outcomeJSON{Index: i, Score: finiteOrNull(r.Scores[i]), Reason: r.Codes[i].String()}
	if o.Profile != nil {
		if b, ok := o.Profile.First(i); ok {
			out.FirstIn = &b
		}
		if b, ok := o.Profile.Stays(i); ok {
			out.StaysFrom = &b
		}
	}
	return out
}

// reasonJSON holds the data of a reason beside its name.
type reasonJSON struct {
	Tokens              *model.Tokens `json:"tokens,omitempty"`
	DeduplicatedAgainst *int          `json:"deduplicatedAgainst,omitempty"`
	ItemTokens          *model.Tokens `json:"itemTokens,omitempty"`
	AvailableTokens     *model.Tokens `json:"availableTokens,omitempty"`
	DisplacedBy         *int          `json:"displacedBy,omitempty"`
	Kind                *model.Kind   `json:"kind,omitempty"`
	Cap                 *int          `json:"cap,omitempty"`
	Count               *int          `json:"count,omitempty"`
	FilterName          *string       `json:"filterName,omitempty"`
}

type stageJSON struct {
	Stage      model.Stage `json:"stage"`
	DurationMs *float64    `json:"durationMs,omitempty"`
	ItemsIn    int         `json:"itemsIn"`
	ItemsOut   int         `json:"itemsOut"`
}

type shortfallJSON struct {
	Kind           model.Kind `json:"kind"`
	RequiredCount  int        `json:"requiredCount"`
	SatisfiedCount int        `json:"satisfiedCount"`
}

type overflowJSON struct {
	TokensOverBudget model.Tokens `json:"tokensOverBudget"`
	Indexes          []int32      `json:"indexes"`
}

func newReportJSON(r *model.Report, o ReportOptions) reportJSON {
	out := reportJSON{
		Schema:                Schema("report"),
		Name:                  o.Name,
		Format:                o.Format,
		Policy:                newPolicyJSON(o.Policy),
		Budget:                r.Budget,
		BudgetGuessed:         o.BudgetGuessed,
		EstimatedCounts:       r.Items.Estimates(),
		SlackTokens:           o.Slack,
		Value:                 finiteOrNull(r.Value),
		Filled:                r.Filled(),
		Effective:             effectiveJSON{r.Effective.Max, r.Effective.Target},
		Included:              make([]includedJSON, 0, len(r.Included)),
		Excluded:              make([]excludedJSON, 0, len(r.Excluded)),
		TotalTokens:           r.Kept,
		TotalCandidates:       r.Items.Len(),
		TotalTokensConsidered: r.Considered,
		Utilization:           r.Utilization(),
		Stages:                make([]stageJSON, 0, len(r.Stages)),
		Shortfalls:            make([]shortfallJSON, 0, len(r.Shortfalls)),
	}
	if o.Profile != nil {
		end := o.Profile.Axis().End()
		out.Ceiling = &end
	}
	risk := o.risk(r.Items.Len())
	for _, i := range r.Included {
		out.Included = append(out.Included, includedJSON{newOutcomeJSON(r, int(i), o), risk[i], itemJSON(r.Items, int(i), o)})
	}
	for _, i := range r.Excluded {
		out.Excluded = append(out.Excluded, excludedJSON{newOutcomeJSON(r, int(i), o), newReasonJSON(r.Reason(int(i))), itemJSON(r.Items, int(i), o)})
	}
	for _, s := range r.Stages {
		stage := stageJSON{Stage: s.Stage, ItemsIn: s.In, ItemsOut: s.Out}
		if o.Timings {
			ms := float64(s.Duration) / float64(time.Millisecond)
			stage.DurationMs = &ms
		}
		out.Stages = append(out.Stages, stage)
	}
	for _, s := range r.Shortfalls {
		out.Shortfalls = append(out.Shortfalls, shortfallJSON{s.Kind, s.Required, s.Satisfied})
	}
	if r.Overflow != nil {
		out.Overflow = &overflowJSON{r.Overflow.TokensOver, append([]int32{}, r.Overflow.Items...)}
	}
	return out
}

func newReasonJSON(r model.Reason) reasonJSON {
	var out reasonJSON
	switch r.Code {
	case model.NegativeTokens:
		out.Tokens = &r.Tokens
	case model.Deduplicated:
		out.DeduplicatedAgainst = &r.By
	case model.BudgetExceeded:
		out.ItemTokens, out.AvailableTokens = &r.Tokens, &r.Available
	case model.PinnedOverride:
		out.DisplacedBy = &r.By
	case model.CountCapExceeded:
		out.Kind, out.Cap, out.Count = &r.Kind, &r.Cap, &r.Taken
	case model.Filtered:
		out.FilterName = &r.Filter
	}
	return out
}

// finiteOrNull is nil, which JSON writes as null, for NaN and the infinities.
func finiteOrNull(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}
