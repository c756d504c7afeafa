package widget

import (
	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// SideRole returns the colour of the policy of a side.
func SideRole(s experiment.Side) theme.Role { return [...]theme.Role{theme.SideA, theme.SideB}[s] }

// SideLook is how a chart of both sides draws one: as an area, as a line, as a line over the area of the
// other, and the current budget over its area.
type SideLook struct{ Area, Line, Over, Here theme.Role }

// LookOf returns how a chart of both sides draws a side.
func LookOf(s experiment.Side) SideLook {
	return [...]SideLook{{theme.AreaA, theme.LineA, theme.AOverB, theme.HereA}, {theme.AreaB, theme.LineB, theme.BOverA, theme.HereB}}[s]
}

// PolicyName returns a name made of side, slicer and the name of the policy: "A greedy · chat". A
// policy that was changed is no longer what its name says: "B knapsack 100".
func PolicyName(s experiment.Side, p model.Policy) string {
	name := s.String() + " " + SlicerName(p)
	if title := p.Title(); title != "" && title == p.Name {
		name += " · " + CleanName(title)
	}
	return name
}

// PolicyNames returns forms of PolicyName, the longest first: what every view calls a policy, in the longest
// form that fits. With quotas the slicer alone would be another policy.
func PolicyNames(s experiment.Side, p model.Policy) []string {
	named, short := s.String()+" "+SlicerName(p), s.String()+" "+bareSlicer(p)
	if len(p.Quotas)+len(p.CountQuotas) > 0 {
		short = named
	}
	return []string{PolicyName(s, p), named, short}
}

// SamePolicy says that A and B are the same policy, and the key that makes B another one; "" if
// they differ.
func SamePolicy(s experiment.Setup) string {
	a, b := s.Policy[experiment.A], s.Policy[experiment.B]
	if !a.Same(b) {
		return ""
	}
	return "A and B are the same policy: X makes B " + bareSlicer(experiment.OtherSlicer(b))
}

// SlicerName returns the name of the slicer, with the parameters that distinguish it from
// others of its type.
func SlicerName(p model.Policy) string {
	name := bareSlicer(p)
	if p.Slicer.Ours() {
		name += " (not Cupel's)"
	}
	switch {
	case len(p.Quotas) > 0:
		return name + " + quotas"
	case len(p.CountQuotas) > 0:
		return name + " + counts"
	case p.KeepPairs:
		return name + " + pairs (not Cupel's)"
	}
	return name
}

// bareSlicer returns the type of the slicer, and its size, which may be all that two slicers
// differ in.
func bareSlicer(p model.Policy) string {
	if size, ok := p.Size(); ok {
		return string(p.Slicer) + " " + size.Value.String()
	}
	return string(p.Slicer)
}
