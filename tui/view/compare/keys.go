package compare

import (
	"cupelscope/tui/screen"
)

// New makes the view.
func New(screen.App) *View { return new(View) }

// Reset forgets everything that belongs to the session before.
func (p *View) Reset() { *p = View{} }

// Spec is the name of the view, and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{Name: "Compare", Text: "A and B side by side", Best: true}
}

// Actions are the keys of the view.
func (p *View) Actions() []screen.Action {
	return []screen.Action{
		{Binding: screen.Bind("", "in Compare: only the differences, or all", "d"), Run: screen.Do(func() { p.OnlyDifferent = !p.OnlyDifferent })},
	}
}
