package model

// SlicerType names a slicer, spelled as in policy JSON.
type SlicerType string

// The slicers. Rank and Prefix are not part of Cupel: see SlicerType.Ours.
const (
	Greedy   SlicerType = "greedy"
	Knapsack SlicerType = "knapsack"
	Stream   SlicerType = "stream"
	Rank     SlicerType = "rank"   // by score, each item that still fits
	Prefix   SlicerType = "prefix" // by score, up to the first item that does not fit
)

// slicerType is a row of the table of slicers. Their parameters are members of
// the policy.
type slicerType struct {
	name      SlicerType
	ours      bool
	undivided bool // has one target for all kinds, and so no quotas of either sort
	inOrder   bool // fills in the order of the scores
}

func slicerTypes() []slicerType {
	return []slicerType{
		{name: Greedy},
		{name: Knapsack},
		{name: Stream, undivided: true},
		{name: Rank, ours: true, inOrder: true},
		{name: Prefix, ours: true, inOrder: true},
	}
}

// SlicerTypes returns the slicers that a policy may name, in the order in which
// an editor offers them. Quotas are not among them: they divide the work of a
// slicer by kind.
func SlicerTypes() []SlicerType {
	var all []SlicerType
	for _, t := range slicerTypes() {
		all = append(all, t.name)
	}
	return all
}

// Ours reports whether the slicer is a baseline of this program and not part of
// Cupel: no other program reads a policy that names it.
func (t SlicerType) Ours() bool { return t.row().ours }

// Divisible reports whether the slicer can be used with quotas and count
// quotas, which divide the target by kind.
func (t SlicerType) Divisible() bool { return !t.row().undivided }

// InOrder reports whether the slicer takes items in the order of their scores,
// whatever they cost.
func (t SlicerType) InOrder() bool { return t.row().inOrder }

func (t SlicerType) row() slicerType {
	for _, row := range slicerTypes() {
		if row.name == t {
			return row
		}
	}
	return slicerType{}
}
