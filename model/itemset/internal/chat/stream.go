package chat

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Answers that were logged while they were written: server-sent events, or a piece a line, of
// OpenAI, Anthropic, Gemini, Ollama and Cohere. The pieces of an answer are joined into one
// message.

// IsEvents reports whether a text is server-sent events that carry JSON.
func IsEvents(text []byte) bool {
	const looked = 20
	n := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if n++; n > looked {
			break
		}
		if payload, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			return jsonwalk.Type(payload) == '{'
		}
		if !isField(line) {
			return false
		}
	}
	return false
}

// isField reports whether a line of events is blank, a comment, or a field other than
// data.
func isField(line []byte) bool {
	field, _, ok := bytes.Cut(line, []byte(":"))
	return len(line) == 0 || ok && (len(field) == 0 || slices.Contains([]string{"event", "id", "retry"}, string(field)))
}

// IsPiece reports whether an object is a piece of a streamed answer.
func IsPiece(o record.Object) bool {
	typ, object := o.Text("type"), o.Text("object")
	choice := record.Open(jsonwalk.First(o.Raw("choices")))
	switch {
	case object == "chat.completion.chunk", object == "text_completion" && !choice.Has("message"), o.Has("event_type"),
		typ == "message_start" && o.Type("message") == '{', strings.HasPrefix(typ, "content_block_"),
		typ == "message-start", strings.HasPrefix(typ, "content-") && o.Has("delta"),
		strings.HasPrefix(typ, "response.") && o.Has("response", "delta", "item", "part"),
		o.Has("contentBlockDelta", "contentBlockStart", "messageStart"):
		return true
	}
	if choice != nil {
		return choice.Type("delta") == '{'
	}
	if first := record.Open(jsonwalk.First(o.Raw("candidates"))); first != nil { // a whole answer says why it ended
		return !o.Has("contents") && first.Type("content") == '{' && !first.Has("finishReason")
	}
	done := o.Type("done")
	return (done == 't' || done == 'f') && o.Has("model") && o.Has("message", "response")
}

// StreamNoContent lists the members of pieces, and of what is in them, that hold no content
// and are not reported as unread.
var StreamNoContent = []string{
	"id", "object", "type", "event_type", "model", "system_fingerprint", "service_tier", "finish_reason", "finishReason", "generation_id", "stop_reason", "stop_sequence", "role", "created_at",
	"done_reason", "item_id", "responseId", "modelVersion", "obfuscation", "message", "delta", "content_block", "response", "signature", "usage", "usageMetadata", "logprobs", "partial_json",
	"messageId", "toolCallId", "toolName", "inputTextDelta",
	"contentBlockDelta", "contentBlockStart", "contentBlockStop", "contentBlockIndex", "messageStart", "messageStop", "metadata", "stopReason", "safetyRatings", "citations", "input",
}

// piece is a row of the table of pieces: has tells its pieces (see record.Object.Holds), and
// the other members are paths of what they hold. Of several paths for one thing the first that
// has a value counts.
type piece struct {
	has []string
	// of is the path of a list of answers, of which the first is read: all paths except id and
	// usage are within it.
	of             string
	id             string
	text, thinking []string
	summary        string
	blocks         string // a block, or a list of them
	item           string // an item of the Responses API, whose texts came before
	whole          string // a list of calls
	calls          []callPiece
	usage          string // "." is the piece itself
	ends           bool   // the answer ends here, unless the member done is false
}

// callPiece are the paths of a piece of a call. in is a list of such pieces, to which the others
// are relative.
type callPiece struct{ in, index, id, name, input string }

var pieces = []piece{
	// OpenAI and what is like it, also of the time before there were tools or chat.
	{has: []string{"choices:["}, of: "choices", id: "id", text: []string{"delta.content", "delta.refusal", "text"}, thinking: []string{"delta.reasoning_content", "delta.reasoning"}, blocks: "delta.content",
		calls: []callPiece{{in: "delta.tool_calls", index: "index", id: "id", name: "function.name", input: "function.arguments"}, {name: "delta.function_call.name", input: "delta.function_call.arguments"}}, usage: "usage"},
	// Gemini.
	{has: []string{"candidates:["}, of: "candidates", id: "responseId", blocks: "content.parts", usage: "usageMetadata"},
	// Converse.
	{has: []string{"contentBlockStart"}, calls: []callPiece{{index: "contentBlockStart.contentBlockIndex", id: "contentBlockStart.start.toolUse.toolUseId", name: "contentBlockStart.start.toolUse.name"}}},
	{has: []string{"contentBlockDelta"}, text: []string{"contentBlockDelta.delta.text"}, thinking: []string{"contentBlockDelta.delta.reasoningContent.text"},
		calls: []callPiece{{index: "contentBlockDelta.contentBlockIndex", input: "contentBlockDelta.delta.toolUse.input"}}},
	{has: []string{"metadata.usage"}, usage: "metadata.usage"},
	// Ollama, whose last piece is its usage.
	{has: []string{"done"}, text: []string{"message.content", "response"}, thinking: []string{"message.thinking", "thinking"}, whole: "message.tool_calls", usage: ".", ends: true},
	// The Responses API.
	{has: []string{"type=response.output_text.delta|response.refusal.delta"}, text: []string{"delta"}},
	{has: []string{"type=response.reasoning_summary_text.delta|response.reasoning_text.delta"}, thinking: []string{"delta"}},
	{has: []string{"type=response.output_item.done"}, item: "item"},
	{has: []string{"type=response.completed|response.incomplete|response.failed"}, usage: "response.usage", ends: true},
	// Cohere, also of the time before there were parts.
	{has: []string{"event_type=text-generation"}, text: []string{"text"}},
	{has: []string{"event_type=tool-calls-generation"}, whole: "tool_calls"},
	{has: []string{"type=content-start|content-delta|tool-plan-delta|tool-call-start|tool-call-delta"}, text: []string{"delta.message.content.text"}, thinking: []string{"delta.message.content.thinking", "delta.message.tool_plan"},
		calls: []callPiece{{index: "index", id: "delta.message.tool_calls.id", name: "delta.message.tool_calls.function.name", input: "delta.message.tool_calls.function.arguments"}}},
	// The stream of messages of the Vercel AI SDK.
	{has: []string{"type=text-delta", "id"}, text: []string{"delta"}},
	{has: []string{"type=reasoning-delta", "id"}, thinking: []string{"delta"}},
	{has: []string{"type=tool-input-available"}, calls: []callPiece{{index: "toolCallId", id: "toolCallId", name: "toolName", input: "input"}}},
	{has: []string{"type=finish"}, ends: true},
	{has: []string{"type=message-end"}, usage: "delta.usage.tokens", ends: true},
	{has: []string{"event_type=stream-end"}, usage: "response.meta.tokens", ends: true},
	// Anthropic.
	{has: []string{"type=message_start"}, id: "message.id"},
	{has: []string{"type=content_block_start", "content_block.type=tool_use|server_tool_use|mcp_tool_use"}, calls: []callPiece{{index: "index", id: "content_block.id", name: "content_block.name"}}},
	{has: []string{"type=content_block_start", "content_block.type=text|thinking"}, text: []string{"content_block.text"}, thinking: []string{"content_block.thinking"}},
	{has: []string{"type=content_block_start"}, blocks: "content_block"},
	{has: []string{"type=content_block_delta", "delta.type=compaction_delta"}, summary: "delta.content"},
	{has: []string{"type=content_block_delta"}, text: []string{"delta.text"}, thinking: []string{"delta.thinking"}, calls: []callPiece{{index: "index", input: "delta.partial_json"}}},
	{has: []string{"type=message_delta"}, usage: "usage"},
	{has: []string{"type=message_stop"}, ends: true},
}

type answer struct {
	place          record.Place
	id             string
	text, thinking strings.Builder
	summary        strings.Builder // of what was compacted
	calls          []*call         // by pointer, as a strings.Builder must not be copied
	growing        bool            // more arguments of the last call follow, see arguments
	more           []blocks.Block  // blocks that came whole
	usage          []byte
	started        bool
	ended          bool // a piece said why the answer ended
}

type call struct {
	index    string // says which pieces belong to the call
	id, name string
	input    strings.Builder
	args     []*argument // given in place of input
}

type streamReader struct {
	sink     record.Sink
	messages []conversation.Message
	answer   *answer
}

// ReadStream adds the answers of a stream to the sink, each as one message.
func ReadStream(doc record.Document, sink record.Sink) error {
	r := streamReader{sink: sink, answer: new(answer)}
	for at, raw := range valuesOf(doc, sink) {
		if !sink.Next() {
			return nil
		}
		if doc.HoldsObject(sink, at, raw, "a piece of an answer") {
			r.piece(at, raw, record.Open(raw))
		}
	}
	if a := r.answer; a.started && !a.ended && !bytes.HasSuffix(doc.Data, []byte("[DONE]")) {
		sink.Tell(record.Damaged, a.place, "last answer ends early")
	}
	r.end()
	conversation.Write(sink, nil, r.messages)
	return nil
}

func valuesOf(doc record.Document, sink record.Sink) iter.Seq2[record.Place, []byte] {
	if !IsEvents(doc.Data) {
		return doc.Records()
	}
	return func(yield func(record.Place, []byte) bool) {
		var data []byte
		n, first := 0, 0
		for line := range bytes.Lines(append(doc.Data[:len(doc.Data):len(doc.Data)], "\n\n"...)) {
			n++
			line = bytes.TrimRight(line, "\r\n")
			if payload, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				if data == nil {
					first = n
				}
				data = append(data, bytes.TrimSpace(payload)...)
			} else if !isField(line) {
				sink.Tell(record.Skipped, record.Place{N: n}, "lines that are not fields of an event")
			}
			if len(line) == 0 && len(data) > 0 {
				if string(data) != "[DONE]" && !yield(record.Place{N: first}, data) {
					return
				}
				data = nil
			}
		}
	}
}

// end appends the answer to the messages, unless no piece of it has come, and begins
// the next.
func (r *streamReader) end() {
	a := r.answer
	r.answer = new(answer)
	if !a.started {
		return
	}
	m := conversation.Message{Place: a.place, Role: "assistant", ID: a.id, Output: conversation.Count(r.sink, a.usage)}
	said := []blocks.Block{{Kind: blocks.Summary, Text: a.summary.String()}, {Kind: blocks.Thinking, Text: a.thinking.String()}, {Text: a.text.String()}}
	m.Blocks = append(said, a.more...) // those without a text become no items
	for _, c := range a.calls {
		input := record.JSON(c.input.String())
		if c.args != nil {
			input = joined(c.args)
		}
		m.Blocks = append(m.Blocks, blocks.CallOf(c.id, c.name, input))
	}
	r.messages = append(r.messages, m)
}

// piece adds one piece to the answer that it belongs to. Another id than the answer has begins
// the next answer.
func (r *streamReader) piece(at record.Place, raw []byte, o record.Object) {
	a := r.answer
	if id := o.Text("id", "responseId"); id != "" && a.started && a.id != "" && id != a.id && o.Has("choices", "candidates") || a.started && o.Has("messageStart") {
		r.end()
		a = r.answer
	}
	if !a.started {
		a.place, a.started = at, true
	}
	r.sink.Facts().Names(cmp.Or(o.Text("model", "modelVersion"), o.Open("message").Text("model")))
	outer := o.Opened()
	a.ended = a.ended || o.Has("messageStop") || stopped(o.Open("delta"))
	if i := slices.IndexFunc(pieces, func(p piece) bool { return o.Holds(p.has...) }); i >= 0 {
		r.take(at, &pieces[i], outer, raw)
	} else if strings.HasPrefix(o.Text("type"), "response.") {
		o.Raw("item", "part", "text", "arguments", "code") // repeats what other pieces hold
	}
	outer.TellUnread(r.sink, at, "piece.", StreamNoContent)
}

func (r *streamReader) take(at record.Place, p *piece, o *record.Opened, raw []byte) {
	a := r.answer
	a.id = cmp.Or(a.id, o.Text(p.id))
	if p.of == "" {
		a.take(r.sink, at, p, o)
	}
	for one := range jsonwalk.Elements(o.Raw(p.of)) {
		inner := record.Open(one).Opened()
		if n, _ := record.Integer(inner.Raw("index")); n > 0 {
			r.sink.Tell(record.LeftOut, at, "pieces of answers besides the first")
			continue
		}
		a.take(r.sink, at, p, inner)
		a.ended = a.ended || stopped(record.Open(one))
		inner.TellUnread(r.sink, at, "piece.", StreamNoContent)
	}
	if p.usage == "." {
		a.usage = raw
	} else if usage := o.At(p.usage); usage != nil && !jsonwalk.IsNull(usage) {
		a.usage = usage
	}
	if !p.ends || jsonwalk.Type(o.At("done")) == 'f' {
		return
	}
	for _, key := range [...]string{"instructions", "tools"} { // of the request
		if jsonwalk.HasText(o.At("response." + key)) {
			r.sink.Tell(record.Unread, at, "response."+key)
		}
	}
	r.end()
}

// stopped reports whether an object says why an answer ended.
func stopped(o record.Object) bool {
	return o.Text("finish_reason", "finishReason", "stop_reason") != ""
}

func (a *answer) take(sink record.Sink, at record.Place, p *piece, o *record.Opened) {
	a.text.WriteString(o.Text(p.text...))
	a.thinking.WriteString(o.Text(p.thinking...))
	a.summary.WriteString(o.Text(p.summary))
	if all := o.Raw(p.blocks); jsonwalk.Type(all) != '"' {
		a.blocks(sink, at, all)
	}
	if p.item != "" {
		m, _ := ResponseItem(sink, at, o.Raw(p.item))
		a.more = append(a.more, slices.DeleteFunc(m.Blocks, func(b blocks.Block) bool { return b.Kind == blocks.Text || b.Kind == blocks.Thinking })...)
	}
	for call := range jsonwalk.Elements(o.Raw(p.whole)) {
		a.more = append(a.more, new(blocks.Reader).Call(call))
	}
	for _, c := range p.calls {
		if c.in == "" {
			a.extend(c, o)
		}
		for one := range jsonwalk.Elements(o.Raw(c.in)) {
			a.extend(c, record.Open(one).Opened())
		}
	}
}

// blocks adds a block, or a list of them.
func (a *answer) blocks(sink record.Sink, at record.Place, all []byte) {
	var in blocks.Reader
	if jsonwalk.Type(all) == '{' {
		all = record.Array([][]byte{all})
	}
	for part := range jsonwalk.Elements(all) {
		if a.arguments(record.Open(part)) {
			continue
		}
		for _, b := range in.Content(part) {
			switch b.Kind {
			case blocks.Text:
				a.text.WriteString(b.Text)
			case blocks.Thinking:
				a.thinking.WriteString(b.Text)
			default:
				a.more = append(a.more, b)
			}
		}
	}
	conversation.Note(sink, at, in)
}

// extend adds a piece to the call with its index, or begins that.
func (a *answer) extend(p callPiece, o *record.Opened) {
	id, name, input := o.Text(p.id), o.Text(p.name), o.Raw(p.input)
	text, ok := jsonwalk.String(input)
	if !ok && input != nil {
		text = record.Compact(input)
	}
	if id == "" && name == "" && text == "" {
		return
	}
	index := string(o.Raw(p.index))
	i := slices.IndexFunc(a.calls, func(c *call) bool { return c.index == index })
	if i < 0 {
		i = len(a.calls)
		a.calls = append(a.calls, &call{index: index})
	}
	c := a.calls[i]
	c.id, c.name = cmp.Or(c.id, id), cmp.Or(c.name, name)
	c.input.WriteString(text)
}
