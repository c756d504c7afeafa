package model

// Effective is the budget that the slicer sees: what is left of a Budget for
// items that compete.
type Effective struct {
	Max    Tokens
	Target Tokens // at most Max; the "room"
}

// Effective computes the effective budget beside pinned items of the given
// total (Cupel specification, chapter Slice, COMPUTE-EFFECTIVE-BUDGET).
func (b Budget) Effective(pinned Tokens) Effective {
	taken := pinned + b.Reserved()
	most := AfterMargin(max(0, b.f.MaxTokens-b.f.OutputReserve-taken), b.f.SafetyMargin)
	target := AfterMargin(max(0, b.f.TargetTokens-taken), b.f.SafetyMargin)
	return Effective{Max: most, Target: min(most, target)}
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
