package model

// Effective is the budget that the slicer sees: what is left of a Budget for
// items that compete.
type Effective struct {
	Max    Tokens
	Target Tokens // at most Max; the "room"
	Margin Tokens // what the safety margin takes off Target
}

// Effective computes the effective budget beside pinned items of the given
// total (Cupel specification, chapter Slice, COMPUTE-EFFECTIVE-BUDGET).
func (b Budget) Effective(pinned Tokens) Effective {
	taken := pinned + b.Reserved()
	most := max(0, b.f.MaxTokens-b.f.OutputReserve-taken)
	target := min(most, max(0, b.TargetTokens()-taken))
	e := Effective{Max: AfterMargin(most, b.f.SafetyMargin), Target: AfterMargin(target, b.f.SafetyMargin)}
	e.Margin = target - e.Target
	return e
}

// Deduction is an amount that a budget loses before items compete for the rest.
type Deduction struct {
	Source  DeductionSource
	Kind    Kind // of a Slot
	Tokens  Tokens
	OnlyMax bool // the target does not lose it
}

// DeductionSource is what a Deduction is made for.
type DeductionSource int

const (
	ForOutput DeductionSource = iota // the output reserve
	ForPinned                        // the pinned items
	ForSlot                          // a reserved slot
)

// Deductions lists what the fields lose beside pinned items of the given total,
// in the order of the Cupel specification, chapter Slice. Slots of no tokens are
// left out; the safety margin, which applies to what is left, is Effective.Margin.
func (f BudgetFields) Deductions(pinned Tokens) []Deduction {
	all := []Deduction{
		{Source: ForOutput, Tokens: f.OutputReserve, OnlyMax: true},
		{Source: ForPinned, Tokens: pinned},
	}
	for _, slot := range f.ReservedSlots {
		if slot.Tokens > 0 {
			all = append(all, Deduction{Source: ForSlot, Kind: slot.Kind, Tokens: slot.Tokens})
		}
	}
	return all
}

// AfterMargin is what a safety margin of percent leaves of free tokens, at least
// 0: floor(free * (1 - percent/100)), computed as float64. It never falls as
// free grows.
func AfterMargin(free Tokens, percent float64) Tokens {
	if percent == 0 {
		return free
	}
	// Tokens below 2^41 are exact as float64; conversion truncates, which is
	// floor for numbers >= 0.
	return Tokens(float64(float64(free) * (1.0 - percent/100.0)))
}
