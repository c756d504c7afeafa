package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// The sections of the policy editor.
const (
	sectionScorers = "Scorers: a score is the mean of these, by weight"
	sectionQuotas  = "Quotas"
)

// PolicyKnobs returns the knobs of the policy editor for side s of the setup now: every
// scorer with its weight and parameters, and the quotas of every kind. A knob refuses a
// change that would make the policy invalid, with the error of the policy.
func (e *Experiment) PolicyKnobs(now Setup, s Side, original Setup) []Knob {
	kept := e.knobLists(now, s, original)
	if kept.policy != nil {
		return kept.policy
	}
	k := &policyKnobs{knobs: knobs{e: e, now: now, side: s, original: original}, policy: now.Policy[s], section: sectionScorers}
	k.scorers(nil, k.policy.Scorers)
	k.addScorer(nil)
	k.sayLeft("rows")
	k.section, k.left = sectionQuotas, 0
	for _, kind := range k.quotaKinds() {
		k.quota(kind)
		k.countQuota(kind)
	}
	k.sayLeft("kinds")
	if len(k.policy.CountQuotas) > 0 {
		k.scarcity()
	}
	kept.policy = slices.Clip(k.list)
	return kept.policy
}

// maxPolicyRows bounds the rows of scorers, and maxQuotaKinds the kinds with quotas: each is made
// anew for every key.
const maxPolicyRows, maxQuotaKinds = 1000, 100

// policyKnobs makes the knobs of the policy editor.
type policyKnobs struct {
	knobs
	policy  model.Policy
	section string
	depth   int // of the rows that are added
	list    []Knob
	left    int // rows of scorers, or kinds, beyond the bound
}

// sayLeft adds the row that stands for what is beyond the bound.
func (k *policyKnobs) sayLeft(what string) {
	if k.left == 0 {
		return
	}
	row := k.word(KnobID("more "+what), fmt.Sprintf("%v more %s", plain.Thousands(k.left), what), "", "", func(*model.Policy, string) error { return nil })
	row.Excluded = "so many cannot be turned here: W writes the policy to a file, and O takes it once that is changed"
	k.depth = 0
	k.add(row)
}

// scorers adds the rows of the scorers of a list at a path.
func (k *policyKnobs) scorers(path scorerPath, list []model.Scorer) {
	sum := 0.0
	for i := range list {
		sum += list[i].Weight
	}
	for i := range list {
		if len(k.list) >= maxPolicyRows {
			k.left += len(list) - i
			return
		}
		k.scorer(path.join(i), sum)
	}
}

// quotaKinds returns the kinds that have a row of quotas: those that have knobs elsewhere, and all
// others that have a quota.
func (k *policyKnobs) quotaKinds() []model.Kind {
	list := k.kinds()
	known := map[model.Kind]bool{}
	for _, kind := range list {
		known[kind.Fold()] = true
	}
	add := func(kind model.Kind) {
		switch {
		case known[kind.Fold()]:
		case len(list) >= maxQuotaKinds:
			k.left++
		default:
			list = append(list, kind)
		}
	}
	for _, q := range k.policy.Quotas {
		add(q.Kind)
	}
	for _, q := range k.policy.CountQuotas {
		add(q.Kind)
	}
	return list
}

// kindCounts is how many items of each kind a set has, by fold.
type kindCounts struct {
	of  *model.Set
	has map[model.Kind]int
}

// ofKinds returns how many items of each kind there are, by fold.
func (e *Experiment) ofKinds() map[model.Kind]int {
	items := e.items
	if e.kindCounts.of != items {
		counts := make([]int, len(items.Kinds()))
		for i := range items.Len() {
			counts[items.KindID(i)]++
		}
		e.kindCounts = kindCounts{items, make(map[model.Kind]int, len(counts))}
		for id, kind := range items.Kinds() {
			e.kindCounts.has[kind.Fold()] = counts[id]
		}
	}
	return e.kindCounts.has
}

// add appends a knob, in the section that is open. What is wrong with a value is said under the
// name of its row, in place of its path in the policy's JSON.
func (k *policyKnobs) add(knob Knob) {
	knob.Section, knob.Depth, knob.Typed = k.section, k.depth, true
	step, parse, name := knob.step, knob.parse, knob.Called()
	named := func(s Setup, err error) (Setup, error) {
		if wrong, is := errors.AsType[*model.PolicyError](err); is && strings.Contains(wrong.Field, ".") {
			err = fmt.Errorf("%s %s", name, wrong.Reason)
		}
		return s, err
	}
	knob.step = func(dir int, big bool) (Setup, error) { return named(step(dir, big)) }
	knob.parse = func(text string) (Setup, error) { return named(parse(text)) }
	k.list = append(k.list, knob)
}

// atStart returns a function that gives the row of a scorer the value that it had in the
// original setup. The setup is unchanged if the row was not there.
func (k *policyKnobs) atStart(id KnobID, label string, parse func(text string) (Setup, error)) func() Setup {
	return func() Setup {
		for _, was := range k.e.PolicyKnobs(k.original, k.side, k.original) {
			if was.ID != id || was.Label != label {
				continue
			}
			text := was.Value
			if was.Number.Set {
				text = strconv.FormatFloat(was.Number.Value, 'g', -1, 64)
			}
			if next, err := parse(text); err == nil {
				return next
			}
		}
		return k.now
	}
}

// edit returns the setup with a changed copy of the policy, or an error if that is not
// valid.
func (k *policyKnobs) edit(change func(*model.Policy)) (Setup, error) {
	p := k.policy.Clone()
	change(&p)
	if err := p.Validate(); err != nil {
		return k.now, err
	}
	return k.now.WithPolicy(k.side, p), nil
}

// scorerPath leads to a scorer within scorers: an index for each level, and inner for the
// scorer that a scaled one wraps.
type scorerPath []int

const inner = -1

func (path scorerPath) in(p *model.Policy) *model.Scorer {
	list := p.Scorers
	var s *model.Scorer
	for _, i := range path {
		if i == inner {
			s = s.Inner
		} else {
			s = &list[i]
		}
		list = s.Scorers
	}
	return s
}

func (path scorerPath) id(what string) KnobID {
	return KnobID(fmt.Sprint("scorer", []int(path), " ", what))
}

// field returns the name of a member of the scorer as errors give it.
func (path scorerPath) field(member string) string {
	at := ""
	for _, i := range path {
		if i == inner {
			at += "innerScorer."
		} else {
			at += fmt.Sprintf("scorers[%d].", i)
		}
	}
	return at + member
}

func (path scorerPath) join(i int) scorerPath { return append(slices.Clone(path), i) }

// number returns a knob for a float64.
func (k *policyKnobs) number(id KnobID, label, help string, v, step float64, set func(*model.Policy, float64)) Knob {
	apply := func(to float64) (Setup, error) {
		if to == v { // a default that is written out is no change
			return k.now, nil
		}
		return k.edit(func(p *model.Policy) { set(p, to) })
	}
	knob := Knob{ID: id, Label: label, Help: help, Value: strconv.FormatFloat(v, 'g', 6, 64), Number: model.Some(v)}
	knob.step = func(dir int, big bool) (Setup, error) {
		by := step
		if big {
			by *= 10
		}
		multiple := (math.Round(v/by) + float64(dir)) * by
		next, err := apply(math.Round(multiple*1e6) / 1e6)
		if err != nil && multiple < 0 && v > 0 { // as far as it goes
			next, err = apply(0)
		}
		if err != nil && big {
			return knob.step(dir, false)
		}
		if beyond, is := errors.AsType[*model.PolicyError](err); is {
			_, bound, _ := strings.Cut(beyond.Reason, "must be ")
			err = fmt.Errorf("%s: %w (%s)", label, errAtLimit, bound)
		}
		return next, err
	}
	knob.parse = func(text string) (Setup, error) {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return k.now, fmt.Errorf("%s: %.20q is not a number", label, text)
		}
		return apply(n)
	}
	knob.reset = k.atStart(id, label, knob.parse)
	return knob
}

// word returns a knob for a text that is typed, not stepped.
func (k *policyKnobs) word(id KnobID, label, value, help string, set func(*model.Policy, string) error) Knob {
	parse := func(text string) (Setup, error) {
		var err error
		next, invalid := k.edit(func(p *model.Policy) { err = set(p, strings.TrimSpace(text)) })
		if err != nil {
			return k.now, err
		}
		return next, invalid
	}
	return Knob{
		ID: id, Label: label, Value: value, Help: help,
		step: func(int, bool) (Setup, error) {
			return k.now, fmt.Errorf("%s: enter types a value", label)
		},
		parse: parse,
		reset: k.atStart(id, label, parse),
	}
}

// oneOfKnob returns a knob that steps through a list of names.
func oneOfKnob[T ~string](k *policyKnobs, id KnobID, label, help string, list []T, at T, set func(*model.Policy, T)) Knob {
	now := slices.Index(list, at)
	knob := k.choice(id, label, help, model.Names(list), now, now, func(i int) (Setup, error) {
		return k.edit(func(p *model.Policy) { set(p, list[i]) })
	})
	knob.reset = k.atStart(id, label, knob.parse)
	return knob
}

// scorer adds the rows of one scorer and of those within it; sum is the sum of the weights beside it.
func (k *policyKnobs) scorer(path scorerPath, sum float64) {
	s := path.in(&k.policy)
	row := k.number(path.id("weight"), string(s.Type), "above 0; only its ratio to the others counts", s.Weight, 0.5,
		func(p *model.Policy, v float64) { path.in(p).Weight = v })
	row.Name, row.Words = string(s.Type)+" weight", s.Type.Words()
	if path[len(path)-1] == inner {
		row = oneOfKnob(k, path.id("type"), "of", "whose scores it takes", model.ScorerTypes(), s.Type,
			func(p *model.Policy, t model.ScorerType) { *path.in(p) = k.begin(t) })
	} else {
		row.Bar, row.Share, row.Field = model.Some(s.Weight/sum), true, path.field("weight")
		row.remove = func() (Setup, error) { return k.edit(func(p *model.Policy) { removeScorer(p, path) }) }
	}
	k.depth = len(path) - 1
	k.add(row)
	k.parameters(path, s)
}

func removeScorer(p *model.Policy, path scorerPath) {
	last := len(path) - 1
	if last == 0 {
		p.Scorers = slices.Delete(p.Scorers, path[0], path[0]+1)
		return
	}
	parent := path[:last].in(p)
	parent.Scorers = slices.Delete(parent.Scorers, path[last], path[last]+1)
}

// parameters adds the rows of a scorer's parameters besides its weight, and the rows of
// the scorers within it.
func (k *policyKnobs) parameters(path scorerPath, s *model.Scorer) {
	kinds := k.kinds()
	k.depth = len(path)
	all, largest := s.Parameters(kinds), 1.0
	for _, p := range all {
		largest = max(largest, p.Number)
	}
	for i, p := range all {
		if len(k.list) >= maxPolicyRows {
			k.left += len(all) - i
			break
		}
		in := func(policy *model.Policy) model.Parameter { return path.in(policy).Parameters(kinds)[i] }
		id, label := path.id(p.Name), p.Label
		var row Knob
		switch {
		case p.Choices != nil:
			row = oneOfKnob(k, id, label, p.Help, p.Choices, p.Text, func(policy *model.Policy, name string) { _ = in(policy).Set(name) })
		case p.SetNumber != nil:
			row = k.number(id, label, p.Help, p.Number, p.Step, func(policy *model.Policy, v float64) { in(policy).SetNumber(v) })
			if p.Varies {
				row.Field = path.field(p.Name)
			}
			if s.Type == model.ScoreKind {
				row.Bar = model.Some(p.Number / largest)
			}
		default:
			row = k.word(id, label, p.Text, p.Help, func(policy *model.Policy, text string) error { return in(policy).Set(text) })
		}
		if p.Remove != nil {
			row.remove = func() (Setup, error) { return k.edit(func(policy *model.Policy) { in(policy).Remove() }) }
		}
		k.add(row)
	}
	if s.Inner != nil {
		k.scorer(path.join(inner), 1)
	}
	k.scorers(path, s.Scorers)
	if s.Scorers != nil {
		k.addScorer(path)
	}
}

// addScorer adds the row with which the user adds a scorer to the policy or a composite.
func (k *policyKnobs) addScorer(to scorerPath) {
	types := model.Names(model.ScorerTypes())
	row := k.word(KnobID(fmt.Sprint("scorer", []int(to), " add")), "+ scorer", "", "type one of "+strings.Join(types, ", "),
		func(p *model.Policy, text string) error {
			i := slices.IndexFunc(types, func(name string) bool { return strings.EqualFold(name, text) })
			if i < 0 {
				return fmt.Errorf("no scorer %.30q; known are %s", text, strings.Join(types, ", "))
			}
			list := &p.Scorers
			if len(to) > 0 {
				list = &to.in(p).Scorers
			}
			*list = append(*list, k.begin(model.ScorerType(types[i])))
			return nil
		})
	row.Choices, k.depth = types, len(to)
	k.add(row)
}

// begin returns a scorer of a type, with parameters that suit the items.
func (k *policyKnobs) begin(t model.ScorerType) model.Scorer {
	return model.NewScorer(t, model.Beginning{Now: k.newest(), Tag: k.commonTag()})
}

// commonTag returns the tag that most items have, the first in byte order among equals,
// or "" if no item has a tag.
func (k *policyKnobs) commonTag() string {
	count := map[string]int{}
	for i := range k.e.items.Len() {
		for _, tag := range k.e.items.Loaded(i).Tags {
			count[tag]++
		}
	}
	best, n := "", 0
	for tag, c := range count {
		if c > n || c == n && tag < best {
			best, n = tag, c
		}
	}
	return best
}

// newest returns the latest timestamp of the set, or the start of 2026 if there is none.
func (k *policyKnobs) newest() time.Time {
	t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	found := false
	for i := range k.e.items.Len() {
		if at := k.e.items.Loaded(i).Timestamp; at.Set && (!found || at.Value.After(t)) {
			t, found = at.Value, true
		}
	}
	return t
}
