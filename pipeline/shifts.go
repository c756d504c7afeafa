package pipeline

import "cupelscope/pipeline/slicer"

// Shifts says how the pipeline's slicer divides the target among kinds.
func (r *Ranking) Shifts() slicer.Shifts { return slicer.ShiftsOf(r.pipeline.parts.Slicer) }
