package export

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
)

// Quality is the quality of a result at a budget, with the smallest budgets that
// reach and hold the wanted recall.
type Quality struct {
	quality.Measure
	Reaches, Holds model.Option[model.Tokens]
	Labels         model.Labels
	Wanted         float64 // the recall for Reaches and Holds, 0 to 1
}

// QualityAt returns the quality m by labels, with the budgets of the profile p at which the wanted
// recall is reached and held, as judge sees it. If p is nil, these are not set. The error is ctx's.
func QualityAt(ctx context.Context, m quality.Measure, labels model.Labels, judge *quality.Judge, p *simulate.Profile, wanted float64) (*Quality, error) {
	q := &Quality{Measure: m, Labels: labels, Wanted: wanted}
	if p == nil {
		return q, nil
	}
	c, err := quality.NewCurve(ctx, p, judge)
	if err != nil {
		return nil, err
	}
	q.Reaches.Value, q.Reaches.Set = c.Reaches(wanted)
	q.Holds.Value, q.Holds.Set = c.Holds(wanted)
	return q, nil
}

// AppendQuality appends the quality of a result as one line of JSON. A measure
// that does not apply is null.
func AppendQuality(dst []byte, id json.RawMessage, items *model.Set, q *Quality) []byte {
	return shut(q.append(appendEstimates(open(dst, id), items), items))
}

// append appends the members of a quality of a set, with a comma before the first.
func (q *Quality) append(dst []byte, items *model.Set) []byte {
	share := func(name string, o model.Option[float64]) {
		dst = appendNumber(append(append(append(dst, `,"`...), name...), `":`...), o.Or(math.NaN()))
	}
	share("recall", q.Recall)
	if items.HasSizes() {
		share("wholeRecall", q.WholeRecall)
	}
	share("complete", quality.Share(q.Complete))
	share("answered", quality.Share(q.Answered))
	share("shareNeeded", q.ShareNeeded)
	dst = appendOption(append(dst, `,"reaches":`...), q.Reaches)
	return appendOption(append(dst, `,"holds":`...), q.Holds)
}

// appendMember appends the member quality of a report.
func (q *Quality) appendMember(dst []byte, items *model.Set) []byte {
	dst = appendInt(append(dst, `,"quality":{"needed":`...), q.Needed)
	dst = appendInt(append(dst, `,"neededIn":`...), q.In)
	dst = appendInt(append(dst, `,"unreachable":`...), q.Labels.Unreachable)
	dst = q.append(dst, items)
	return append(appendNumber(append(dst, `,"wanted":`...), q.Wanted), '}')
}

// line returns the quality as a line: "needed 5 of 7 in, recall 71 %; recall of 90 % from 1,200 on".
func (q *Quality) line(mark string, items *model.Set) string {
	var parts []string
	if q.Recall.Set {
		needed := fmt.Sprintf("needed %v of %v in, recall %s", plain.Thousands(q.In), plain.Thousands(q.Needed), plain.Percent(q.Recall.Value))
		if items.HasSizes() {
			needed += ", whole recall " + plain.Percent(q.WholeRecall.Value)
		}
		if q.ShareNeeded.Set {
			needed += ", " + plain.Percent(q.ShareNeeded.Value) + " of the tokens are needed"
		}
		parts = append(parts, needed)
		wanted := plain.Percent(q.Wanted) + " recall is "
		switch {
		case q.Holds.Set && q.Reaches != q.Holds:
			parts = append(parts, wanted+"reached at "+mark+q.Reaches.Value.String()+" and held from "+mark+q.Holds.Value.String()+" on")
		case q.Holds.Set:
			parts = append(parts, wanted+"reached at "+mark+q.Holds.Value.String()+" and held")
		case q.Reaches.Set:
			parts = append(parts, wanted+"reached at "+mark+q.Reaches.Value.String()+" and not held")
		}
	}
	if q.Answered.Set {
		answer := "no answer is in"
		if q.Answered.Value {
			answer = "an answer is in"
		}
		parts = append(parts, answer)
	}
	if n := q.Labels.Unreachable; n > 0 {
		parts = append(parts, plain.Count(n, "label")+" without an item")
	}
	return strings.Join(parts, "; ")
}

// relevance returns a cell with the grade of an item, if it was judged.
func (q *Quality) relevance(item int) Cell {
	grade, judged := q.Labels.Grades[item]
	return Index(grade).If(judged)
}
