package scorer

import (
	"fmt"

	"cupelscope/model"
)

// FromPolicy returns the scorer that the list of a policy describes: the only
// scorer itself, or a Composite of several. The list must be valid, as
// model.Policy.Validate checks it; otherwise FromPolicy may return an error or
// panic.
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
	case model.ScoreScaled:
		inner, err := fromPolicy(*s.Inner)
		return Scaled{inner}, err
	case model.ScorePower:
		inner, err := fromPolicy(*s.Inner)
		if err != nil {
			return nil, err
		}
		return NewPower(inner, s.Exponent)
	case model.ScoreMetadataTrust:
		return NewMetadataTrust(s.DefaultScore.Or(model.DefaultTrust))
	case model.ScoreMetadataKey:
		return NewMetadataKey(s.Key, s.Value, s.Boost)
	case model.ScoreDecay:
		curve, err := curveOf(s.Curve)
		if err != nil {
			return nil, err
		}
		return NewDecay(s.ReferenceTime.Value, s.NullTimestampScore.Or(model.DefaultUndated), curve)
	case model.ScoreComposite:
		return FromPolicy(s.Scorers)
	}
	return nil, fmt.Errorf("scorer type %q is not known", s.Type)
}

func curveOf(c *model.DecayCurve) (DecayCurve, error) {
	switch c.Type {
	case model.Exponential:
		return NewExponential(c.HalfLifeSeconds)
	case model.Window:
		return NewWindow(c.MaxAgeSeconds)
	}
	bounds := make([]Bound, len(c.Windows))
	for i, w := range c.Windows {
		bounds[i] = Bound{w.MaxAgeSeconds, w.Score}
	}
	return NewStep(bounds...)
}
