package model

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// CheckKind names what a check demands, as scenarios spell it.
type CheckKind string

// The kinds of checks.
const (
	CheckRequire      CheckKind = "require"      // every item that Selector names is in, and it names at least one
	CheckForbid       CheckKind = "forbid"       // no item that Selector names is in
	CheckFirstInBy    CheckKind = "firstInBy"    // each item named is in at some budget of at most Tokens
	CheckStaysBy      CheckKind = "staysBy"      // each item named is in at every budget of at least Tokens, up to the ceiling
	CheckStable       CheckKind = "stable"       // each item named is in at the budget and at every budget up to Tokens smaller
	CheckMinFilled    CheckKind = "minFilled"    // at least Share of the room is used
	CheckMaxBelowBest CheckKind = "maxBelowBest" // the value is at most Share below the best possible
	CheckNoSplitPairs CheckKind = "noSplitPairs" // no call of a tool is in without its result, or the reverse

	// About what was needed, see Labels.
	CheckMinRecall CheckKind = "minRecall" // at least Share of what was needed is in
	CheckAnswered  CheckKind = "answered"  // an item that contains one of the answers is in

	// About all requests of a session, see simulate/turns.
	CheckMinPrefix    CheckKind = "minPrefix"    // on average at least Share of the previous window survives as a prefix
	CheckMaxCostRatio CheckKind = "maxCostRatio" // the cost is at most Ratio times the cost of sending everything
)

func checkKinds() []CheckKind {
	return []CheckKind{CheckRequire, CheckForbid, CheckFirstInBy, CheckStaysBy, CheckStable, CheckMinFilled, CheckMaxBelowBest, CheckNoSplitPairs,
		CheckMinRecall, CheckAnswered, CheckMinPrefix, CheckMaxCostRatio}
}

// Check is one condition that a result must meet. In JSON it is an object with
// its kind as a key:
//
//	{"require": "kind:system"}                    {"forbid": "is:dup"}
//	{"firstInBy": 16000, "for": "#12"}            {"staysBy": 32000, "for": "kind:system"}
//	{"stable": 1000}                              {"stable": 1000, "for": "kind:memory"}
//	{"minFilled": 80}  {"maxBelowBest": 0.025}    {"noSplitPairs": true}
//	{"minRecall": 0.9}                            {"answered": true}
//	{"minPrefix": 80}                             {"maxCostRatio": 1.2}
//
// The object may also have a "name". In JSON minFilled and minPrefix are
// percentages, 0 to 100, while maxBelowBest and minRecall are shares, 0 to 1.
// Scenarios of earlier commits have {"maxGap": 2.5}, maxBelowBest as a percentage, and
// {"noParted": true} for noSplitPairs.
type Check struct {
	Kind CheckKind
	Name string // for people; "" if it has none
	// Selector names items in the grammar of the filter. Require, forbid, firstInBy
	// and staysBy must have one; stable may have one. Without it stable is about
	// the items that the require checks name, or, if there are none, about all
	// items in the result. Other kinds must not have one.
	Selector string
	Tokens   Tokens  // firstInBy, staysBy and stable; 0 to MaxTokens
	Share    float64 // minFilled, maxBelowBest, minRecall and minPrefix; 0 to 1
	Ratio    float64 // maxCostRatio; 0 to 1000
}

// ParseChecks reads a JSON array of checks. The error names the field that is wrong, and
// why. ParseChecks does not parse selectors.
func ParseChecks(data []byte) ([]Check, error) {
	if err := jsonwalk.Check(data); err != nil {
		return nil, wrongCheck("checks", "is not JSON: "+err.Error())
	}
	if jsonwalk.Type(data) != '[' {
		return nil, wrongCheck("checks", "is "+jsonwalk.TypeName(data)+", must be an array")
	}
	var all []Check
	for raw := range jsonwalk.Elements(data) {
		c, err := parseCheck(fmt.Sprintf("checks[%d]", len(all)), raw)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// The names in scenarios of earlier commits, which are still read: oldMaxBelowBest is
// CheckMaxBelowBest with a percentage, and oldNoSplitPairs is CheckNoSplitPairs.
const (
	oldMaxBelowBest = "maxGap"
	oldNoSplitPairs = "noParted"
)

func wrongCheck(field, reason string) error {
	return fmt.Errorf("invalid checks: %s %s", field, reason)
}

func parseCheck(at string, raw []byte) (Check, error) {
	var c Check
	var selector string // the items that a check names beside itself
	r := reader{fail: wrongCheck}
	known := append([]string{"name", "for"}, checkNames()...)
	known = append(known, oldMaxBelowBest, oldNoSplitPairs)
	err := r.object(at, raw, known, func(field, key string, raw []byte) (err error) {
		switch {
		case key == "name":
			return r.text(field, raw, &c.Name)
		case key == "for":
			return r.text(field, raw, &selector)
		case c.Kind != "":
			return r.fail(field, fmt.Sprintf("is a second check beside %s: each is an object of its own", c.Kind))
		case key == oldMaxBelowBest:
			c.Kind = CheckMaxBelowBest
		case key == oldNoSplitPairs:
			c.Kind = CheckNoSplitPairs
		default:
			c.Kind = CheckKind(key)
		}
		switch c.Kind {
		case CheckRequire, CheckForbid:
			err = r.text(field, raw, &c.Selector)
		case CheckMinFilled, CheckMaxBelowBest, CheckMinRecall, CheckMinPrefix:
			if c.Share, err = r.float(field, raw); err == nil && key != string(CheckMaxBelowBest) && c.Kind != CheckMinRecall {
				share, ok := ShareOfPercent(c.Share)
				if !ok {
					return r.fail(field, fmt.Sprintf("is %v, must be 0 to 100", c.Share))
				}
				c.Share = share
			}
		case CheckMaxCostRatio:
			c.Ratio, err = r.float(field, raw)
		case CheckNoSplitPairs, CheckAnswered:
			if string(raw) != "true" {
				err = r.fail(field, "must be true")
			}
		default:
			c.Tokens, err = r.tokens(field, raw)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	switch c.Kind {
	case CheckRequire, CheckForbid:
		if selector != "" {
			return c, r.fail(at+".for", fmt.Sprintf("is given, but %s names the items itself", c.Kind))
		}
	default:
		c.Selector = selector
	}
	if err := c.Validate(); err != nil {
		return c, r.fail(at, err.Error())
	}
	return c, nil
}

// Validate reports the first thing that is wrong with the check, or nil. It
// does not parse the selector.
func (c Check) Validate() error {
	switch c.Kind {
	case CheckRequire, CheckForbid, CheckFirstInBy, CheckStaysBy:
		if strings.TrimSpace(c.Selector) == "" {
			if c.Kind == CheckRequire || c.Kind == CheckForbid {
				return fmt.Errorf("%s needs a selector", c.Kind)
			}
			return fmt.Errorf(`%s needs "for" with a selector`, c.Kind)
		}
	case CheckStable:
	case CheckMinFilled, CheckMaxBelowBest, CheckNoSplitPairs, CheckMinRecall, CheckAnswered, CheckMinPrefix, CheckMaxCostRatio:
		if c.Selector != "" {
			return fmt.Errorf(`%s is about the whole result, and takes no "for"`, c.Kind)
		}
	case "":
		return fmt.Errorf("has no check; known are %s", strings.Join(checkNames(), ", "))
	}
	switch {
	case !slices.Contains(checkKinds(), c.Kind):
		return fmt.Errorf("%.40q is not known; known are %s", string(c.Kind), strings.Join(checkNames(), ", "))
	case c.Tokens < 0 || c.Tokens > MaxTokens:
		return fmt.Errorf("%s is %v, must be 0 to %v", c.Kind, c.Tokens, MaxTokens)
	case !(0 <= c.Share && c.Share <= 1):
		return fmt.Errorf("%s is %v, must be 0 to 1", c.Kind, c.Share)
	case !(0 <= c.Ratio && c.Ratio <= 1000):
		return fmt.Errorf("%s is %v, must be 0 to 1000", c.Kind, c.Ratio)
	}
	return nil
}

func checkNames() []string { return Names(checkKinds()) }
