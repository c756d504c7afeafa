package tui

// drag is what moving the mouse with its button down changes.
type drag int

const (
	noDrag     drag = iota
	dragBudget      // over what shows budgets: maxTokens
	dragOutput      // the left edge of the bar's last part: outReserve
)
