package tui

import (
	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
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
