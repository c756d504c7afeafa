package turns

import (
	"math"
	"slices"

	"cupelscope/model"
)

// FromRecord says in words what a Forecast does not predict but takes from the record that
// it is compared with. Its errors are errors of a fit: a cost that is told before a session
// runs is further off.
const FromRecord = "with the fixed part, the first read and what the cache lost taken from the same record"

// Forecast compares what a cache model predicts for the prompts that were
// really sent with what the provider recorded; see FromRecord.
type Forecast struct {
	Requests int // the number of requests that have a record
	// Predicted and Recorded are the share of all prompt tokens that were read from the
	// cache, 0 to 1.
	Predicted, Recorded             float64
	PredictedCost, RecordedCost     float64      // in input tokens, at the prices of one cache
	PredictedTokens, RecordedTokens model.Tokens // of the prompts, with their fixed part
}

// CostError returns how far the predicted cost is off, as a share of the recorded cost; false
// where the recorded cost is 0.
func (f Forecast) CostError() (float64, bool) {
	if f.RecordedCost == 0 {
		return 0, false
	}
	return f.PredictedCost/f.RecordedCost - 1, true
}

// Error returns the predicted share less the recorded one.
func (f Forecast) Error() float64 { return f.Predicted - f.Recorded }

// Forecast compares the course that sends everything, which is what was really
// sent, with the record. It returns false if no request has a record.
func (s *History) Forecast(all *Course, c Cache) (Forecast, bool) {
	return s.forecast(all, c, 0, len(s.requests))
}

// ForecastAt is like Forecast for a single request. It panics if there is no
// such request.
func (s *History) ForecastAt(all *Course, c Cache, request int) (Forecast, bool) {
	return s.forecast(all, c, request, request+1)
}

func (s *History) forecast(all *Course, c Cache, from, to int) (Forecast, bool) {
	var f Forecast
	var read, recordedRead float64
	for t := from; t < to; t++ {
		r := s.requests[t]
		if !r.Recorded.Set || r.Recorded.Value.Total() == 0 || all.Windows[t].Err != nil {
			continue
		}
		f.Requests++
		bill, usage := all.Bills[t], r.Recorded.Value
		read += float64(bill.Read)
		recordedRead += float64(usage.CacheRead)
		f.PredictedTokens += bill.Tokens()
		f.RecordedTokens += usage.Total()
		f.PredictedCost += bill.Cost
		f.RecordedCost += c.costOf(usage)
	}
	if f.Requests == 0 || f.PredictedTokens == 0 {
		return Forecast{}, false
	}
	f.Predicted, f.Recorded = read/float64(f.PredictedTokens), recordedRead/float64(f.RecordedTokens)
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
