package turns

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline"
)

// chooser runs the pipeline on the items that had come before a request.
type chooser struct {
	history *History
	policy  model.Policy
	pipe    *pipeline.Pipeline // nil: decay requires another one for every request
}

func newChooser(s *History, p Plan) (*chooser, error) {
	c := &chooser{history: s, policy: p.Policy.Clone()}
	var err error
	var none Request
	if !datedAt(c.policy.Clone().Scorers, none.At.Value) {
		c.pipe, err = c.pipeline(none)
	}
	return c, err
}

// all chooses the window of every request independently, on all processors, and where that
// serves runs of requests from shortlists.
func (c *chooser) all(ctx context.Context, b model.Budget, o Options, done func(t int, w Window, err error) error) error {
	if err := c.estimate(ctx, b, o); err != nil {
		return err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(relay.Workers())
	requests, list, run := c.history.requests, c.shortlist(b), 1
	if list != nil {
		run = shortlisted
	}
	for from := 0; from < len(requests) && within.Err() == nil; from += run {
		group.Go(func() error {
			choose := func(t int) (Window, error) { return c.chooseAt(within, t, b) }
			if list != nil {
				own := *list
				choose = func(t int) (Window, error) { return own.next(within, requests[t]) }
			}
			for t := from; t < min(from+run, len(requests)); t++ {
				w, err := choose(t)
				if err := done(t, w, err); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return cmp.Or(group.Wait(), ctx.Err())
}

// estimate returns a *SizeError where the windows would hold far more than o.MaxItems, by
// some of them chosen before the others: to find it out on the way takes minutes.
func (c *chooser) estimate(ctx context.Context, b model.Budget, o Options) error {
	const some, far = 16, 2
	requests := len(c.history.requests)
	if o.MaxItems == 0 || requests < 2*some || float64(requests)*float64(c.history.Items().Len()) < float64(far*o.MaxItems) {
		return nil
	}
	held := 0
	for k := range some {
		t := 1 + k*(requests-2)/(some-1)
		before, err1 := c.chooseAt(ctx, t-1, b)
		w, err2 := c.chooseAt(ctx, t, b)
		if err := errors.Join(err1, err2); err != nil && !fails(err) {
			return err
		}
		if begin := min(len(before.Items), len(w.Items)); begin == 0 || !slices.Equal(before.Items, w.Items[:begin]) {
			held += len(w.Items)
		}
	}
	if float64(held)/some*float64(requests) > float64(far*o.MaxItems) {
		return &SizeError{requests, o.MaxItems}
	}
	return nil
}

// pipeline returns the pipeline of the policy at the time of a request.
func (c *chooser) pipeline(r Request) (*pipeline.Pipeline, error) {
	if c.pipe != nil {
		return c.pipe, nil
	}
	return pipeline.New(PolicyAt(c.policy, r))
}

// choose runs the pipeline on the given items alone, in input order.
func (c *chooser) choose(ctx context.Context, r Request, items []int32, b model.Budget) (Window, error) {
	pipe, err := c.pipeline(r)
	if err != nil {
		return Window{}, err
	}
	items = slices.Sorted(slices.Values(items))
	ranking, err := pipe.Rank(ctx, c.history.Items().Subset(items))
	if err != nil {
		return Window{}, err
	}
	window, err := windowOf(ctx, ranking, b)
	for k, i := range window.Items {
		window.Items[k] = items[i]
	}
	for k, part := range window.parts {
		if isNote(part) {
			window.parts[k] = ^items[^part]
		} else {
			item, _ := itemOf(part)
			window.parts[k] = inSize(items[item], sizeOf(part))
		}
	}
	return window, err
}

// chooseAt runs the pipeline on what could be sent at request t.
func (c *chooser) chooseAt(ctx context.Context, t int, b model.Budget) (Window, error) {
	r := c.history.requests[t]
	pipe, err := c.pipeline(r)
	if err != nil {
		return Window{}, err
	}
	ranking, err := pipe.Rank(ctx, c.history.Items().FirstExcluding(r.Before, c.history.gone(r)))
	if err != nil {
		return Window{}, err
	}
	return windowOf(ctx, ranking, b)
}

func windowOf(ctx context.Context, ranking *pipeline.Ranking, b model.Budget) (Window, error) {
	report, err := ranking.DryRunContext(ctx, b)
	if err != nil {
		return Window{}, err
	}
	w := Window{Items: report.Included, Tokens: report.Kept}
	if report.Sizes == nil {
		return w, nil
	}
	w.sizes.own = true
	for _, item := range report.Placed() {
		if report.In(int(item)) {
			w.parts = append(w.parts, inSize(item, report.Size(int(item))))
		} else {
			w.parts = append(w.parts, ^item)
		}
	}
	return w, nil
}
