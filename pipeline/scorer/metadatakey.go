package scorer

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"cupelscope/model"
)

// MetadataKey gives a boost to the items that have a given value under a given
// key of their metadata, and 1 to all others. The boost is not clamped. O(n).
// See the Cupel specification, chapter MetadataKeyScorer.
//
// Values compare as text: a number by its digits as they stand in the source,
// a boolean as true or false. Null, lists and objects equal nothing.
type MetadataKey struct {
	key, value string
	boost      float64
}

var _ Scorer = MetadataKey{}

// NewMetadataKey returns a MetadataKey for the given key and value. It is an
// error if boost is not finite and above 0.
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

func (MetadataKey) ratesAlone(*model.Set) bool { return true }

// metadataText returns a metadata value as text, and whether it has one. One of
// Go's number types, which has no source text, is written in the shortest form
// of strconv.
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
