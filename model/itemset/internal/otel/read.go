// Package otel reads traces of calls to a model: spans with the attributes of OpenTelemetry's
// GenAI conventions (gen_ai.input.messages and the like, often JSON in a string), of
// OpenInference and OpenLLMetry (a key for each part of a message), and of the Vercel AI SDK
// (ai.prompt.messages, ai.response.text). Each span with messages is a run; it is read like the
// chat request and answer that it stands for.
package otel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// spanLists are the keys of lists of spans and of the lists around them.
var spanLists = []string{"resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "instrumentationLibrarySpans", "spans", "resourceLogs", "resource_logs", "scopeLogs", "scope_logs", "logRecords", "log_records", "batches", "data", "trace", "traces"}

// maxDepth is the depth down to which spans are searched.
const maxDepth = 6

// spans returns the objects with attributes in a value, at most maxSpans.
func spans(raw []byte, depth, maxSpans int) (all []record.Object) {
	if jsonwalk.Type(raw) != '[' {
		return spansIn(record.Open(raw), depth, maxSpans)
	}
	for one := range jsonwalk.Elements(raw) {
		if depth > maxDepth || len(all) >= maxSpans {
			break
		}
		all = append(all, spans(one, depth+1, maxSpans-len(all))...)
	}
	return all
}

func spansOf(doc record.Document, sink record.Sink) iter.Seq2[record.Place, record.Object] {
	return func(yield func(record.Place, record.Object) bool) {
		for at, raw := range doc.Values() {
			if !sink.Next() {
				return
			}
			if !doc.HoldsValue(sink, at, raw) {
				continue
			}
			for _, s := range spans(raw, 0, math.MaxInt) {
				if !yield(at, s) {
					return
				}
			}
		}
	}
}

// spansIn is spans for an object.
func spansIn(o record.Object, depth, maxSpans int) (all []record.Object) {
	for _, m := range o { // attributes alone
		if strings.HasPrefix(m.Key, "gen_ai.") || strings.HasPrefix(m.Key, "llm.") || strings.HasPrefix(m.Key, "attributes.") {
			return []record.Object{{{Key: "attributes", Value: o.JSON()}}}
		}
	}
	if c := o.Type("attributes"); (c == '{' || c == '[') && !o.Has("scopeSpans", "scope_spans", "scopeLogs", "scope_logs") {
		return []record.Object{o}
	}
	for _, key := range spanLists {
		if inner := o.Raw(key); inner != nil && depth <= maxDepth {
			all = append(all, spans(inner, depth+1, maxSpans-len(all))...)
		}
	}
	return all
}

// NoContent lists the members of spans that hold no content and are not reported as
// unread; for attributes it lists prefixes.
var NoContent = []string{
	"name", "traceId", "spanId", "parentSpanId", "trace_id", "span_id", "parent_id", "context", "kind", "status", "resource", "scope", "startTimeUnixNano", "endTimeUnixNano",
	"start_time", "end_time", "links", "schemaUrl", "timestamp", "instrumentationScope", "finish_reason",
	"ai.operationId", "ai.model.id", "ai.model.provider", "ai.telemetry.functionId", "ai.response.finishReason", "ai.response.id", "ai.response.model", "ai.response.timestamp",
	"ai.response.providerMetadata", "ai.prompt.toolChoice", "operation.name", "resource.name", "spanContext", "startTime", "endTime",
	"eventName", "event_name", "timeUnixNano", "observedTimeUnixNano", "severityText", "severityNumber",
	"openinference.span.kind", "mlflow.spanType", "mlflow.traceRequestId", "mlflow.spanFunctionName", "span_kind", "status_code", "context.trace_id", "context.span_id", "input.mime_type", "output.mime_type", "session.id", "user.id",
}

// Is reports whether an object is a span with messages, or holds one among its
// first spans.
func Is(o record.Object) bool {
	return anySpan(o, 100, func(s record.Object) bool { return hasMessages(attributesOf(s)) })
}

// anySpan reports whether one of the first spans in an object is of a kind.
func anySpan(o record.Object, looked int, is func(record.Object) bool) bool {
	return slices.ContainsFunc(spansIn(o, 0, looked), is)
}

type attributes map[string][]byte

// attributesOf returns the attributes of a span and of its events, which are written as
// {"key": value} or [{"key", "value": {"stringValue"}}].
func attributesOf(span record.Object) attributes {
	all := attributes{}
	all.add(span.Raw("attributes"))
	if kind := span.Raw("span_kind"); kind != nil { // as Phoenix exports it
		all["span_kind"] = kind
	}
	for event := range span.List("events") {
		all.add(record.Open(event).Raw("attributes"))
	}
	return all
}

// nested adds the attributes of an object: {"gen_ai": {"input": ...}} is gen_ai.input. What
// holds messages, or went in or came out, is one value.
func (a attributes) nested(prefix string, raw []byte) {
	for _, m := range record.Open(raw) {
		key := strings.TrimPrefix(prefix+m.Key, "attributes.")                                                             // a column of Phoenix' tables
		if text, ok := jsonwalk.String(m.Value); ok && strings.HasPrefix(key, "mlflow.") && jsonwalk.Valid([]byte(text)) { // all that MLflow writes is JSON in a string
			m.Value = []byte(text)
		}
		if jsonwalk.Type(m.Value) == '{' && !strings.Contains(m.Key, ".") && strings.Count(key, ".") < maxDepth &&
			!slices.Contains(whole, key) {
			a.nested(key+".", m.Value)
			continue
		}
		a[key] = m.Value
	}
}

func (a attributes) add(raw []byte) {
	a.nested("", raw)
	for pair := range jsonwalk.Elements(raw) {
		o := record.Open(pair)
		value := o.Open("value")
		if key := o.Text("key"); key != "" && len(value) > 0 {
			a[key] = plainValue(value, 0)
		}
	}
}

// plainValue returns a value of OTLP as JSON: {"stringValue": ...}, or one of lists and of
// keys with values, {"arrayValue": {"values"}} and {"kvlistValue": {"values"}}. One that is
// nested deeper than what a model is given stays as it is.
func plainValue(o record.Object, depth int) []byte {
	const deepest = 100
	if len(o) == 0 {
		return []byte("null")
	}
	inner := record.Open(o[0].Value)
	switch key := o[0].Key; {
	case depth > deepest:
	case key == "arrayValue", key == "array_value":
		var all [][]byte
		for one := range inner.List("values") {
			all = append(all, plainValue(record.Open(one), depth+1))
		}
		return record.Array(all)
	case key == "kvlistValue", key == "kvlist_value":
		all := map[string]json.RawMessage{}
		for one := range inner.List("values") {
			pair := record.Open(one)
			all[pair.Text("key")] = plainValue(pair.Open("value"), depth+1)
		}
		return record.JSON(all)
	}
	return o[0].Value
}

// json returns the value under the first of the keys that exists and is not null. In
// place of a string that holds a JSON object or array it returns that.
func (a attributes) json(keys ...string) []byte {
	for _, key := range keys {
		raw := a[key]
		if text, ok := jsonwalk.String(raw); ok && len(text) > 0 {
			if c := jsonwalk.Type([]byte(text)); (c == '{' || c == '[') && jsonwalk.Check([]byte(text)) == nil {
				return []byte(text)
			}
		}
		if raw != nil && !jsonwalk.IsNull(raw) {
			return raw
		}
	}
	return nil
}

// The attributes that hold messages, and the prefixes of those that hold a part of
// one each.
var (
	inputs   = []string{"gen_ai.input.messages", "gen_ai.input_messages", "gen_ai.prompt", "ai.prompt.messages", "ai.prompt"}
	outputs  = []string{"gen_ai.output.messages", "gen_ai.output_messages", "gen_ai.completion", "gen_ai.response.output_text"}
	asked    = []string{"input.value", "mlflow.spanInputs"}
	answered = []string{"output.value", "mlflow.spanOutputs"}
	whole    = slices.Concat(inputs, outputs, asked, answered)
	prefixes = []string{"llm.input_messages.", "gen_ai.prompt.", "llm.output_messages.", "gen_ai.completion."}
)

// vercelKeys are the attributes of the Vercel AI SDK that hold what is read.
var vercelKeys = []string{"ai.prompt", "ai.prompt.messages", "ai.prompt.tools", "ai.response.text", "ai.response.object", "ai.response.toolCalls"}

func hasMessages(a attributes) bool {
	_, model := a["llm.model_name"]
	kind, _ := jsonwalk.String(a.json("openinference.span.kind", "mlflow.spanType", "span_kind"))
	return (model || kind == "LLM" || kind == "CHAT_MODEL") && a.json(slices.Concat(asked, answered)...) != nil || hasOwnMessages(a)
}

// hasOwnMessages reports whether there are attributes for messages, rather than for
// what went in and came out.
func hasOwnMessages(a attributes) bool {
	for key := range a {
		if slices.Contains(inputs, key) || slices.Contains(outputs, key) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key+".", p) }) {
			return true
		}
	}
	return false
}

// says reports whether there is a text in the request or the answer of a span, so that it
// can be opened.
func (a attributes) says() bool {
	o := record.Open(record.JSON(a.request()))
	for _, key := range [...]string{"messages", "output", "choices", "candidates", "system"} {
		for message := range o.List(key) {
			m := record.Open(message)
			for _, content := range [...]string{"content", "parts", "kwargs", "message", "tool_calls", "toolCalls"} {
				if jsonwalk.HasText(m.Raw(content)) {
					return true
				}
			}
		}
	}
	return jsonwalk.Type(o.Raw("output")) == '{'
}

// Read adds the messages of one span, chosen by doc.Choose, to the sink. The error is
// a *record.SelectError.
func Read(doc record.Document, sink record.Sink) error {
	var runs []attributes
	var names []string
	calls := bytes.Contains(doc.Data, []byte(`"ai.prompt.messages"`)) // within the spans of the Vercel AI SDK that have a prompt alone
	for at, s := range spansOf(doc, sink) {
		switch a := attributesOf(s); {
		case calls && a["ai.prompt"] != nil && a["ai.prompt.messages"] == nil:
			sink.Tell(record.LeftOut, at, "spans around the calls of a model")
		case hasMessages(a) && a.says():
			runs, names = append(runs, a), append(names, s.Text("name"))
		default:
			sink.Tell(record.LeftOut, record.Place{}, "spans without messages")
		}
	}
	label := func(i int) string { return fmt.Sprintf("%.40q, %s", names[i], plain.Count(len(runs[i]), "attribute")) }
	return doc.Choose(sink, "run", len(runs), label, func(k int) error {
		known := slices.Concat(NoContent, vercelKeys)
		if !hasOwnMessages(runs[k]) {
			known = slices.Concat(known, asked, answered)
		}
		for _, key := range slices.Sorted(maps.Keys(runs[k])) {
			read := slices.ContainsFunc([]string{"gen_ai.", "llm.", "ai.request.headers."}, func(p string) bool { return strings.HasPrefix(key, p) })
			if !read && !slices.Contains(known, key) && jsonwalk.HasText(runs[k][key]) {
				sink.Tell(record.Unread, record.Place{}, "attributes."+key)
			}
		}
		return runs[k].request().read(doc, sink)
	})
}

// request returns a span as the chat request and answer that it recorded.
func (a attributes) request() call {
	c := call{}
	c.set("model", a.json("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"))
	c.set("system", a.json("gen_ai.system_instructions"))
	c.set("tools", a.json("gen_ai.tool.definitions"))
	if tools := a["ai.prompt.tools"]; c["tools"] == nil && jsonwalk.Type(tools) == '[' { // each is the text of one
		var all [][]byte
		for tool := range jsonwalk.Elements(tools) {
			all = append(all, unquoted(tool))
		}
		c.set("tools", record.Array(all))
	}
	if tools := a.list("llm.tools."); c["tools"] == nil && len(tools) > 0 {
		for i, tool := range tools {
			if definition := unquoted(record.Open(tool).Open("tool").Raw("json_schema")); definition != nil {
				tools[i] = definition
			}
		}
		c.set("tools", record.Array(tools))
	}
	messages, answer := a.json(inputs...), a.json(outputs...)
	if messages == nil {
		messages = record.Array(append(a.list("llm.input_messages."), a.list("gen_ai.prompt.")...))
	}
	if answer == nil {
		answer = record.Array(append(a.list("llm.output_messages."), a.list("gen_ai.completion.")...))
	}
	if len(answer) == len("[]") {
		answer = a.vercelAnswer()
	}
	if len(messages) == len("[]") && len(answer) == len("[]") { // only what went in and came out
		messages, answer = a.json(asked...), a.json(answered...)
	}
	c.ask(messages)
	c.answer(answer)
	usage := map[string]json.RawMessage{
		"input":  number(a, "gen_ai.usage.input_tokens", "llm.token_count.prompt", "gen_ai.usage.prompt_tokens"),
		"output": number(a, "gen_ai.usage.output_tokens", "llm.token_count.completion", "gen_ai.usage.completion_tokens"),
	}
	cached := []string{"gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"}
	if a.json(cached...) != nil {
		usage["input_token_details"] = record.JSON(map[string]json.RawMessage{
			"cache_read":     number(a, cached...),
			"cache_creation": number(a, "gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write"),
		})
	}
	c["usage"] = record.JSON(usage)
	return c
}

// vercelAnswer returns the answer as the Vercel AI SDK has it: a text or an object, and
// the calls of tools.
func (a attributes) vercelAnswer() []byte {
	o := map[string]json.RawMessage{"role": json.RawMessage(`"assistant"`)}
	for _, key := range [...]string{"ai.response.text", "ai.response.object"} {
		if raw := a[key]; jsonwalk.Type(raw) == '"' {
			o["content"] = raw
		}
	}
	if calls := a.json("ai.response.toolCalls"); jsonwalk.Type(calls) == '[' {
		o["toolCalls"] = calls
	}
	if len(o) == 1 {
		return []byte("[]")
	}
	return record.JSON([]any{o})
}

// number returns the number under the first of the keys that exists, or 0 if it is no
// number.
func number(a attributes, keys ...string) json.RawMessage {
	raw := a.json(keys...)
	if text, ok := jsonwalk.String(raw); ok { // as OTLP writes whole numbers
		raw = []byte(text)
	}
	if !jsonwalk.IsNumber(raw) || jsonwalk.Check(raw) != nil {
		return json.RawMessage("0")
	}
	return raw
}

// list returns the objects that are written with a key for each part, as in
// "PREFIX0.message.role", in the order of the numbers, without their wrapper "message".
func (a attributes) list(prefix string) (all [][]byte) {
	parts := map[string]any{}
	for one := range jsonwalk.Elements(a[strings.TrimSuffix(prefix, ".")]) { // nested, as Phoenix writes them
		at := strconv.Itoa(len(parts))
		parts[at] = map[string]any{}
		for key, value := range jsonwalk.Members(one) {
			record.Put(parts, append([]string{at}, strings.Split(key, ".")...), jsonwalk.Any(value))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(a)) { // of keys that exclude each other the same one counts each time
		rest, ok := strings.CutPrefix(key, prefix)
		at, path, _ := strings.Cut(rest, ".")
		if _, err := strconv.Atoi(at); ok && path != "" && err == nil {
			record.Put(parts, strings.Split(rest, "."), jsonwalk.Any(a[key]))
		}
	}
	list, _ := record.Listed(parts).([]any)
	for _, value := range list {
		if o, ok := value.(map[string]any); ok {
			if inner, ok := o["message"].(map[string]any); ok {
				if contents, ok := inner["contents"]; ok && (inner["content"] == nil || inner["content"] == "") {
					inner["content"] = contents
				}
				delete(inner, "contents")
				value = inner
			}
		}
		all = append(all, record.JSON(value))
	}
	return all
}

// unquoted returns the JSON value that a string holds, and any other value as it is.
func unquoted(raw []byte) []byte { return attributes{"": raw}.json("") }

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
		c := call{}
		c.set("model", runs[k].Raw("model"))
		c.ask(runs[k].Raw("input"))
		c.answer(runs[k].Raw("output"))
		c.set("usage", runs[k].Raw("usageDetails", "usage"))
		return c.read(doc, sink)
	})
}
