package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// choice returns a knob with a few named values. At and original are indexes in names; below 0:
// none of them.
func (k *knobs) choice(id KnobID, label, help string, names []string, at, original int, set func(i int) (Setup, error)) Knob {
	now := k.now
	value := ""
	if at >= 0 {
		value = names[at]
	}
	return Knob{
		ID: id, Label: label, Value: value, Typed: true, Choices: names,
		Help: help + ": " + strings.Join(names, ", "),
		step: func(dir int, _ bool) (Setup, error) {
			if at < 0 && dir < 0 {
				return set(len(names) - 1)
			}
			return set((at + dir + len(names)) % len(names))
		},
		parse: func(text string) (Setup, error) {
			text = strings.ToLower(strings.TrimSpace(text))
			match := -1
			for i, name := range names {
				if strings.EqualFold(name, text) {
					return set(i)
				}
				if text != "" && strings.HasPrefix(strings.ToLower(name), text) {
					if match >= 0 {
						return now, fmt.Errorf("%s: %q could be %s or %s", label, text, names[match], name)
					}
					match = i
				}
			}
			if match < 0 {
				return now, fmt.Errorf("%s: no %.30q; known are %s", label, text, strings.Join(names, ", "))
			}
			return set(match)
		},
		reset: func() Setup {
			next, _ := set(original)
			return next
		},
	}
}

// policyChoice returns a knob for one field of the side's policy, with the values in list; usual
// is the default among them, if there is one.
func policyChoice[T ~string](k *knobs, id KnobID, help string, list []T, usual T, field func(*model.Policy) *T) Knob {
	now, was := k.now.Policy[k.side], k.original.Policy[k.side]
	knob := k.choice(id, string(id), help, model.Names(list), slices.Index(list, *field(&now)), slices.Index(list, *field(&was)), func(i int) (Setup, error) {
		p := k.now.Policy[k.side].Clone()
		was := p.Slicer
		*field(&p) = list[i]
		next := k.now
		if now := p.Slicer; now != was { // a size belongs to its slicer
			p.Slicer = was
			p.SetSlicer(now)
			if k.side == A && p.Same(next.Policy[B]) { // what is compared stays two policies
				next = next.WithPolicy(B, OtherSlicer(p))
			}
		}
		return next.WithPolicy(k.side, p), nil
	})
	knob.AtDefault = *field(&now) == usual && *field(&was) == usual
	return knob
}

func (k *knobs) slicer() Knob {
	return policyChoice(k, Slicer, "how items are selected (rank and prefix are not Cupel's)", model.SlicerTypes(), "", func(p *model.Policy) *model.SlicerType { return &p.Slicer })
}

func (k *knobs) placer() Knob {
	return policyChoice(k, Placer, "in which order the model reads them", model.PlacerTypes(), model.Chronological, func(p *model.Policy) *model.PlacerType { return &p.Placer })
}

func (k *knobs) overflow() Knob {
	return policyChoice(k, Overflow, "a result over the target is an error (throw), cut (truncate) or let through (proceed)", model.OverflowStrategies(), model.Throw,
		func(p *model.Policy) *model.OverflowStrategy { return &p.Overflow })
}

// size returns the knob of the size that the slicer works in; false: it has none.
func (k *knobs) size() (Knob, bool) {
	p := k.now.Policy[k.side]
	size, ok := p.Size()
	if !ok {
		return Knob{}, false
	}
	was := k.original.Policy[k.side]
	was.SetSlicer(p.Slicer)
	original, _ := was.Size()
	knob := k.tokens(KnobID(size.Label), size.Label, size.Help, size.Value, original.Value, 1, size.Max, func(s Setup, t model.Tokens) Setup {
		p := p.Clone()
		_ = p.SetSize(t) // within its bounds
		return s.WithPolicy(k.side, p)
	})
	knob.Words, knob.Field = size.Words, size.Field
	return knob, true
}

// onOff returns a knob for a field of the side's policy that is on or off; names has both,
// the usual one first.
func (k *knobs) onOff(id KnobID, help string, names []string, field func(*model.Policy) *bool) Knob {
	at := func(p model.Policy) int {
		if *field(&p) {
			return slices.Index(names, "on")
		}
		return slices.Index(names, "off")
	}
	now, was := at(k.now.Policy[k.side]), at(k.original.Policy[k.side])
	knob := k.choice(id, string(id), help, names, now, was, func(i int) (Setup, error) {
		p := k.now.Policy[k.side].Clone()
		*field(&p) = names[i] == "on"
		return k.now.WithPolicy(k.side, p), nil
	})
	knob.AtDefault = now == 0 && was == 0
	return knob
}

func (k *knobs) dedup() Knob {
	return k.onOff(Dedup, "drop items that repeat the text of another", []string{"on", "off"}, func(p *model.Policy) *bool { return &p.Deduplicate })
}

func (k *knobs) keepPairs() Knob {
	knob := k.onOff(KeepPairs, "a call and its result are selected as one item (not Cupel's)", []string{"off", "on"}, func(p *model.Policy) *bool { return &p.KeepPairs })
	switch p := k.now.Policy[k.side]; {
	case p.KeepPairs:
	case len(p.Quotas)+len(p.CountQuotas) > 0:
		knob.Excluded = "pairs as one item cannot be combined with quotas: a pair has two kinds"
	case p.Slicer.Order() == model.OrderByArrival:
		knob.Excluded = "pairs as one item cannot be combined with stream: call and result arrive apart"
	}
	return knob
}

func (k *knobs) preset() Knob {
	const widest = 24
	presets := model.Presets()
	list := plain.Texts(presets, func(p model.Policy) string { return p.Name })
	now := k.now.Policy[k.side]
	at := slices.Index(list, now.Name)
	knob := k.choice(Preset, string(Preset), "a whole policy at once", list, at, at, func(i int) (Setup, error) {
		return k.now.WithPolicy(k.side, presets[i].Clone()), nil
	})
	knob.Value = cmp.Or(plain.Line(now.Name, widest), "none")
	if now.Title() != now.Name {
		knob.Value += " (changed)"
	}
	knob.reset = func() Setup { return k.now.WithPolicy(k.side, k.original.Policy[k.side].Clone()) }
	return knob
}

// scorers returns the row that shows the scorers and their weights, or as many as fit
// beside the other knobs. They are changed in the policy editor.
func (k *knobs) scorers() Knob {
	names := plain.Texts(k.now.Policy[k.side].Scorers, func(s model.Scorer) string { return string(s.Type) + " " + strconv.FormatFloat(s.Weight, 'g', 4, 64) })
	return k.leading(Scorers, string(Scorers), " ", names, "p changes them and their weights", "what scores the items, each with its weight in the mean; enter or p changes them", func(p *model.Policy, original model.Policy) {
		p.Scorers = original.Scorers
	})
}

// quotas returns the row that shows what limits kinds, or as much as fits; false if nothing does. That
// is changed in the policy editor.
func (k *knobs) quotas() (Knob, bool) {
	var names []string
	add := func(kind model.Kind, what string) { names = append(names, kind.Short()+" "+what) }
	policy := k.now.Policy[k.side]
	for _, q := range policy.Quotas {
		if q.MinPercent.Set {
			add(q.Kind, "min "+strconv.FormatFloat(q.MinPercent.Value, 'g', 4, 64)+" %")
		}
		if q.MaxPercent.Set {
			add(q.Kind, "max "+strconv.FormatFloat(q.MaxPercent.Value, 'g', 4, 64)+" %")
		}
	}
	for _, q := range policy.CountQuotas {
		if q.Require > 0 {
			add(q.Kind, "require "+strconv.Itoa(q.Require))
		}
		if q.Require == 0 || q.Cap < k.e.ofKinds()[q.Kind.Fold()] { // else the cap keeps none out
			add(q.Kind, "cap "+strconv.Itoa(q.Cap))
		}
	}
	if all := strings.Join(names, ", "); len(names) > 1 && len(all) > widestLead { // one of them and a number would be a riddle
		names = []string{strconv.Itoa(len(names)) + " set"}
	}
	return k.leading(Quotas, "quotas", ", ", names, "p changes them", "what limits the kinds of items; enter or p changes it", func(p *model.Policy, original model.Policy) {
		p.Quotas, p.CountQuotas = original.Quotas, original.CountQuotas
	}), len(names) > 0
}

// widestLead is the most cells of what leading names.
const widestLead = 16

// leading returns a row that names what is changed in the policy editor, as much as fits beside the
// other knobs, and leads there.
func (k *knobs) leading(id KnobID, label, between string, names []string, changes, help string, reset func(p *model.Policy, original model.Policy)) Knob {
	value := ""
	for i, name := range names {
		if i > 0 && len(value+name) > widestLead {
			value = fmt.Sprintf("%s +%d", strings.TrimSuffix(value, between), len(names)-i)
			break
		}
		value += name + between
	}
	leads := func() (Setup, error) { return k.now, errors.New(label + ": " + changes) }
	return Knob{
		ID: id, Label: label, Value: strings.TrimSuffix(value, between), Help: help,
		step:  func(int, bool) (Setup, error) { return leads() },
		parse: func(string) (Setup, error) { return leads() },
		reset: func() Setup {
			p := k.now.Policy[k.side]
			reset(&p, k.original.Policy[k.side].Clone())
			return k.now.WithPolicy(k.side, p)
		},
	}
}
