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

// Answers that were logged while they were written: server-
// sent events, or a piece a line, of OpenAI, Anthropic, Gemini, Ollama and Cohere.
// The pieces of an answer are joined into one message.

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

// StreamNoContent lists the members of pieces that hold no content and are not reported as
// unread.
var StreamNoContent = []string{
	"id", "object", "type", "event_type", "model", "system_fingerprint", "service_tier", "finish_reason", "generation_id", "stop_reason", "stop_sequence", "role", "created_at",
	"done_reason", "item_id", "responseId", "modelVersion", "obfuscation", "message", "delta", "content_block", "response", "signature", "usage",
	"contentBlockDelta", "contentBlockStart", "contentBlockStop", "contentBlockIndex", "messageStart", "messageStop", "metadata", "stopReason",
}

// deltaNoContent is StreamNoContent for the pieces of a message or block.
var deltaNoContent = []string{"type", "role", "signature", "partial_json", "id", "stop_reason", "stop_sequence", "obfuscation"}

// answer collects the pieces of one answer.
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
	for at, raw := range pieces(doc, sink) {
		if !sink.Next() {
			return nil
		}
		if doc.HoldsObject(sink, at, raw, "a piece of an answer") {
			r.piece(at, raw, record.Open(raw))
		}
	}
	r.end()
	conversation.Write(sink, nil, r.messages)
	return nil
}

// pieces yields the JSON values of a stream.
func pieces(doc record.Document, sink record.Sink) iter.Seq2[record.Place, []byte] {
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
	if a.summary.Len() > 0 {
		m.Blocks = append(m.Blocks, blocks.Block{Kind: blocks.Summary, Text: a.summary.String()})
	}
	if a.thinking.Len() > 0 {
		m.Blocks = append(m.Blocks, blocks.Block{Kind: blocks.Thinking, Text: a.thinking.String()})
	}
	m.Blocks = append(m.Blocks, blocks.Block{Text: a.text.String()})
	m.Blocks = append(m.Blocks, a.more...)
	for _, c := range a.calls {
		input := record.Quote(c.input.String())
		if c.args != nil {
			input = joined(c.args)
		}
		m.Blocks = append(m.Blocks, blocks.CallOf(c.id, c.name, input))
	}
	r.messages = append(r.messages, m)
}

// piece adds one piece to the answer that it belongs to. An id other than that of the
// answer begins the next answer.
func (r *streamReader) piece(at record.Place, raw []byte, o record.Object) {
	a := r.answer
	if id := o.Text("id", "responseId"); id != "" && a.started && a.id != "" && id != a.id && o.Has("choices", "candidates") || a.started && o.Has("messageStart") {
		r.end()
		a = r.answer
	}
	if !a.started {
		a.place, a.started = at, true
	}
	if name := cmp.Or(o.Text("model", "modelVersion"), o.Open("message").Text("model")); name != "" {
		r.sink.Facts().Model = name
	}
	defer record.TellUnread(r.sink, at, "piece.", o, StreamNoContent)
	switch typ := cmp.Or(o.Text("type"), o.Text("event_type")); {
	case o.Type("choices") == '[':
		r.choices(o)
	case o.Type("candidates") == '[':
		r.candidates(at, o)
	case o.Has("contentBlockDelta", "contentBlockStart", "contentBlockStop", "messageStart", "messageStop", "metadata"):
		r.converse(at, o)
	case o.Has("done"):
		r.ollama(raw, o)
	case strings.HasPrefix(typ, "response."):
		r.response(typ, at, o)
	case strings.Contains(typ, "-"):
		r.cohere(typ, o)
	default:
		r.anthropic(typ, at, o)
	}
}

// call returns the call with an index. If there is none yet, it begins one.
func (a *answer) call(index string) *call {
	for _, c := range a.calls {
		if c.index == index {
			return c
		}
	}
	c := &call{index: index}
	a.calls = append(a.calls, c)
	return c
}

// extend adds a piece of a call as chat requests list them.
func (a *answer) extend(raw []byte) {
	o := record.Open(raw)
	c := a.call(string(o.Raw("index")))
	f := o.Open("function")
	c.id, c.name = cmp.Or(c.id, o.Text("id")), cmp.Or(c.name, f.Text("name"))
	input := f.Raw("arguments")
	if s, ok := jsonwalk.String(input); ok {
		c.input.WriteString(s)
	} else if input != nil {
		c.input.WriteString(record.Compact(input))
	}
}

func (r *streamReader) choices(o record.Object) {
	a := r.answer
	a.id = cmp.Or(a.id, o.Text("id"))
	for raw := range o.List("choices") {
		choice := record.Open(raw)
		if n, _ := record.Integer(choice.Raw("index")); n > 0 {
			r.sink.Tell(record.LeftOut, a.place, "pieces of answers besides the first")
			continue
		}
		delta := choice.Open("delta")
		a.text.WriteString(delta.Text("content", "refusal"))
		if delta.Type("content") == '[' { // Mistral's, which think
			a.parts(r.sink, a.place, delta.List("content"))
		}
		a.text.WriteString(choice.Text("text"))
		a.thinking.WriteString(delta.Text("reasoning_content", "reasoning"))
		for call := range delta.List("tool_calls") {
			a.extend(call)
		}
		if f := delta.Open("function_call"); f != nil { // before there were tools
			c := a.call("function_call")
			c.name = cmp.Or(c.name, f.Text("name"))
			c.input.WriteString(f.Text("arguments"))
		}
		record.TellUnread(r.sink, a.place, "piece.delta.", delta, deltaNoContent)
	}
	if usage := o.Raw("usage"); usage != nil {
		a.usage = usage
	}
}

// parts adds the parts of a piece.
func (a *answer) parts(sink record.Sink, at record.Place, all iter.Seq[[]byte]) {
	var in blocks.Reader
	for part := range all {
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

func (r *streamReader) candidates(at record.Place, o record.Object) {
	a := r.answer
	a.id = cmp.Or(a.id, o.Text("responseId"))
	for raw := range o.List("candidates") {
		a.parts(r.sink, at, record.Open(raw).Open("content").List("parts"))
		break
	}
	if usage := o.Raw("usageMetadata"); usage != nil {
		a.usage = usage
	}
}

func (r *streamReader) ollama(raw []byte, o record.Object) {
	a, said := r.answer, o.Open("message")
	a.text.WriteString(said.Text("content"))
	a.text.WriteString(o.Text("response"))
	a.thinking.WriteString(cmp.Or(said.Text("thinking"), o.Text("thinking")))
	for raw := range said.List("tool_calls") {
		a.more = append(a.more, new(blocks.Reader).Call(raw))
	}
	if o.Is("done") {
		a.usage = raw
		r.end()
	}
}

func (r *streamReader) converse(at record.Place, o record.Object) {
	a := r.answer
	if start := o.Open("contentBlockStart"); start != nil {
		if tool := start.Open("start").Open("toolUse"); tool != nil {
			c := a.call(string(start.Raw("contentBlockIndex")))
			c.id, c.name = tool.Text("toolUseId"), tool.Text("name")
		}
	}
	if piece := o.Open("contentBlockDelta"); piece != nil {
		d := piece.Open("delta")
		a.text.WriteString(d.Text("text"))
		a.thinking.WriteString(d.Open("reasoningContent").Text("text"))
		if input := d.Open("toolUse").Text("input"); input != "" {
			a.call(string(piece.Raw("contentBlockIndex"))).input.WriteString(input)
		}
		record.TellUnread(r.sink, at, "piece.delta.", d, nil)
	}
	if usage := o.Open("metadata").Raw("usage"); usage != nil {
		a.usage = usage
	}
}

func (r *streamReader) anthropic(typ string, at record.Place, o record.Object) {
	a := r.answer
	switch typ {
	case "message_start":
		m := o.Open("message")
		a.id = m.Text("id")
	case "content_block_start":
		b := o.Open("content_block")
		switch b.Text("type") {
		case "tool_use", "server_tool_use", "mcp_tool_use":
			c := a.call(string(o.Raw("index")))
			c.id, c.name = b.Text("id"), b.Text("name")
		case "text":
			a.text.WriteString(b.Text("text"))
		case "thinking":
			a.thinking.WriteString(b.Text("thinking"))
		default:
			a.parts(r.sink, at, slices.Values([][]byte{o.Raw("content_block")}))
		}
	case "content_block_delta":
		d := o.Open("delta")
		a.text.WriteString(d.Text("text"))
		a.thinking.WriteString(d.Text("thinking"))
		if d.Text("type") == "compaction_delta" {
			a.summary.WriteString(d.Text("content"))
		}
		record.TellUnread(r.sink, a.place, "piece.delta.", d, deltaNoContent)
		if piece := d.Text("partial_json"); piece != "" {
			a.call(string(o.Raw("index"))).input.WriteString(piece)
		}
	case "message_delta":
		a.usage = o.Raw("usage")
	case "message_stop":
		r.end()
	}
}

func (r *streamReader) response(typ string, at record.Place, o record.Object) {
	a := r.answer
	switch typ {
	case "response.output_text.delta", "response.refusal.delta":
		a.text.WriteString(o.Text("delta"))
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.thinking.WriteString(o.Text("delta"))
	case "response.output_item.done":
		item := o.Open("item")
		switch item.Text("type") {
		case "message": // its texts came piece by piece
		case "reasoning":
			a.more = append(a.more, blocks.Payload("thinking", "encrypted", item.Raw("encrypted_content")))
		default:
			m, _ := ResponseItem(r.sink, at, o.Raw("item"))
			a.more = append(a.more, m.Blocks...)
		}
	case "response.completed", "response.incomplete", "response.failed":
		whole := o.Open("response")
		a.usage = whole.Raw("usage")
		for _, key := range [...]string{"instructions", "tools"} { // of the request
			if jsonwalk.HasText(whole.Raw(key)) {
				r.sink.Tell(record.Unread, at, "response."+key)
			}
		}
		r.end()
	default:
		o.Raw("item", "part", "text", "arguments", "code") // repeats what other pieces hold
	}
}

func (r *streamReader) cohere(typ string, o record.Object) {
	a := r.answer
	said := o.Open("delta").Open("message")
	switch typ {
	case "text-generation":
		a.text.WriteString(o.Text("text"))
	case "content-start", "content-delta":
		content := said.Open("content")
		a.text.WriteString(content.Text("text"))
		a.thinking.WriteString(content.Text("thinking"))
	case "tool-plan-delta":
		a.thinking.WriteString(said.Text("tool_plan"))
	case "tool-call-start", "tool-call-delta":
		inner := said.Open("tool_calls")
		c := a.call(string(o.Raw("index")))
		c.id, c.name = cmp.Or(c.id, inner.Text("id")), cmp.Or(c.name, inner.Open("function").Text("name"))
		c.input.WriteString(inner.Open("function").Text("arguments"))
	case "tool-calls-generation":
		for raw := range o.List("tool_calls") {
			call := record.Open(raw)
			a.more = append(a.more, blocks.CallOf("", call.Text("name"), call.Raw("parameters")))
		}
	case "message-end", "stream-end":
		a.usage = o.Open("delta", "response").Open("usage", "meta").Raw("tokens")
		r.end()
	}
}
