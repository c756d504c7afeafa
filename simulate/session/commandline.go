package session

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// Reproduce returns the flags and sources that open the same sources as o, with the
// given policy, budget and slack, and the query and the rules of edits, as the words of a
// command line without the program's name. It returns false if no flags lead to this
// policy or to these rules. The words then leave them out, and they have to be saved to
// a file.
//
// Reproduce tries the flags of the policy: the flags that it returns give the policy when
// Open reads them.
func (o Options) Reproduce(opened *Opened, policy model.Policy, budget model.BudgetFields, slack model.Tokens, edits model.Edits) ([]string, bool) {
	words, query := o.sourceWords(), edits.Query.Text
	flag := func(name, value string) { words = append(words, "--"+name, value) }
	if query != opened.ownQuery && query != "" {
		flag("query", query)
	}
	plainly := func(t model.Tokens) string { return strconv.FormatInt(int64(t), 10) }
	was := model.BudgetFields{}
	if opened.Scenario.Set {
		was = opened.Scenario.Value.Budget.Fields()
	}
	budget.TargetTokens = model.Some(budget.Target())
	for _, field := range model.FieldsOfBudget() {
		switch {
		case field.Slots != nil:
			for _, slot := range slotsAgain(budget.ReservedSlots, was.ReservedSlots) {
				flag(field.Flag, slot)
			}
		case field.Name == model.FieldTargetTokens:
			if budget.Target() != budget.MaxTokens || was.Target() != was.MaxTokens {
				flag(field.Flag, plainly(budget.Target()))
			}
		case field.Name == model.FieldMaxTokens || field.Number(&budget) != field.Number(&was):
			value := strconv.FormatFloat(field.Number(&budget), 'f', -1, 64)
			if field.Percent != nil {
				value += "%"
			}
			flag(field.Flag, value)
		}
	}
	if opened.Scenario.Set || slack != simulate.GuessSlack(budget) { // else it is guessed again
		flag("slack", plainly(slack))
	}
	cuts, shrinks := shrinkWords(edits.Shrink, opened.ownShrink)
	with, ok := o.policyWords(opened, policy)
	return slices.Concat(words, cuts, with), ok && shrinks
}

// sourceWords returns the sources and the flags about them that are set, without the
// query.
func (o Options) sourceWords() []string {
	var words []string
	for _, source := range o.Sources {
		if strings.IndexFunc(source, plain.IsDash) == 0 && source != "-" {
			source = "./" + source
		}
		words = append(words, source)
	}
	if len(o.Sources) > 0 {
		o.Fixture = ""
	}
	return slices.Concat(words, wordsOf(SourceFlags(&o)), wordsOf(LabelFlags(&o)))
}

// policyWords returns the fewest flags that lead to a policy.
func (o Options) policyWords(opened *Opened, want model.Policy) ([]string, bool) {
	bases := []Options{{}} // what is chosen without flags
	if o.Policy != "" && !isPipe(o.Policy) {
		bases = append(bases, Options{Policy: o.Policy})
	}
	for _, name := range model.PresetNames() {
		bases = append(bases, Options{Preset: name})
	}
	var best []string
	found := false
	ctx := context.Background() // the file of a policy was read to open the source, so it does not wait
	for _, base := range bases {
		asked, err := base.overrides(ctx)
		if err != nil {
			continue
		}
		start, err := opened.open(asked)
		if err != nil {
			continue
		}
		with := base
		if name := want.SlicerName(); name != start.SlicerName() {
			with.Slicer = name
		}
		if want.Placer != start.Placer {
			with.Placer = string(want.Placer)
		}
		if want.Overflow != start.Overflow {
			with.Overflow = string(want.Overflow)
		}
		with.NoDedup = start.Deduplicate && !want.Deduplicate
		with.KeepPairs = want.KeepPairs && !start.KeepPairs
		if asked, err = with.overrides(ctx); err != nil {
			continue
		}
		if got, err := opened.open(asked); err != nil || !got.Same(want) {
			continue
		}
		if words := wordsOf(policyFlags(&with)); !found || len(words) < len(best) {
			best, found = words, true
		}
	}
	return best, found
}

// open returns the policy that Open would choose.
func (o *Opened) open(asked simulate.Overrides) (model.Policy, error) {
	opening, err := simulate.Open(o.source(Options{}), asked)
	return opening.Policy, err
}

// ShellLine returns the words as a line that a shell splits into the same
// words. Control characters are written as escapes within $'..', which bash,
// zsh and ksh understand.
func ShellLine(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !strings.ContainsRune(shellSafe, r) }):
			b.WriteString(w)
		case strings.ContainsFunc(w, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' || r >= 0x80 && r < 0xa0 }):
			b.WriteString("$'")
			for k := range len(w) {
				switch c := w[k]; {
				case c == '\'' || c == '\\':
					b.WriteString(`\` + string(rune(c)))
				case c < ' ' || c >= 0x7f:
					b.WriteString(`\x` + strconv.FormatInt(int64(c>>4), 16) + strconv.FormatInt(int64(c&15), 16))
				default:
					b.WriteByte(c)
				}
			}
			b.WriteByte('\'')
		default:
			b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
		}
	}
	return b.String()
}

// shellSafe are the characters that mean themselves to every shell.
const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%"
