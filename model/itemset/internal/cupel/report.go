package cupel

import (
	"cmp"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// The selection reports of Cupel itself: snapshots that .NET tests keep, and what the Rust
// crate writes. They hold the items, with the scores and the reasons of one run, but neither
// budget nor policy nor the order in which the items came.

// ReportNoContent lists the members of reports that hold no content and are not reported as
// unread: how long the stages took, and the data of a reason.
var ReportNoContent = []string{"events", "reason", "reasons", "stages", "kind", "displaced_by", "displacedBy", "filter_name"}

// IsReport reports whether an object is a selection report that holds its items.
func IsReport(o record.Object) bool {
	if o.Type("included") != '[' || o.Type("excluded") != '[' {
		return false
	}
	for _, list := range [...]string{"included", "excluded"} {
		for first := range o.List(list) {
			return record.Open(first).Type("item") == '{'
		}
	}
	return o.Has("totalCandidates", "total_candidates")
}

// ReadReport adds the items of a report to the sink: the included ones as they were placed,
// then the others by score. Their scores become hints. ReadReport sets Facts.Recorded to what
// the run decided.
func ReadReport(doc record.Document, sink record.Sink) error {
	sink.Unit("entry")
	r := reportReader{sink: sink, recorded: new(record.Recorded), byContent: map[string]int{}, against: map[int]string{}}
	for at, raw := range doc.Values() {
		if !doc.HoldsObject(sink, at, raw, "a report") {
			return nil
		}
		o, n := record.Open(raw), 0
		for _, list := range [...]string{"included", "excluded"} {
			for one := range o.List(list) {
				n++
				if !sink.Next() {
					return nil
				}
				r.entry(record.Place{N: n}, one, list == "included")
			}
		}
		record.TellUnread(sink, at, "", o, ReportNoContent)
		break // a report is one value
	}
	for index, content := range r.against {
		if survivor, ok := r.byContent[content]; ok {
			r.recorded.Reasons[index].By, r.recorded.Reasons[index].Bare = survivor, false
		} else {
			sink.Tell(record.Changed, record.Place{}, "duplicates of an item that the report does not have")
		}
	}
	if len(r.recorded.Items) > 0 {
		sink.Facts().Recorded = r.recorded
		sink.Tell(record.Changed, record.Place{}, "scores of a recorded run, taken as relevance; the order of the input is not in a report")
	}
	return nil
}

type reportReader struct {
	sink      record.Sink
	recorded  *record.Recorded
	byContent map[string]int // of the included items
	against   map[int]string // content that an item was dropped for
}

func (r *reportReader) entry(at record.Place, raw []byte, included bool) {
	if !record.IsObject(r.sink, at, raw, "an entry") {
		return
	}
	o := record.Open(raw)
	item := o.Raw("item")
	if jsonwalk.Type(item) != '{' {
		r.sink.Tell(record.Skipped, at, "results without an item")
		return
	}
	it, problem := Parse(item, nil)
	if problem != "" {
		r.sink.Tell(record.Skipped, at, problem)
		return
	}
	score, ok := record.Finite(o.Raw("score"))
	if ok {
		it.FutureRelevanceHint = model.Some(score)
	}
	reason, against := decisionOf(o)
	if reason.Code == model.CodeNone || reason.Code.Included() != included {
		r.sink.Tell(record.Changed, at, "reasons that are not known")
		reason = model.Reason{Code: model.Filtered, Bare: true}
		if included {
			reason = model.Reason{Code: model.Scored}
		}
	}
	record.TellUnread(r.sink, at, "entry.", o, ReportNoContent)
	index := it.Give(r.sink, at)
	if index < 0 {
		return
	}
	if included {
		r.byContent[it.Content] = index
	} else if reason.Code == model.Deduplicated {
		r.against[len(r.recorded.Items)] = cmp.Or(against, it.Content)
	}
	r.recorded.Items = append(r.recorded.Items, index)
	r.recorded.Reasons = append(r.recorded.Reasons, reason)
	r.recorded.Scores = append(r.recorded.Scores, score)
}

// decisionOf reads "budgetExceeded", {"reason": "BudgetExceeded", ...} and
// {"BudgetExceeded": {...}} with the numbers that may be there, and names the item
// that a duplicate repeats.
func decisionOf(o record.Object) (reason model.Reason, against string) {
	name, data := o.Text("reason"), o
	if inner := o.Open("reason"); inner != nil {
		name, data = inner.Text("reason"), inner
		if name == "" {
			name, data = inner[0].Key, record.Open(inner[0].Value)
		}
	}
	for _, c := range model.Codes() {
		if strings.EqualFold(c.String(), name) {
			reason.Code = c
		}
	}
	number := func(key string) model.Tokens {
		n, ok := record.Whole(data.Raw(key))
		reason.Bare = reason.Bare || !ok
		return n
	}
	switch reason.Code {
	case model.NegativeTokens:
		reason.Tokens = number("tokens")
	case model.BudgetExceeded:
		reason.Tokens, reason.Available = number("item_tokens"), number("available_tokens")
	case model.CountCapExceeded:
		reason.Kind, reason.Cap, reason.Taken = model.Kind(data.Text("kind")), int(number("cap")), int(number("count"))
	case model.Filtered:
		reason.Filter = data.Text("filter_name")
		reason.Bare = reason.Filter == ""
	case model.Deduplicated, model.PinnedOverride:
		reason.By, reason.Bare = -1, true
	}
	against = data.Text("deduplicated_against")
	if survivor := data.Open("deduplicatedAgainst"); survivor != nil {
		against = survivor.Text("content")
	}
	return reason, against
}
