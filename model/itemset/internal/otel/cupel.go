package otel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/record"
)

// Spans of Cupel itself: cupel.pipeline, and below it a span for each stage, whose events
// tell of the items: cupel.item.included and cupel.exclusion, if all was recorded. They have
// kinds, tokens, scores and reasons, and no texts.

// IsCupel reports whether an object is a span of Cupel, or holds one among its first
// spans.
func IsCupel(o record.Object) bool { return anySpan(o, 20, isOfCupel) }

func isOfCupel(span record.Object) bool {
	name := span.Text("name")
	return name == "cupel.pipeline" || strings.HasPrefix(name, "cupel.stage.")
}

// ReadCupel adds the items of one pipeline, chosen by doc.Choose, to the sink, like the items
// of a selection report. The error is a *record.SelectError.
func ReadCupel(doc record.Document, sink record.Sink) error {
	var runs []string // names of the spans of the pipelines
	stages := map[string][]record.Object{}
	for at, s := range spansOf(doc, sink) {
		if !isOfCupel(s) {
			sink.Tell(record.LeftOut, at, "spans that are not Cupel's")
			continue
		}
		tellText(sink, at, s)
		of := s.Text("parentSpanId", "parent_span_id", "parent_id")
		if s.Text("name") == "cupel.pipeline" {
			continue
		}
		if stages[of] == nil {
			runs = append(runs, of)
		}
		stages[of] = append(stages[of], s)
	}
	label := func(i int) string { return fmt.Sprintf("pipeline %.40q", runs[i]) }
	return doc.Choose(sink, "run", len(runs), label, func(k int) error {
		report := map[string][]any{"included": {}, "excluded": {}}
		n := 0
		for _, stage := range stages[runs[k]] {
			for raw := range stage.List("events") {
				event, a := record.Open(raw), attributes{}
				a.add(event.Raw("attributes"))
				list, prefix := "included", "cupel.item."
				switch event.Text("name") {
				case "cupel.item.included":
				case "cupel.exclusion":
					list, prefix = "excluded", "cupel.exclusion.item_"
				default:
					sink.Tell(record.LeftOut, record.Place{}, "events that are of no item")
					continue
				}
				n++
				kind, _ := jsonwalk.String(a[prefix+"kind"])
				reason, _ := jsonwalk.String(a.json("cupel.item.reason", "cupel.exclusion.reason"))
				if reason == "" && list == "included" {
					reason = "Scored"
				}
				report[list] = append(report[list], map[string]any{
					"item":  map[string]any{"content": fmt.Sprintf("item %d of the trace, %s", n, kind), "kind": kind, "tokens": number(a, prefix+"tokens")},
					"score": number(a, "cupel.item.score"), "reason": reason,
				})
			}
		}
		if n == 0 {
			sink.Tell(record.LeftOut, record.Place{}, "pipelines without events of their items, which the verbosity Full records")
			return nil
		}
		sink.Tell(record.Changed, record.Place{}, "items of a trace, which holds no texts: they are named by their number")
		return cupel.ReadReport(record.Split(doc.Name, record.JSON(report), doc.Options), sink)
	})
}

// tellText reports which attributes of a span hold text that is not read.
func tellText(sink record.Sink, at record.Place, span record.Object) {
	a := attributes{}
	a.add(span.Raw("attributes"))
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if jsonwalk.HasText(a[key]) {
			sink.Tell(record.Unread, at, "attributes."+key)
		}
	}
	record.TellUnread(sink, at, "span.", span, append([]string{"events"}, NoContent...))
}
