package explorer

import (
	"context"

	"cupelscope/model"
	"cupelscope/tui/internal/work"
)

// sizing is the worker that counts cuts and notes, once the texts themselves are counted.
type sizing struct{ *Model }

// Job returns the count of the cuts of what is shown; false if all are counted.
func (s sizing) Job() (work.Job, bool) {
	items, sizer, is := s.exp.Uncounted()
	if !is || s.count.Running() {
		return work.Job{}, false
	}
	return work.Job{Key: items, Run: work.Pass(func(ctx context.Context) ([]model.ItemSize, error) {
		return sizer.Count(ctx, items)
	}, func(counts []model.ItemSize, err error) {
		if err != nil {
			counts = nil
			s.messages.warn(err.Error() + "; cuts count as what was asked for")
		}
		s.exp.SizesCounted(items, counts)
		s.best.Forget()
	})}, true
}
