package scorer

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Decay rates an item by its own age at a given reference time, whatever the
// other items are; items from the future have age 0. Cupel specification,
// chapter DecayScorer. O(n), times the number of windows for Step.
//
// Ages are exact to the nanosecond over the whole range of time.Time, and
// bounds are rounded to whole nanoseconds, so that an age right at a bound is
// on its older side.
type Decay struct {
	now     instant
	undated float64
	curve   Curve
}

var _ Scorer = Decay{}

// NewDecay returns a Decay that measures ages from now; undated, 0 to 1, is the
// score of items without a timestamp.
func NewDecay(now time.Time, undated float64, c Curve) (Decay, error) {
	switch {
	case !(0 <= undated && undated <= 1):
		return Decay{}, fmt.Errorf("decay: the score without a timestamp is %v, must be 0 to 1", undated)
	case c == nil:
		return Decay{}, fmt.Errorf("decay: a curve is required")
	}
	return Decay{instantOf(now), undated, c}, nil
}

// Score implements Scorer.
func (d Decay) Score(ctx context.Context, l List, dst []float64) error {
	return l.each(ctx, 16+d.curve.steps(), dst, func(item int) float64 {
		t := &l.Set.Loaded(item).Timestamp
		if !t.Set {
			return d.undated
		}
		return d.curve.at(d.now.since(instantOf(t.Value)))
	})
}

// Curve maps an age to a score: NewExponential, NewStep or NewWindow.
type Curve interface {
	at(age span) float64
	steps() int // what at costs
}

// NewExponential returns 2^(-age/halfLife): 1 at age 0, 0.5 at the half-life.
// Durations of curves are seconds, finite and above 0.
func NewExponential(halfLife float64) (Curve, error) {
	if err := checkSeconds("half-life", halfLife); err != nil {
		return nil, err
	}
	return exponential{halfLife}, nil
}

type exponential struct{ halfLife float64 }

func (exponential) steps() int { return 16 }

func (e exponential) at(age span) float64 { return math.Exp2(-(age.seconds() / e.halfLife)) }

// Bound is the score of the ages below MaxAge seconds that no bound before it
// covers.
type Bound struct{ MaxAge, Score float64 }

// NewStep returns the score of the first of the bounds whose MaxAge is above
// the age, else that of the last one. At least one bound is needed.
func NewStep(bounds ...Bound) (Curve, error) {
	if len(bounds) == 0 {
		return nil, fmt.Errorf("decay: a step curve needs at least one window")
	}
	steps := make(step, len(bounds))
	for i, b := range bounds {
		if err := checkSeconds("maximum age of a window", b.MaxAge); err != nil {
			return nil, err
		}
		steps[i] = stepBound{spanOf(b.MaxAge), b.Score}
	}
	return steps, nil
}

type (
	step      []stepBound
	stepBound struct {
		maxAge span
		score  float64
	}
)

func (s step) steps() int { return len(s) }

func (s step) at(age span) float64 {
	for _, b := range s {
		if age.less(b.maxAge) {
			return b.score
		}
	}
	return s[len(s)-1].score
}

// NewWindow returns 1 while the age is below maxAge, then 0.
func NewWindow(maxAge float64) (Curve, error) {
	if err := checkSeconds("maximum age", maxAge); err != nil {
		return nil, err
	}
	return window{spanOf(maxAge)}, nil
}

type window struct{ maxAge span }

func (window) steps() int { return 1 }

func (w window) at(age span) float64 {
	if age.less(w.maxAge) {
		return 1
	}
	return 0
}

func checkSeconds(what string, seconds float64) error {
	if !(seconds > 0) || math.IsInf(seconds, 0) {
		return fmt.Errorf("decay: the %s is %v seconds, must be a finite number above 0", what, seconds)
	}
	return nil
}
