package tui

import (
	"cupelscope/tui/screen"
	"cupelscope/tui/view/compare"
)

type compareView struct{ *compare.View }

func newCompare(screen.App) screen.View { return compareView{new(compare.View)} }

func (v compareView) Spec() screen.Spec {
	return screen.Spec{Name: "Compare", Text: "A and B side by side", Best: true}
}

func (v compareView) Reset() { *v.View = compare.View{} }

func (v compareView) Actions() []screen.Action {
	return []screen.Action{
		{Binding: screen.Bind("", "in Compare: only the differences, or all", "d"), Run: screen.Do(func() { v.OnlyDifferent = !v.OnlyDifferent })},
	}
}
