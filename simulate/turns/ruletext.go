package turns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Preset is a rule that an agent, a framework or a provider offers, with the settings that
// its own source or documentation states.
type Preset struct {
	Name string
	Plan string // as ParsePlan reads it
	// Source is where the settings were read, Date when. Differs is what the original does
	// otherwise than the rule.
	Source, Date, Differs string
}

// Presets returns the presets, in the order in which to offer them. The compactions of
// Codex (it keeps the newest 20,000 tokens of what the user wrote, and nothing else) and of
// Claude Code (its source is not public) are not among them: no Rule does the same.
func Presets() []Preset {
	return []Preset{
		{
			Name: "anthropic-clear", Plan: "clear:trigger=100k,keep=3,each=time",
			Source: "https://platform.claude.com/docs/en/build-with-claude/context-editing", Date: "2026-11",
			Differs: "how large the note in place of a result is, it does not say",
		},
		{
			Name: "langchain-clear", Plan: "clear:trigger=99999,keep=3,note=3,each=time",
			Source: "https://www.npmjs.com/package/langchain 1.5.14, ClearToolUsesEdit", Date: "2026-11",
			Differs: "results smaller than the note are replaced too, results without a call are left out; its trigger of 100,000 is met by 100,000 itself",
		},
		{
			Name: "opencode-prune", Plan: "clear:trigger=0,keep-tokens=40k,at-least=20k,note=9,exclude=skill,each=once",
			Source: "https://github.com/sst/opencode packages/opencode/src/session/compaction.ts", Date: "2026-11",
			Differs: "it is off by default, runs when the agent is done, leaves the newest question's results alone, and clears the result that reaches the 40,000",
		},
		{
			Name: "pi-compaction", Plan: "summarise:trigger=max-16384,keep-tokens=20k,each=once",
			Source: "https://www.npmjs.com/package/@mariozechner/pi-coding-agent 0.73.1, compaction", Date: "2026-11",
			Differs: "the request that writes the summary reads only what goes, in another form, so nothing of it from the cache",
		},
		{
			Name: "vercel-prune", Plan: "drop:trigger=0,keep=2,each=time",
			Source: "https://www.npmjs.com/package/ai 6.0.326, pruneMessages with toolCalls before-last-2-messages, as in its reference", Date: "2026-11",
			Differs: "its default prunes nothing; reasoning is another setting",
		},
	}
}

// FindPreset returns the preset with the given name, or false if there is none.
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Preset{}, false
}

// PlanNames returns what a plan can begin with: strategies of a Rule, and presets.
func PlanNames() []string {
	presets := plain.Texts(Presets(), func(p Preset) string { return p.Name })
	return append([]string{string(Clear), string(Drop), string(Summarise)}, presets...)
}

// ruleKey is a key of a rule in words.
type ruleKey struct {
	name string
	of   []Strategy // that have it
	set  func(r *Rule, value string) error
	text func(r Rule) string
}

// tokensKey returns a key of a number of tokens.
func tokensKey(name string, field func(*Rule) *model.Tokens, of ...Strategy) ruleKey {
	return ruleKey{name: name, of: of,
		set: func(r *Rule, value string) (err error) {
			*field(r), err = model.ParseTokens(value)
			return err
		},
		text: func(r Rule) string { return strconv.FormatInt(int64(*field(&r)), 10) },
	}
}

// belowMax begins a trigger that is a number of tokens below the budget's maxTokens.
const belowMax = "max-"

// ruleKeys returns the keys of rules, in the order in which they are written.
func ruleKeys() []ruleKey {
	trigger := tokensKey("trigger", func(r *Rule) *model.Tokens { return &r.Trigger }, Clear, Drop, Summarise)
	setTrigger, textTrigger := trigger.set, trigger.text
	trigger.set = func(r *Rule, value string) error {
		var tokens string
		tokens, r.OfMax = strings.CutPrefix(value, belowMax)
		return setTrigger(r, tokens)
	}
	trigger.text = func(r Rule) string {
		if r.OfMax {
			return belowMax + textTrigger(r)
		}
		return textTrigger(r)
	}
	return []ruleKey{
		trigger,
		{name: "keep", of: []Strategy{Clear, Drop, Summarise},
			set: func(r *Rule, value string) (err error) {
				if r.Keep, err = strconv.Atoi(value); err != nil {
					err = fmt.Errorf("%.40q is not a whole number", value)
				}
				return err
			},
			text: func(r Rule) string { return strconv.Itoa(r.Keep) },
		},
		tokensKey("keep-tokens", func(r *Rule) *model.Tokens { return &r.KeepTokens }, Clear, Drop, Summarise),
		tokensKey("at-least", func(r *Rule) *model.Tokens { return &r.AtLeast }, Clear, Drop, Summarise),
		tokensKey("note", func(r *Rule) *model.Tokens { return &r.Note }, Clear),
		tokensKey("summary", func(r *Rule) *model.Tokens { return &r.Summary }, Summarise),
		{name: "each", of: []Strategy{Clear, Drop, Summarise},
			set: func(r *Rule, value string) error {
				if r.Once = value == "once"; !r.Once && value != "time" {
					return fmt.Errorf("%.40q must be time or once", value)
				}
				return nil
			},
			text: func(r Rule) string {
				if r.Once {
					return "once"
				}
				return "time"
			},
		},
		{name: "exclude", of: []Strategy{Clear, Drop, Summarise},
			set: func(r *Rule, value string) error {
				r.Exclude = strings.Split(value, "+")
				if slices.Contains(r.Exclude, "") {
					return fmt.Errorf("%.40q has an empty name: names are joined by +, as in read+bash", value)
				}
				return nil
			},
			text: func(r Rule) string { return strings.Join(r.Exclude, "+") },
		},
	}
}

// ParsePlan reads a plan with a Rule: the name of a strategy or of a preset, and behind a
// colon the keys that differ from its defaults.
//
//	clear:trigger=30k,keep=3,at-least=20k,note=10,each=once,exclude=read+bash
//	summarise:trigger=max-16384,keep-tokens=20k,summary=2k
//	anthropic-clear:keep=5
//
// A plan that gives one of keep and keep-tokens has 0 for the other. The name of the plan is
// the text. The error names what is not known, or the bound that is broken.
func ParsePlan(text string) (Plan, error) {
	name, keys, colon := strings.Cut(strings.TrimSpace(text), ":")
	if colon && keys == "" {
		return Plan{}, fmt.Errorf("%.40q ends in a colon: write keys after it, or leave it out", text)
	}
	if preset, ok := FindPreset(name); ok {
		p, err := ParsePlan(preset.Plan)
		p.Name = text
		return p.with(keys, err)
	}
	p := Plan{Name: text, Strategy: Strategy(strings.ToLower(name))}
	if !p.Strategy.Ruled() {
		return p, unknown("plan", name, PlanNames())
	}
	p.Rule = defaultRule(p.Strategy)
	return p.with(keys, nil)
}

// unknown returns an error about a word that is not among the known ones.
func unknown(what, word string, known []string) error {
	for _, k := range known {
		if plain.OneSlip(strings.ToLower(word), k) {
			return fmt.Errorf("%s %.40q is not known; did you mean %s?", what, word, k)
		}
	}
	return fmt.Errorf("%s %.40q is not known; known are %s", what, word, strings.Join(known, ", "))
}

// with returns the plan with some keys of its rule changed.
func (p Plan) with(pairs string, err error) (Plan, error) {
	if err != nil || pairs == "" {
		return p, err
	}
	keys := slices.DeleteFunc(ruleKeys(), func(k ruleKey) bool { return !slices.Contains(k.of, p.Strategy) })
	known, given := plain.Texts(keys, func(k ruleKey) string { return k.name }), map[string]bool{}
	for pair := range strings.SplitSeq(pairs, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		at := slices.Index(known, name)
		switch {
		case !ok:
			return p, fmt.Errorf("%s: %.40q must be key=value, as in trigger=30k", p.Strategy, pair)
		case at < 0:
			return p, fmt.Errorf("%s: %w", p.Strategy, unknown("key", name, known))
		case given[name]:
			return p, fmt.Errorf("%s: %s is given twice", p.Strategy, name)
		}
		given[name] = true
		if err := keys[at].set(&p.Rule, value); err != nil {
			return p, fmt.Errorf("%s: %s: %w", p.Strategy, name, err)
		}
	}
	switch {
	case given["keep"] && !given["keep-tokens"]:
		p.Rule.KeepTokens = 0
	case given["keep-tokens"] && !given["keep"]:
		p.Rule.Keep = 0
	}
	return p, p.validate()
}

// Text returns the rule of a plan with all its keys, as ParsePlan reads it; "" for the
// strategies that follow none.
func (p Plan) Text() string {
	if !p.Strategy.Ruled() {
		return ""
	}
	var keys []string
	for _, k := range ruleKeys() {
		if text := k.text(p.Rule); slices.Contains(k.of, p.Strategy) && text != "" {
			keys = append(keys, k.name+"="+text)
		}
	}
	return string(p.Strategy) + ":" + strings.Join(keys, ",")
}
