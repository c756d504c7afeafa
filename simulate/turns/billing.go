package turns

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// Billing is what prompts are billed by.
type Billing struct {
	Cache
	Fixed Fixed
	// Output is the price of a token that the model writes, relative to one it
	// reads, 0 to 1000. Only the writing of summaries is billed.
	Output float64
}

// DefaultOutput is the price of a written token where no other is given: the price of
// Anthropic's models.
const DefaultOutput = 5

// validate returns an error that names the first number that is out of bounds, or nil.
func (b Billing) validate() error {
	if !(0 <= b.Output && b.Output <= 1000) {
		return fmt.Errorf("the price of a token that the model writes is %v, must be 0 to 1000 times that of an input token", b.Output)
	}
	return b.Cache.Validate()
}

// loss is what has happened to the cache by a request.
type loss struct {
	now    bool         // it kept no more than left before this request
	before bool         // that was so at an earlier one
	left   model.Tokens // of the fixed part
}

// lost returns what has happened to the cache by request t; was is what had happened by the
// request before it. Only a record tells of a loss: less than three quarters of what could be read was
// read, because of a pause, another model, or tools that changed. sent are the changes of
// the plan that sends everything.
func (s *History) lost(t int, b Billing, sent []Change, was loss) loss {
	now := loss{before: was.before || was.now}
	if t == 0 || sent[t].First {
		return now
	}
	r, prior := s.requests[t].Recorded, s.requests[t-1].Recorded
	if r.Set && prior.Set && r.Value.Total() > 0 {
		could := min(prior.Value.Total(), b.Fixed.Tokens+sent[t].Shared)
		now.now = 4*r.Value.CacheRead < 3*could
		now.left = min(r.Value.CacheRead, b.Fixed.Tokens)
	}
	return now
}

// bill returns the bill for window t of a plan, with the change that Compare returned
// for it. sent says that the plan sends everything. After a loss a window reads what it
// shares with the one before it, though one since the loss may share more.
func (b Billing) bill(t int, w Window, change Change, cache loss, sent bool) Bill {
	shared := b.Fixed.Tokens + change.Shared
	switch {
	case cache.now:
		shared = cache.left
	case change.First:
		shared = min(b.Fixed.Cached, b.Fixed.Tokens)
		if t == 0 && sent { // the prompt that the record is of
			shared = b.Fixed.Cached
		}
	case cache.before:
		shared = b.Fixed.Tokens + change.Survived
	}
	tokens := b.Fixed.Tokens + w.Tokens
	return b.split(tokens, min(shared, tokens))
}

// summary returns the cost of the request that writes a summary before window t: what it
// reads, and what the model writes.
func (b Billing) summary(t int, w Window, change Change, cache loss) float64 {
	before := Change{First: change.First, Shared: change.AskedShared, Survived: change.AskedShared}
	return b.bill(t, *w.Asked, before, cache, false).Cost + b.Output*float64(w.sizes.summary)
}

// costOf returns the cost of a recorded prompt at the prices of the cache, in input
// tokens.
func (c Cache) costOf(p itemset.Prompt) float64 {
	return c.factor(p.Total()) * (float64(p.Plain) + c.Read*float64(p.CacheRead) + c.Write*float64(p.CacheWrite))
}

// Bill is the estimated cost of a prompt.
type Bill struct {
	Read, Written, Plain model.Tokens
	Cost                 float64 // in input tokens: Plain, plus Read and Written at their prices
}

// Tokens returns the tokens of the prompt, or of all prompts that were added up.
func (b Bill) Tokens() model.Tokens { return b.Read + b.Written + b.Plain }

// split returns the bill for a prompt of the given number of tokens, of which
// the first shared are a prefix of an earlier prompt. Everything that can be
// cached is: the tokens that are not read from the cache are written to it.
//
//	tokens 5,000 of which 3,000 shared, anthropic-5m: 3,000 x 0.1 + 2,000 x 1.25 = 2,800
func (c Cache) split(tokens, shared model.Tokens) Bill {
	kept := c.whole(tokens)
	b := Bill{Read: min(kept, c.whole(shared))}
	b.Written, b.Plain = kept-b.Read, tokens-kept
	b.Cost = c.factor(tokens) * (float64(b.Plain) + c.Read*float64(b.Read) + c.Write*float64(b.Written))
	return b
}

// factor returns how many times as much a prompt of that many tokens costs, because it is
// long.
func (c Cache) factor(tokens model.Tokens) float64 {
	if c.Long > 0 && tokens > c.Long {
		return c.LongFactor
	}
	return 1
}

// whole returns the length of the longest prefix of at most tokens tokens that the
// cache keeps.
func (c Cache) whole(tokens model.Tokens) model.Tokens {
	if tokens < c.Minimum {
		return 0
	}
	return tokens - (tokens-c.Minimum)%c.Step
}
