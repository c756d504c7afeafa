package turns

import (
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
func (s *History) FixedPart(all []Window) Fixed {
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
