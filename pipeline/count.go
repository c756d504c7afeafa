package pipeline

import (
	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// count reports the effect of count quotas: the shortfalls, and the code
// CountCapExceeded for an item that is left out although it is no larger than
// the effective target, if the selection has reached the cap of its kind.
func (r *Ranking) count(report *model.Report, sel slicer.Selection, counts *slicer.Counts) {
	in := &r.input
	if report.Effective.Target > 0 && in.Len() > 0 {
		report.Shortfalls = counts.Shortfalls
	}
	taken := make([]int, len(in.KindNames))
	for k, kind := range in.Kinds {
		if sel.Has(k) {
			taken[kind]++
		}
	}
	full := make([]bool, len(taken)) // by kind number: its cap is reached
	for kind := range full {
		quota, ok := counts.Quota(uint32(kind))
		full[kind] = ok && taken[kind] >= quota.Cap
	}
	for k, item := range in.Items {
		if full[in.Kinds[k]] && in.Tokens[k] <= report.Effective.Target && report.Codes[item] == model.BudgetExceeded {
			report.Codes[item] = model.CountCapExceeded
		}
	}
	set := r.set
	report.CountCaps = func(item int) (model.Kind, int, int) {
		kind := set.KindID(item)
		quota, _ := counts.Quota(uint32(kind))
		return quota.Kind, quota.Cap, taken[kind]
	}
}
