package otel

import (
	"fmt"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/record"
)

// Langfuse exports a trace with its observations: {"trace", "observations":
// [{"type": "GENERATION", "model", "input", "output"}]}. Inputs and outputs are what
// the program gave, often JSON in a string.

// IsLangfuse reports whether an object is a trace of Langfuse.
func IsLangfuse(o record.Object) bool {
	first := record.Open(jsonwalk.First(o.Raw("observations")))
	return first.Type("type") == '"' && first.Has("input", "output")
}

// ReadLangfuse adds the messages of one generation, chosen by doc.Choose, to the sink.
// The error is a *record.SelectError.
func ReadLangfuse(doc record.Document, sink record.Sink) error {
	var runs []record.Object
	for at, raw := range doc.Objects(sink, "a trace") {
		for one := range record.Open(raw).List("observations") {
			if o := record.Open(one); o.Text("type") == "GENERATION" && o.Raw("input", "output") != nil {
				runs = append(runs, o)
			} else {
				sink.Tell(record.LeftOut, at, "observations besides the calls of a model")
			}
		}
	}
	label := func(i int) string { return fmt.Sprintf("%.40q, %.40s", runs[i].Text("name"), runs[i].Text("model")) }
	return doc.Choose(sink, "run", len(runs), label, func(k int) error {
		opts := doc.Options
		opts.Select = 0
		return chat.Read(record.Split(doc.Name, observed(runs[k]), opts), sink)
	})
}

// observed returns a generation as the chat request and answer that it recorded.
func observed(generation record.Object) []byte {
	c := call{}
	c.set("model", generation.Raw("model"))
	c.ask(generation.Raw("input"))
	c.answer(generation.Raw("output"))
	c.set("usage", generation.Raw("usageDetails", "usage"))
	return record.JSON(c)
}
