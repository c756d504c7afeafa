package explorer

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"cupelscope/tui/internal/screen"
)

// everywhere is in place of a view for actions that work in all of them.
const everywhere = -1

// bound is an action and the view that it belongs to.
type bound struct {
	screen.Action
	view int // or everywhere
}

// keyTable lists the actions of all keys: first the actions that work everywhere, then the
// actions of views.
type keyTable []bound

// of returns the action of a key in a view, or everywhere; nil if there is none.
func (t keyTable) of(view int, name string) *bound {
	for i := range t {
		if a := &t[i]; a.view == view && slices.Contains(a.Keys, name) {
			return a
		}
	}
	return nil
}

// named returns the action of that name; nil if there is none.
func (t keyTable) named(name string) *bound {
	i := slices.IndexFunc(t, func(a bound) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &t[i]
}

// keyOf returns the first key of the action of that name.
func (m *Model) keyOf(name string) string { return m.keys.named(name).Keys[0] }

// find returns the binding that handles a key now; nil if none does. The view's own keys
// come first, unless keys go to the knobs.
func (t keyTable) find(s *screens, name string) *bound {
	var own *bound
	if s.viewOnTop() {
		own = t.of(s.shown, name)
	} else {
		for _, a := range s.specOf(s.top()).Actions {
			if slices.Contains(a.Keys, name) {
				return &bound{a, everywhere}
			}
		}
	}
	if own != nil && s.focus == onTable {
		return own
	}
	if a := t.of(everywhere, name); a != nil {
		return a
	}
	return own
}

// elsewhere returns where a key that does nothing here has an action; "" if nowhere.
func (t keyTable) elsewhere(s *screens, name string) string {
	var names []string
	for v := range s.views {
		if t.of(v, name) == nil {
			continue
		}
		switch {
		case v != s.shown:
		case s.reading():
			return itemIsOpen
		case !s.viewOnTop():
			return "esc first: the view is covered"
		}
		names = append(names, s.nameOf(v))
	}
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return "only in " + names[0]
	default:
		return "only in " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// nameOf returns the name of a view with its key: "Compare (2)".
func (s *screens) nameOf(view int) string {
	return fmt.Sprintf("%s (%d)", s.specOf(s.views[view]).Name, view+1)
}

// idle returns why an action does nothing now, or "" if it does.
func (t keyTable) idle(s *screens, a *bound) string {
	switch {
	case a.view == everywhere:
	case a.view != s.shown: // its key may mean something else here
		return "only in " + s.nameOf(a.view)
	case !s.viewOnTop():
		return t.elsewhere(s, a.Keys[0])
	}
	return a.Idle()
}

// ordered returns all actions by group: first the actions of the view that is shown, then the
// actions that work everywhere, then the actions of other views.
func (t keyTable) ordered(shown int) []*bound {
	all := make([]*bound, len(t))
	for i := range t {
		all[i] = &t[i]
	}
	rank := func(a *bound) int {
		switch a.view {
		case shown:
			return -1
		case everywhere:
			return slices.Index(groups, a.Group)
		}
		return len(groups) + a.view
	}
	sort.SliceStable(all, func(a, b int) bool { return rank(all[a]) < rank(all[b]) })
	return all
}
