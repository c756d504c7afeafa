package scorer

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Decay rates an item by its age at a fixed reference time, independently of the other items.
// An item from the future has age 0. Make one with NewDecay; Score of the zero Decay panics.
// O(n), or O(n * bounds) for a step curve. See the Cupel specification, chapter DecayScorer.
//
// Ages are exact to the nanosecond over the whole range of time.Time. Bounds
// are rounded to whole nanoseconds, and an age equal to a bound is beyond it.
type Decay struct {
	now     instant
	undated float64
	curve   DecayCurve
}

var _ Scorer = Decay{}

// NewDecay returns a Decay that measures ages at the time now. undated is the
// score of items without a timestamp. It is an error if undated is not 0 to 1 or
// c is nil.
func NewDecay(now time.Time, undated float64, c DecayCurve) (Decay, error) {
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

// DecayCurve maps an age to a score. NewExponential, NewStep and NewWindow make
// curves; other packages cannot implement one.
type DecayCurve interface {
	at(age duration) float64
	steps() int // the number of steps that a call of at counts as
}

// NewExponential returns the curve 2^(-age/halfLife): 1 at age 0 and 0.5 at the
// half-life. halfLife is in seconds; it is an error if it is not finite and
// above 0.
func NewExponential(halfLife float64) (DecayCurve, error) {
	if err := checkSeconds("half-life", halfLife); err != nil {
		return nil, err
	}
	return exponential{halfLife}, nil
}

type exponential struct{ halfLife float64 }

func (exponential) steps() int { return 16 }

func (e exponential) at(age duration) float64 { return math.Exp2(-(age.seconds() / e.halfLife)) }

// Bound is one step of a step curve: ages below MaxAge seconds get Score, unless
// an earlier bound covers them. Score may be any number.
type Bound struct{ MaxAge, Score float64 }

// NewStep returns a curve that gives an age the Score of the first bound whose
// MaxAge is above it, or the Score of the last bound if there is none. It is an
// error if there are no bounds or a MaxAge is not finite and above 0.
func NewStep(bounds ...Bound) (DecayCurve, error) {
	if len(bounds) == 0 {
		return nil, fmt.Errorf("decay: a step curve needs at least one window")
	}
	steps := make(step, len(bounds))
	for i, b := range bounds {
		if err := checkSeconds("maximum age of a window", b.MaxAge); err != nil {
			return nil, err
		}
		steps[i] = stepBound{durationOf(b.MaxAge), b.Score}
	}
	return steps, nil
}

type (
	step      []stepBound
	stepBound struct {
		maxAge duration
		score  float64
	}
)

func (s step) steps() int { return len(s) }

func (s step) at(age duration) float64 {
	for _, b := range s {
		if age.less(b.maxAge) {
			return b.score
		}
	}
	return s[len(s)-1].score
}

// NewWindow returns a curve that gives 1 to ages below maxAge and 0 to all
// others. maxAge is in seconds; it is an error if it is not finite and above 0.
func NewWindow(maxAge float64) (DecayCurve, error) {
	if err := checkSeconds("maximum age", maxAge); err != nil {
		return nil, err
	}
	return step{{durationOf(maxAge), 1}, {duration{}, 0}}, nil // no age is below a bound of 0, which gives its score to all others
}

func checkSeconds(what string, seconds float64) error {
	if !(seconds > 0) || math.IsInf(seconds, 0) {
		return fmt.Errorf("decay: the %s is %v seconds, must be a finite number above 0", what, seconds)
	}
	return nil
}
