package quality

import (
	"context"
	"fmt"
	"sync"

	"cupelscope/simulate/internal/flow"
)

// each calls work for all cases, on the number of processors that flow.Parallel makes
// of the given one, and keep with the results one by one, in the order of the cases.
// The error is about the number, comes from the source, or from work with the name of
// the case, or is ctx's.
func each[R any](ctx context.Context, cases Cases, processors int, work func(context.Context, *Case) (R, error), keep func(index int, c *Case, r R)) error {
	processors, err := flow.Parallel(processors)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	type result struct {
		r   R
		err error
	}
	type job struct {
		c    *Case
		done chan result
	}
	todo, order := make(chan job), make(chan job, processors) // no more cases are held than these
	var all sync.WaitGroup
	for range processors {
		all.Go(func() {
			for j := range todo {
				r, err := work(ctx, j.c)
				if err != nil {
					err = fmt.Errorf("case %.80q: %w", j.c.Name, err)
				}
				j.done <- result{r, err}
			}
		})
	}
	all.Go(func() {
		index := 0
		for j := range order {
			res := <-j.done
			switch {
			case ctx.Err() != nil:
			case res.err != nil:
				stop(res.err)
			default:
				keep(index, j.c, res.r)
			}
			index++
		}
	})
	for c, err := range cases {
		if err != nil {
			stop(err)
		}
		if ctx.Err() != nil {
			break
		}
		j := job{c, make(chan result, 1)}
		todo <- j
		order <- j
	}
	close(todo)
	close(order)
	all.Wait()
	return context.Cause(ctx)
}
