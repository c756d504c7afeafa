package turns

import (
	"math"
	"slices"
)

// Forecast compares what a cache model predicts for the prompts that were
// really sent with what the provider recorded. Both are the share of all
// prompt tokens that were read from the cache, 0 to 1. Absolute numbers cannot
// be compared, because a log leaves out tokens that a provider counts (tools,
// framing).
type Forecast struct {
	Requests            int // the number of requests that have a record
	Predicted, Recorded float64
}

// Error returns the predicted share less the recorded one.
func (f Forecast) Error() float64 { return f.Predicted - f.Recorded }

// Forecast compares the course that sends everything, which is what was really
// sent, with the record. It returns false if no request has a record.
func (s *Session) Forecast(all *Course) (Forecast, bool) {
	return s.forecast(all, 0, len(s.requests))
}

// ForecastAt is like Forecast for a single request. It panics if there is no
// such request.
func (s *Session) ForecastAt(all *Course, request int) (Forecast, bool) {
	return s.forecast(all, request, request+1)
}

func (s *Session) forecast(all *Course, from, to int) (Forecast, bool) {
	var f Forecast
	var read, tokens, recordedRead, recordedTokens float64
	for t := from; t < to; t++ {
		r := s.requests[t]
		if !r.Recorded.Set || r.Recorded.Value.Total() == 0 {
			continue
		}
		f.Requests++
		read += float64(all.Bills[t].Read)
		tokens += float64(all.Windows[t].Tokens)
		recordedRead += float64(r.Recorded.Value.CacheRead)
		recordedTokens += float64(r.Recorded.Value.Total())
	}
	if f.Requests == 0 || tokens == 0 {
		return Forecast{}, false
	}
	f.Predicted, f.Recorded = read/tokens, recordedRead/recordedTokens
	return f, true
}

// Errors returns the median and the largest of the absolute errors of
// forecasts, or NaN for both if there are none.
func Errors(forecasts []Forecast) (median, worst float64) {
	if len(forecasts) == 0 {
		return math.NaN(), math.NaN()
	}
	sizes := make([]float64, len(forecasts))
	for k, f := range forecasts {
		sizes[k] = math.Abs(f.Error())
	}
	slices.Sort(sizes)
	n := len(sizes)
	return (sizes[(n-1)/2] + sizes[n/2]) / 2, sizes[n-1]
}
