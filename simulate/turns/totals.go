package turns

import "cupelscope/model"

// Totals is the sum of the requests of one session under a plan or, with Add,
// of many sessions.
type Totals struct {
	Requests int // the number that were sent
	Failed   int
	Over     int // the number of sent ones that exceed the target
	Bare     int // the number of sent ones that hold pinned items alone, where there are others
	Bill         // the sum of the bills of the sent ones; its cost includes the summaries
	// Summaries is the number of requests that wrote summaries, which Requests does not count, and
	// SummaryCost what they cost, with what the model wrote.
	Summaries   int
	SummaryCost float64
	// Against is the cost, in input tokens, of sending everything at the same
	// requests.
	Against float64

	surviving float64 // sum over the requests that another came before
	followers int
	recall    float64 // sum over the requests at which a needed item was there
	judged    int
}

// TokensPerRequest returns the mean number of tokens of the windows sent, or 0
// if there are none.
func (t Totals) TokensPerRequest() float64 {
	if t.Requests == 0 {
		return 0
	}
	return float64(t.Tokens()) / float64(t.Requests)
}

// SurvivingPrefix returns the mean share, 0 to 1, of the window before that
// survives, over the requests sent after the first. It returns false if there
// are none.
func (t Totals) SurvivingPrefix() (float64, bool) {
	if t.followers == 0 {
		return 0, false
	}
	return t.surviving / float64(t.followers), true
}

// Recall returns the mean share, 0 to 1, of what is needed and was there that the windows
// sent have, by grade; see History.Needing. It returns false if nothing needed was there.
func (t Totals) Recall() (float64, bool) {
	if t.judged == 0 {
		return 0, false
	}
	return t.recall / float64(t.judged), true
}

// CostRatio returns the cost relative to sending everything at the
// same requests, or false if that costs nothing.
func (t Totals) CostRatio() (float64, bool) {
	if t.Against == 0 {
		return 0, false
	}
	return t.Cost / t.Against, true
}

// Add adds the totals of another session under the same plan and cache.
func (t *Totals) Add(o Totals) {
	t.Requests += o.Requests
	t.Failed += o.Failed
	t.Over += o.Over
	t.Bare += o.Bare
	t.Read += o.Read
	t.Written += o.Written
	t.Plain += o.Plain
	t.Cost += o.Cost
	t.Summaries += o.Summaries
	t.SummaryCost += o.SummaryCost
	t.Against += o.Against
	t.surviving += o.surviving
	t.followers += o.followers
	t.recall += o.recall
	t.judged += o.judged
}

// Course is what one plan does over a history. The slices are indexed by
// request.
type Course struct {
	Plan    Plan
	Windows []Window // by request
	Changes []Change
	Bills   []Bill
	Totals  Totals
}

// Bill prices windows, with the changes that Compare returned for them. A
// window of more than target tokens counts as Over. all is the course that
// sends everything, whose cost becomes Against; it is nil for that course
// itself. The totals leave out the current request, which has not been sent
// yet. Bills and totals count the fixed part of every prompt, Windows do not. The requests
// that write summaries are in the totals alone.
func (s *History) Bill(p Plan, windows []Window, changes []Change, target model.Tokens, b Billing, all *Course) *Course {
	course := &Course{Plan: p, Windows: windows, Changes: changes, Bills: make([]Bill, len(windows))}
	total := &course.Totals
	sent, cache := changes, loss{}
	if all != nil {
		sent = all.Changes
	}
	for t, w := range windows {
		cache = s.lost(t, b, sent, cache)
		bill := Bill{}
		if w.Err == nil {
			bill = b.bill(t, w, changes[t], cache, all == nil)
		}
		course.Bills[t] = bill
		switch {
		case s.requests[t].IsNow():
			continue
		case w.Err != nil:
			total.Failed++
			continue
		}
		one := Totals{Requests: 1, Bill: bill, Against: bill.Cost}
		if w.Asked != nil {
			one.Summaries, one.SummaryCost = 1, b.summary(t, w, changes[t], cache)
			one.Cost += one.SummaryCost
		}
		if all != nil {
			one.Against = all.Bills[t].Cost
			if w.Tokens < all.Windows[t].Tokens && (w.bare || s.bare(w)) {
				one.Bare = 1
			}
		}
		if w.Tokens > target {
			one.Over = 1
		}
		if has, needed := s.recall(s.requests[t], w); needed > 0 {
			one.recall, one.judged = float64(has)/float64(needed), 1
		}
		if !changes[t].First {
			one.surviving, one.followers = changes[t].Surviving(), 1
		}
		total.Add(one)
	}
	return course
}
