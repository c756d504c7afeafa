package scorer

import (
	"fmt"

	"cupelscope/model"
)

// FromPolicy builds the scorer that a policy's list describes: the one scorer
// alone, or a Composite of several. The list must be valid (model.Policy.Validate).
func FromPolicy(all []model.Scorer) (Scorer, error) {
	parts := make([]Part, len(all))
	for i, s := range all {
		one, err := fromPolicy(s)
		if err != nil {
			return nil, err
		}
		parts[i] = Part{string(s.Type), s.Weight, one}
	}
	if len(parts) == 1 {
		return parts[0].Scorer, nil // its normalised weight is exactly 1
	}
	return NewComposite(parts...)
}

func fromPolicy(s model.Scorer) (Scorer, error) {
	switch s.Type {
	case model.ScoreRecency:
		return Recency{}, nil
	case model.ScorePriority:
		return Priority{}, nil
	case model.ScoreKind:
		return NewKind(s.KindWeights), nil
	case model.ScoreTag:
		return NewTag(s.TagWeights), nil
	case model.ScoreFrequency:
		return Frequency{}, nil
	case model.ScoreReflexive:
		return Reflexive{}, nil
	case model.ScoreComposite:
		return FromPolicy(s.Scorers)
	}
	return nil, fmt.Errorf("scorer type %q is not known", s.Type)
}
