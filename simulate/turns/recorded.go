package turns

import (
	"math"
	"slices"
)

// Forecast sets what a cache model says of the prompts that were really sent
// against what the provider recorded. Both are the share of all prompt tokens
// that was read from the cache, 0 to 1: a log leaves out tokens that a provider
// counts (tools, framing), so that absolute numbers cannot be compared.
type Forecast struct {
	Requests            int // that have a record
	Predicted, Recorded float64
}

// Error is how far the prediction is above the record, as a difference of shares.
func (f Forecast) Error() float64 { return f.Predicted - f.Recorded }

// Forecast compares the course that sends everything, which is what was really
// sent, with the record; false where there is none.
func (s *Session) Forecast(all *Course) (Forecast, bool) {
	return s.forecast(all, 0, len(s.requests))
}

// ForecastAt is Forecast for a single request.
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

// Errors is the median and the worst of the errors of forecasts, regardless of
// sign; NaN without any.
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
