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

// sayPlans says which of the plans of agents costs least, and where those that others offer
// come from.
func (t *turnTotals) sayPlans() (lines []string) {
	if len(t.ruled) == 0 || t.sessions == 0 {
		return nil
	}
	first := len(t.plans) - len(t.ruled)
	if least := turns.Least(t.totals[first:]); least >= 0 {
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
