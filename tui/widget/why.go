package widget

import (
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
)

// Why returns why item i is in or out, in the longest form that fits into width cells. It
// is empty for an item that is simply in, so that a text in the column calls for attention,
// and while the reasons are not known.
func Why(o *experiment.Outcome, i, width int) string {
	for _, f := range whyForms(o, i) {
		if draw.Width(f) <= width {
			return f
		}
	}
	return ""
}

// Unfit names what keeps item i out, which does not fit or is not preferred, in the words
// of Why where they hold for many items: "share is full", and otherwise "do not fit". While
// the reasons are not known, it is "do not fit".
func Unfit(o *experiment.Outcome, i int) string {
	if o.Reasons == nil || o.Report.Given != nil {
		return "do not fit"
	}
	switch r := o.Reasons.Of(i); {
	case r.Obstacle == simulate.CutOff:
		return "cut off"
	case r.Kind != "" && (r.Obstacle == simulate.Short || r.Obstacle == simulate.NothingLeft),
		r.Obstacle == simulate.OverShare, r.Obstacle == simulate.OutsideBest, r.Obstacle == simulate.Stopped, r.Obstacle == simulate.NoValue:
		return whyForms(o, i)[0]
	}
	return "do not fit"
}

func whyForms(o *experiment.Outcome, i int) []string {
	switch code := o.Report.Codes[i]; {
	case code == model.Pinned:
		return []string{"pinned"}
	case code == model.ZeroToken:
		return []string{"no tokens"}
	case o.AtRisk(i):
		return []string{"at risk"}
	case o.Report.Given != nil && !code.Included(): // as recorded
		words := export.Words(o.Report.Reason(i))
		needs, _, _ := strings.Cut(words, ",")
		return []string{words, needs, export.Words(model.Reason{Code: code, Bare: true}), "out"}
	case code.Included() || o.Reasons == nil:
		return nil
	}
	r := o.Reasons.Of(i)
	short := []string{r.Short.String() + " short", r.Short.Short() + " short", "short"}
	switch r.Obstacle {
	case simulate.NoRoom:
		return []string{"no room"}
	case simulate.OverRoom:
		return []string{"larger than the room", "over room"}
	case simulate.OverShare:
		return []string{"larger than its share", "over its share", "over share"}
	case simulate.Short:
		if r.Kind != "" {
			return []string{"share is full", "share full"}
		}
		return short
	case simulate.NothingLeft:
		if r.Kind != "" && r.Share == 0 {
			return []string{"its share is 0", "share is 0"}
		}
		if r.Kind != "" {
			return []string{"share is full", "share full"}
		}
		return []string{"nothing left", "0 left"}
	case simulate.OutsideBest:
		return []string{"not in the best set", "not in best", "not best"}
	case simulate.Stopped:
		return []string{"after the cut-off", "after cut"}
	case simulate.NoValue:
		return []string{"worth nothing", "no value"}
	case simulate.OverCap:
		return []string{"cap of " + strconv.Itoa(r.Cap) + " is full", "cap is full", "cap full"}
	case simulate.CutOff:
		return append([]string{"cut off, " + short[0]}, "cut off")
	case simulate.IsDuplicate:
		name := "#" + strconv.Itoa(r.By)
		return []string{"same as " + name, "dup " + name, name, "dup"}
	case simulate.IsNegative:
		return []string{"negative tokens", "negative"}
	case simulate.IsExcluded:
		return []string{"excluded"}
	}
	return []string{"not selected", "out"}
}
