package plain

// Term is a word that the program uses for one thing, everywhere: on the screen, in
// --help, in errors and in documents.
type Term struct {
	Name  string
	Means string
	Not   []string // what others call it, in lower case; a last * stands for any ending
}

// Pinned is the word for an item that is in at every budget.
const Pinned = "pinned"

// StaysFrom is the word for the smallest budget from which on an item is never lost.
const StaysFrom = "stays from"

// AtRisk is the word for an item that is in, and that a budget smaller by the slack loses.
const AtRisk = "at risk"

// BelowBest ends the words for how far a value is below the best that any choice of items has.
const BelowBest = "below best"

// Terms returns the words in the order in which they are explained.
func Terms() []Term {
	return []Term{
		{"Cupel", "the specification that cupelscope follows: score the items, drop duplicates, select as many as the budget holds, put them in order", nil},
		{"budget", "how many tokens a request may have, the answer included", []string{"context size", "context length", "token limit", "token allowance"}},
		{"target", "how many tokens the selection may have: the budget, unless you set less", nil},
		{"output reserve", "tokens of the budget kept free for the answer", []string{"reserved output", "output reservation", "answer reserve", "response reserve"}},
		{"safety margin", "kept free in case token counts are too low: a percentage of what " + Pinned + " and all else that is kept back leave", []string{"estimation margin", "safety buffer"}},
		{"kept back", "output reserve, held and safety margin: tokens that no item gets", []string{"held back", "set aside", "withheld"}},
		{"room", "tokens for the slicer to fill: the budget less " + Pinned + " and what is kept back", []string{"capacity", "headroom"}},
		{Pinned, "in at every budget: its tokens come off the room before selection begins", []string{"sticky", "locked in"}},
		{"selected", "in because the slicer took it, not because it is " + Pinned, []string{"cherry-pick*", "handpick*"}},
		{"slicer", "the algorithm that selects: greedy takes the best score per token first, knapsack finds the items that are together worth most, stream takes items as they come; not Cupel's: rank takes the best score first, prefix does too and stops at the first that does not fit", nil},
		{"the set", "what a knapsack selects: the items that are together worth most, sizes rounded up to whole buckets", nil},
		{"value", "the sum of the scores of what is in, " + Pinned + " items left out", []string{"total score", "utility", "fitness"}},
		{"rescored", "the last change gave items other scores: the gain that is told compares the two selections by the new scores", nil},
		{"estimated", "a token count by cupelscope that is not exact: the source gives none, and the model's encoding is not built in or counting is not done; i says how many", nil},
		{"needs, lacks", "needs: the tokens of an item that is out; lacks: how many of them were missing when its turn came", nil},
		{"first in", "the smallest budget at which the item is in; a larger one may lose it again", nil},
		{StaysFrom, "the smallest budget from which on the item is never lost", nil},
		{"range", "budgets in a row at which the item is in; with several ranges it comes and goes while the budget grows", nil},
		{AtRisk, "lost if the budget is smaller by the slack, a number of tokens that you set", []string{"endangered", "fragile"}},
		{"slack", "what this cut in budget loses is " + AtRisk, []string{"leeway"}},
		{"displaced by", "the item that came in when this one left", []string{"evict*", "ousted", "kicked out"}},
		{"split pair", "a call without its result, or a result without its call", []string{"orphan*"}},
		{"tool call", "a message in which a model calls a tool", []string{"function call*", "tool invocation*"}},
		{"needed, recall", "what is marked as needed, and the share of it that is in", []string{"must-have*", "mandatory", "ground truth"}},
		{BelowBest, "how far the value is below the best that any choice of items has, without quotas", []string{"off best", "optimality gap", "suboptimal*", "sub-optimal*"}},
		{"held", "tokens kept free for items of one kind that come later, as memories that are looked up: no item that is here gets them, and 0 gives them back", []string{"earmarked"}},
		{"quota", "a bound for one kind: min % and max % are shares of the room, require and cap numbers of items; the first percentage gives every kind a share", nil},
		{"not Cupel's", "what Cupel's specification does not have: other programs that follow it cannot read it", []string{"ours"}},
		{"free", "tokens of the room that nothing fills", []string{"unused", "leftover*", "left over"}},
		{"filled, used", "filled: how much of the room the selected items take; used: how much of the budget everything that is in takes", nil},
		{"ceiling", "the largest budget that is looked at", []string{"axis end"}},
		{"overflow", "what happens to a result above the target: throw is an error, truncate cuts it, proceed lets it through", nil},
		{"binary search", "Cupel's FindMinBudgetFor: it assumes that an item stays in once it is in; where that is wrong it can miss the smallest budget", nil},
		{"with, without", "in Replay of a knapsack: the best value that can be reached from a step with its item, and without it", nil},
		{"bucket", "the step in which a knapsack counts tokens, rounded up", nil},
		{"hint", "how relevant an item is, 0 to 1: its futureRelevanceHint, which the scorer reflexive reads", nil},
		{"recency", "a scorer, from 0 to 1: the share of the other items that are older", nil},
		{"priority", "a scorer, from 0 to 1: the share of the other items that have a lower priority", nil},
		{"frequency", "a scorer, from 0 to 1: the share of the other items that have a tag in common with the item", nil},
		{"plan", "what is sent with each request of a conversation: what policy A or B selects, everything, the newest that fit, or what an agent does when its window is full", nil},
		{"kept, prefix", "the tokens at the start of a prompt that equal the previous prompt: a prompt cache reads those", []string{"cache hit*", "hit rate*"}},
		{"break", "the first item that differs from the previous prompt: −#12 left, +#12 came in, ~#12 moved, !#12 changed", []string{"cache miss*", "invalidat*"}},
		{"watermark", "a plan: append until the window is full, then cut it to a share of the room; not Cupel's", nil},
		{"mouse, click", "a click selects an item, sorts by a heading, turns a knob by its arrows and shows a view by its tab; dragging along the bar, a strip or a curve moves the budget", nil},
		{"change", "+#32 comes in, −#15 leaves: what a budget does to the result", []string{"breakpoint*"}},
	}
}
