package replay

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// lesson says in a sentence or two what a policy's slicer does.
func lesson(p model.Policy) string {
	switch {
	case len(p.Quotas) > 0:
		return "Quotas divide the room among the kinds: what a kind requires, and of the rest a part by its tokens, up to its cap. Then " + fills(p) + "."
	case len(p.CountQuotas) > 0:
		return "Count quotas commit the best of a kind first, whatever they cost. Then " + fills(p) + ", and what is above a cap is dropped."
	}
	name := string(p.Slicer)
	return strings.ToUpper(name[:1]) + name[1:] + whose(p) + p.SlicerDoes()
}

// clauses returns a text, and it without its last clause, without the last two, and so on.
func clauses(text string) []string {
	var all []string
	for text = strings.TrimSuffix(text, "."); text != ""; text = text[:max(0, strings.LastIndexAny(text, ".,:"))] {
		all = append(all, text+".")
	}
	return all
}

// whose stands between the name of a slicer and what it does.
func whose(p model.Policy) string {
	if p.Slicer.Ours() {
		return ", which is not Cupel's, "
	}
	return " "
}

// fills returns how the slicer within quotas fills each share, or what count quotas leave.
func fills(p model.Policy) string {
	what := "each share"
	if len(p.CountQuotas) > 0 {
		what = "what they leave"
	}
	return string(p.Slicer) + whose(p) + p.SlicerFills(what)
}

func tokens(t slicer.Target) string { return plain.Thousands(t) }

// about marks numbers of tokens while any count is an estimate.
func (p *View) about() string { return export.Mark(p.of.Items, false) }

// tokens writes a number of tokens, not of buckets.
func (p *View) tokens(t slicer.Target) string { return p.about() + tokens(t) }

// heading returns what a step opens, the longest form first.
func (p *View) heading(step int) []string {
	s := &p.steps[step]
	switch o := s.Opens.(type) {
	case slicer.KindShare:
		name := o.Kind.Noun()
		return []string{
			name + ": a share of " + p.about() + plain.Count(int(o.Target), "token") + " for " + plain.Count(o.Candidates, "item"),
			name + ": share " + p.tokens(o.Target),
		}
	case slicer.TableOutline:
		buckets := plain.Count(int(o.Capacity), "bucket")
		head := plain.Count(o.Candidates, "item") + widget.Verb(o.Candidates, " competes", " compete") + " for " + buckets + " of " + s.Unit.String()
		long := head
		if next := p.opening(step) + 1; next < len(p.opens) {
			if free := int(p.opens[next]) - step - 1; free > 0 {
				all := plain.Count(o.Candidates+free, "item")
				long = all + ": " + plain.Thousands(free) + " without tokens" + widget.Verb(free, " is", " are") + " in; " +
					plain.Thousands(o.Candidates) + widget.Verb(o.Candidates, " competes", " compete") + " for " + buckets + " of " + s.Unit.String()
				head = all + " (" + plain.Thousands(free) + " without tokens), " + buckets + " of " + s.Unit.String()
			}
		}
		full := long
		if o.Worthless > 0 {
			full += "; " + plain.Thousands(o.Worthless) + " without a row: score below 0.0001"
		}
		return []string{full, long, head, buckets}
	case slicer.Requirement:
		name := o.Quota.Kind.Noun()
		return []string{
			fmt.Sprintf("%s requires %d: the best %d of %d, whatever they cost", name, o.Quota.Require, o.Satisfied, o.Have),
			fmt.Sprintf("%s requires %d", name, o.Quota.Require),
		}
	case slicer.BatchOf:
		head := fmt.Sprintf("batch %v of %v", plain.Thousands(o.Number), plain.Thousands(o.Of))
		if !o.Begun {
			return []string{head + ": not begun, nothing is left", head + ": not begun"}
		}
		return []string{head + ": " + plain.Count(o.Candidates, "item") + ", the best first", head}
	case slicer.Filling:
		return p.phase(s, o)
	}
	return []string{""}
}

// phase returns how a phase fills the room.
func (p *View) phase(s *pipeline.Step, o slicer.Filling) []string {
	n := plain.Count(o.Candidates, "item")
	switch s.Phase {
	case slicer.ByDensity:
		return []string{"by score per token: a room of " + p.tokens(s.Left) + " for " + n, "by score per token"}
	case slicer.ByScore:
		return []string{"by score: a room of " + p.tokens(s.Left) + " for " + n, "by score"}
	case slicer.WalkBack:
		if p.filling {
			return []string{"a row for each item, the highest score first", "a row for each item"}
		}
		return []string{"which items are in the best set? The lowest score first", "which items are in?"}
	case slicer.Notes:
		return []string{"notes in place of what is out: a line each, for " + p.tokens(s.Left) + " left (not Cupel's)", "notes: " + p.tokens(s.Left) + " left"}
	case slicer.FillRest:
		return []string{"the rest: " + p.about() + plain.Count(int(s.Left), "token") + " for " + n, "the rest: " + p.tokens(s.Left)}
	case slicer.EnforceCaps:
		return []string{"caps: what was put out, in that order; " + n + " of kinds that have more than their cap", "caps: " + n}
	case slicer.Truncation:
		return []string{"over the target: " + plain.Pinned + " items stay, others while they fit into " + p.tokens(s.Left), "over the target of " + p.tokens(s.Left)}
	}
	return []string{""}
}

// noteOf returns the arithmetic of a phase, written out, or "" if it has none.
func (p *View) noteOf(s *pipeline.Step, room slicer.Target) string {
	switch o := s.Opens.(type) {
	case slicer.KindShare:
		return p.shareNote(o, room)
	case slicer.Requirement:
		if o.Satisfied < o.Quota.Require {
			return fmt.Sprintf("Only %d of the %d that are required exist.", o.Satisfied, o.Quota.Require)
		}
		return "At most " + plain.Thousands(o.Quota.Cap) + " may be in."
	case slicer.Filling:
		if s.Phase == slicer.EnforceCaps {
			return "What a cap drops stays out, and its room stays free."
		}
	}
	return ""
}

// shareNote returns how the share of a kind is computed, in numbers, by the formulas of
// the chapter QuotaSlice.
func (p *View) shareNote(o slicer.KindShare, room slicer.Target) string {
	if o.Cap <= o.Require {
		return "Its share is " + p.tokens(o.Target) + ": it requires " + widget.Share(o.Quota.Require()) + " of " + p.tokens(room) + ", and its cap allows no more."
	}
	part := fmt.Sprintf("part by tokens is %s (%v of %v)", p.tokens(o.Shared), p.about()+plain.Thousands(o.Mass), p.about()+plain.Thousands(o.Sharing))
	text := "Its " + part
	if o.Quota.Require() > 0 {
		text = "It requires " + widget.Share(o.Quota.Require()) + " of " + p.tokens(room) + ", " + p.tokens(o.Require) + "; of the other " + p.tokens(o.Unassigned) + " its " + part
	}
	switch {
	case o.Target < o.Require+o.Shared:
		text += ", capped at " + widget.Share(o.Quota.Cap()) + ": " + p.tokens(o.Target)
	case o.Require > 0:
		text += ", together " + p.tokens(o.Target)
	}
	return text + "."
}

// stepGlyph returns the mark of a step's verdict and its role.
func stepGlyph(g *theme.Glyphs, s *pipeline.Step) (rune, theme.Role) {
	switch {
	case s.At < 0:
		return g.Pinned, theme.Pin
	case s.Verdict == slicer.Dropped:
		return g.Excluded, theme.Loss
	case s.Verdict.In():
		return g.In, theme.In
	}
	return g.Out, theme.Out
}

// sized returns the mark of a step that takes a smaller size or decides on a note, and why
// it does, the longest form first; nil for any other step.
func (p *View) sized(g *theme.Glyphs, s *pipeline.Step) (rune, []string) {
	in, need, left := p.of.Ranking.Input(), p.tokens(s.Need), p.tokens(s.Left)
	switch at := int(s.At); {
	case at < in.Len():
		return 0, nil
	case in.IsNote(at) && s.Verdict.In():
		return g.Note, []string{"out, a note of " + need + " in its place", "a note of " + need, "a note"}
	case in.IsNote(at):
		return g.Out, []string{"no room for its note of " + need + ", " + left + " left", "no room for its note", "no note"}
	}
	return g.Cut, []string{"whole does not fit, " + need + " does", "not whole, " + need + " fits", need + " fits", "cut"}
}

// because returns why a step decides as it does, the longest form first.
func (p *View) because(s *pipeline.Step) []string {
	need, left := p.tokens(s.Need), p.tokens(s.Left)
	switch s.Verdict {
	case slicer.Free:
		return []string{export.CodeWord(model.ZeroToken)}
	case slicer.Committed:
		return []string{fmt.Sprintf("required, %d of %d", s.Number, s.Of), "required"}
	case slicer.Kept:
		if s.At < 0 {
			return []string{plain.Pinned + ", stays", plain.Pinned}
		}
		if s.Phase == slicer.EnforceCaps {
			return []string{fmt.Sprintf("stays, %d of %v", s.Number, plain.Thousands(s.Of)), "stays"}
		}
		return []string{"stays"}
	case slicer.Dropped:
		if s.Phase == slicer.EnforceCaps {
			return []string{fmt.Sprintf("dropped, cap %v reached", plain.Thousands(s.Of)), "cap reached", "cap"}
		}
		return []string{"dropped, needs " + need + ", " + left + " left", "dropped, " + left + " left", "dropped"}
	case slicer.Taken:
		if s.Phase == slicer.WalkBack {
			return []string{"in the best set", "best set"}
		}
		return []string{"fits"}
	}
	if s.Why > slicer.NoRoom { // these have no numbers
		return export.WhyOut(simulate.Reason{Obstacle: simulate.ObstacleOf(&s.Step)}, nil, model.Policy{}, false).Forms
	}
	short := s.Need - s.Left
	if s.Unit > 1 {
		return []string{"lacks " + plain.Count(int(short), "bucket"), "lacks " + tokens(short)}
	}
	lacks := "lacks " + p.tokens(short)
	if int(s.Need) < int(p.takes(s)) { // the row has the tokens of the whole
		return []string{lacks + " of " + need, lacks, "too big"}
	}
	return []string{lacks, "too big"}
}
