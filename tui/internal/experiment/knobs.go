package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Knob is one value that the user can change. It belongs to one setup of the experiment:
// its methods return that setup with the value changed, and change nothing themselves.
type Knob struct {
	ID    KnobID
	Label string
	Depth int // how deep the row stands within others, from 0
	// Name is what the knob is called where the rows around it are not seen: "recency
	// weight"; "" means that the label says it.
	Name  string
	Value string // as shown
	// Number is the value of a knob for a number; unset for others.
	Number  model.Option[float64]
	Percent bool // Number is a percentage
	// Bar is the value as a part of a whole, 0 to 1, for a bar beside it; unset: it has none.
	// Share says that it is the share of a weight, to be shown in percent too.
	Bar   model.Option[float64]
	Share bool
	Help  string // one line: what it does, its unit and bounds
	Words string // what people type to find it, beside its label
	// Field is the model.Number.Field that the knob sets; "" for knobs that set none. It may
	// differ in case.
	Field string
	// Typed reports whether a value can be typed. Choices are the values that it can
	// have; nil if they are numbers.
	Typed   bool
	Choices []string

	// Excluded says why the value cannot be changed now, and what frees it; "" if
	// it can.
	Excluded string

	// Warns says what a value does that nobody expects of it; "": nothing.
	Warns string

	// Section groups knobs of the policy editor. The knobs of one Kind stand side by side
	// there, each in its Column.
	Section string
	Kind    model.Kind
	Column  string

	// AtDefault reports whether the value is 0 or the default now, and was when the
	// session began.
	AtDefault bool

	remove func() (Setup, error) // nil: it cannot be removed
	step   func(dir int, big bool) (Setup, error)
	parse  func(text string) (Setup, error)
	reset  func() Setup
}

// Knobs returns the knobs for the setup now, and the knobs of the policy of side s.
// Original is the setup whose values Reset restores.
func (e *Experiment) Knobs(now Setup, s Side, original Setup) []Knob {
	kept := e.knobLists(now, s, original)
	if kept.pane == nil {
		k := knobs{e: e, now: now, side: s, original: original}
		kept.pane = slices.Clip(k.pane())
	}
	return kept.pane
}

// knobLists are the lists of Knobs and of PolicyKnobs, nil until they are made, and what they are made of.
type knobLists struct {
	items, whole  *model.Set
	side          Side
	now, original Setup
	pane, policy  []Knob
}

// knobLists returns the lists of a setup. Those of the setup now are kept until anything that they are
// made of is another.
func (e *Experiment) knobLists(now Setup, s Side, original Setup) *knobLists {
	l := &e.lists
	if l.items != e.items || l.whole != e.now.whole || l.side != s || !reflect.DeepEqual(&l.now, &now) || !reflect.DeepEqual(&l.original, &original) {
		l = &knobLists{items: e.items, whole: e.now.whole, side: s, now: now, original: original}
		if reflect.DeepEqual(&now, &e.shown) {
			e.lists = *l
			l = &e.lists
		}
	}
	return l
}

// pane makes the list of Knobs.
func (k *knobs) pane() []Knob {
	e, now, s := k.e, k.now, k.side
	list := []Knob{k.maxTokens()}
	if now.Edits.Query.Text != "" {
		list = append(list, k.query()) // where it is seen on every screen
	}
	list = append(list, k.slicer().called("selection algorithm"))
	if size, ok := k.size(); ok {
		list = append(list, size)
	}
	list = append(list, k.budget()...)
	list = append(list, k.slack().called("risk tokens"), k.placer().called("order placement"), k.dedup().called("deduplicate duplicates"))
	if e.pairs > 0 || now.Policy[s].KeepPairs {
		list = append(list, k.keepPairs().called("tool call result together"))
	}
	list = append(list, k.shrinks()...)
	list = append(list, k.overflow(), k.preset().called("policy"), k.scorers())
	if quotas, set := k.quotas(); set {
		list = append(list, quotas.called("limits of kinds"))
	}
	return append(list, k.wanted(), k.ceiling().called("largest budget"))
}

// FindKnob returns the knob with that id; false if there is none.
func FindKnob(all []Knob, id KnobID) (Knob, bool) {
	i := slices.IndexFunc(all, func(k Knob) bool { return k.ID == id })
	if i < 0 {
		return Knob{}, false
	}
	return all[i], true
}

// Called returns what the knob is called where the rows around it are not seen.
func (k Knob) Called() string { return cmp.Or(k.Name, k.Label) }

// called returns the knob with words that people type to find it.
func (k Knob) called(words string) Knob { k.Words = words; return k }

// Step returns the setup with the knob one step lower (dir -1) or higher (1). The error
// says why the knob cannot be changed that way.
func (k Knob) Step(dir int, big bool) (Setup, error) { return k.step(dir, big) }

// Parse returns the setup with the knob at a value given as text. The error says which
// values are allowed.
func (k Knob) Parse(text string) (Setup, error) { return k.parse(text) }

// Remove returns the setup without the thing that the knob stands for, such as a scorer.
// The error says why that is not possible.
func (k Knob) Remove() (Setup, error) {
	if k.remove == nil {
		return Setup{}, fmt.Errorf("%s cannot be removed", k.Label)
	}
	return k.remove()
}

// Reset returns the setup with the knob at its original value.
func (k Knob) Reset() Setup { return k.reset() }

// knobs makes the knobs of a setup.
type knobs struct {
	e        *Experiment
	now      Setup
	side     Side
	original Setup
}

// kinds returns the kinds for which tokens can be held: the known ones, and the
// kinds of the set and of the slots.
func (k *knobs) kinds() []model.Kind {
	list := model.KnownKinds()
	add := func(kind model.Kind) {
		if !slices.ContainsFunc(list, kind.Is) {
			list = append(list, kind)
		}
	}
	for _, slot := range k.now.Budget.ReservedSlots {
		add(slot.Kind)
	}
	for _, kind := range k.e.items.Kinds()[:min(len(k.e.items.Kinds()), 4*maxKindKnobs)] {
		add(kind)
	}
	if len(list) > maxKindKnobs {
		// Slots that are set come first, so that every one of them has its knob.
		sort.SliceStable(list, func(a, b int) bool { return k.now.Slot(list[a]) > 0 && k.now.Slot(list[b]) == 0 })
		list = list[:max(maxKindKnobs, len(k.now.Budget.ReservedSlots))]
	}
	return list
}

// maxKindKnobs limits the knobs for kinds, because every item may have a kind of its own.
const maxKindKnobs = 12

// NiceStep returns the step, in tokens, of a token knob at v: a tenth of its order of
// magnitude, or the order of magnitude itself for a big step.
func NiceStep(v model.Tokens, big bool) model.Tokens {
	unit := model.Tokens(1)
	for unit*100 <= v {
		unit *= 10
	}
	if big {
		return unit * 10
	}
	return unit
}

// Stepped returns v moved down (dir -1) or up (1) to the next multiple of its NiceStep,
// within 0 to limit.
func Stepped(v model.Tokens, dir int, big bool, limit model.Tokens) model.Tokens {
	if dir < 0 {
		step := NiceStep(max(0, v-1), big)
		return max(0, (v-1)/step*step)
	}
	step := NiceStep(v, big)
	return min(limit, (v/step+1)*step)
}

// OutsideError says that a number is beyond the bounds of its knob.
type OutsideError string

func (e OutsideError) Error() string { return string(e) }

func outside(name string, v fmt.Stringer, limit string) error {
	return OutsideError(fmt.Sprintf("%s is %v, must be %s", name, v, limit))
}

var errAtLimit = errors.New("already at its limit")

// tokens returns a knob for a token number between least and limit.
func (k *knobs) tokens(id KnobID, label, help string, v, original, least, limit model.Tokens, set func(Setup, model.Tokens) Setup) Knob {
	now, bounds := k.now, func() string { return fmt.Sprintf("%v to %v", least, limit) }
	return Knob{
		ID: id, Label: label, Value: v.String(), Number: model.Some(float64(v)), Help: help, Typed: true, AtDefault: v == 0 && original == 0,
		step: func(dir int, big bool) (Setup, error) {
			next := Stepped(v, dir, big, limit)
			if step := NiceStep(now.Budget.MaxTokens, big) / 10; id != MaxTokens && id != Bucket && id != Batch && NiceStep(v, big) < step {
				next = min(limit, (v/step+model.Tokens(dir))*step) // in proportion to the budget, also from 0
			}
			next = max(least, next)
			if next == v || (dir > 0 && next < v) {
				return now, fmt.Errorf("%s: %w (%s)", label, errAtLimit, bounds())
			}
			return set(now, next), nil
		},
		parse: func(text string) (Setup, error) {
			t, err := model.ParseTokens(text)
			if err != nil {
				return now, err
			}
			if t < least || t > limit {
				return now, outside(label, t, bounds())
			}
			return set(now, t), nil
		},
		reset: func() Setup { return set(now, original) },
	}
}

// budget returns the knobs of the fields of the budget, except maxTokens, which has a place of
// its own.
func (k *knobs) budget() []Knob {
	var list []Knob
	for _, field := range model.FieldsOfBudget() {
		var added []Knob
		switch {
		case field.Name == model.FieldMaxTokens:
		case field.Name == model.FieldTargetTokens:
			added = []Knob{k.target(field)}
		case field.Slots != nil:
			for _, kind := range k.kinds() {
				added = append(added, k.slot(field, kind))
			}
		default:
			added = []Knob{k.field(field)}
		}
		for _, knob := range added {
			knob.Words = field.Words
			list = append(list, knob)
		}
	}
	return list
}

// field returns the knob of a field of the budget that is a number.
func (k *knobs) field(field model.BudgetField) Knob {
	set := func(s Setup, v float64) Setup { field.SetNumber(&s.Budget, v); return s }
	v, original := field.Number(&k.now.Budget), field.Number(&k.original.Budget)
	if field.Percent != nil {
		knob := k.percent(KnobID(field.Label), field.Help, v, original, field.Step, set)
		knob.AtDefault, knob.Field = v == 0 && original == 0, field.Name
		return knob
	}
	knob := k.tokens(KnobID(field.Label), field.Label, field.Help, model.Tokens(v), model.Tokens(original), 0, k.now.Budget.MaxTokens,
		func(s Setup, t model.Tokens) Setup { return set(s, float64(t)) })
	knob.Field = field.Name
	return knob
}

func (k *knobs) maxTokens() Knob {
	field, _ := model.FieldOfBudget(model.FieldMaxTokens)
	knob := k.tokens(MaxTokens, field.Label, field.Help,
		k.now.Budget.MaxTokens, k.original.Budget.MaxTokens, 0, model.MaxTokens, Setup.WithMax)
	step := knob.step
	knob.AtDefault, knob.Words = false, field.Words
	knob.step = func(dir int, big bool) (Setup, error) {
		next, err := step(dir, big)
		if err == nil && dir > 0 && next.Budget.MaxTokens > maxStepped && k.now.Budget.MaxTokens <= maxStepped {
			return k.now, fmt.Errorf("budget: steps end at %v, a larger number can be typed", maxStepped)
		}
		return next, err
	}
	return knob
}

// maxStepped is the largest value that steps of maxTokens and of the ceiling reach.
// Beyond it a profile may take noticeably long, so larger values must be typed.
const maxStepped model.Tokens = 1 << 21

func (k *knobs) target(field model.BudgetField) Knob {
	set := Setup.WithTarget
	gap := k.original.Gap
	knob := k.tokens(TargetTokens, field.Label, field.Help,
		k.now.Budget.Target(), max(0, k.now.Budget.MaxTokens-gap), 0, k.now.Budget.MaxTokens, set)
	knob.AtDefault, knob.Field = k.now.Gap == 0 && gap == 0, field.Name
	switch {
	case k.now.Gap == 0:
		knob.Value = "= max"
	case k.now.Budget.Target() > 0:
		knob.Value = "max-" + k.now.Gap.String() + " = " + knob.Value
	}
	knob.reset = func() Setup { // by the gap, which a maximum below it would hide
		next := k.now
		next.Gap = gap
		return next.WithMax(next.Budget.MaxTokens)
	}
	parse := knob.parse
	knob.parse = func(text string) (Setup, error) {
		if t := strings.Trim(strings.ToLower(text), " ="); t == "max" || t == "maxtokens" {
			return set(k.now, k.now.Budget.MaxTokens), nil
		}
		return parse(text)
	}
	return knob
}

func (k *knobs) slack() Knob {
	help := "what this cut in budget loses is " + plain.AtRisk + ", 0 to target"
	if k.now.SlackGuessed {
		help += "; a 32nd of the budget until you set it"
	}
	knob := k.tokens(Slack, "slack", help, k.now.Slack, k.original.Slack, 0, k.now.Budget.Target(),
		func(s Setup, t model.Tokens) Setup { s.Slack, s.SlackGuessed = t, false; return s })
	knob.reset = func() Setup {
		next := k.now
		next.Slack, next.SlackGuessed = k.original.Slack, k.original.SlackGuessed
		return next.WithMax(next.Budget.MaxTokens)
	}
	return knob
}

func (k *knobs) slot(field model.BudgetField, kind model.Kind) Knob {
	knob := k.tokens(KnobOf(field.Name, kind), field.Label+" for "+kind.Noun(), field.Help,
		k.now.Slot(kind), k.original.Slot(kind), 0, model.MaxTokens,
		func(s Setup, t model.Tokens) Setup { return s.WithSlot(kind, t) })
	knob.Words += " " + namesOf(kind)
	knob.Field = field.Name + "." + string(kind)
	return knob
}

func (k *knobs) wanted() Knob {
	return k.percent(Wanted, "the share that Curve finds budgets for: percent of the value, or of what is marked as needed, 0 to 100", k.now.Wanted, k.original.Wanted, 1,
		func(s Setup, p float64) Setup { s.Wanted = p; return s })
}

// percent returns a knob for a percentage; a big step is ten steps.
func (k *knobs) percent(id KnobID, help string, v, original, small float64, set func(Setup, float64) Setup) Knob {
	now := k.now
	value := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.HasSuffix(string(id), "%") {
		value += " %"
	}
	return Knob{
		ID: id, Label: string(id), Value: value, Number: model.Some(v), Percent: true, Help: help, Typed: true, AtDefault: v == original,
		step: func(dir int, big bool) (Setup, error) {
			step := small
			if big {
				step *= 10
			}
			next := math.Floor(v/step+1e-9)*step + step
			if dir < 0 {
				next = math.Ceil(v/step-1e-9)*step - step
			}
			if next = min(100, max(0, next)); next == v {
				return now, fmt.Errorf("%s: %w (0 to 100)", id, errAtLimit)
			}
			return set(now, next), nil
		},
		parse: func(text string) (Setup, error) {
			p, err := model.ParsePercent(text)
			if err != nil {
				return now, fmt.Errorf("%s: %w", id, err)
			}
			return set(now, p), nil
		},
		reset: func() Setup { return set(now, original) },
	}
}

func (k *knobs) ceiling() Knob {
	set := func(s Setup, t model.Tokens) Setup { s.Ceiling, s.CeilingAsked = max(1, t), true; return s }
	knob := k.tokens(Ceiling, "ceiling", "the largest budget to look at, in tokens; unless set, the larger one of A and B",
		k.now.End(), k.original.Ceiling, 0, model.MaxTokens, set)
	knob.AtDefault = !k.now.CeilingAsked && !k.original.CeilingAsked
	knob.reset = func() Setup {
		next := k.now
		next.Ceiling, next.CeilingAsked = k.original.Ceiling, k.original.CeilingAsked
		return next
	}
	knob.step = func(dir int, big bool) (Setup, error) {
		v := k.now.End()
		next := v / 2
		if dir > 0 {
			next = v * 2
		}
		switch {
		case dir > 0 && next > maxStepped:
			return k.now, fmt.Errorf("ceiling: steps end at %v, a larger number can be typed", maxStepped)
		case next < k.now.Budget.MaxTokens:
			return k.now, fmt.Errorf("ceiling: cannot be below the budget, which is %v", k.now.Budget.MaxTokens)
		case next < 1:
			return k.now, fmt.Errorf("ceiling: %w", errAtLimit)
		}
		return set(k.now, next), nil
	}
	parse := knob.parse
	knob.parse = func(text string) (Setup, error) {
		next, err := parse(text)
		if err == nil && next.Ceiling < k.now.Budget.MaxTokens {
			return k.now, outside("ceiling", next.Ceiling, "at least the budget, which is "+k.now.Budget.MaxTokens.String())
		}
		return next, err
	}
	return knob
}
