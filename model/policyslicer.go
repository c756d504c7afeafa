package model

// SlicerType names a slicer, spelled as in policy JSON.
type SlicerType string

// The slicers. Rank and Prefix are not Cupel's: see SlicerType.Ours.
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

// SlicerTypes lists the slicers that a policy may name, in the order in which to
// offer them. Quotas are no type: they wrap a slicer.
func SlicerTypes() []SlicerType {
	var all []SlicerType
	for _, t := range slicerTypes() {
		all = append(all, t.name)
	}
	return all
}

// Ours reports whether a slicer is not one of Cupel's: it is a baseline of this
// program, and no other reads a policy that names it.
func (t SlicerType) Ours() bool { return t.row().ours }

// Divisible reports whether a slicer can fill the share of a kind, as quotas and
// count quotas ask.
func (t SlicerType) Divisible() bool { return !t.row().undivided }

// InOrder reports whether a slicer fills in the order of the scores, whatever an
// item costs.
func (t SlicerType) InOrder() bool { return t.row().inOrder }

func (t SlicerType) row() slicerType {
	for _, row := range slicerTypes() {
		if row.name == t {
			return row
		}
	}
	return slicerType{}
}
