package export

import (
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// Why says what keeps an item out of a result, in every length that a column, a sentence
// or a count has room for. The explorer's texts for an obstacle are all made here, so that
// one thing has one name on every view.
type Why struct {
	Forms []string // for a column, the longest first; the last has at most 12 cells
	// Group is the name under which items that are out for this reason are counted together;
	// "" for items that do not fit, whose numbers differ. Share is the kind whose share of the
	// room keeps it out; "" where none does. Both follow from the obstacle and the kind alone.
	Group, Share string
	// Clause goes behind "out, ", Numbers behind the clause: what decides, in tokens. More
	// explains what readers ask next; it goes behind the numbers. Both may be "".
	Clause, Numbers, More string
}

// WhyOut puts a reason for which an item is out into words. Report and policy are of the
// result; report may be nil for an obstacle without numbers. In ASCII ~ marks estimates.
// Names from a file are cleaned, so the texts are safe to print.
func WhyOut(r simulate.Reason, report *model.Report, p model.Policy, ascii bool) Why {
	kind, mark := r.Kind.Noun(), ""
	if report != nil && report.Items != nil {
		mark = Mark(report.Items, ascii)
	}
	tok := func(t model.Tokens) string { return mark + t.String() }
	with := ""
	if r.With.Set {
		with = fmt.Sprintf(" with #%d", r.With.Value)
	}
	needs, leaves := ": needs "+tok(r.Tokens)+with, ", the set leaves "+tok(r.Left)
	if r.Bucket > 1 {
		needs = ": costs " + tok(r.Charged) + " in buckets of " + r.Bucket.String() + with
	}
	switch r.Obstacle {
	case simulate.NoRoom:
		return Why{Forms: []string{"no room"}, Clause: "there is no room", More: ": nothing is left for items that are not " + plain.Pinned}
	case simulate.OverRoom:
		return Why{Forms: []string{CodeWord(model.PinnedOverride)}, Clause: CodeWord(model.PinnedOverride),
			Numbers: needs + ", the room is " + tok(report.Effective.Target)}
	case simulate.OverShare, simulate.Short, simulate.NothingLeft, simulate.OutsideBest:
		if kind != "" {
			return whyOutOfShare(r, kind, needs, tok, p)
		}
		if r.Obstacle == simulate.OutsideBest {
			if r.Bucket > 1 { // both are whole buckets
				needs = ": takes " + mark + plain.Count(int(r.Charged/r.Bucket), "bucket") + " of " + r.Bucket.String() + with
				leaves = ", the set leaves " + tok(r.Left/r.Bucket)
			}
			return Why{Forms: []string{"not in set"}, Group: "not in set", Clause: "not in the set",
				Numbers: needs + leaves, More: lostToBuckets(r, report, p, tok)}
		}
		if r.Obstacle == simulate.NothingLeft || r.Left == 0 {
			return Why{Forms: []string{"nothing left", "0 left"}, Clause: "nothing is left at its turn", Numbers: needs}
		}
		return Why{Forms: []string{"only " + tok(r.Left) + " left", tok(r.Left) + " left", mark + r.Left.Short() + " left"},
			Clause: "only " + tok(r.Left) + " left", Numbers: " at its turn" + needs}
	case simulate.Stopped:
		return Why{Forms: []string{"not reached"}, Group: "not reached",
			Clause: "an item before it did not fit, which ended the selection", Numbers: needs}
	case simulate.NoValue:
		return Why{Forms: []string{"worth nothing", "no value"}, Group: "worth nothing", Clause: "its score is worth nothing to the knapsack"}
	case simulate.OverCap:
		limit := fmt.Sprintf("cap of %d is full", r.Cap)
		why := Why{Forms: []string{limit, CodeWord(model.CountCapExceeded), "cap full"}, Clause: "the " + limit}
		if r.Place > 0 {
			why.Numbers = fmt.Sprintf(": in with a cap of %d", r.Cap+r.Place)
		}
		return why
	case simulate.CutOff:
		return Why{Forms: []string{"truncated, " + tok(r.Left) + " left", "truncated"}, Group: "truncated",
			Clause: "selected, then dropped by overflow truncate", Numbers: needs + ", " + tok(r.Left) + " left of the target"}
	case simulate.IsDuplicate:
		name := fmt.Sprintf("#%d", r.By)
		return Why{Forms: []string{"same as " + name, "dup " + name, name, "dup"}, Clause: "same text as " + name}
	case simulate.IsNegative:
		return Why{Forms: []string{CodeWord(model.NegativeTokens), "negative"}, Clause: "its token count is " + r.Tokens.String()}
	case simulate.IsExcluded:
		return Why{Forms: []string{CodeWord(model.Filtered)}, Clause: CodeWord(model.Filtered) + " by you", More: " (x undoes it)"}
	}
	return Why{Forms: []string{"not selected", "out"}, Clause: "not selected by " + p.SlicerName()}
}

// lostToBuckets says how many tokens a knapsack leaves free, and how many of them it loses
// because it rounds sizes up to buckets; "" where the buckets are of a part of the room or
// nothing is lost.
func lostToBuckets(r simulate.Reason, report *model.Report, p model.Policy, tok func(model.Tokens) string) string {
	if r.Bucket <= 1 || report == nil || len(p.CountQuotas) > 0 {
		return ""
	}
	room := report.Effective.Target
	free := room - report.SlicedTokens
	lost := free - r.Left - room%r.Bucket
	if lost <= 0 {
		return ""
	}
	return ", as rounding up loses " + tok(lost) + " of the " + tok(free) + " free tokens"
}

// whyOutOfShare is WhyOut for an item that its kind's share of the room keeps out.
func whyOutOfShare(r simulate.Reason, kind, needs string, tok func(model.Tokens) string, p model.Policy) Why {
	unasked := " (it has no quota, but once any kind has one, every kind has a share)"
	if slices.ContainsFunc(p.Quotas, func(q model.Quota) bool { return q.Kind.Is(r.Kind) }) {
		unasked = ""
	}
	full := []string{"share of " + tok(r.Share) + " is full", "share is full", "share full"}
	switch {
	case r.Obstacle == simulate.OverShare:
		return Why{Forms: []string{"larger than its share of " + tok(r.Share), "larger than its share", "over its share", "over share"}, Share: kind,
			Clause: "larger than " + kind + "'s share", Numbers: needs + ", the share is " + tok(r.Share), More: unasked}
	case r.Obstacle == simulate.Short, r.Obstacle == simulate.OutsideBest, r.Share > 0:
		return Why{Forms: full, Share: kind, Clause: kind + "'s " + full[1],
			Numbers: needs + "; " + tok(r.Left) + " left of its " + tok(r.Share), More: unasked}
	}
	// What no kind requires is divided in proportion to the tokens of the kinds.
	more := ": shares are divided by tokens, and it has none"
	if r.Tokens > 0 {
		more = ": needs " + tok(r.Tokens)
	}
	return Why{Forms: []string{"its share is 0", "share is 0"}, Share: kind, Clause: kind + "'s share is 0", More: more + unasked}
}
