package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// MetadataKey gives Boost to the items whose metadata has Value under Key, and
// 1, which is neutral, to all others. Its scores are factors and not clamped.
// Cupel specification, chapter MetadataKeyScorer. O(n).
//
// Values compare as text: a number by its digits as they stand in the source,
// a boolean as true or false. Null, lists and objects equal nothing.
type MetadataKey struct {
	key, value string
	boost      float64
}

var _ Scorer = MetadataKey{}

// NewMetadataKey returns a MetadataKey; boost must be finite and above 0.
func NewMetadataKey(key, value string, boost float64) (MetadataKey, error) {
	if !(boost > 0) || math.IsInf(boost, 0) {
		return MetadataKey{}, fmt.Errorf("metadataKey: the boost is %v, must be a finite number above 0", boost)
	}
	return MetadataKey{key, value, boost}, nil
}

// Score implements Scorer.
func (m MetadataKey) Score(ctx context.Context, l List, dst []float64) error {
	return l.each(ctx, lookUp, dst, func(item int) float64 {
		if text, ok := metadataText(l.Set.Loaded(item).Metadata[m.key]); ok && text == m.value {
			return m.boost
		}
		return 1
	})
}

// metadataText is a metadata value as text. Numbers of Go's, which have no
// source text, are written as strconv writes them shortest.
func metadataText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32), true
	}
	if _, ok := wholeNumber(value); ok {
		return fmt.Sprint(value), true
	}
	return "", false
}
