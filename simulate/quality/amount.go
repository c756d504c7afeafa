package quality

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
)

// Amount is a budget for many cases: the same maxTokens for all, a percentage
// of the tokens of each case, or the budget that each case comes with.
type Amount struct {
	Tokens  model.Tokens
	Percent float64 // percent of the tokens of all items of the case, above 0 to 1000; 0: Tokens counts
	Own     bool    // the case's own maxTokens; Tokens and Percent do not count
}

const ownAmount = "own"

// ParseAmount parses an amount such as "16000", "16k", "50%" or "own". Tokens
// must be 0 to model.MaxTokens, and a percentage above 0 and at most 1000.
func ParseAmount(text string) (Amount, error) {
	if strings.TrimSpace(text) == ownAmount {
		return Amount{Own: true}, nil
	}
	share, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !ok {
		t, err := model.ParseTokens(text)
		if err == nil && (t < 0 || t > model.MaxTokens) {
			err = fmt.Errorf("is %v, must be 0 to %v", t, model.MaxTokens)
		}
		return Amount{Tokens: t}, err
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil || !(p > 0 && p <= 1000) {
		return Amount{}, fmt.Errorf("%.20q is not a percentage above 0 and up to 1000", text)
	}
	return Amount{Percent: p}, nil
}

// String returns the amount in a form that ParseAmount reads.
func (a Amount) String() string {
	switch {
	case a.Own:
		return ownAmount
	case a.Percent > 0:
		return strconv.FormatFloat(a.Percent, 'f', -1, 64) + "%"
	}
	return strconv.FormatInt(int64(a.Tokens), 10)
}

// Of returns the maxTokens for a case. Excluded items and negative token counts do not
// count. See OfAll.
func (a Amount) Of(c *Case) model.Tokens {
	all := model.Tokens(0)
	for i, t := range c.Items.TokenColumn() {
		if !c.Items.Excluded(i) {
			all += max(0, t)
		}
	}
	return a.OfAll(c.Budget.MaxTokens(), all)
}

// OfAll returns the maxTokens for a case whose own is given, and whose items have all
// tokens together. A percentage is rounded down, and at most model.MaxTokens.
func (a Amount) OfAll(own, all model.Tokens) model.Tokens {
	const rounding = 1e-9 // 57 % of 100 is 57
	switch {
	case a.Own:
		return own
	case a.Percent <= 0:
		return a.Tokens
	}
	return min(model.Tokens(math.Floor(a.Percent*float64(all)/100+rounding)), model.MaxTokens)
}
