package turns

import (
	"context"
	"regexp"
	"slices"
	"sort"

	"cupelscope/model"
)

// Compaction is a moment at which a recorded session put a summary in place of items.
type Compaction struct {
	Request       int          // the first request after it, by index
	Before, After model.Tokens // of all items that were there, before it and at that request
	Gone          int          // items that it took out and did not write again
	Summary       model.Tokens // of the summary, see model.Memory
	Again         []Again      // what came again afterwards, in order

	there []int32 // the items that were there before it
}

// Kept is what a policy keeps of what was there before a compaction, in the room of what was
// there after it.
type Kept struct {
	Items  int
	Tokens model.Tokens
	Again  int   // of Compaction.Again, those whose original it keeps
	Err    error // why it keeps nothing, as in Window.Err
}

// KeptBy chooses among the items that were there before a compaction, under a budget of the
// tokens after it. The error is of the policy, of ranking or of ctx.
func (s *History) KeptBy(ctx context.Context, p model.Policy, c Compaction) (Kept, error) {
	chooser, err := newChooser(s, Plan{Strategy: Stateless, Policy: p})
	if err != nil {
		return Kept{}, err
	}
	b, err := model.NewBudget(model.BudgetFields{MaxTokens: c.After})
	if err != nil {
		return Kept{}, err
	}
	w, err := chooser.choose(ctx, s.requests[c.Request], c.there, b)
	switch {
	case err != nil && fails(err):
		return Kept{Err: err}, nil
	case err != nil:
		return Kept{}, err
	}
	kept := Kept{Items: len(w.Items), Tokens: w.Tokens}
	for _, a := range c.Again {
		if slices.Contains(w.Items, a.Of) {
			kept.Again++
		}
	}
	return kept, nil
}

// Again is an item that came after a compaction and repeats one that the compaction took
// out: a sign that it was missed, no proof.
type Again struct {
	Item, Of int32
	Request  int // the first request that has it, by index
	// Sign is what the item repeats: the result of a tool, word for word ("same text"), a
	// call with the same arguments ("same call") or one of the same tool for the same file
	// ("same path").
	Sign   string
	Tokens model.Tokens // of the item, and for a call of its result
}

// TokensAgain returns the tokens of all that came again.
func (c Compaction) TokensAgain() (sum model.Tokens) {
	for _, a := range c.Again {
		sum += a.Tokens
	}
	return sum
}

// WithinRequests is how many requests after a compaction are searched for what came again.
const WithinRequests = 20

// minRepeat is how many tokens a result must have at least for its repetition to be a
// sign: "ok" comes again without being missed.
const minRepeat = 20

// Compactions returns the compactions of the history, in order, with what came again within
// the next so many requests. What a rewind took out, which leaves no summary, is none. It
// takes O(n) for each compaction and each rewind.
func (s *History) Compactions(within int) []Compaction {
	goes := make([]bool, len(s.requests)+1) // by request: something was taken out since the one before
	for i := range s.log.Facts {
		if g := s.log.Facts[i].Gone; g > 0 {
			goes[sort.Search(len(s.requests), func(t int) bool { return s.requests[t].Before >= g })] = true
		}
	}
	var all []Compaction
	for t, r := range s.requests {
		if !goes[t] {
			continue
		}
		from := 0
		if t > 0 {
			from = s.requests[t-1].Before
		}
		c, at := Compaction{Request: t}, from
		var gone []int32
		taken := 0 // the index before which the last of them went
		for i := range r.Before {
			if g := s.log.Facts[i].Gone; s.takesPart(i) && g > from && g <= r.Before {
				gone, taken = append(gone, int32(i)), max(taken, g)
			}
			if i >= from && s.log.Items.Loaded(i).Kind.Is(model.Memory) && s.takesPart(i) {
				c.Summary += s.Items().Tokens(i)
				at = i
			}
		}
		for i := range taken {
			if g := s.log.Facts[i].Gone; s.takesPart(i) && (g == 0 || g > from) {
				c.Before += s.Items().Tokens(i)
				c.there = append(c.there, int32(i))
			}
		}
		again := map[int32]bool{}
		for i := from; i < r.Before; i++ {
			if copied := s.log.Facts[i].Copy; copied > 0 {
				again[int32(copied-1)] = true
			}
		}
		gone = slices.DeleteFunc(gone, func(i int32) bool { return again[i] })
		if c.Summary == 0 || len(gone) == 0 {
			continue
		}
		c.After, c.Gone = s.tokens(s.come(r, 0)), len(gone)
		last := s.requests[min(t+within, len(s.requests)-1)].Before
		c.Again = s.again(gone, at+1, last)
		all = append(all, c)
	}
	return all
}

// again returns the items from index from to to-1 that repeat one of those gone.
func (s *History) again(gone []int32, from, to int) (all []Again) {
	texts, calls, paths := map[string]int32{}, map[string]int32{}, map[string]int32{}
	for _, i := range gone {
		content := s.Items().Loaded(int(i)).Content
		switch {
		case s.isResult(int(i)):
			texts[content] = i
		case s.isCall(int(i)):
			calls[s.Items().Tool(int(i))+" "+content] = i
			if path := pathOf(content); path != "" {
				paths[s.Items().Tool(int(i))+" "+path] = i
			}
		}
	}
	told := map[int]bool{} // results whose call is among all
	for i := from; i < to; i++ {
		content := s.Items().Loaded(i).Content
		a := Again{Item: int32(i), Tokens: s.Items().Tokens(i)}
		ok := false
		switch {
		case !s.takesPart(i) || s.log.Facts[i].Copy > 0 || told[i]:
		case s.isResult(i):
			a.Sign = "same text"
			a.Of, ok = texts[content]
			ok = ok && a.Tokens >= minRepeat
		case s.isCall(i):
			a.Sign = "same call"
			if a.Of, ok = calls[s.Items().Tool(i)+" "+content]; !ok {
				a.Sign = "same path"
				if path := pathOf(content); path != "" {
					a.Of, ok = paths[s.Items().Tool(i)+" "+path]
				}
			}
			if result, paired := s.Items().Partner(i); ok && paired && result < to {
				a.Tokens += s.Items().Tokens(result)
				told[result] = true
			}
		}
		if ok {
			a.Request = slices.IndexFunc(s.requests, func(r Request) bool { return r.Before > i })
			all = append(all, a)
		}
	}
	return all
}

// callPath finds the file that a call is about.
var callPath = regexp.MustCompile(`"(?:file_path|filePath|path|filename|notebook_path)"\s*:\s*"([^"]+)"`)

func pathOf(call string) string {
	if found := callPath.FindStringSubmatch(call); found != nil {
		return found[1]
	}
	return ""
}
