package turns

import (
	"fmt"
	"slices"

	"cupelscope/model"
)

// Fixed is the part of every prompt that a log does not hold: the system prompt and the
// tools, 15,000 to 24,000 tokens for a coding agent. It comes before the items of every
// window, so a cache that keeps it reads it again with every request.
type Fixed struct {
	Tokens model.Tokens // 0 to model.MaxTokens
	// Cached is what the first request read from the cache, because an earlier session had
	// left it there.
	Cached model.Tokens
	From   string // FixedUnknown, FixedRecord or FixedGiven
}

const (
	FixedUnknown = ""       // neither recorded nor given: it counts as 0
	FixedRecord  = "record" // what the provider reported, less what the log holds
	FixedGiven   = "given"
)

// FixedPart returns the fixed part by the record: the median, over the requests whose
// usage is recorded, of the prompt less the tokens of the items that it carried. all are
// the windows of the plan that sends everything, which is what was sent. It is
// FixedUnknown where nothing is recorded. FixedPart is O(n log n) in the requests.
func (s *Session) FixedPart(all []Window) Fixed {
	var over []model.Tokens
	first := model.Tokens(0)
	for t, r := range s.requests {
		if !r.Recorded.Set || r.Recorded.Value.Total() == 0 || all[t].Err != nil {
			continue
		}
		if t == 0 {
			first = r.Recorded.Value.CacheRead
		}
		over = append(over, r.Recorded.Value.Total()-all[t].Tokens)
	}
	if len(over) == 0 {
		return Fixed{}
	}
	slices.Sort(over)
	n := len(over)
	median := (over[(n-1)/2] + over[n/2]) / 2
	return Fixed{Tokens: min(max(0, median), model.MaxTokens), Cached: first, From: FixedRecord}
}

// Billing is what prompts are billed by.
type Billing struct {
	Cache
	Fixed Fixed
	// Output is the price of a token that the model writes, relative to that of one it
	// reads, 0 to 1000. Only the writing of summaries is billed.
	Output float64
}

// DefaultOutput is the price of a written token where no other is given: that of
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

// lost returns what has happened to the cache by request t, from what had by the request
// before it. Only a record tells it: less than three quarters of what could be read was
// read, be it for a pause, another model, or tools that changed. sent are the changes of
// the plan that sends everything.
func (s *Session) lost(t int, b Billing, sent []Change, was loss) loss {
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
func (c Cache) costOf(u Usage) float64 {
	return c.factor(u.Total()) * (float64(u.Plain) + c.Read*float64(u.CacheRead) + c.Write*float64(u.CacheWrite))
}

// The prices and minimums over which Grid bills: the lengths of the shortest prefix that
// providers cache, and the least and the highest of their prices of a token that is read.
var (
	gridMinimums = [...]model.Tokens{512, 1024, 2048, 4096}
	gridReads    = [...]float64{.025, .1}
)

// Grid is what a course and sending everything cost, at each of the usual minimums and at
// both ends of the usual prices of a read. It says how sure a cost ratio is.
type Grid [len(gridMinimums) * len(gridReads)]struct{ Cost, Against float64 }

// Grid bills a course at the points of a Grid, in eight passes over the requests.
func (s *Session) Grid(course, all *Course, b Billing) (g Grid) {
	for k := range g {
		b.Minimum, b.Read = gridMinimums[k/len(gridReads)], gridReads[k%len(gridReads)]
		sent := s.Bill(all.Plan, all.Windows, all.Changes, 0, b, nil)
		totals := s.Bill(course.Plan, course.Windows, course.Changes, 0, b, sent).Totals
		g[k].Cost, g[k].Against = totals.Cost, totals.Against
	}
	return g
}

// Add adds the grid of another session.
func (g *Grid) Add(o Grid) {
	for k := range g {
		g[k].Cost += o[k].Cost
		g[k].Against += o[k].Against
	}
}

// Range returns the least and the highest cost relative to that of sending everything.
// Between two prices of a read a ratio only rises or only falls, so the two ends have the
// extremes. It returns false where sending everything costs nothing.
func (g Grid) Range() (low, high float64, ok bool) {
	for k, at := range g {
		if at.Against == 0 {
			return 0, 0, false
		}
		ratio := at.Cost / at.Against
		if k == 0 {
			low, high = ratio, ratio
		}
		low, high = min(low, ratio), max(high, ratio)
	}
	return low, high, true
}

// SayRange says how sure it is that a plan of that name costs more or less than sending
// everything, on one line that ends with the caches that this is said of.
func SayRange(name string, low, high float64) string {
	ratio := fmt.Sprintf("%.2f to %.2f times as much", low, high)
	said := " costs " + ratio + " as sending everything: that depends on the cache"
	switch {
	case ratio == "1.00 to 1.00 times as much":
		said = " costs as much as sending everything with every usual cache"
	case low > 1:
		said = " costs more than sending everything with every usual cache: " + ratio
	case high < 1:
		said = " costs less than sending everything with every usual cache: " + ratio
	}
	return name + said + fmt.Sprintf(" (these keep prompts from %v to %v tokens on, and a token read costs %v to %v)",
		gridMinimums[0], gridMinimums[len(gridMinimums)-1], gridReads[0], gridReads[1])
}
