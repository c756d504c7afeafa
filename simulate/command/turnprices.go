package command

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// fixedParts sums up the fixed parts of sessions.
type fixedParts struct {
	recorded, given, unknown int
	min, max                 model.Tokens // of those that are known
}

// addPrices adds what a session is billed by.
func (t *turnTotals) addPrices(r sessionResult) {
	for k, c := range r.courses {
		t.money[k] += turns.Price(c.Totals.Cost, r.price)
	}
	if r.price == 0 {
		t.unpriced++
	}
	if len(t.billings) == 0 || len(t.billings) == 1 && t.billings[0].Cache != r.billing.Cache {
		t.billings = append(t.billings, r.billing)
	}
	t.grid.Add(r.grid)
	t.foreign = cmp.Or(t.foreign, r.foreign)
	f, part := &t.fixed, r.billing.Fixed
	switch part.From {
	case turns.FixedUnknown:
		f.unknown++
		return
	case turns.FixedRecord:
		f.recorded++
	case turns.FixedGiven:
		f.given++
	}
	if f.recorded+f.given == 1 {
		f.min = part.Tokens
	}
	f.min, f.max = min(f.min, part.Tokens), max(f.max, part.Tokens)
}

// least returns the tokens that every prompt of all sessions begins with at least.
func (f fixedParts) least() model.Tokens {
	if f.unknown > 0 {
		return 0
	}
	return f.min
}

// say returns what the prompts begin with, on one line.
func (f fixedParts) say() string {
	size := f.min.String()
	if f.max > f.min {
		size += " to " + f.max.String()
	}
	const what = "the system prompt and the tools that a log does not hold"
	switch {
	case f.given > 0:
		return fmt.Sprintf("every prompt begins with %s tokens, as --fixed-prefix says", size)
	case f.recorded == 0:
		return what + " count as 0 tokens: --fixed-prefix says how many they are"
	}
	text := fmt.Sprintf("every prompt begins with %s tokens that the log does not hold, by the usage that is recorded", size)
	if f.unknown > 0 {
		text += fmt.Sprintf("; for %s without a record they count as 0", plain.Count(f.unknown, "session"))
	}
	return text
}

// money returns a cell for a cost in dollars, or None without a price.
func money(cost, price float64) export.Cell {
	return export.Number(turns.Price(cost, price), 4).If(price != 0 && !math.IsNaN(cost))
}

// sayPlans says which of the plans of agents that fit costs least, and where those that others offer
// come from.
func (t *turnTotals) sayPlans() (lines []string) {
	if len(t.ruled) == 0 || t.sessions == 0 {
		return nil
	}
	first := len(t.plans) - len(t.ruled)
	if least := turns.CheapestThatFits(t.totals[first:]); least >= 0 {
		line := "of the plans " + t.plans[first+least].Name + " costs least"
		if ratio, ok := t.ratio(t.totals[first+least]); ok {
			line += ": " + plain.Compared(ratio, t.firstName())
		}
		lines = append(lines, line)
	}
	for _, p := range t.ruled {
		name, _, _ := strings.Cut(p.Name, ":")
		if preset, ok := turns.FindPreset(name); ok {
			lines = append(lines, fmt.Sprintf("%s: %s (%s); the original differs: %s", preset.Name, preset.Source, preset.Date, preset.Differs))
		}
	}
	if len(t.idle) > 0 {
		lines = append(lines, "exclude: no tool and no kind of an item is called "+plain.Line(strings.Join(slices.Compact(t.idle), ", "), 80))
	}
	return lines
}

// cost returns a cell for a cost in input tokens. A person reads it rounded to a
// whole number.
func cost(c float64) export.Cell {
	return export.Number(c, 0).But(model.Tokens(c + .5).String())
}

// billing returns what the sessions are billed by: where that differs, a cache without numbers.
func (t *turnTotals) billing() turns.Billing {
	if len(t.billings) == 1 {
		return t.billings[0]
	}
	return turns.Billing{Cache: turns.Cache{Name: "each model's own", Step: 1}}
}

// price returns a cell for the price of all sessions under a plan; None where the price of
// any session is not known.
func (t *turnTotals) price(plan int) export.Cell {
	return export.Number(t.money[plan], 4).If(t.unpriced == 0)
}

// sayPrice says what the column price is in; "" where the price of any session is not known.
func (t *turnTotals) sayPrice() string {
	if t.unpriced > 0 {
		return ""
	}
	return "; price: in dollars"
}

// priceFacts returns the prices that the costs are computed from.
func (t *turnTotals) priceFacts(by turns.Billing) []export.Fact {
	from, unit := "none", "dollars"
	if t.unpriced > 0 {
		unit = "input tokens"
	}
	switch {
	case t.fixed.given > 0:
		from = string(turns.FixedGiven)
	case t.fixed.recorded > 0:
		from = string(turns.FixedRecord)
	}
	low, high, ranged := t.grid.Range()
	ranged = ranged && t.totals[everything].Over == 0
	return []export.Fact{
		{Name: "priceUnit", Value: export.Word(unit)},
		{Name: "inputPrice", Value: export.Number(by.Input, 2).If(by.Input > 0)},
		{Name: "longFrom", Value: export.Tokens(by.Long).If(by.Long > 0)},
		{Name: "longFactor", Value: export.Number(by.LongFactor, 2).If(by.Long > 0)},
		{Name: "fixedPrefix", Value: export.Tokens(t.fixed.min).If(t.fixed.min == t.fixed.max)},
		{Name: "fixedPrefixFrom", Value: export.Word(from)},
		{Name: "costRatioLow", Value: export.Number(low, 4).If(ranged)},
		{Name: "costRatioHigh", Value: export.Number(high, 4).If(ranged)},
	}
}

// sayCache returns the parameters of a cache in words.
func sayCache(c turns.Cache) string {
	if c.Minimum > model.MaxTokens {
		return "no cache"
	}
	if c.Write == 0 && c.Read == 0 && c.Source == "" && c.Minimum == 0 { // several, see billing
		return c.Name + " cache"
	}
	text := fmt.Sprintf("cache %s: a token read costs %v, written %v; prompts kept from %v tokens on", c.Name, c.Read, c.Write, c.Minimum)
	if c.Step > 1 {
		text += fmt.Sprintf(", in steps of %v", c.Step)
	}
	if c.Input > 0 {
		text += fmt.Sprintf(", %v dollars for a million input tokens", c.Input)
	}
	if c.Long > 0 {
		text += fmt.Sprintf(" (%v times as much in prompts of more than %v)", c.LongFactor, c.Long)
	}
	return text
}
