package experiment

// KnobID names a knob.
type KnobID string

const (
	MaxTokens     KnobID = "maxTokens"
	TargetTokens  KnobID = "target"
	OutputReserve KnobID = "output reserve"
	HeldBack      KnobID = "held back" // prefix of one knob a kind
	SafetyMargin  KnobID = "safety %"
	Slack         KnobID = "slack"
	Slicer        KnobID = "slicer"
	Bucket        KnobID = "bucket"
	Batch         KnobID = "batch"
	Placer        KnobID = "placer"
	Dedup         KnobID = "dedup"
	KeepPairs     KnobID = "keep pairs"
	Overflow      KnobID = "overflow"
	Preset        KnobID = "preset"
	AxisEnd       KnobID = "axis end"
	Wanted        KnobID = "wanted %"
	Quotas        KnobID = "the quotas (p)" // in the policy editor
	Scorers       KnobID = "scorers"        // a row that only leads there
)
