package simulate

import (
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Source describes the items, before anything is chosen.
type Source struct {
	Items        *model.Set
	Conversation bool         // messages in order, rather than documents
	HasScores    bool         // relevance was given with the items
	Window       model.Tokens // the context window of the model; 0: unknown
	Guess        model.Tokens // the maxTokens that Open guessed when the items were not yet counted; 0: none
	// Scenario is set if the source was a scenario. Its policy, budget, slack
	// and ceiling take precedence over any default.
	Scenario model.Option[model.Scenario]
}

// Overrides are the choices that the user makes explicitly. Open chooses
// everything else.
type Overrides struct {
	Policy      model.Option[model.Policy]
	Slicer      model.Option[model.SlicerType]
	BucketSize  model.Option[model.Tokens]
	Size        model.Option[model.Tokens] // the size of Slicer
	Placer      model.Option[model.PlacerType]
	Overflow    model.Option[model.OverflowStrategy]
	Deduplicate model.Option[bool]
	KeepPairs   bool // keep a call and its result together, as one item; see model.Policy

	Shrink        model.Option[model.Shrink] // which items may be cut, in place of what the source says
	ShrinkPinned  bool                       // cut pinned items too
	Budget        map[string]float64         // fields of the budget by name, see model.BudgetField; tokens or percent
	ReservedSlots []model.Slot               // nil: not asked for
	Slack         model.Option[model.Tokens]
	Ceiling       model.Option[model.Tokens]
}

// Opening is the experiment to begin with. It is valid as a whole.
type Opening struct {
	Policy  model.Policy
	Budget  model.Budget
	Guessed bool // maxTokens is a guess, of which the user should know
	AllFit  bool // the guessed maxTokens leaves nothing out; false if maxTokens is not a guess
	Slack   model.Tokens
	Ceiling model.Tokens
	// Unscored says that the policy was chosen for documents of which none has a relevance.
	Unscored bool
}

// Open chooses everything that the user did not.
//
// The policy is the scenario's if there is one; otherwise "chat" for
// conversations, "rag" for documents with scores, and "document-qa" for
// documents without. The budget is the scenario's if there is one. Otherwise
// maxTokens is a guess: Source.Guess, or else the window of the model, or else
// the largest of commonWindows that does not hold all items but has room for
// one. The error is about the policy, the budget, the slack or the ceiling.
func Open(s Source, a Overrides) (Opening, error) {
	var o Opening
	var err error
	if o.Policy, err = o.choosePolicy(s, a); err != nil {
		return Opening{}, err
	}
	if o.Budget, o.Guessed, err = chooseBudget(s, o.Policy, a); err != nil {
		return Opening{}, err
	}
	if o.Slack, err = chooseSlack(s, a, o.Budget); err != nil {
		return Opening{}, err
	}
	if s.Items.HasSizes() {
		if err := o.Policy.SizesFit(); err != nil {
			return Opening{}, err
		}
	}
	if o.Guessed {
		_, o.AllFit = whereAllFit(s.Items, o.Policy, o.Budget, o.Budget.MaxTokens())
	}
	o.Ceiling, err = o.chooseCeiling(s, a)
	return o, err
}

// chooseCeiling returns the ceiling that was asked for, else the scenario's, else Ceiling. It
// is never below maxTokens.
func (o *Opening) chooseCeiling(s Source, a Overrides) (model.Tokens, error) {
	switch {
	case a.Ceiling.Set:
		return max(a.Ceiling.Value, o.Budget.MaxTokens()), model.ValidateCeiling(a.Ceiling.Value)
	case s.Scenario.Set && s.Scenario.Value.Ceiling > 0:
		return max(s.Scenario.Value.Ceiling, o.Budget.MaxTokens()), nil
	}
	return Ceiling(s.Items, o.Policy, o.Budget), nil
}

func (o *Opening) choosePolicy(s Source, a Overrides) (model.Policy, error) {
	var p model.Policy
	switch {
	case a.Policy.Set:
		p = a.Policy.Value.Clone()
	case s.Scenario.Set:
		p = s.Scenario.Value.Policy.Clone()
	case s.Conversation:
		p, _ = model.Preset("chat")
	case s.HasScores:
		p, _ = model.Preset("rag")
	default:
		p, _ = model.Preset("document-qa")
		o.Unscored = true
	}
	if a.Slicer.Set {
		p.SetSlicer(a.Slicer.Value)
	}
	if a.Size.Set {
		if err := p.SetSize(a.Size.Value); err != nil {
			return p, &model.PolicyError{Field: "slicerType", Reason: "size " + err.Error()}
		}
	}
	if a.BucketSize.Set {
		if a.BucketSize.Value < 1 {
			return p, &model.PolicyError{Field: "knapsackBucketSize", Reason: fmt.Sprintf("is %v, must be at least 1", a.BucketSize.Value)}
		}
		p.BucketSize = a.BucketSize.Value
	}
	p.Placer, p.Overflow, p.Deduplicate = a.Placer.Or(p.Placer), a.Overflow.Or(p.Overflow), a.Deduplicate.Or(p.Deduplicate)
	p.KeepPairs = p.KeepPairs || a.KeepPairs
	return p, p.Validate()
}

func chooseBudget(s Source, p model.Policy, a Overrides) (b model.Budget, guessed bool, err error) {
	var f model.BudgetFields
	gap := model.Tokens(0)
	if s.Scenario.Set {
		f = s.Scenario.Value.Budget.Fields()
		gap = f.MaxTokens - f.Target()
	}
	if a.ReservedSlots != nil {
		f.ReservedSlots = a.ReservedSlots
	}
	for _, field := range model.FieldsOfBudget() {
		if v, ok := a.Budget[field.Name]; ok {
			field.SetNumber(&f, v)
		}
	}
	target, targeted := a.Tokens(model.FieldTargetTokens)
	if _, ok := a.Tokens(model.FieldMaxTokens); !ok && !s.Scenario.Set {
		guessed = true
		f.MaxTokens = max(guess(s, p, f), target) // a guess never makes what was asked for invalid
	}
	if !targeted {
		target = max(0, f.MaxTokens-gap)
	}
	f.TargetTokens = model.Some(target)
	b, err = model.NewBudget(f)
	return b, guessed, err
}

// Tokens returns the value that was asked for in a field of the budget, or false if there is
// none.
func (a Overrides) Tokens(field string) (model.Tokens, bool) {
	v, ok := a.Budget[field]
	return model.Tokens(v), ok
}

// commonWindows are context windows that many models have, ascending.
var commonWindows = [...]model.Tokens{8_000, 16_000, 32_000, 64_000, 128_000}

// guess returns a maxTokens to begin with; a safety margin has no effect on it.
func guess(s Source, p model.Policy, f model.BudgetFields) model.Tokens {
	if s.Guess > 0 {
		return s.Guess
	}
	if s.Window > 0 {
		return s.Window
	}
	total, least := competing(s.Items, p, math.MaxInt64)
	var taken model.Tokens
	for _, d := range f.Deductions(s.Items.PinnedTokens()) {
		taken += min(max(d.Tokens, 0), model.MaxTokens)
	}
	best := model.Tokens(0)
	for _, window := range commonWindows {
		if window >= taken+least && (best == 0 || window < taken+total) {
			best = window
		}
	}
	if best == 0 { // what is taken already leaves no room in any
		best = taken + max(least, twoFigures(total/4))
	}
	return min(best, model.MaxTokens)
}

// twoFigures rounds to two significant figures: 18,730 to 19,000.
func twoFigures(t model.Tokens) model.Tokens {
	unit := model.Tokens(1)
	for t/unit >= 100 {
		unit *= 10
	}
	return (t + unit/2) / unit * unit
}

// GuessSlack returns the slack at a budget if nobody chose one: 1,000 at 32,000.
func GuessSlack(f model.BudgetFields) model.Tokens {
	return min(twoFigures(f.MaxTokens/32), f.Target())
}

func chooseSlack(s Source, a Overrides, b model.Budget) (model.Tokens, error) {
	switch {
	case a.Slack.Set:
		return a.Slack.Value, model.ValidateSlack(a.Slack.Value, b)
	case s.Scenario.Set:
		return min(s.Scenario.Value.Slack, b.TargetTokens()), nil // the budget may have been asked for
	}
	return GuessSlack(b.Fields()), nil
}

const (
	// minAxis is how far the axis reaches for a set of that size: the
	// window of many current models.
	minAxis model.Tokens = 128_000
	// maxAxis is how far it reaches without being asked: beyond, profiles
	// of large sets may take longer than a blink.
	maxAxis model.Tokens = 1 << 21
)

// Ceiling returns how far an axis around b should reach: up to where all items
// are in (duplicates are counted, so this may be a little beyond), but at most
// twice maxTokens or 128,000 tokens, whichever is more, and at most 2^21. It
// is never below maxTokens.
func Ceiling(items *model.Set, p model.Policy, b model.Budget) model.Tokens {
	end := min(max(2*b.MaxTokens(), minAxis), maxAxis)
	if all, ok := whereAllFit(items, p, b, end); ok {
		end = all
	}
	return max(end, b.MaxTokens())
}

// whereAllFit returns the least maxTokens up to end at which all items that may be in are in,
// with all else as in b, or false if there is none.
func whereAllFit(items *model.Set, p model.Policy, b model.Budget, end model.Tokens) (at model.Tokens, ok bool) {
	axis := axisFor(items.PinnedTokens(), p.Overflow, b, end)
	room, _ := axis.Target(end)
	total, _ := competing(items, p, model.Tokens(room))
	return axis.Least(slicer.Target(total))
}

// competing returns the room that the items with tokens that a slicer may select take up
// together, and what the smallest of them takes. It stops at the item with which the sum is
// more than enough. A knapsack charges each item whole buckets.
func competing(s *model.Set, p model.Policy, enough model.Tokens) (sum, least model.Tokens) {
	unit := model.Tokens(1)
	if p.Slicer.InBuckets() {
		unit = p.Bucket()
	}
	for i, t := range s.TokenColumn() {
		if t > 0 && !s.Pinned(i) && !s.Excluded(i) {
			charge := min((t+unit-1)/unit*unit, 2*model.MaxTokens)
			if sum == 0 || charge < least {
				least = charge
			}
			if sum += charge; sum > enough {
				break
			}
		}
	}
	return sum, least
}
