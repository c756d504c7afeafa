package tui

import (
	"context"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// Counts that come in larger than the estimates move the axis end along, so
// that an item is not said never to stay because the axis was cut too short.
func TestBetterCountsExtendTheAxis(t *testing.T) {
	session := sampleSession(t, 60)
	session.AxisEnd = 60_000
	session.Count = func(_ context.Context, emit func([]model.Recount)) error {
		emit([]model.Recount{{Index: 5, Tokens: 40_000, Count: model.Exact}})
		return nil
	}
	st := &story{t: t, m: New(context.Background(), Options{Open: func(context.Context) (*Session, error) { return session, nil }})}
	// The counter and the reader of its batches run side by side, as in Bubble Tea.
	st.run(st.m.startLoad(st.m.opts.Open))
	if end := st.m.exp.Setup().AxisEnd; end < 84_000 {
		t.Errorf("the axis ends at %v, not all items fit", end)
	}
	if _, ok := st.m.exp.Profile(experiment.A).Stays(5); !ok {
		t.Error("the item never stays")
	}
	if st.m.unsaved() {
		t.Error("counting alone made the session unsaved")
	}
}
