package quality

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"cupelscope/model"
)

// Case is one set of items with what was needed of it: a question over a
// conversation, a query over documents.
type Case struct {
	Name string
	// Group names cases that hang together, as questions over one conversation
	// do; they count as one in tests, and are never on both sides of a fold. "":
	// the case is a group of its own.
	Group string
	Items *model.Set
	// Budget is the template whose maxTokens an Amount sets; its reserve, slots,
	// margin and gap are kept. The zero Budget has none of these.
	Budget model.Budget
	Labels Labels
}

// group is the name of the case's group. Names of cases and of groups do not mix.
func (c *Case) group(index int) string {
	if c.Group == "" {
		return "case " + strconv.Itoa(index)
	}
	return "group " + c.Group
}

// Cases is a source of cases. Where a case cannot be had the error ends the
// sequence. Tune runs through it several times, and expects the same cases.
type Cases = iter.Seq2[*Case, error]

// Amount is a budget that is the same for all cases, or a share of what each has.
type Amount struct {
	Tokens  model.Tokens
	Percent float64 // of the tokens of all items of the case; 0: Tokens count
}

// ParseAmount reads "16000", "16k" or "50%".
func ParseAmount(text string) (Amount, error) {
	share, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !ok {
		t, err := model.ParseTokens(text)
		if err == nil && (t < 0 || t > model.MaxTokens) {
			err = fmt.Errorf("is %v, must be 0 to %v", t, model.MaxTokens)
		}
		return Amount{Tokens: t}, err
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
	if err != nil || !(p > 0 && p <= 100) {
		return Amount{}, fmt.Errorf("%.20q is not a percentage above 0 and up to 100", text)
	}
	return Amount{Percent: p}, nil
}

// String is the amount as ParseAmount reads it.
func (a Amount) String() string {
	if a.Percent > 0 {
		return strconv.FormatFloat(a.Percent, 'f', -1, 64) + "%"
	}
	return strconv.FormatInt(int64(a.Tokens), 10)
}

// Of is the budget for a set, rounded down.
func (a Amount) Of(s *model.Set) model.Tokens {
	if a.Percent <= 0 {
		return a.Tokens
	}
	all := model.Tokens(0)
	for i, t := range s.TokenColumn() {
		if !s.Excluded(i) {
			all += max(0, t)
		}
	}
	return min(model.Tokens(math.Floor(float64(a.Percent/100)*float64(all))), model.MaxTokens)
}

// each does work on all cases, on so many processors (0: all), and hands the
// results to keep one by one, in the order of the cases. The error is that of the
// source, of work with the name of the case, or ctx's.
func each[R any](ctx context.Context, cases Cases, processors int, work func(context.Context, *Case) (R, error), keep func(index int, c *Case, r R)) error {
	if processors <= 0 {
		processors = runtime.GOMAXPROCS(0)
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

// runs reports whether an error of a dry run says that the budget does not run:
// then nothing is in.
func runs(err error) bool {
	_, budget := errors.AsType[*model.BudgetError](err)
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	return !budget && !pinned && !overflow
}
