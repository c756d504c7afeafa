package experiment

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/simulate"
)

// Impact is what a change did to the result of a side, as the line below the view shows it.
type Impact struct {
	Label   string // "budget 31,000 → 32,000"
	Change  int    // which change it is of, as Changes counts
	Side    Side
	Counted bool // better counts made it, not the user
	Pending bool // not known yet
	Err     error
	// Anew says that there was no result before: In lists all items that are in
	// now, and the sums are over the whole result.
	Anew    bool
	In, Out []int32 // items that came in and that went out, ascending
	Resized []Resize
	Tokens  model.Tokens
	Value   float64
	// Rescored says that scores have changed: Value is then by the new ones, see simulate.Gain,
	// or 0 where these are of other items. Others says that items were edited, which Value leaves out.
	// Values are the values of the results before and now.
	Rescored, Others bool
	Pins             bool    // items were pinned or released
	Doubles          []int32 // see Doubles
	Values           [2]float64
	Rescore          Rescore // what other scores make of the difference of Values; known where Others is
	Moved            int     // how many items have another score
	// Recall is the recall now, 0 to 1, and RecallWas the recall before; unset if nothing is
	// needed.
	Recall, RecallWas model.Option[float64]
	// Risk is how many items are at risk now, and RiskWas before.
	Risk, RiskWas int
	Reordered     bool      // the same items, placed in another order
	Shared        bool      // the room is divided into shares by kind now, and was not before
	Squeezed      []Squeeze // the kinds that quotas do not name; known of trials only
	// Unused is how many tokens of the room quotas leave free, where that is more than before; known
	// of trials only.
	Unused model.Tokens
}

// Moves reports whether anything of an item came in or went out.
func (im *Impact) Moves() bool { return len(im.In)+len(im.Out)+len(im.Resized) > 0 }

// Silent reports whether im says nothing that a user asked for.
func (im *Impact) Silent() bool {
	return im.Counted && !im.Pending && im.Err == nil && !im.Moves()
}

// Impact returns the impact of the newest change that Watch asks for, or false if there
// is none.
func (e *Experiment) Impact() (Impact, bool) {
	im := e.impacts[e.described]
	return im, im.Label != ""
}

// Changes returns how many changes have been made so far, including undo, redo, better counts
// and new items.
func (e *Experiment) Changes() int { return e.changes }

// Before returns the setup before the newest change, which names items by keys; unset before
// the first change, and after a change of the items.
func (e *Experiment) Before() model.Option[Setup] { return e.was }

// begin starts the impact of a change on each side. It is measured against the result on
// the screen, so changes that follow each other before they are computed count together.
func (e *Experiment) begin(label string) {
	e.changes++
	e.described = e.watched
	if other := e.sides[e.watched.Other()]; !e.sides[e.watched].pending && other.pending && !other.hidden {
		e.described = e.watched.Other() // a change of the other policy alone
	}
	for s := range e.sides {
		if side := Side(s); e.changed[s] || side == e.described {
			e.impacts[s] = Impact{Label: label, Change: e.changes, Pending: e.sides[s].pending, Side: side}
		}
	}
}

// Watch sets the side whose newest change Impact describes. A later change of the other policy
// alone is described for the other side all the same.
func (e *Experiment) Watch(s Side) {
	if e.watched != s {
		e.watched, e.described = s, s
	}
}

// ForgetOlder drops the impacts that are not of the newest change.
func (e *Experiment) ForgetOlder() {
	for s, im := range e.impacts {
		if im.Change != e.changes {
			e.impacts[s] = Impact{}
		}
	}
}

// forgetImpacts drops the impacts, which are of other items.
func (e *Experiment) forgetImpacts() {
	e.impacts, e.described, e.grown = [2]Impact{}, e.watched, grown{}
}

// grown is what both sides had before the items that were appended last.
type grown struct {
	before [2]*Outcome
	index  func(i int) (int, bool) // of an item now; false if it was removed
}

// measure measures the impact of a change on side s.
func (e *Experiment) measure(s Side, before, after *Outcome) {
	im := &e.impacts[s]
	if !im.Pending {
		return
	}
	im.Pending, im.Err = false, after.Err
	if after.Report == nil {
		return
	}
	index := sameIndex
	if was := e.grown.before[s]; before == nil && was != nil {
		before, index = was, e.grown.index
		e.grown.before[s] = nil
	}
	im.Risk, im.Recall = len(after.Lost), after.Quality.Recall
	if before == nil {
		im.RiskWas = im.Risk
		im.anew(after.Report)
		return
	}
	im.RiskWas, im.RecallWas = len(before.Lost), before.Quality.Recall
	im.compare(before.Report, after.Report, index, before.Policy, after.Policy, before.Setup.Edits.Query, after.Setup.Edits.Query)
	if before.Items.Len() != after.Items.Len() {
		return // order and scores are of other items
	}
	im.Reordered = !im.Moves() && !slices.Equal(before.Report.Included, after.Report.Included)
}

// anew makes im the impact of a change that has a result where there was none.
func (im *Impact) anew(now *model.Report) {
	im.Anew = true
	im.In, im.Tokens, im.Value = slices.Sorted(slices.Values(now.Included)), now.Kept, now.Value
}

// sameIndex is the index of an item that is where it was.
func sameIndex(i int) (int, bool) { return i, true }

// compare sets what differs between two reports, under a policy and a query before and after; index
// returns where an item of before is now. The difference of the values is by the new scores where any has
// changed; there is none where other items are scored in another way: by other scorers, or by
// hints of another query.
func (im *Impact) compare(before, after *model.Report, index func(i int) (int, bool), was, is model.Policy, asked, asks model.Query) {
	im.Tokens = after.Kept - before.Kept
	im.Shared = len(is.Quotas) > 0 && len(was.Quotas) == 0
	im.Values = [2]float64{before.Value, after.Value}
	same := len(before.Scores) == len(after.Scores)
	anew := !was.ScoresAs(is) || is.ReadsHints() && asked.Text != asks.Text
	passes := []func(){ // all processors share them: each is over all items
		func() { im.In, im.Out = cameAndWent(before, after, index) },
		func() { im.Resized = resized(before, after, index) },
		func() { im.Pins = pinsMoved(before, after) },
		func() { im.Doubles = Doubles(before, after) },
	}
	if same {
		passes = append(passes,
			func() { im.Moved = simulate.ScoresMoved(before, after) },
			func() { im.Value, im.Others = simulate.Gain(before, after) },
			func() { im.Rescore = RescoreOf(before, after) })
	} else if !anew {
		im.Value = after.Value - before.Value
	}
	relay.Spread(len(passes), func(int) int { return len(after.Codes) }, func(from, to int) {
		for _, pass := range passes[from:to] {
			pass()
		}
	})
	im.Rescored = im.Moved > 0 || anew && !same
	im.Others = im.Others || same && im.Pins
}

// Rescore splits the difference of the values of two results: some items count in one alone, and
// items that count in both may have another score.
type Rescore struct {
	By    float64 // of the items that count in both
	Items []int32 // the others, which make the rest
}

// RescoreOf splits the difference of the values of two reports of the same items.
func RescoreOf(before, after *model.Report) (r Rescore) {
	counts := func(of *model.Report, i int) bool { return of.In(i) && of.Codes[i] != model.Pinned }
	for i, code := range after.Codes {
		if code == before.Codes[i] && !code.Included() {
			continue // nearly all of a long list
		}
		score := after.Scores[i]
		switch was, is := counts(before, i), counts(after, i); {
		case was != is || was && before.Share(i) != after.Share(i):
			r.Items = append(r.Items, int32(i))
		case was && score != before.Scores[i]:
			r.By += (score - before.Scores[i]) * after.Share(i)
		}
	}
	return r
}

// pinsMoved reports whether other ones of the same items are pinned.
func pinsMoved(before, after *model.Report) bool {
	return len(before.Codes) == len(after.Codes) && !slices.EqualFunc(before.Codes, after.Codes, func(was, is model.Code) bool {
		return (was == model.Pinned) == (is == model.Pinned)
	})
}

// Doubles returns the items that are in after with the text of one that was pinned since before: a pin is
// no duplicate, so that the text is then in twice. Both reports must be of the same items, else
// there are none.
func Doubles(before, after *model.Report) (doubles []int32) {
	if len(before.Codes) != len(after.Codes) {
		return nil
	}
	pinned := map[int]bool{} // what the pinned items were duplicates of
	for i := range before.Survivors {
		if after.Codes[i] == model.Pinned && before.Codes[i] != model.Pinned {
			pinned[before.Survivor(i)] = true
		}
	}
	for i := range before.Survivors {
		if pinned[before.Survivor(i)] && after.In(i) && after.Codes[i] != model.Pinned {
			doubles = append(doubles, int32(i))
		}
	}
	return doubles
}

// cameAndWent returns the items that are in after but not in before, and the items that are in
// before but not in after, by their indexes in after, ascending. Index returns where an item of
// before is now; an item that is gone is in neither list.
func cameAndWent(before, after *model.Report, index func(i int) (int, bool)) (in, out []int32) {
	was := make([]bool, len(after.Codes))
	for _, i := range before.Included {
		if now, ok := index(int(i)); ok {
			was[now] = true
		}
	}
	return against(was, after)
}

// against compares a report with what was in before it, by item, and returns the items that came
// in and the items that went out, ascending.
func against(was []bool, after *model.Report) (in, out []int32) {
	for i := range was {
		switch is := after.In(i); {
		case is && !was[i]:
			in = append(in, int32(i))
		case was[i] && !is:
			out = append(out, int32(i))
		}
	}
	return in, out
}
