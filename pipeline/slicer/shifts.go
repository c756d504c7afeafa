package slicer

// Shifts says how a slicer divides the target among kinds of items. Where it
// does, a larger target changes the shares, and the Cupel specification
// (chapter Budget Simulation) refuses to search for budgets.
type Shifts struct {
	Percentages bool // kinds have percentages of the target
	Counts      bool // kinds have numbers of items
}

// Shifter is a Slicer that divides the target. One that is not a Shifter has
// one target for all kinds.
type Shifter interface {
	Shifts() Shifts
}

// ShiftsOf is what s says of itself; nothing if it is not a Shifter.
func ShiftsOf(s Slicer) Shifts {
	if shifter, ok := s.(Shifter); ok {
		return shifter.Shifts()
	}
	return Shifts{}
}
