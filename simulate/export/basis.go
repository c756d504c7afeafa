package export

import (
	"encoding/json"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Basis is what an answer depends on besides the items and the budget. Every
// answer in JSON states it. CSV states only whether the budget was guessed and
// how many token counts are estimates.
type Basis struct {
	Name, Format string // name and format of the sources
	Policy       model.Policy
	Guess        string // maxTokens is guessed, not given: the note that says so; "" if it is given
}

// Title returns a line that says what was opened, and under which policy.
func (b Basis) Title(items *model.Set) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%s [%s]  %s, %s", b.Name, b.Format, plain.Count(items.Len(), "item"), plain.Count(items.Total(), "token"))
	if n := items.Estimates(); n > 0 {
		fmt.Fprintf(&t, " (%s estimated)", plain.Count(n, "count"))
	}
	p, name := b.Policy, b.Policy.Title()
	if strings.TrimSpace(name) == "" {
		name = "without a name"
	}
	fmt.Fprintf(&t, "  policy %s: %s", name, p.Slicer)
	if size, ok := p.Size(); ok {
		fmt.Fprintf(&t, " %v", size.Value)
	}
	if ours := p.NotCupel(); len(ours) > 0 {
		fmt.Fprintf(&t, " (not Cupel's: %s)", strings.Join(ours, ", "))
	}
	for _, rule := range rules(p) {
		fmt.Fprintf(&t, ", %s", rule)
	}
	fmt.Fprintf(&t, ", %s, overflow %s", p.Placer, p.Overflow)
	if items.HasSizes() {
		t.WriteString(", items may be cut (not Cupel's)")
	}
	return t.String()
}

// Schema returns the name of the schema of a verb's answers in JSON. Its
// number rises when a field is removed or changes its meaning, not when one is
// added.
func Schema(verb string) string {
	version := "/1"
	switch verb {
	case "batch", "evaluate", "marginal", "min-budget", "tokens", "tune", "turns":
		version = "/2"
	case "check", "compare", "sessions", "sweep":
		version = "/3"
	}
	return "cupelscope/" + verb + version
}

// SchemaFact returns the fact with the name of the schema, the first of every
// answer.
func SchemaFact(verb string) Fact { return Fact{Name: "schema", Value: Word(Schema(verb))} }

// Facts returns the facts with which a verb's answer about items at a budget
// begins.
func (b Basis) Facts(verb string, items *model.Set, budget model.Budget) []Fact {
	return []Fact{
		SchemaFact(verb),
		{Name: "name", Value: Text(b.Name, 0)},
		{Name: "format", Value: Word(b.Format)},
		{Name: "policy", Value: b.policy()},
		{Name: "budget", Value: budgetOf(budget)},
		{Name: "budgetGuessed", InRows: true, Value: Truth(b.Guess != "")},
		{Name: "estimatedCounts", InRows: true, Value: Count(items.Estimates())},
	}
}

// rules returns what the name and the slicer of a policy do not say: the quotas of each kind, and
// the scorers with their weights where the policy is no longer what its name stands for.
func rules(p model.Policy) (all []string) {
	if p.Title() != p.Name {
		all = plain.Texts(p.Scorers, func(s model.Scorer) string { return fmt.Sprintf("%s %v", s.Type, s.Weight) })
	}
	for _, q := range p.Quotas {
		all = append(all, fmt.Sprintf("%s %v to %v %%", plain.Line(string(q.Kind), nameCells), q.Require(), q.Cap()))
	}
	for _, q := range p.CountQuotas {
		all = append(all, fmt.Sprintf("%s %d to %s", plain.Line(string(q.Kind), nameCells), q.Require, plain.Count(q.Cap, "item")))
	}
	return all
}

// policy returns a cell that describes the policy, and holds it whole.
func (b Basis) policy() Cell {
	p := b.Policy
	text, err := json.Marshal(struct {
		Name       string                 `json:"name"`
		Modified   bool                   `json:"modified"`
		Slicer     string                 `json:"slicer"` // as --slicer reads it
		Placer     model.PlacerType       `json:"placer"`
		Overflow   model.OverflowStrategy `json:"overflow"`
		NotCupel   []string               `json:"notCupel"`
		Definition model.Policy           `json:"definition"` // as --policy reads it
	}{p.Name, p.Title() != p.Name, p.SlicerName(), p.Placer, p.Overflow, append([]string{}, p.NotCupel()...), p})
	if err != nil { // does not happen: what is answered ran under a valid policy
		return None
	}
	return Raw(text)
}
