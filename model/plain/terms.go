package plain

// term is a word that the program uses for one thing, everywhere: on the screen, in
// --help, in errors and in documents.
type term struct {
	Name  string
	Means string
	Not   []string // what others call it, in lower case; a last * stands for any ending
}

// AtRisk is the word for an item that is in, and that a budget smaller by the slack loses.
const AtRisk = "at risk"

// BelowBest ends the words for how far a value lies below the best that any choice of items has.
const BelowBest = "below best"

// Terms returns the words in the order in which they are explained.
func Terms() []term {
	return []term{
		{"Cupel", "the specification that cupelscope follows: items are scored, duplicates dropped, as many selected as the budget holds, and these put in order", nil},
		{"budget", "how many tokens a request may have, its answer included", []string{"context size", "context length", "token limit", "token allowance"}},
		{"output reserve", "tokens of the budget kept free for the answer", []string{"reserved output", "output reservation", "answer reserve", "response reserve"}},
		{"safety margin", "the share of the room kept free in case counts are too low", []string{"estimation margin", "safety buffer"}},
		{"room", "what selection may fill: the budget less output reserve, held, safety margin and pinned", []string{"capacity", "headroom"}},
		{"pinned", "in at every budget: it takes its tokens from the room before selection begins", []string{"sticky", "locked in"}},
		{"selected", "in because the slicer took it, not because it is pinned", []string{"cherry-pick*", "handpick*"}},
		{"slicer", "what selects: greedy the best score per token first, knapsack the set of the largest value, stream as items come; ours, not Cupel's: rank the best score first, prefix the same up to the first that does not fit", nil},
		{"the set", "what a knapsack selects, chosen as a whole: the largest value that fits in whole buckets", nil},
		{"value", "the sum of the scores of what is in, pinned items left out", []string{"total score", "utility", "fitness"}},
		{"scores moved, rescored", "a value is a sum of scores: where these moved, a difference is between what was and what is selected, both by the new scores", nil},
		{"estimated", "of token counts: by cupelscope, where the source gives none and the encoding of the model is not built in, or counting is not done; i tells how many", nil},
		{"needs, short", "the tokens of an item that is out; how many were missing when its turn came", nil},
		{"first in", "the least budget at which the item is in; a larger one may lose it again", nil},
		{"stays", "the least budget from which the item is never lost", nil},
		{AtRisk, "in, but a budget smaller by the slack loses it", []string{"endangered", "fragile"}},
		{"slack", "how much smaller a budget may be before what it loses counts as " + AtRisk, []string{"leeway"}},
		{"displaced by", "the item that came in when this one left", []string{"evict*", "ousted", "kicked out"}},
		{"split pair", "a call without its result, or the reverse", []string{"orphan*"}},
		{"tool call", "a message in which a model calls a tool", []string{"function call*", "tool invocation*"}},
		{"needed, recall", "what is marked as needed, and the share of it that is in", []string{"must-have*", "mandatory", "ground truth"}},
		{BelowBest, "how far the value lies below the best that any choice of items has, quotas aside", []string{"off best", "optimality gap", "suboptimal*", "sub-optimal*"}},
		{"held", "tokens kept free for items of one kind that are still to come; Cupel only subtracts them from the room", []string{"earmarked"}},
		{"free", "tokens of the room that nothing fills", []string{"unused", "leftover*", "left over"}},
		{"filled, used", "how much of the room is taken by what was selected; how much of the budget by all that is in", nil},
		{"ceiling", "the largest budget that is looked at", []string{"axis end"}},
		{"overflow", "what happens to a result over the target: throw is an error, truncate cuts it, proceed lets it through", nil},
		{"binary search", "Cupel's FindMinBudgetFor: it takes an item that is in to stay in at all larger budgets; where items leave again it can miss the least budget", nil},
		{"with, without", "in Replay of a knapsack: the best value that can be reached from a step with its item, and without it", nil},
		{"bucket", "the step in which a knapsack counts tokens, rounded up", nil},
		{"kept, prefix", "the tokens of the window before that the next one begins with: a prompt cache reads those", []string{"cache hit*", "hit rate*"}},
		{"break", "the first item that differs from the window before: -#12 left, +#12 came in, ~#12 moved, !#12 changed", []string{"cache miss*", "invalidat*"}},
		{"watermark", "a window that grows until it is full and is then cut to a share of the room; ours, not Cupel's", nil},
		{"change", "+#32 comes in, -#15 leaves", []string{"breakpoint*"}},
	}
}
