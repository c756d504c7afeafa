package tui

import (
	"cupelscope/tui/screen"
)

// everywhere is in place of a view for actions that work in all of them.
const everywhere = -1

// bound is an action and the view that it belongs to.
type bound struct {
	screen.Action
	view int // or everywhere
}
