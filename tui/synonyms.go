package tui

import (
	"cupelscope/model"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// The words that people type for what the program names otherwise.

// knobWords are other words for the knobs that are no field of the budget, which has its own.
var knobWords = map[experiment.KnobID]string{
	experiment.Slack:     "risk tokens",
	experiment.Slicer:    "selection algorithm",
	experiment.Bucket:    "size knapsack",
	experiment.Batch:     "size stream",
	experiment.Placer:    "order placement",
	experiment.Dedup:     "deduplicate duplicates",
	experiment.KeepPairs: "tool call result together",
	experiment.AxisEnd:   "largest budget",
	experiment.Preset:    "policy",
}

// scorerWords are other words for scorers.
var scorerWords = map[model.ScorerType]string{
	model.ScoreRecency:       "recent newest new old age time",
	model.ScorePriority:      "important",
	model.ScoreKind:          "type",
	model.ScoreTag:           "label",
	model.ScoreFrequency:     "repeated common",
	model.ScoreReflexive:     "hint relevance",
	model.ScoreScaled:        "normalize",
	model.ScoreMetadataTrust: "trust",
	model.ScoreMetadataKey:   "metadata",
	model.ScoreDecay:         "half life age",
	model.ScoreComposite:     "mean",
	model.ScorePower:         "exponent",
}

// keyWords are other words for what keys do everywhere, by the first key of the
// action.
var keyWords = map[string]string{
	"]":         "more larger bigger increase raise step",
	"[":         "less smaller lower decrease reduce step",
	"}":         "fit back lost",
	"{":         "fit back lost",
	"=":         "fit bring back least minimum enough how many tokens",
	"enter":     "show text content why",
	"space":     "unpin keep always force",
	"x":         "drop remove delete leave out include",
	"e":         "change size count",
	"*":         "important label relevant must",
	"v":         "select several mark",
	"c":         "algorithm greedy knapsack stream",
	"X":         "exchange",
	"u":         "revert back",
	"ctrl+r":    "again repeat",
	"backspace": "reset default start",
	"/":         "search find hide",
	"Q":         "ask question relevance",
	"f":         "find go to",
	"i":         "warnings errors skipped damaged format",
	"r":         "reload refresh",
	"w":         "keep session store",
	"Y":         "share link reopen",
	"p":         "scorer weight recency kind tag share limit percent at most least require cap count",
	"o":         "load file session",
	"t":         "learn tutorial introduction",
	"?":         "glyphs symbols shortcuts",
	":":         "command",
	"q":         "exit leave close",
	"y":         "clipboard",
	"E":         "write save file json csv",
}

// viewWords are other words for views, by name.
var viewWords = map[string]string{
	screen.Items:   "list table home",
	screen.Compare: "difference vs versus better which policy gap",
	"Map":          "all budgets heat",
	"Window":       "prompt messages what the model sees reads order",
	"Replay":       "how algorithm step by step explain slicer knapsack",
	"Trace":        "pipeline stages room arithmetic why",
	"Curve":        "plot chart graph falls worse enough best",
	"Turns":        "cache cost requests conversation prefix",
}
