package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Chat messages as OpenAI defines them, and messages of Anthropic, Converse, Gemini, LangChain
// and the logs of agents: other keys, other types, the same things.

// shortMessage is a length in bytes up to which what is around the text of a message
// takes longer to read than the text, which is no payload.
const shortMessage = 1 << 10

// plain reads a short message that has a role and a text and nothing else, in a third of
// the time of message; false for any other record.
func (r *reader) plain(at record.Place, raw []byte) (m conversation.Message, ok bool) {
	if len(raw) > shortMessage || r.attached != nil || !r.doc.Valid && !jsonwalk.Valid(raw) {
		return m, false
	}
	var role, content []byte
	members := 0
	for key, value := range jsonwalk.Members(raw) {
		members++
		switch key {
		case "role":
			role = value
		case "content":
			content = value
		}
	}
	if members != 2 || jsonwalk.Type(content) != '"' {
		return m, false
	}
	switch string(role) {
	case `"user"`:
		m.Role = "user"
	case `"assistant"`:
		m.Role = "assistant"
	case `"system"`:
		m.Role = "system"
	}
	if m.Role == "" || r.called[m.Role] { // the name of a tool
		return m, false
	}
	m.Place = at
	m.Text, _ = jsonwalk.String(content)
	return m, true
}

// message reads one message; false if it was skipped.
func (r *reader) message(at record.Place, raw []byte) (m conversation.Message, ok bool) {
	if s, ok := jsonwalk.String(raw); ok && r.texts { // a text alone is what the user says
		return conversation.Message{Place: at, Role: "user", Blocks: []blocks.Block{{Text: s}}}, true
	}
	if !r.doc.HoldsObject(r.sink, at, raw, "a message") {
		return m, false
	}
	r.scratch = r.scratch.Reopen(raw, r.doc.Ends())
	o := r.scratch
	if !o.Has("role") && IsResponseItem(o.Text("type")) {
		return ResponseItem(r.sink, at, raw)
	}
	if isClineEvent(o) && saysNothing(o) {
		r.sink.Tell(record.LeftOut, at, "rows in which nothing is said")
		return m, false
	}
	m = conversation.Message{Place: at, Role: Role(o.Text("role")), ID: o.Text("id")}
	f := formOf(o)
	var outer *record.Opened
	if f != nil {
		outer = o.Opened()
	}
	if f != nil && f.of != "" {
		r.sink.Tell(record.LeftOut, at, fmt.Sprintf("%.40s rows", lastText(outer.Raw(f.of))))
		return m, false
	}
	// What a sub-agent of the Copilot CLI says or runs is a context of its own: the call that
	// began it has its answer.
	side := f != nil && o.Holds("type:\"", "data:{", "agentId:\"")
	if side && !r.doc.Sidechains {
		r.sink.Tell(record.LeftOut, at, conversation.OfSubAgents)
		return m, false
	}
	if f != nil {
		o = outer.In(f.inner)
		m.Role, m.ID = f.speaker(outer), o.Text("id")
		m.Timed(r.sink, outer.In("").Time())
		r.tools = slices.AppendSeq(r.tools, jsonwalk.Elements(outer.Raw(f.tools)))
	}
	r.sink.Facts().Names(o.Text("model", "model_name"))
	if !m.At.Set && (f == nil || f.inner != "") {
		m.Timed(r.sink, o.Time())
	}
	usage := r.readBeside(&m, o)
	if o.Type("content") == '{' && m.Role == "tool" {
		if tool := o.Open("content"); tool.Text("type") == "function" && tool.Has("function") {
			r.tools = append(r.tools, o.Raw("content"))
			return m, false
		}
	}
	if r.called[m.Role] { // some name a result by its tool
		m.Meta, m.Role = map[string]any{"name": m.Role}, "tool"
	}
	in := blocks.Reader{Attached: r.attached}
	if f != nil && f.parts != nil {
		f.read(&m, outer, &in)
	} else if m.Role != "" {
		m.Blocks = Blocks(m.Role, o, &in)
	} else if !r.turn(&m, o, &in) {
		r.sink.Tell(record.Skipped, at, "messages without a role")
		return m, false
	}
	if o.Has("role") && m.Role != "tool" && m.Role != "function" {
		if name := o.Text("name", "tool_name"); name != "" {
			m.Meta = map[string]any{"name": name}
		}
	}
	if m.Role == "assistant" {
		m.Output = conversation.Count(r.sink, usage)
	}
	r.noteCalls(m.Blocks)
	if f != nil {
		r.readContinue(&m, outer, &in)
	}
	if side {
		outer.Raw("agentId")
		m.Meta = map[string]any{"isSidechain": true}
	}
	conversation.Note(r.sink, at, in)
	if f != nil {
		outer.TellUnread(r.sink, at, "message.", NoContent)
	} else {
		record.TellUnread(r.sink, at, "message.", o, NoContent)
	}
	return m, true
}

// readBeside reads what some agents log beside a message: its time, and the names of models. It
// returns the usage of the message, wherever it stands.
func (r *reader) readBeside(m *conversation.Message, o record.Object) (usage []byte) {
	usage = o.Raw("usage", "usage_metadata")
	for _, key := range [...]string{"extra", "metadata", "response_metadata"} {
		extra := o.Open(key)
		if len(extra) == 0 {
			continue
		}
		if at := extra.Raw("timestamp"); !m.At.Set && at != nil {
			m.Timed(r.sink, at)
		}
		if usage == nil {
			usage = extra.Open("response").Raw("usage")
		}
		name := extra.Text("model_name", "model")
		if key == "response_metadata" {
			r.sink.Facts().Names(name)
		}
		record.TellUnread(r.sink, m.Place, "message."+key+".", extra, NoContent)
	}
	return usage
}

// noteCalls notes the names of the tools that the blocks call.
func (r *reader) noteCalls(all []blocks.Block) {
	for _, b := range all {
		if b.Kind == blocks.Call && b.Name != "" {
			if r.called == nil {
				r.called = map[string]bool{}
			}
			r.called[b.Name] = true
		}
	}
}

// readContinue adds what Continue keeps around a message: the documents before it, and the
// results of its calls.
func (r *reader) readContinue(m *conversation.Message, outer *record.Opened, in *blocks.Reader) {
	for raw := range jsonwalk.Elements(outer.Raw("contextItems")) {
		item := record.Open(raw)
		m.Blocks = append(m.Blocks, blocks.Block{Kind: blocks.Document, Text: item.Text("content"), Name: item.Text("name")})
	}
	for raw := range jsonwalk.Elements(outer.Raw("toolCallStates")) {
		state := record.Open(raw)
		id := state.Text("toolCallId")
		for one := range state.List("output") {
			m.Blocks = append(m.Blocks, in.Result(id, "", state.Text("status") == "errored", record.Open(one).Raw("content"))...)
		}
		state.Raw("toolCall")
		state.Raw("parsedArgs") // which both repeat the call
		record.TellUnread(r.sink, m.Place, "message.toolCallStates.", state, NoContent)
	}
}

// NoContent lists the members of messages, items and requests that hold no content and
// are not reported as unread.
var NoContent = []string{
	"role", "id", "type", "object", "index", "status", "phase", "finish_reason", "finishReason", "stop_reason", "stop_sequence", "stopReason", "logprobs",
	"system_fingerprint", "service_tier", "created", "created_at", "createdAt", "updated_at", "updateTime", "update_time", "create_time", "parent_id", "parent", "uuid",
	"weight", "end_turn", "recipient", "channel", "model", "usage", "usage_metadata", "usageMetadata", "example", "lc", "signature", "thoughtSignature", "encrypted_content",
	"avgLogprobs", "citationMetadata", "safetyRatings", "responseId", "modelVersion", "author", "invocationId", "invocation_id", "long_running_tool_ids", "actions", "info", "say", "ask", "kind", "parentId", "parentToolCallId", "messageId", "action_id", "interactionId", "requestId", "modelId", "modeInfo", "modelState", "slashCommand", "vote", "internal_chat_message_metadata_passthrough", "header", "products", "activityControls", "titleUrl",
}

// Blocks returns the blocks of a message with a role, read with in.
func Blocks(role string, o record.Object, in *blocks.Reader) []blocks.Block {
	if role == "tool" || role == "function" {
		id := o.Text("tool_call_id")
		if all, _ := record.Strings(o.Raw("tool_call_ids")); id == "" && len(all) > 0 {
			id = all[0]
		}
		if o.Has("parts") || in.HoldsResults(o.Raw("content")) {
			return in.Content(o.Raw("content", "parts"))
		}
		if id == "" {
			id = o.Text("toolCallId")
		}
		return in.Result(id, o.Text("name", "tool_name", "toolName", "function"), blocks.Failed(o), o.Raw("content"))
	}
	said := in.Content(o.Raw("content"))
	if len(said) == 0 {
		said = in.Content(o.Raw("parts", "text"))
		if text, _ := jsonwalk.String(o.At("text")); o.Has("parts") && text != "" && text == allText(said) { // pieces that came one by one
			said = in.Content(o.Raw("text"))
		}
	}
	for _, key := range [...]string{"executableCode", "codeExecutionResult"} { // of AI Studio
		if value := o.Raw(key); value != nil {
			said = append(said, in.Content(fmt.Appendf(nil, `{%q:%s}`, key, value))...)
		}
	}
	for image := range o.List("images") { // Ollama's, in base64
		said = append(said, blocks.Payload("image", "", image))
	}
	if len(said) == 0 {
		said = in.Content(o.Raw("refusal"))
	}
	audio := o.Open("audio")
	if s := audio.Text("transcript"); s != "" && len(said) == 0 {
		said = []blocks.Block{{Text: s}}
	}
	if data := audio.Raw("data"); data != nil {
		said = append(said, blocks.Payload("audio", "", data))
	}
	more := o.Open("additional_kwargs")
	thinking := cmp.Or(o.Text("reasoning_content", "reasoning", "thinking"), more.Text("reasoning_content")) // of several spellings the others may be null
	if s := o.Text("thought"); thinking == "" && s != "" && !repeats(said, s) {
		thinking = s
	}
	if o.Is("isThought") {
		return in.Thoughts(o.Raw("text"))
	}
	var all []blocks.Block
	if thinking != "" {
		all = append(all, blocks.Block{Kind: blocks.Thinking, Text: thinking})
	} else {
		for _, b := range in.Content(o.Raw("reasoning_details", "thinking_blocks")) {
			if b.Kind == blocks.Text {
				b.Kind = blocks.Thinking
			}
			all = append(all, b)
		}
	}
	all = append(all, said...)
	for _, calls := range [...][]byte{o.Raw("toolCalls"), o.Raw("tool_calls"), more.Raw("tool_calls")} {
		for raw := range jsonwalk.Elements(calls) {
			call := in.Call(raw)
			if !slices.ContainsFunc(all, func(b blocks.Block) bool { // a block of the content, or another list, says it too
				return b.Kind == blocks.Call && b.CallID == call.CallID && b.CallID != ""
			}) {
				all = append(all, call)
			}
		}
	}
	for one := range o.List("toolInvocations") {
		all = append(all, in.Content([]byte(`{"type":"tool-invocation","toolInvocation":`+string(one)+`}`))...)
	}
	if call := o.Open("function_call"); call != nil {
		all = append(all, blocks.CallOf("", call.Text("name"), call.Raw("arguments", "input")))
	}
	return all
}

// allText returns the texts of blocks, one after the other, and "" if a block is no text.
func allText(all []blocks.Block) string {
	var b strings.Builder
	for _, one := range all {
		if one.Kind != blocks.Text && one.Kind != blocks.Thinking {
			return ""
		}
		b.WriteString(one.Text)
	}
	return b.String()
}

// repeats reports whether a text of the blocks has the thought in it: some agents
// log what the model said as a thought too.
func repeats(all []blocks.Block, thought string) bool {
	thought = strings.TrimSpace(thought)
	return slices.ContainsFunc(all, func(b blocks.Block) bool { return b.Kind == blocks.Text && strings.Contains(b.Text, thought) })
}

// IsMessage reports whether an object is one message of a conversation.
func IsMessage(o record.Object) bool {
	sender := o.Text("sender")
	switch {
	case o.Type("role") == '"':
		return hasSaid(o) || o.Type("parts") == '[' || o.Type("blocks") == '['
	case o.Type("author") == '{' && o.Has("content") && o.Open("author").Has("role"),
		o.Has("text", "content") && (sender == "human" || sender == "assistant"),
		o.Type("action") == '"' && o.Type("observation") == '"':
		return true
	}
	f := formOf(o)
	return f != nil && f.of == "" || IsResponseItem(o.Text("type"))
}

func hasSaid(o record.Object) bool {
	return o.Has("content", "tool_calls", "toolCalls", "function_call") || o.Type("text") == '"'
}

// turn reads what the logs of agents and collections of dialogues have instead
// of a message with a role: turns from a human, a model or a tool, steps of an
// action and what was observed, events of ADK, messages of the exports of ChatGPT and
// Claude, answers as the Responses API gives them; false for anything else.
func (r *reader) turn(m *conversation.Message, o record.Object, in *blocks.Reader) bool {
	switch {
	case o.Type("author") == '{':
		authored(m, o, in)
	case o.Has("action") && o.Has("observation"):
		m.Role = "assistant"
		if said := o.Text("response"); said != "" {
			m.Blocks = []blocks.Block{{Text: said}}
		} else {
			m.Blocks = []blocks.Block{{Text: o.Text("thought")}, {Kind: blocks.Call, Text: o.Text("action")}}
		}
		m.Blocks = append(m.Blocks, in.Result("", "", false, o.Raw("observation"))...)
	case o.Type("output") == '[':
		m.Role, m.ID = "assistant", o.Text("id")
		for item := range o.List("output") {
			if one, ok := ResponseItem(r.sink, m.Place, item); ok {
				m.Blocks = append(m.Blocks, one.Blocks...)
			}
		}
	default:
		return spoken(m, o, in)
	}
	return true
}

// Role returns the role for the name that a format gives the speaker of a message.
func Role(from string) string {
	switch strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(from, "Chunk"), "Message")) {
	case "human", "user":
		return "user"
	case "ai", "agent", "gemini", "gpt", "model", "bot", "chatgpt", "bing", "bard", "chatbot", "assistant":
		return "assistant"
	case "observation", "function_response", "tool_response", "toolresult", "tool_result", "tool", "environment", "functionexecutionresult":
		return "tool"
	case "system":
		return "system"
	case "function":
		return "function"
	}
	return from
}

// authored reads a message of ChatGPT's export: {"author": {"role", "name"},
// "recipient", "content": {"content_type", "parts" or "text"}}. A message to
// another recipient than all is a call.
func authored(m *conversation.Message, o record.Object, in *blocks.Reader) {
	author, content, recipient := o.Open("author"), o.Open("content"), o.Text("recipient")
	m.Role = author.Text("role")
	all := in.Content(content.Raw("parts"))
	for _, key := range [...]string{"text", "content", "result", "user_profile", "user_instructions"} {
		if content.Type(key) == '"' {
			all = append(all, in.Content(content.Raw(key))...)
		}
	}
	var thoughts [][]byte
	for thought := range content.List("thoughts") {
		thoughts = append(thoughts, record.Open(thought).Raw("content"))
	}
	for i := range all {
		b := &all[i]
		switch {
		case m.Role == "tool" && b.Kind == blocks.Text:
			b.Kind, b.Name = blocks.Result, author.Text("name")
		case m.Role == "assistant" && b.Kind == blocks.Text && recipient != "" && recipient != "all":
			b.Kind, b.Name = blocks.Call, recipient
		}
	}
	m.Blocks = append(in.Thoughts(thoughts...), all...)
}
