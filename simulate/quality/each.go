package quality

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"cupelscope/simulate/internal/flow"
)

// casesPerJob is how many cases are held for each worker: the next is there when one is done.
const casesPerJob = 2

// each calls work for all cases, on the number of processors that flow.Parallel makes
// of the given one, and keep with the results one by one, in the order of the cases.
// The error is about the number, comes from the source, or from work with the name of
// the case, or is ctx's.
func each[R any](ctx context.Context, cases Cases, processors int, work func(context.Context, *Case) (R, error), keep func(index int, c *Case, r R)) error {
	jobs, err := flow.Parallel(processors)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	type job struct {
		c   *Case
		r   R
		err error
	}
	index, fed := 0, make(chan struct{})
	f := flow.Flow{Jobs: jobs, Parcels: casesPerJob * jobs, Answer: func(ctx context.Context, p *flow.Parcel) {
		j := p.Payload.(*job)
		j.r, j.err = work(ctx, j.c)
	}, Done: func(p *flow.Parcel) {
		j := p.Payload.(*job)
		if j.err != nil {
			stop(fmt.Errorf("case %.80q: %w", j.c.Name, j.err))
			return
		}
		keep(index, j.c, j.r)
		index++
	}}
	err = f.Run(ctx, func(put flow.Put) error {
		defer close(fed)
		for c, err := range cases {
			if err != nil {
				return err
			}
			if err := put(func(p *flow.Parcel) (int64, error) { p.Payload = &job{c: c}; return 0, nil }); err != nil {
				return err
			}
		}
		return nil
	}, io.Discard)
	<-fed // the source is read no more
	return cmp.Or(context.Cause(ctx), err)
}
