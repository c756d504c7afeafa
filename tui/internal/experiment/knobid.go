package experiment

import "cupelscope/model"

// KnobID names a knob. For a field of the budget it is the label of the field.
type KnobID string

// KnobOf returns the knob for a field of the budget; kind matters for slots, of which
// every kind has a knob. The field may be one of an error, "reservedSlots.Memory".
func KnobOf(field string, kind model.Kind) KnobID {
	row, _ := model.FieldOfBudget(field)
	if kind != "" {
		return KnobID(row.Label + " " + string(kind.Fold()))
	}
	return KnobID(row.Label)
}

// The knobs of those fields of the budget that the code refers to.
var (
	MaxTokens     = KnobOf(model.FieldMaxTokens, "")
	TargetTokens  = KnobOf(model.FieldTargetTokens, "")
	OutputReserve = KnobOf(model.FieldOutputReserve, "")
	HeldBack      = KnobOf(model.FieldReservedSlots, "") // prefix: every kind has a knob
	SafetyMargin  = KnobOf(model.FieldSafetyMargin, "")
)

const (
	Slack     KnobID = "slack"
	Slicer    KnobID = "slicer"
	Bucket    KnobID = "bucket"
	Batch     KnobID = "batch"
	Placer    KnobID = "placer"
	Dedup     KnobID = "dedup"
	KeepPairs KnobID = "keep pairs"
	Overflow  KnobID = "overflow"
	Preset    KnobID = "preset"
	Ceiling   KnobID = "ceiling"
	Wanted    KnobID = "wanted %"
	Quotas    KnobID = "the quotas (p)" // in the policy editor
	Scorers   KnobID = "scorers"        // a row that only leads there
)

// namesOf returns the names of a kind, besides its noun, that a user who types a knob may know: the
// short name, and the name in files.
func namesOf(kind model.Kind) string { return kind.Short() + " " + string(kind) }
