package pipeline

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"time"

	"cupelscope/model"
)

// The scorers that need more than a few lines, as the specification tells
// them; see naive_test.go.

func naiveScaled(s *model.Set, all []int, sc model.Scorer, i int) float64 {
	least, most := math.NaN(), math.NaN()
	for k, j := range all {
		x := naiveScore(s, all, *sc.Inner, j)
		if k == 0 || better(x, most) {
			most = x
		}
		if k == 0 || better(least, x) {
			least = x
		}
	}
	if !better(most, least) {
		return 0.5
	}
	return (naiveScore(s, all, *sc.Inner, i) - least) / (most - least)
}

var plainDecimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func naiveTrust(sc model.Scorer, it model.Item) float64 {
	fallback := 0.5
	if sc.DefaultScore.Set {
		fallback = sc.DefaultScore.Value
	}
	var text string
	switch v := it.Metadata["cupel:trust"].(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	if !plainDecimal.MatchString(text) {
		return fallback
	}
	value, _, err := big.ParseFloat(text, 10, 2000, big.ToNearestEven)
	if err != nil {
		return fallback
	}
	trust, _ := value.Float64()
	if math.IsInf(trust, 0) {
		return fallback
	}
	return math.Max(0, math.Min(1, trust))
}

func naiveMetadataKey(sc model.Scorer, it model.Item) float64 {
	var text string
	switch v := it.Metadata[sc.Key].(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	case bool:
		text = strconv.FormatBool(v)
	default:
		return 1
	}
	if text == sc.Value {
		return sc.Boost
	}
	return 1
}

// naiveDecay computes ages with integers without bounds.
func naiveDecay(sc model.Scorer, it model.Item) float64 {
	if !it.Timestamp.Set {
		if sc.NullTimestampScore.Set {
			return sc.NullTimestampScore.Value
		}
		return 0.5
	}
	nanos := func(t time.Time) *big.Int {
		// What Unix of instants far away wrapped round is unwrapped.
		second := big.NewInt(t.Unix() + 62135596800)
		return second.Add(second.Mul(second, big.NewInt(1e9)), big.NewInt(int64(t.Nanosecond())))
	}
	age := new(big.Int).Sub(nanos(sc.ReferenceTime.Value), nanos(it.Timestamp.Value))
	if age.Sign() < 0 {
		age.SetInt64(0)
	}
	second, nano := new(big.Int).QuoRem(age, big.NewInt(1e9), new(big.Int))
	limit := func(seconds float64) bool { // whether age < seconds
		f := new(big.Float).SetPrec(200).Mul(big.NewFloat(seconds), big.NewFloat(1e9))
		n, _ := f.Add(f, big.NewFloat(0.5)).Int(nil)
		return age.Cmp(n) < 0 || age.Sign() == 0 // no bound is too short for age 0
	}
	switch c := sc.Curve; c.Type {
	case model.Exponential:
		whole, _ := new(big.Float).SetInt(second).Float64()
		return math.Exp2(-((whole + float64(nano.Int64())/1e9) / c.HalfLifeSeconds))
	case model.Window:
		if limit(c.MaxAgeSeconds) {
			return 1
		}
		return 0
	default:
		for _, w := range c.Windows {
			if limit(w.MaxAgeSeconds) {
				return w.Score
			}
		}
		return c.Windows[len(c.Windows)-1].Score
	}
}
