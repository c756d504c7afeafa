package explorer

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/policy"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// screens are what keys can go to. The views lie at the bottom, one of them
// shown; over it lie an item that is read, an overlay, a line that is typed. Keys
// go to the topmost, or to the knobs beside the main area.
type screens struct {
	views  []screen.View
	shown  int // the view on the screen
	kept   model.Option[kept]
	back   model.Option[departed] // the view that esc leads back to
	filter query.Query            // what the views show, typed
	listed query.Query            // what Items shows in its place: a list that a key asks for
	stack  []screen.Screen        // over the view, the topmost last
	specs  map[screen.Screen]*screen.Spec
	knobs  pane.KnobPane
	editor *policy.Editor // of the policy: it opens on the row that it was left on
	focus  focus
	pool   *work.Pool // of what they compute
}

// kept is the selected item while the view on the screen cannot show it.
type kept struct {
	item  int
	under int // the item under the cursor meanwhile, or -1; once it is another, the user has selected that
}

// departed is a view that was left for a while, and the item that was selected though the
// view does not show it.
type departed struct {
	view int
	kept model.Option[kept]
}

// focus is which part the cursor keys move in.
type focus int

const (
	onTable focus = iota
	onKnobs
)

// register stores the Spec of a screen.
func (s *screens) register(one screen.Screen) {
	spec := one.Spec()
	s.specs[one] = &spec
}

// specOf returns the Spec of a view or of a screen on the stack.
func (s *screens) specOf(one screen.Screen) *screen.Spec { return s.specs[one] }

// spec returns the Spec of the view that is shown.
func (s *screens) spec() *screen.Spec { return s.specOf(s.view()) }

// each calls do with the Spec of each view, then of each screen on the stack.
func (s *screens) each(do func(spec *screen.Spec)) {
	for _, v := range s.views {
		do(s.specOf(v))
	}
	for _, over := range s.stack {
		do(s.specOf(over))
	}
}

// view returns the view that is shown.
func (s *screens) view() screen.View { return s.views[s.shown] }

// viewKey returns the key of a view.
func (s *screens) viewKey(name string) string { return strconv.Itoa(s.viewNamed(name) + 1) }

// items returns the view of all items.
func (s *screens) items() screen.View { return s.views[0] }

// list returns the list of all items.
func (s *screens) list() *widget.ItemList { return s.specOf(s.items()).List }

// viewNamed returns the index of a view, or -1 if there is none.
func (s *screens) viewNamed(name string) int {
	return slices.IndexFunc(s.views, func(v screen.View) bool { return strings.EqualFold(s.specOf(v).Name, name) })
}

// reset forgets everything that belongs to the session before.
func (s *screens) reset() {
	s.closeAll()
	for _, v := range s.views {
		v.Reset()
	}
	s.setFilter(query.Query{})
	s.kept = model.Option[kept]{}
	s.knobs, s.focus = pane.KnobPane{}, onTable
	s.editor.Reset()
}

// open puts a screen on top, in place of one of its kind.
func (s *screens) open(top screen.Screen) {
	s.register(top)
	if s.specOf(top).Place != screen.Footer {
		s.leave()
	}
	s.closeIf(func(other screen.Screen) bool { return reflect.TypeOf(other) == reflect.TypeOf(top) })
	s.stack = append(s.stack, top)
}

// closeIf closes the screens over the view for which holds returns true.
func (s *screens) closeIf(holds func(other screen.Screen) bool) {
	s.stack = slices.DeleteFunc(s.stack, func(other screen.Screen) bool {
		if !holds(other) {
			return false
		}
		if w := s.specOf(other).Worker; w != nil {
			s.pool.Drop(w)
		}
		delete(s.specs, other)
		return true
	})
}

func (s *screens) close(one screen.Screen) {
	s.closeIf(func(other screen.Screen) bool { return other == one })
}

// closeAll closes everything over the view.
func (s *screens) closeAll() { s.closeIf(func(screen.Screen) bool { return true }) }

// top returns the topmost screen.
func (s *screens) top() screen.Screen { return s.at(screen.Footer) }

// at returns the topmost screen up to a place: at Main the view, or the item
// that is read.
func (s *screens) at(place screen.Place) screen.Screen {
	for _, over := range slices.Backward(s.stack) {
		if s.specOf(over).Place <= place {
			return over
		}
	}
	return s.view()
}

// viewOnTop reports whether nothing lies over the view but a line that is typed.
func (s *screens) viewOnTop() bool { return s.at(screen.Over) == screen.Screen(s.view()) }

// typing reports whether the user is typing a line.
func (s *screens) typing() bool { return s.specOf(s.top()).Key != nil }

// reading reports whether an item is open.
func (s *screens) reading() bool { return s.at(screen.Main) != screen.Screen(s.view()) }

// over returns the overlay over the main area, and false if there is none.
func (s *screens) over() (screen.Screen, bool) {
	top := s.at(screen.Over)
	return top, s.specOf(top).Place == screen.Over
}

// cursor returns what the keys for moving move: the cursor of an overlay, of the knobs if they
// have the focus, or else of the main area; nil if there is none.
func (s *screens) cursor() screen.Cursor {
	switch top, over := s.over(); {
	case !over && s.focus == onKnobs:
		return &s.knobs
	case s.viewOnTop():
		return s.view()
	default:
		return s.specOf(top).Cursor
	}
}

// wheels returns what the mouse wheel moves, which may be a screen that takes all keys
// itself; nil if it moves nothing.
func (s *screens) wheels() func(by int) {
	if c := s.cursor(); c != nil {
		return c.Move
	}
	return s.specOf(s.at(screen.Over)).Wheel
}

// knob returns the knob that keys turn, of the screen on top or of the pane.
func (s *screens) knob() (experiment.Knob, bool) {
	if knob := s.specOf(s.at(screen.Over)).Knob; knob != nil {
		return knob()
	}
	return s.knobs.Current()
}

// selected returns the item that keys act on.
func (s *screens) selected() (int, bool) {
	if read := s.specOf(s.at(screen.Main)).Reading; read != nil {
		return read(), true
	}
	return s.view().Selected()
}

// under returns the item under the cursor of the view, or -1 if there is none.
func (s *screens) under() int {
	if i, ok := s.view().Selected(); ok {
		return i
	}
	return -1
}

// stays returns the item that the next view selects: the kept item until the user moves the
// cursor, and then the item under the cursor.
func (s *screens) stays() (int, bool) {
	if s.kept.Set && s.kept.Value.under != s.under() {
		s.kept = model.Option[kept]{}
	}
	if s.kept.Set {
		return s.kept.Value.item, true
	}
	return s.view().Selected()
}

// carried is like stays, but returns the item that is open, if one is.
func (s *screens) carried() (int, bool) {
	if s.reading() {
		return s.selected()
	}
	return s.stays()
}

// keep has an item stay selected, wherever the cursor of the view is.
func (s *screens) keep(item int) {
	s.kept = model.Option[kept]{}
	if under := s.under(); under != item {
		s.kept = model.Some(kept{item, under})
	}
}

// keepingSelected calls change, which may move the cursor of the view although the user does
// not: the same item stays selected, unless a filter now hides it or it is gone.
func (m *Model) keepingSelected(change func()) {
	item, ok := m.stays()
	change()
	if ok && item < m.exp.Items().Len() && (m.kept.Set || m.filterHere().IsZero()) {
		m.keep(item)
	}
}

// selectItem puts the cursor of the view on an item and reports whether the view shows it.
func (s *screens) selectItem(item int) bool {
	s.kept = model.Option[kept]{}
	return s.view().Select(item)
}

// needsCursor returns why keys that act on the item under the cursor do nothing.
func (s *screens) needsCursor() string {
	if why := s.whyNoItem(); why != "" {
		return why
	}
	if _, ok := s.selected(); !ok {
		return "no item is selected"
	}
	return ""
}

// whyNoItem returns why no item can be selected on the screen, or "" if one can.
func (s *screens) whyNoItem() string {
	if s.specOf(s.at(screen.Over)).Knob != nil {
		return "no item is shown here; esc closes the editor"
	}
	if s.viewOnTop() && s.spec().NoItem {
		return s.spec().Name + " shows no item; 1 shows them"
	}
	return ""
}

// depart leaves the view for another one.
func (s *screens) depart() {
	s.leave()
	if w := s.spec().Worker; w != nil {
		s.pool.Cancel(w)
	}
	if hidden := s.spec().Hidden; hidden != nil {
		hidden()
	}
}

// release has the views that are not shown drop results that are out of date.
func (s *screens) release() {
	for k, v := range s.views {
		if drop := s.specOf(v).DropStale; drop != nil && k != s.shown {
			drop()
		}
	}
}

// leave tells the view that keys go elsewhere now.
func (s *screens) leave() {
	if leave := s.spec().Leave; leave != nil {
		leave()
	}
}

func (s *screens) changeFocus() {
	s.leave()
	s.focus = 1 - s.focus
}

// filterHere returns the filter of the view that is shown.
func (s *screens) filterHere() query.Query {
	if s.listing() {
		return s.listed
	}
	return s.filter
}

// listing reports whether Items is shown, with a list that a key asked for.
func (s *screens) listing() bool { return s.shown == 0 && !s.listed.IsZero() }

// setList has Items alone show only the items that the query matches, in place of the filter; the zero
// query ends that. Other views go on showing what belongs together.
func (s *screens) setList(q query.Query) {
	s.listed = q
	if q.IsZero() {
		q = s.filter
	}
	s.specOf(s.views[0]).Filter(q)
}

// setFilter shows in all views only the items that the query matches.
func (s *screens) setFilter(q query.Query) {
	s.filter, s.listed = q, query.Query{}
	s.each(func(spec *screen.Spec) {
		if spec.Filter != nil {
			spec.Filter(q)
		}
	})
}

const itemIsOpen = "an item is open; esc closes it"

// whyNoFilter returns why the view that is shown has no filter, or "" if it has.
func (s *screens) whyNoFilter() string {
	if s.reading() {
		return itemIsOpen
	}
	if s.spec().Filter == nil {
		return "this view has nothing to filter"
	}
	return ""
}

func (s *screens) needsFilter() string {
	if s.filterHere().IsZero() {
		return "there is no filter; / sets one"
	}
	return s.whyNoFilter()
}
