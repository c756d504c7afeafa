package command

import (
	"cmp"
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
)

// fixedParts sums up the fixed parts of sessions.
type fixedParts struct {
	recorded, given, unknown int
	least, most              model.Tokens // of those that are known
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
		f.least = part.Tokens
	}
	f.least, f.most = min(f.least, part.Tokens), max(f.most, part.Tokens)
}

// say returns what the prompts begin with, on one line.
func (f fixedParts) say() string {
	size := f.least.String()
	if f.most > f.least {
		size += " to " + f.most.String()
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

// money returns a cell for a cost in the currency of the price, or None without a
// price.
func money(cost, price float64) export.Cell {
	if price == 0 || math.IsNaN(cost) {
		return export.None
	}
	return export.Number(turns.Price(cost, price), 4)
}
