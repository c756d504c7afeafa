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
)

// typedCheck is a flag of a check as it was typed. The order of such flags matters:
// a "for" applies to the checks before it.
type typedCheck struct{ Name, Value string }

// flagUsage describes a flag of a check for help.
type flagUsage struct {
	Name  string
	Value string // the name of its value; "": it takes none
	Usage string
	kind  model.CheckKind // "" for the flag "for"
}

// checkFlags returns the flags that specify checks.
func checkFlags() []flagUsage {
	return []flagUsage{
		{"require", "SELECTOR", "all items that match are in, and at least one matches", model.CheckRequire},
		{"forbid", "SELECTOR", "no item that matches is in", model.CheckForbid},
		{"first-in-by", "TOKENS", "each item of --for is in at some budget up to this", model.CheckFirstInBy},
		{"stays-by", "TOKENS", "each item of --for is in at every budget from this on, up to the ceiling", model.CheckStaysBy},
		{"stable", "SLACK", "the items of --for, else of --require, stay in down to a budget SLACK tokens smaller", model.CheckStable},
		{"for", "SELECTOR", "the items that the checks before this flag are about", ""},
		{"min-filled", "PERCENT", "at least this much of the room is used, or nothing is left out", model.CheckMinFilled},
		{"max-below-best", "PERCENT", "the value is at most this far below the best possible", model.CheckMaxBelowBest},
		{"min-prefix", "PERCENT", "on average, the cache can reuse at least this much of the previous prompt", model.CheckMinPrefix},
		{"max-cost-ratio", "RATIO", "all requests cost at most this many times as much as sending everything", model.CheckMaxCostRatio},
		{"min-recall", "PERCENT", "at least this much of the items labelled as needed is in", model.CheckMinRecall},
		{"answered", "", "an item with one of the answers is in", model.CheckAnswered},
		{"no-split-pairs", "", "no tool call is in without its result, and no result without its call", model.CheckNoSplitPairs},
	}
}

// flagOf returns the name of the flag for a kind of check, kindOf the kind for a
// flag.
func flagOf(k model.CheckKind) string {
	for _, f := range checkFlags() {
		if f.kind == k {
			return f.Name
		}
	}
	return string(k)
}

func kindOf(flag string) model.CheckKind {
	for _, f := range checkFlags() {
		if f.Name == flag {
			return f.kind
		}
	}
	return ""
}

// checks returns the checks in the file and the flags.
func (a checkOptions) checks(ctx context.Context) ([]model.Check, error) {
	var all []model.Check
	if a.File != "" {
		data, err := itemset.ReadSmall(ctx, a.File)
		if err != nil {
			return nil, fmt.Errorf("--checks: %w", err)
		}
		if all, err = model.ParseChecks(data); err != nil {
			return nil, fmt.Errorf("--checks %s: %w", a.File, err)
		}
		if err := tinyFloors(all); err != nil {
			return nil, fmt.Errorf("--checks %s: %w", a.File, err)
		}
	}
	flags, err := parseCheckFlags(a.Flags)
	return append(all, flags...), err
}

// tinyFloors returns an error for a check in JSON that something is at least a fraction
// of one percent: the number may be meant as a share, and such a check holds for nearly
// any result. Only judging refuses it, so that files with such a check still open.
func tinyFloors(checks []model.Check) error {
	for _, c := range checks {
		if (c.Kind == model.CheckMinFilled || c.Kind == model.CheckMinPrefix) && c.Share > 0 && c.Share < .01 {
			percent := inPercent(c.Share)
			return fmt.Errorf("%s is %v percent: write %v for a share of %[2]v, or check it with --%[4]s %[2]v%%", c.Kind, percent, inPercent(percent), flagOf(c.Kind))
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

// parseCheckFlags parses the flags in order. A "for" applies to the checks before
// it that still need one.
func parseCheckFlags(flags []typedCheck) ([]model.Check, error) {
	var all []model.Check
	wanting := 0 // index of the first check that the next "for" applies to
	for _, f := range flags {
		if kindOf(f.Name) == "" {
			taken := 0
			for k := range all[wanting:] {
				if c := &all[wanting+k]; wantsItems(c.Kind) {
					c.Selector = f.Value
					taken++
				}
			}
			if taken == 0 {
				return nil, fmt.Errorf("--for %.40q: must follow the checks that it applies to, as in --stays-by 32k --for kind:system", f.Value)
			}
			wanting = len(all)
			continue
		}
		c := model.Check{Kind: kindOf(f.Name)}
		var err error
		switch c.Kind {
		case model.CheckRequire, model.CheckForbid:
			c.Selector = f.Value
		case model.CheckMaxCostRatio:
			if c.Ratio, err = strconv.ParseFloat(strings.TrimSpace(f.Value), 64); err != nil {
				err = fmt.Errorf("%.40q is not a ratio (use 1 or 1.25)", f.Value)
			}
		case model.CheckMinFilled, model.CheckMaxBelowBest, model.CheckMinRecall, model.CheckMinPrefix:
			var percent float64
			percent, err = model.ParsePercent(f.Value)
			c.Share, _ = model.ShareOfPercent(percent)
		case model.CheckNoSplitPairs, model.CheckAnswered:
			var wanted bool
			if wanted, err = strconv.ParseBool(f.Value); err != nil {
				err = fmt.Errorf("%.40q must be true or false", f.Value)
			} else if !wanted {
				continue
			}
		default:
			c.Tokens, err = model.ParseTokens(f.Value)
		}
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", f.Name, err)
		}
		all = append(all, c)
	}
	for _, c := range all {
		flag := flagOf(c.Kind)
		if c.Selector == "" && (c.Kind == model.CheckFirstInBy || c.Kind == model.CheckStaysBy) {
			return nil, fmt.Errorf("--%s %v must be followed by --for SELECTOR", flag, c.Tokens)
		}
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return all, nil
}

// wantsItems reports whether a check is about items that "for" names.
func wantsItems(k model.CheckKind) bool {
	return k == model.CheckFirstInBy || k == model.CheckStaysBy || k == model.CheckStable
}

// sayCheck returns a check as it is typed, without the dashes.
func sayCheck(c model.Check) string {
	text := flagOf(c.Kind)
	switch c.Kind {
	case model.CheckRequire, model.CheckForbid:
		return text + " " + c.Selector
	case model.CheckMaxCostRatio:
		return text + " " + strconv.FormatFloat(c.Ratio, 'f', -1, 64)
	case model.CheckMinFilled, model.CheckMaxBelowBest, model.CheckMinRecall, model.CheckMinPrefix:
		return text + " " + strconv.FormatFloat(inPercent(c.Share), 'f', -1, 64) + " %"
	case model.CheckNoSplitPairs, model.CheckAnswered, againstBase, recordBase:
		return text
	}
	text += " " + c.Tokens.String()
	if c.Selector != "" {
		text += " for " + c.Selector
	}
	return text
}
