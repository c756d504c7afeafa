package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/session"
)

// checkRow is a row of the table of checks: a kind and its flag. The sort of value that the
// flag takes decides which field of a model.Check has it, and how it is read and written.
type checkRow struct {
	flag  string
	takes checkValue
	usage string
	kind  model.CheckKind // "" for the flag "for"
	// One of these judges a check of the kind: by the requests of a session, by the result at the
	// budget, or by the items that the check is about.
	ofTurns  func(*judge, context.Context, *verdict) error
	ofResult func(*judge, context.Context, *verdict, *model.Report) error
	ofItems  func(j *judge, ctx context.Context, v *verdict, r *model.Report, items []int) error
}

type checkValue int

const (
	nothing checkValue = iota
	selector
	tokenCount
	percentage
	ratio
)

func checkRows() []checkRow {
	return []checkRow{
		{"require", selector, "all items that match `SELECTOR` are in, and at least one matches", model.CheckRequire, nil, nil, (*judge).require},
		{"forbid", selector, "no item that matches `SELECTOR` is in", model.CheckForbid, nil, nil, (*judge).forbid},
		{"first-in-by", tokenCount, "each item of --for is in at some budget up to `TOKENS`", model.CheckFirstInBy, nil, nil, (*judge).by},
		{"stays-by", tokenCount, "each item of --for is in at every budget from `TOKENS` on, up to the ceiling", model.CheckStaysBy, nil, nil, (*judge).by},
		{"stable", tokenCount, "the items of --for, else of --require, stay in down to a budget `SLACK` tokens smaller", model.CheckStable, nil, nil, (*judge).stable},
		{"for", selector, "the checks before this flag are about the items that match `SELECTOR`", "", nil, nil, nil},
		{"min-filled", percentage, "at least `PERCENT` of the room is used, or nothing is left out", model.CheckMinFilled, nil, (*judge).filled, nil},
		{"max-below-best", percentage, "the value is at most `PERCENT` " + plain.BelowBest, model.CheckMaxBelowBest, nil, (*judge).belowBest, nil},
		{"min-prefix", percentage, "on average, the cache can reuse at least `PERCENT` of the previous prompt", model.CheckMinPrefix, (*judge).turns, nil, nil},
		{"max-cost-ratio", ratio, "all requests cost at most `RATIO` times as much as sending everything, which must fit", model.CheckMaxCostRatio, (*judge).turns, nil, nil},
		{"min-recall", percentage, "at least `PERCENT` of the items labelled as needed is in", model.CheckMinRecall, nil, (*judge).recall, nil},
		{"answered", nothing, "an item with one of the answers is in", model.CheckAnswered, nil, (*judge).answered, nil},
		{"no-split-pairs", nothing, "no tool call is in without its result, and no result without its call", model.CheckNoSplitPairs, nil, (*judge).split, nil},
	}
}

// rowOf returns the row of a kind; figures of a file have their kind in place of a flag.
func rowOf(k model.CheckKind) checkRow {
	for _, row := range checkRows() {
		if row.kind == k {
			return row
		}
	}
	return checkRow{flag: string(k), kind: k}
}

// typedChecks are the checks of the flags, in the order in which they are typed, which
// matters: a "for" applies to the checks before it that have none yet.
type typedChecks struct {
	all     []model.Check
	wanting int // index of the first check that the next "for" applies to
}

// flags returns the flags of checks. They append to l.
func (l *typedChecks) flags() (flags []session.Flag) {
	for _, row := range checkRows() {
		flags = append(flags, session.Flag{Name: row.flag, Usage: row.usage, Truth: row.takes == nothing, Repeats: true, Read: func(text string) error { return l.read(row, text) }})
	}
	return flags
}

// read reads the value of a flag.
func (l *typedChecks) read(row checkRow, text string) (err error) {
	if row.kind == "" {
		return l.readFor(text)
	}
	c, wanted := model.Check{Kind: row.kind}, true
	switch row.takes {
	case nothing:
		wanted, err = strconv.ParseBool(text)
	case selector:
		c.Selector = text
	case tokenCount:
		c.Tokens, err = model.ParseTokens(text)
	case percentage:
		var percent float64
		percent, err = model.ParsePercent(text)
		c.Share, _ = model.ShareOfPercent(percent)
	case ratio:
		if c.Ratio, err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil {
			err = fmt.Errorf("%.40q is not a ratio (use 1 or 1.25)", text)
		}
	}
	if err == nil && wanted {
		l.all = append(l.all, c)
	}
	return err
}

// readFor gives a selector to the checks that want one.
func (l *typedChecks) readFor(selector string) error {
	taken := false
	for k := range l.all[l.wanting:] {
		if c := &l.all[l.wanting+k]; rowOf(c.Kind).takes == tokenCount {
			c.Selector, taken = selector, true
		}
	}
	if !taken {
		return fmt.Errorf("%.40q must follow the checks that it applies to, as in --stays-by 32k --for kind:system", selector)
	}
	l.wanting = len(l.all)
	return nil
}

// validate returns an error if a check lacks what no later flag can give any more.
func (l typedChecks) validate() error {
	for _, c := range l.all {
		flag := rowOf(c.Kind).flag
		if c.Selector == "" && (c.Kind == model.CheckFirstInBy || c.Kind == model.CheckStaysBy) {
			return fmt.Errorf("--%s %v must be followed by --for SELECTOR", flag, c.Tokens)
		}
		if err := c.Validate(); err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return nil
}

// sayCheck returns a check as it is typed, without the dashes.
func sayCheck(c model.Check) string {
	row := rowOf(c.Kind)
	text := row.flag
	switch row.takes {
	case selector:
		text += " " + c.Selector
	case tokenCount:
		text += " " + c.Tokens.String()
		if c.Selector != "" {
			text += " for " + c.Selector
		}
	case percentage:
		text += " " + strconv.FormatFloat(inPercent(c.Share), 'f', -1, 64) + " %"
	case ratio:
		text += " " + strconv.FormatFloat(c.Ratio, 'f', -1, 64)
	}
	return text
}

// checks returns the checks in the file and the flags.
func (a checkOptions) checks(ctx context.Context) ([]model.Check, error) {
	var all []model.Check
	if a.File != "" {
		data, err := itemset.ReadSmall(ctx, a.File)
		if err != nil {
			return nil, fmt.Errorf("--checks: %w", err)
		}
		if all, err = parseChecks(data); err != nil {
			return nil, fmt.Errorf("--checks %s: %w", a.File, err)
		}
	}
	return append(all, a.Typed.all...), a.Typed.validate()
}

// parseChecks reads checks in JSON that are to be judged.
func parseChecks(data []byte) ([]model.Check, error) {
	all, err := model.ParseChecks(data)
	if err != nil {
		return nil, err
	}
	return all, tinyFloors(all)
}

// tinyFloors returns an error for a check in JSON that something is at least a fraction
// of one percent: the number may be meant as a share, and such a check holds for nearly
// any result. Only judging refuses it, so that files with such a check still open.
func tinyFloors(checks []model.Check) error {
	for _, c := range checks {
		if (c.Kind == model.CheckMinFilled || c.Kind == model.CheckMinPrefix) && c.Share > 0 && c.Share < .01 {
			percent := inPercent(c.Share)
			return fmt.Errorf("%s is %v percent: write %v for a share of %[2]v, or check it with --%[4]s %[2]v%%", c.Kind, percent, inPercent(percent), rowOf(c.Kind).flag)
		}
	}
	return nil
}

// against parses --against and --tolerance.
func (a checkOptions) against(ctx context.Context) (b *base, tolerance float64, err error) {
	percent, err := model.ParsePercent(cmp.Or(a.Tolerance, "1"))
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("--tolerance: %w", err)
	case a.Against == "" && a.Tolerance != "":
		return nil, 0, errors.New("--tolerance is for --against: give both")
	case a.Against == "":
		return nil, 0, nil
	}
	tolerance, _ = model.ShareOfPercent(percent)
	b, err = readBase(ctx, a.Against)
	return b, tolerance, err
}
