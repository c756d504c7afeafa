package tokens

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	"golang.org/x/sync/errgroup"

	"cupelscope/model"
)

// MaxVerifiedRun is the largest number of characters without the end of a word
// that Verify passes to tiktoken-go: its time grows with the square of that
// number.
const MaxVerifiedRun = 10_000

// Verification is the count of one text by a Counter and by tiktoken-go.
type Verification struct {
	Index     int
	Tokens    model.Tokens // by the Counter, without the factor of a stand-in
	Reference model.Tokens // by tiktoken-go; 0 if it is Unverified
	// Unverified reports that the text was not compared: it has a run of more than
	// MaxVerifiedRun characters in which no word ends.
	Unverified bool
}

// Differs reports whether the text was compared and the two counts are
// different.
func (v Verification) Differs() bool { return !v.Unverified && v.Tokens != v.Reference }

// Verify counts texts with c and with github.com/pkoukk/tiktoken-go, which is given the same
// ranks, and calls tell for each text, in any order, from the calling goroutine. It takes a
// second to begin with, and each worker about a second for every two megabytes. Cancelling ctx
// ends it at once; its workers end after their current text. The error is ctx's, or an
// *EncodingError for a counter of PerCharacters.
func (c *Counter) Verify(ctx context.Context, texts []Text, workers int, tell func(Verification)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers) + 1) // and the one below
	done := make(chan Verification)
	g.Go(func() error {
		encoder, err := newReference(c.encoding)
		if err != nil {
			return err
		}
		for _, t := range texts {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			g.Go(func() error {
				v, err := c.verify(ctx, encoder, t)
				if err != nil {
					return err
				}
				select {
				case done <- v:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			})
		}
		return nil
	})
	for range texts {
		select {
		case v := <-done:
			tell(v)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return g.Wait()
}

func (c *Counter) verify(ctx context.Context, encoder *tiktoken.Tiktoken, t Text) (Verification, error) {
	v := Verification{Index: t.Index}
	n, err := c.remembered(ctx, t.Content, func(int) {})
	if err != nil {
		return v, err
	}
	v.Tokens = model.Tokens(n)
	text, err := valid(ctx, t.Content)
	if err != nil {
		return v, err
	}
	if v.Unverified = c.longestRun(ctx, text) > MaxVerifiedRun; !v.Unverified && ctx.Err() == nil {
		v.Reference = model.Tokens(len(encoder.EncodeOrdinary(text)))
	}
	return v, ctx.Err()
}

// longestRun returns the number of characters of the longest piece of a text
// that is encoded by itself. Once ctx is cancelled, the number is any.
func (c *Counter) longestRun(ctx context.Context, text string) int {
	longest, table := 0, pieces{classes(), ctx}
	for i := 0; i < len(text) && ctx.Err() == nil; {
		end := c.split(table, text, i)
		longest = max(longest, utf8.RuneCountInString(text[i:end]))
		i = end
	}
	return longest
}

// newReference returns tiktoken-go's encoder for an encoding, with the ranks and the
// expression that are here. tiktoken.GetEncoding would make the same, but whoever calls that links
// the download of ranks too, HTTP and TLS of 3.6 MB.
func newReference(encoding string) (*tiktoken.Tiktoken, error) {
	for _, e := range encodings {
		if e.name != encoding {
			continue
		}
		ranks := map[string]int{}
		for rank, token := range e.load().tokens() {
			ranks[token] = rank
		}
		core, err := tiktoken.NewCoreBPE(ranks, nil, e.pattern)
		if err != nil {
			return nil, fmt.Errorf("making tiktoken-go's encoder for %s: %w", encoding, err)
		}
		return tiktoken.NewTiktoken(core, nil, nil), nil
	}
	return nil, &EncodingError{encoding}
}
