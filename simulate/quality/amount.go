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
	Percent float64 // percent of the tokens of all items of the case, above 0 to 100; 0: Tokens counts
	Own     bool    // the case's own maxTokens; Tokens and Percent do not count
}

const ownAmount = "own"

// ParseAmount parses an amount such as "16000", "16k", "50%" or "own". Tokens
// must be 0 to model.MaxTokens, and a percentage above 0 and at most 100.
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
	if err != nil || !(p > 0 && p <= 100) {
		return Amount{}, fmt.Errorf("%.20q is not a percentage above 0 and up to 100", text)
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

// Of returns the maxTokens for a case, rounded down and at most
// model.MaxTokens for a percentage. Excluded items and negative token counts
// do not count.
func (a Amount) Of(c *Case) model.Tokens {
	switch {
	case a.Own:
		return c.Budget.MaxTokens()
	case a.Percent <= 0:
		return a.Tokens
	}
	all := model.Tokens(0)
	for i, t := range c.Items.TokenColumn() {
		if !c.Items.Excluded(i) {
			all += max(0, t)
		}
	}
	return min(model.Tokens(math.Floor(float64(a.Percent/100)*float64(all))), model.MaxTokens)
}
