package otel

import (
	"encoding/json"
	"fmt"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/chat"
	"cupelscope/model/itemset/record"
)

// Langfuse exports a trace with its observations: {"trace", "observations":
// [{"type": "GENERATION", "model", "input", "output"}]}. Inputs and outputs are what
// the program gave, often JSON in a string.

// IsLangfuse reports whether an object is a trace of Langfuse.
func IsLangfuse(o record.Object) bool {
	for first := range o.List("observations") {
		inner := record.Open(first)
		return inner.Type("type") == '"' && inner.Has("input", "output")
	}
	return false
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
	if len(runs) == 0 {
		return nil
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
	o := map[string]json.RawMessage{}
	o["model"] = json.RawMessage(`""`) // an input that is a text is one of a request
	if model := generation.Raw("model"); model != nil {
		o["model"] = model
	}
	switch input := unquoted(generation.Raw("input")); jsonwalk.Type(input) {
	case '{':
		for _, m := range record.Open(input) {
			o[m.Key] = m.Value
		}
	case '[':
		o["messages"] = input
	case '"':
		o["input"] = input
	}
	if jsonwalk.Type(o["args"]) == '[' && o["messages"] == nil {
		o["messages"] = asked(o["args"])
		delete(o, "args")
	}
	if prompt := record.Open(o["prompt"]); prompt != nil { // what the Vercel AI SDK logs
		for _, m := range prompt {
			o[m.Key] = m.Value
		}
	} else if o["prompt"] != nil && o["messages"] == nil {
		o["messages"] = append(append([]byte(`[{"role":"user","content":`), o["prompt"]...), "}]"...)
		delete(o, "prompt")
	}
	switch output := unquoted(generation.Raw("output")); jsonwalk.Type(output) {
	case '{', '[':
		o["output"] = output
		if first := record.Open(firstOf(output)); first.Has("toolCallId") && !first.Has("role") { // calls alone
			o["output"] = append(append([]byte(`[{"role":"assistant","toolCalls":`), output...), "}]"...)
		}
		if inner := record.Open(output); inner.Has("candidates", "choices") || inner.Text("object") == "response" {
			delete(o, "output")
			for _, m := range inner {
				o[m.Key] = m.Value
			}
		}
	case '"':
		o["output"] = append(append([]byte(`[{"role":"assistant","content":`), output...), "}]"...)
	}
	usage := attributes{}
	for _, m := range generation.Open("usageDetails", "usage") {
		usage[m.Key] = m.Value
	}
	o["usage"], _ = json.Marshal(map[string]json.RawMessage{"input_tokens": number(usage, "input"), "output_tokens": number(usage, "output")})
	text, err := json.Marshal(o)
	if err != nil { // cannot be: all parts are valid
		return []byte("{}")
	}
	return text
}

// asked returns the messages in the arguments of the function that LlamaIndex calls:
// texts, or lists of messages.
func asked(args []byte) []byte {
	var all [][]byte
	for arg := range jsonwalk.Elements(args) {
		switch jsonwalk.Type(arg) {
		case '"':
			all = append(all, fmt.Appendf(nil, `{"role":"user","content":%s}`, arg))
		case '[':
			all = slices.AppendSeq(all, jsonwalk.Elements(arg))
		default:
			all = append(all, arg)
		}
	}
	return joined(all)
}

// firstOf returns the first element of an array.
func firstOf(array []byte) []byte {
	for one := range jsonwalk.Elements(array) {
		return one
	}
	return nil
}
