package theme

// Role is what a cell means.
type Role uint8

const (
	Plain   Role = iota // ordinary text
	Dim                 // secondary text, units, excluded items
	Strong              // headings, numbers that matter
	Frame               // borders
	Focus               // borders and titles of the focused pane: no colour, those are for policies
	Key                 // a key in a hint
	In                  // an included item
	Out                 // an excluded item
	Risk                // included, but lost within the slack
	Pin                 // pinned
	Dup                 // duplicate
	Needed              // marked as needed
	Gain                // an item that came in, a positive difference
	Loss                // an item that went out, a negative difference
	CameIn              // an item that the newest change brought in, on its row
	WentOut             // an item that it took out
	Warn                // an assumption that the user should know about
	Error               // an error
	SideA               // policy A
	SideB               // policy B

	AreaA // a large area of policy A, calmer than its text
	AreaB
	LineA // the line of policy A in a chart
	LineB
	Both   // an area of neither
	BOverA // the line of policy B in front of the area of policy A
	AOverB // the line of policy A in front of the area of policy B
	HereIn // the current budget over an area of StripIn, which stays behind it
	HereA  // the same over an area of AreaA
	HereB

	HeatLess1 // a number that is less than what it is compared with, on a ground that says by how much
	HeatLess2
	HeatLess3
	HeatMore1 // one that is more
	HeatMore2
	HeatMore3

	BarPinned
	BarSelected
	BarRisk // an item that is at risk
	BarFree
	BarHeld
	BarSafety
	BarOutput
	BarAbove     // the room between the target and what the maximum would allow
	BarBeyond    // the part of a cost that is beyond what it is compared with: an area, calmer than Loss
	CacheWritten // tokens at full price or more
	CacheRead
	Uncached   // tokens of a prompt that no cache stores
	CacheSplit // a cell of both: the glyph, one of Filled, is what is read, the background what is written

	StripIn   // in at every budget of the column; the area of what is less than it is compared with
	HungIn    // the same in the upper part of a cell: the glyph is what it leaves out
	StripSome // in at some of them: the item comes and goes
	StripOut
	StripHere // the column of the current budget

	Match // text that the filter found
	Input // text being typed

	roles
)

// area reports whether a role is drawn as an area, and not as text.
func (r Role) area() bool { return AreaA <= r && r <= StripHere }

// Area returns the role of a bar or an area that means what texts of the role mean.
func (r Role) Area() Role {
	switch r {
	case In, Gain:
		return BarSelected
	case Risk:
		return BarRisk
	case Pin:
		return BarPinned
	case Loss:
		return BarBeyond
	case SideA, LineA:
		return AreaA
	case SideB, LineB:
		return AreaB
	}
	return r
}

// Attr changes how a role is shown.
type Attr uint8

const (
	Selected Attr = 1 << iota // the row under the cursor
	Old                       // part of a result that is out of date
	Later                     // still to come, or of another item: as readable as secondary text, whatever the role
	attrs    = 8
)
