package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"cupelscope/model"
)

// TrustKey is the metadata key that MetadataTrust reads.
const TrustKey = "cupel:trust"

// MetadataTrust rates an item by the number in its metadata under TrustKey,
// clamped to 0 to 1. The value may be a number, or a string that is a plain
// decimal number with an optional exponent and no spaces. An item gets the
// default score if the value is missing, of another form, or not finite. O(n).
// See the Cupel specification, chapter MetadataTrustScorer.
type MetadataTrust struct{ fallback float64 }

var _ Scorer = MetadataTrust{}

// NewMetadataTrust returns a MetadataTrust with the given default score. It is
// an error if the default is not 0 to 1.
func NewMetadataTrust(defaultScore float64) (MetadataTrust, error) {
	if !(0 <= defaultScore && defaultScore <= 1) {
		return MetadataTrust{}, fmt.Errorf("metadataTrust: the default score is %v, must be 0 to 1", defaultScore)
	}
	return MetadataTrust{defaultScore}, nil
}

// Score implements Scorer.
func (m MetadataTrust) Score(ctx context.Context, l List, dst []float64) error {
	return l.each(ctx, lookUp, dst, func(item int) float64 {
		if trust, ok := decimal(l.Set.Loaded(item).Metadata[TrustKey]); ok {
			return min(max(trust, 0), 1)
		}
		return m.fallback
	})
}

func (MetadataTrust) ratesAlone(*model.Set) bool { return true }

// decimal reads a finite number from a metadata value: a json.Number, as in sets
// read from files, one of Go's number types, or a plain decimal string.
func decimal(value any) (float64, bool) {
	var f float64
	switch v := value.(type) {
	case nil:
		return 0, false
	case json.Number:
		return parseDecimal(string(v))
	case string:
		return parseDecimal(v)
	case float64:
		f = v
	case float32:
		f = float64(v)
	default:
		n, ok := wholeNumber(value)
		return float64(n), ok
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// parseDecimal reads [+-] digits [. digits] [e [+-] digits], with a digit on
// at least one side of the point. The check of the characters rejects what
// strconv accepts beyond that: hexadecimal, underscores, names of infinity.
func parseDecimal(s string) (float64, bool) {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', c == '.', c == '+', c == '-', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64) // a number that exceeds float64 is an error
	return f, err == nil
}

// wholeNumber returns an integer of any of Go's integer types as a float64,
// rounded.
func wholeNumber(value any) (float64, bool) {
	switch v := reflect.ValueOf(value); {
	case !v.IsValid() || v.Type().PkgPath() != "": // a type of someone's own may mean something else
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}
