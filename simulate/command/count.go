package command

import (
	"context"
	"fmt"
	"runtime"

	"cupelscope/model"
	"cupelscope/model/tokens"
)

// Count counts exactly the items whose token counts are estimates of text, and
// hands the counts on in batches as they come, the longest texts first. The
// encoding is the one asked for, else that of the model that the source names,
// else tokens.DefaultEncoding. Cancelling ctx ends it within 50 ms.
func (o *Opened) Count(ctx context.Context, emit func(tokens.Progress)) error {
	texts := tokens.Pending(o.Set)
	if len(texts) == 0 {
		return nil
	}
	if err := o.counter.CountAll(ctx, texts, runtime.GOMAXPROCS(0), emit); err != nil {
		return fmt.Errorf("counting tokens: %w", err)
	}
	return nil
}

// settle counts what there is to count, and puts the counts into the set.
func (o *Opened) settle(ctx context.Context) error {
	var all []model.Recount
	if err := o.Count(ctx, func(p tokens.Progress) { all = append(all, p.Recounts...) }); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	set, err := o.Set.Counted(all)
	if err != nil {
		return err
	}
	o.Set, o.Pending = set, nil
	o.Loaded.Report.Estimated = len(tokens.Pending(set))
	if o.Scenario.Set {
		o.Scenario.Value.Items = set
	}
	return nil
}

// useEncoding sets what Count counts with.
func (o *Opened) useEncoding(asked string) error {
	if asked == "" {
		asked, _ = tokens.EncodingForModel(o.Model)
	}
	var err error
	o.counter, err = tokens.NewCounter(asked)
	return err
}
