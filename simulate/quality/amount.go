package quality

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
)

// Amount is a budget that is the same for all cases, or a share of what each has.
type Amount struct {
	Tokens  model.Tokens
	Percent float64 // of the tokens of all items of the case; 0: Tokens count
}

// ParseAmount reads "16000", "16k" or "50%".
func ParseAmount(text string) (Amount, error) {
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

// String is the amount as ParseAmount reads it.
func (a Amount) String() string {
	if a.Percent > 0 {
		return strconv.FormatFloat(a.Percent, 'f', -1, 64) + "%"
	}
	return strconv.FormatInt(int64(a.Tokens), 10)
}

// Of is the budget for a set, rounded down.
func (a Amount) Of(s *model.Set) model.Tokens {
	if a.Percent <= 0 {
		return a.Tokens
	}
	all := model.Tokens(0)
	for i, t := range s.TokenColumn() {
		if !s.Excluded(i) {
			all += max(0, t)
		}
	}
	return min(model.Tokens(math.Floor(float64(a.Percent/100)*float64(all))), model.MaxTokens)
}
