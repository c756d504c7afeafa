package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// Shrink says which items may be cut, and to what sizes. It is not Cupel's.
// The zero Shrink cuts nothing. A Shrink must not be changed once it is used.
type Shrink struct {
	Rules []ShrinkRule // at most one for a kind; nil: none
	// Pinned cuts pinned items too: each is in its smallest size but the note, at
	// every budget.
	Pinned bool
}

// ShrinkRule cuts the items of a kind that have no sizes of their own.
type ShrinkRule struct {
	Kind Kind     `json:"kind"`           // AnyKind: of all kinds that have no rule
	To   []Tokens `json:"to,omitempty"`   // the sizes in tokens, falling, each 1 to MaxTokens; with the note at most MaxSizes
	How  How      `json:"how,omitempty"`  // "" means HeadTail
	Note bool     `json:"note,omitempty"` // a line may stand in place of an item that is out
}

// AnyKind is the kind of a rule for all kinds that have no rule of their own.
const AnyKind Kind = "*"

// MaxSizes is the largest number of sizes of an item beside the whole, the note included.
const MaxSizes = 8

// maxRules bounds the rules of a Shrink.
const maxRules = 256

// How says which part of a text a cut keeps.
type How string

// The ways to cut.
const (
	HeadTail How = "head-tail" // the first and the last half
	Head     How = "head"
	Tail     How = "tail"
)

func hows() []How { return []How{HeadTail, Head, Tail} }

// IsZero reports whether nothing is cut.
func (s Shrink) IsZero() bool { return len(s.Rules) == 0 && !s.Pinned }

// Equal reports whether s and other cut the same items in the same way.
func (s Shrink) Equal(other Shrink) bool {
	return s.Pinned == other.Pinned && slices.EqualFunc(s.Rules, other.Rules, func(a, b ShrinkRule) bool {
		return a.Kind.Is(b.Kind) && a.how() == b.how() && a.Note == b.Note && slices.Equal(a.To, b.To)
	})
}

// With returns s with the rule in place of the rule of its kind. A rule without sizes and
// note removes it.
func (s Shrink) With(rule ShrinkRule) Shrink {
	s.Rules = slices.Clone(s.Rules)
	at := slices.IndexFunc(s.Rules, func(r ShrinkRule) bool { return r.Kind.Is(rule.Kind) })
	none := len(rule.To) == 0 && !rule.Note
	switch {
	case at < 0 && none:
	case at < 0:
		s.Rules = append(s.Rules, rule)
	case none:
		s.Rules = slices.Delete(s.Rules, at, at+1)
	default:
		s.Rules[at] = rule
	}
	if len(s.Rules) == 0 {
		s.Rules = nil
	}
	return s
}

// For returns the rule for items of a kind, one without sizes if there is none.
func (s Shrink) For(kind Kind) ShrinkRule { return *s.rule(kind) }

func (s Shrink) rule(kind Kind) *ShrinkRule {
	found := &noRule
	for k := range s.Rules {
		switch r := &s.Rules[k]; {
		case r.Kind.Is(kind):
			return r
		case r.Kind == AnyKind:
			found = r
		}
	}
	return found
}

var noRule ShrinkRule

// validate reports the first thing that is wrong with the rules, or nil. The error names
// the rule and the bound.
func (s Shrink) validate() error {
	if len(s.Rules) > maxRules {
		return fmt.Errorf("shrink has %d rules, at most %d are allowed", len(s.Rules), maxRules)
	}
	for i, r := range s.Rules {
		if err := r.validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(s.Rules[:i], func(o ShrinkRule) bool { return o.Kind.Is(r.Kind) }) {
			return r.fail("has two rules; give one for a kind")
		}
	}
	return nil
}

func (r ShrinkRule) fail(format string, args ...any) error {
	return fmt.Errorf("shrink %.40q: "+format, append([]any{r.Kind.Noun()}, args...)...)
}

func (r ShrinkRule) how() How { return cmp.Or(r.How, HeadTail) }

// validate reports the first thing that is wrong with the rule, or nil.
func (r ShrinkRule) validate() error {
	sizes := len(r.To)
	if r.Note {
		sizes++
	}
	switch {
	case r.Kind.IsBlank():
		return errors.New("shrink has a blank kind; '*' means all kinds that have no rule")
	case !slices.Contains(hows(), r.how()):
		return r.fail("%.40q is not known; a cut keeps head-tail, head or tail", string(r.How))
	case sizes == 0:
		return r.fail("names no size; give numbers of tokens, note, or both")
	case sizes > MaxSizes:
		return r.fail("names %d sizes, at most %d are allowed", sizes, MaxSizes)
	}
	for i, n := range r.To {
		switch {
		case n < 1 || n > MaxTokens:
			return r.fail("the size %v must be 1 to %v", n, MaxTokens)
		case i > 0 && n >= r.To[i-1]:
			return r.fail("the size %v follows %v; sizes must fall", n, r.To[i-1])
		}
	}
	return nil
}

// String returns the rule as ParseShrinkRule reads it: "ToolOutput=2000,500,tail,note".
func (r ShrinkRule) String() string { return string(r.Kind) + "=" + r.what(",") }

// what returns what follows the kind, with sep between its words.
func (r ShrinkRule) what(sep string) string {
	words := plain.Texts(r.To, func(n Tokens) string { return fmt.Sprint(int64(n)) })
	if r.how() != HeadTail {
		words = append(words, string(r.How))
	}
	if r.Note {
		words = append(words, "note")
	}
	return strings.Join(words, sep)
}

// Words returns what the rule does, without its kind: "2000 500 note", or "off" where it
// has no size.
func (r ShrinkRule) Words() string {
	if len(r.To) == 0 && !r.Note {
		return "off"
	}
	return r.what(" ")
}

// ParseShrinkRule reads a rule as a person types it: "tool=2000,500,note", or with spaces,
// "tool 2000 500 note". The kind is a name, a short one (Kind.Short), or *. After it come
// sizes as ParseTokens reads them, head-tail, head or tail, and note, in any order. "tool
// off" is a rule without sizes, which Shrink.With takes as none. The error names what is
// wrong.
func ParseShrinkRule(text string) (ShrinkRule, error) {
	text = strings.TrimSpace(text)
	end := strings.IndexByte(text, '=')
	if end < 0 {
		end = strings.IndexAny(text, " \t")
	}
	if end < 0 {
		return ShrinkRule{}, fmt.Errorf("shrink: %.40q is not KIND=SIZE,..., as in tool=2000,500,note", text)
	}
	r := ShrinkRule{Kind: kindNamed(strings.TrimSpace(text[:end]))}
	words := strings.FieldsFunc(text[end+1:], func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
	if len(words) == 1 && words[0] == "off" && !r.Kind.IsBlank() {
		return r, nil
	}
	for _, word := range words {
		switch how := How(word); {
		case word == "note" && r.Note, slices.Contains(hows(), how) && r.How != "":
			return r, r.fail("%s: the way to cut and the note are named once", word)
		case word == "note":
			r.Note = true
		case slices.Contains(hows(), how):
			r.How = how
		default:
			n, err := ParseTokens(word)
			if err != nil {
				return r, r.fail("%.40q is neither a number of tokens nor head-tail, head, tail or note", word)
			}
			r.To = append(r.To, n)
		}
	}
	return r, r.validate()
}

// ParseShrinkJSON reads rules from a JSON array of objects with the members kind, to, how
// and note, as in [{"kind": "ToolOutput", "to": [2000, 500], "how": "tail", "note": true}].
// The error names the member that is wrong.
func ParseShrinkJSON(data []byte) (Shrink, error) {
	var s Shrink
	r := reader{fail: func(field, reason string) error { return fmt.Errorf("shrink%s %s", field, reason) }}
	if jsonwalk.Type(data) != '[' {
		return s, r.fail("", "is "+jsonwalk.TypeName(data)+", must be an array of rules")
	}
	for raw := range jsonwalk.Elements(data) {
		var rule ShrinkRule
		known := []string{"kind", "to", "how", "note"}
		err := r.object(fmt.Sprintf("[%d]", len(s.Rules)), raw, known, func(field, key string, raw []byte) error {
			if json.Unmarshal(raw, map[string]any{"kind": &rule.Kind, "to": &rule.To, "how": &rule.How, "note": &rule.Note}[key]) != nil {
				return r.fail(field, map[string]string{
					"kind": "must be a string", "to": "must be an array of whole numbers of tokens", "how": "must be a string", "note": "must be true or false",
				}[key])
			}
			return nil
		})
		if err != nil {
			return s, err
		}
		rule.Kind = kindNamed(string(rule.Kind))
		s.Rules = append(s.Rules, rule)
	}
	return s, s.validate()
}

// ParseShrink reads rules, a text each, as ParseShrinkRule does; "off" alone means none.
// The error names the text or the rule that is wrong.
func ParseShrink(texts ...string) (Shrink, error) {
	var s Shrink
	if len(texts) == 1 && texts[0] == "off" {
		return s, nil
	}
	if slices.Contains(texts, "off") {
		return s, errors.New("shrink: off, which means no rule, stands beside a rule: give one of them")
	}
	for _, text := range texts {
		r, err := ParseShrinkRule(text)
		if err != nil {
			return s, err
		}
		s.Rules = append(s.Rules, r)
	}
	return s, s.validate()
}
