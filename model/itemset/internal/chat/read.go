// Package chat reads conversations that are given as arrays of messages: bare,
// within the request that sent them, in the logs of agents, a message or a
// request a line. A file may hold many; Options.Select picks one of them.
package chat

import (
	"fmt"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

type reader struct {
	doc      record.Document
	sink     record.Sink
	attached map[string][]byte // what texts of messages may refer to
	texts    bool              // a text may stand for a message of the user
	called   map[string]bool   // names of tools
	tools    [][]byte          // definitions that were logged as messages
	scratch  record.Object     // of the message that is read
}

// Read adds the items of one conversation, chosen by doc.Choose, to the sink. The
// error is a *record.SelectError.
func Read(doc record.Document, sink record.Sink) error {
	if doc.IsArray() && streamed(doc.Data) {
		return ReadStream(doc, sink)
	}
	r := reader{doc: doc, sink: sink}
	var runs []run
	var loose []conversation.Message // given one a record
	for at, raw := range doc.Records() {
		if !sink.Next() {
			return nil
		}
		m, ok := r.plain(at, raw)
		if !ok {
			found := []run(nil)
			if doc.IsObject() {
				found = runsOf(nil, doc.Object(), raw, 0)
			} else {
				found = findRunsAt(nil, raw, 0)
			}
			if len(found) > 0 {
				runs = append(runs, found...)
				continue
			}
			m, ok = r.message(at, raw)
		}
		if ok {
			loose = append(record.Grow(loose, len(loose), at.Offset, len(doc.Data)), m)
		}
	}
	if len(loose) > 0 {
		runs = append(runs, run{})
	}
	label := func(i int) string { return runs[i].label(loose) }
	return doc.Choose(sink, "run", len(runs), label, func(k int) error {
		if chosen := runs[k]; chosen.messages == nil && chosen.branch == nil {
			if !doc.Full {
				loose = conversation.AfterCompaction(sink, loose)
			}
			conversation.Write(sink, r.tools, loose)
		} else {
			r := r // what it gathers is of one run
			r.tools = nil
			r.run(chosen)
		}
		return nil
	})
}

// streamed reports whether a list is one answer as Gemini streams it, unless asked for
// events. In its first versions each piece said why it ended, as a whole answer does.
func streamed(list []byte) bool {
	n := 0
	for raw := range jsonwalk.Elements(list) {
		if o := record.Open(raw); o.Type("candidates") != '[' || o.Has("contents") {
			return false
		}
		n++
	}
	return n > 1
}

// run adds the items of one conversation: tool definitions, system prompt, messages.
func (r *reader) run(of run) {
	var outer, config record.Object
	if len(of.outer) > 0 && (len(of.request) == 0 || &of.outer[0] != &of.request[0]) {
		outer = of.outer
	}
	if of.request.Has("contents") { // as the library of Gemini for Python takes them
		config = of.request.Open("config")
	}
	var all []conversation.Message
	var tools [][]byte
	for _, around := range [...]record.Object{outer, of.request, config} {
		said, more := r.before(around)
		all, tools = append(all, said...), append(tools, more...)
	}
	for range of.others {
		r.sink.Tell(record.LeftOut, record.Place{}, "messages of other branches than the last")
	}
	for range of.further {
		r.sink.Tell(record.LeftOut, record.Place{}, "answers besides the first")
	}
	if of.key != "" && !slices.Contains([]string{"messages", "contents", "input"}, of.key) {
		r.sink.Tell(record.Changed, record.Place{}, fmt.Sprintf("messages under the key %.40q", of.key))
	}
	r.sink.Unit("message")
	if jsonwalk.Type(of.attached) == '{' && (r.doc.Valid || jsonwalk.Valid(of.attached)) {
		r.attached = map[string][]byte{}
		for key, value := range jsonwalk.Members(of.attached) {
			if jsonwalk.Type(value) == '"' {
				r.attached[key] = value
			}
		}
	}
	r.texts = jsonwalk.Type(of.messages) == '"' || of.request.Has("contents")
	var at record.Place
	answer, read := -1, 0
	for raw, counted := range of.all(r.doc.Ends()) {
		if !r.sink.Next() {
			return
		}
		at.N++
		if counted && answer < 0 {
			answer = len(all)
		}
		read += len(raw)
		m, ok := r.plain(at, raw)
		if !ok {
			m, ok = r.message(at, raw)
		}
		if ok && at.N == 1 && m.Role == "system" { // with what was added to the prompt
			all = slices.DeleteFunc(all, func(prompt conversation.Message) bool { return repeats(m.Parts(), allText(prompt.Blocks)) })
		}
		if ok {
			all = append(record.Grow(all, len(all), read, max(read, len(of.messages))), m)
		}
	}
	if of.branch != nil {
		r.inOrder(all)
	}
	tools = append(tools, r.tools...)
	record.TellUnread(r.sink, record.Place{}, "request.", of.request, RequestNoContent)
	record.TellUnread(r.sink, record.Place{}, "request.config.", config, RequestNoContent)
	for _, key := range of.unread {
		r.sink.Tell(record.Unread, record.Place{}, "request."+key)
	}
	record.TellUnread(r.sink, record.Place{}, "record.", outer, RequestNoContent)
	if answer >= 0 {
		conversation.CountAnswer(r.sink, all[answer:], of.usage)
	}
	if !r.doc.Full {
		all = conversation.AfterCompaction(r.sink, all)
	}
	conversation.Write(r.sink, tools, all)
}

// inOrder makes the times of a branch never go back, as the clocks of several machines do by
// some milliseconds. A message without a time gets the time of the message before it, or else
// the first time of the branch.
func (r *reader) inOrder(all []conversation.Message) {
	first := slices.IndexFunc(all, func(m conversation.Message) bool { return m.At.Set })
	if first < 0 {
		return
	}
	last := all[first].At
	for i := range all {
		switch at := &all[i].At; {
		case !at.Set:
			if len(all[i].Parts()) > 0 {
				r.sink.Tell(record.Changed, all[i].Place, "messages without a timestamp, given that of the message beside them")
			}
			*at = last
		case at.Value.Before(last.Value):
			r.sink.Tell(record.Changed, all[i].Place, "timestamps earlier than that of the message before, which is used")
			*at = last
		}
		last = all[i].At
	}
}

// before reads what a request has before its messages: system prompts and definitions
// of tools. It takes the name of the model from it, too.
func (r *reader) before(request record.Object) (all []conversation.Message, tools [][]byte) {
	for _, m := range request {
		if !slices.Contains(requestKeys, m.Key) || !r.doc.Valid && !jsonwalk.Valid(m.Value) {
			continue
		}
		switch m.Key {
		case "model", "modelId", "modelVersion":
			name, _ := jsonwalk.String(m.Value)
			r.sink.Facts().Names(name)
		case "tools", "functions":
			tools = append(tools, toolsIn(m.Value)...)
		case "runSettings":
			r.sink.Facts().Names(record.Open(m.Value).Text("model"))
		case "toolConfig":
			tools = append(tools, toolsIn(record.Open(m.Value).Raw("tools"))...)
		default:
			content := m.Value
			if parts := record.Open(content).Raw("parts"); parts != nil {
				content = parts
			}
			var in blocks.Reader
			if said := in.Content(content); len(said) > 0 {
				all = append(all, conversation.Message{Role: "system", Blocks: said})
			}
		}
	}
	return all, tools
}

// requestKeys are the members of a request that hold what comes before its messages
// (system prompt and tools) and the name of the model.
var requestKeys = []string{
	"model", "modelId", "modelVersion", "tools", "functions", "toolConfig",
	"runSettings", "system", "instructions", "system_prompt", "systemPrompt", "systemInstruction", "system_instruction",
}

// RequestNoContent lists the members of requests, answers and the objects around them
// that are not reported as unread: names, settings, and members that were looked at
// when the runs were found.
var RequestNoContent = slices.Concat(requestKeys, NoContent, []string{
	"choices", "candidates", "mapping", "current_node", "attachments", "title", "name", "custom_id", "instance_id", "task_id", "method", "url", "user", "store", "stop",
	"tool_choice", "toolChoice", "reasoning", "text", "metadata", "truncation", "include", "stream_options", "anthropic_version", "anthropic_beta", "betas", "thinking",
	"generationConfig", "generation_config", "safetySettings", "inferenceConfig", "session_id", "sessionId", "conversation_id", "account", "error", "next", "config",
	"appName", "userId", "run_type", "trace_id", "dotted_order", "extra", "start_time", "end_time", "default_model_slug", "environment", "parallel_tool_calls", "functionCall",
	"additionalModelRequestFields", "additional_model_request_fields", "performanceConfig", "serviceTier", "requestMetadata", "guardrailConfig", "output_config", "outputConfig",
	"cache_control", "jsonrpc", "createTime", "billing", "labels", "speed", "http_options", "httpOptions", "session_name", "serialized",
	"request_id", "request_created_at", "request_path", "request_properties", "request_model", "response_id", "response_created_at", "response_model", "provider", "signed_body_url", "country_code", "evalId", "label",
})

// toolsIn lists the definitions of tools: Gemini has several in one, Bedrock and Letta
// each in a wrapper.
func toolsIn(list []byte) [][]byte {
	var all [][]byte
	if text, ok := jsonwalk.String(list); ok && jsonwalk.Valid([]byte(text)) { // in data to train on
		list = []byte(text)
	}
	for tool := range jsonwalk.Elements(list) {
		o := record.Open(tool)
		if declared := o.Raw("functionDeclarations", "function_declarations"); declared != nil {
			all = append(all, toolsIn(declared)...)
		} else if inner := o.Raw("toolSpec", "json_schema"); inner != nil {
			all = append(all, inner)
		} else if o != nil && !o.Has("cachePoint") {
			all = append(all, tool)
		}
	}
	return all
}
