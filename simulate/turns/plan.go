package turns

import (
	"fmt"
	"math"
	"time"

	"cupelscope/model"
)

// Strategy is how the window of a request depends on the window before it.
type Strategy string

const (
	// Stateless chooses anew at every request, as Cupel does.
	Stateless Strategy = "stateless"
	// Watermark adds to the window before it until it is full, and only then
	// chooses anew and cuts to Plan.Low. What it drops never returns. Cupel
	// does not have this strategy.
	Watermark Strategy = "watermark"
	// Sliding takes the newest items until one does not fit. With a Low it
	// cuts only when the window is full, and what it drops never returns. It
	// is a baseline.
	Sliding Strategy = "sliding"
	// All sends everything, whether it fits or not. It is a baseline.
	All Strategy = "all"
)

// Strategies returns all strategies, in the order in which to offer them.
func Strategies() []Strategy {
	return []Strategy{Stateless, Watermark, Sliding, All, Clear, Drop, Summarise}
}

// DefaultLow is the percentage of the room to which Watermark cuts if no other
// is given.
const DefaultLow = 60

// Plan says how the windows of a history are chosen.
type Plan struct {
	Name     string
	Strategy Strategy
	Policy   model.Policy // for Stateless and Watermark only
	// Low is the percentage of the room to which a window is cut, above 0 to
	// 100. Stateless and All ignore it. Sliding with 0 cuts at every request.
	Low float64
	// Rule is what Clear, Drop and Summarise do; the other strategies ignore it.
	Rule Rule
	// Fixed is the part before the items of every window, which the trigger of the rule
	// counts. Run sets it to the billing's.
	Fixed model.Tokens
	// Cuts says that items may be cut. Only a policy cuts them: the other strategies send
	// whole items. Run sets it.
	Cuts bool
}

// Baselines returns the plans to compare a policy with, besides sending
// everything: the sliding window, and the sliding window that cuts to low
// percent, and only when it is full.
func Baselines(low float64) []Plan {
	return []Plan{
		{Name: "sliding window", Strategy: Sliding},
		{Name: fmt.Sprintf("sliding cut %v %%", low), Strategy: Sliding, Low: low},
	}
}

// Ours reports whether Cupel could not follow the plan: its strategy is
// Watermark, its policy has parts that are not Cupel's, or it cuts items.
// Baselines have no policy, so it is false for them.
func (p Plan) Ours() bool {
	return p.Strategy == Watermark || p.Cuts || len(p.Policy.NotCupel()) > 0
}

// validate returns an error that says what is wrong with the plan, or nil.
func (p Plan) validate() error {
	switch p.Strategy {
	case All:
		return nil
	case Sliding:
		if p.Low == 0 {
			return nil
		}
	case Stateless, Watermark:
		if err := p.Policy.Validate(); err != nil {
			return err
		}
		if p.Strategy == Stateless {
			return nil
		}
	case Clear, Drop, Summarise:
		return p.Rule.validate(p.Strategy)
	default:
		return fmt.Errorf("turns: strategy %q is not known; known are %v", string(p.Strategy), Strategies())
	}
	if !(0 < p.Low && p.Low <= 100) {
		return fmt.Errorf("turns: low is %v %%, must be above 0 to 100", p.Low)
	}
	return nil
}

// cutTo returns the number of tokens that a window with the given room is cut to.
func (p Plan) cutTo(room model.Tokens) model.Tokens {
	return model.Tokens(math.Floor(p.Low / 100 * float64(room)))
}

// PolicyAt returns the policy as it applies at a request: decay scorers
// measure ages from the newest timestamp among the items that had come.
// Without such a timestamp or scorer it returns p.
func PolicyAt(p model.Policy, r Request) model.Policy {
	if !r.At.Set {
		return p
	}
	dated := p.Clone()
	if !datedAt(dated.Scorers, r.At.Value) {
		return p
	}
	return dated
}

// datedAt sets the reference time of every decay scorer, also within others, and
// reports whether there is one.
func datedAt(scorers []model.Scorer, at time.Time) bool {
	found := false
	for i := range scorers {
		s := &scorers[i]
		if s.Type == model.ScoreDecay {
			s.ReferenceTime, found = model.Some(at), true
		}
		found = datedAt(s.Scorers, at) || found
		if s.Inner != nil {
			inner := []model.Scorer{*s.Inner}
			found = datedAt(inner, at) || found
			s.Inner = &inner[0]
		}
	}
	return found
}
