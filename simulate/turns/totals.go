package turns

import "cupelscope/model"

// Totals is what a plan comes to over the requests of one session, or, added up,
// of many.
type Totals struct {
	Requests int // that were sent
	Failed   int
	Over     int // of those sent, how many exceed the target
	Bill         // of all that were sent
	// Against is the cost of sending everything at the requests that were sent.
	Against float64

	surviving float64 // sum over the requests that another came before
	followers int
}

// Tokens is the tokens of all windows sent.
func (t Totals) Tokens() model.Tokens { return t.Read + t.Written + t.Plain }

// TokensPerRequest is the mean over requests that were sent; 0 without any.
func (t Totals) TokensPerRequest() float64 {
	if t.Requests == 0 {
		return 0
	}
	return float64(t.Tokens()) / float64(t.Requests)
}

// SurvivingPrefix is the mean, over requests after the first that was sent, of
// the share of the window before that survives; false where there are none.
func (t Totals) SurvivingPrefix() (float64, bool) {
	if t.followers == 0 {
		return 0, false
	}
	return t.surviving / float64(t.followers), true
}

// CostRatio is the cost relative to sending everything at the same requests;
// false where that costs nothing.
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
	t.Read += o.Read
	t.Written += o.Written
	t.Plain += o.Plain
	t.Cost += o.Cost
	t.Against += o.Against
	t.surviving += o.surviving
	t.followers += o.followers
}

// Course is what one plan does over a session.
type Course struct {
	Plan    Plan
	Windows []Window // by request
	Changes []Change
	Bills   []Bill
	Totals  Totals
}

// Bill prices windows that were compared. all is the course of sending
// everything, which the cost is set against; nil for that course itself. The
// totals leave out the current request, which has not been sent yet.
func (s *Session) Bill(p Plan, windows []Window, changes []Change, target model.Tokens, c Cache, all *Course) *Course {
	course := &Course{Plan: p, Windows: windows, Changes: changes, Bills: make([]Bill, len(windows))}
	total := &course.Totals
	for t, w := range windows {
		bill := Bill{}
		if w.Err == nil {
			bill = c.Bill(w.Tokens, changes[t].Shared)
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
		if all != nil {
			one.Against = all.Bills[t].Cost
		}
		if w.Tokens > target {
			one.Over = 1
		}
		if !changes[t].First {
			one.surviving, one.followers = changes[t].Surviving(), 1
		}
		total.Add(one)
	}
	return course
}
