package slicer

// Shifts describes how a slicer divides the target among kinds. If it does, a
// larger target changes the shares, and the Cupel specification (chapter Budget
// Simulation) rules out a search for budgets. The zero Shifts is that of a slicer
// with one target for all kinds.
type Shifts struct {
	Percentages bool // quotas give kinds percentages of the target
	Counts      bool // quotas bound the number of items of a kind
}

// Shifter is a Slicer that divides the target among kinds. A Slicer that is not
// a Shifter has one target for all kinds.
type Shifter interface {
	// Shifts returns how the slicer divides the target.
	Shifts() Shifts
}

// ShiftsOf returns s.Shifts() if s is a Shifter, else the zero Shifts.
func ShiftsOf(s Slicer) Shifts {
	if shifter, ok := s.(Shifter); ok {
		return shifter.Shifts()
	}
	return Shifts{}
}
