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
	return work.Job{Key: items, Run: func(ctx context.Context) (any, error) { return sizer.Count(ctx, items) }}, true
}

// Done takes the counts.
func (s sizing) Done(key, result any, err error) {
	counts, _ := result.([]model.ItemSize)
	if err != nil {
		counts = nil
		s.messages.warn(err.Error() + "; cuts count as what was asked for")
	}
	s.exp.SizesCounted(key.(*model.Set), counts)
	s.best.Forget()
}
