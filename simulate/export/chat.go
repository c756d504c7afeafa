package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Vendor is whose API a conversation is written for.
type Vendor string

// The vendors that conversations are written for.
const (
	OpenAI    Vendor = "OpenAI"    // Chat Completions
	Anthropic Vendor = "Anthropic" // Messages
)

// Chat is the included items of a report as a request: an object with messages
// and, where there are definitions, tools; Anthropic's has the system prompts
// beside them. Model and limits are for the caller to add.
type Chat struct {
	request any
	// Notes name what the format cannot say, and how it was written instead.
	Notes []string
}

// Write writes the request as indented JSON. The error is that of w.
func (c *Chat) Write(w io.Writer) error { return writeJSON(w, c.request) }

// NewChat makes a request that the vendor's API accepts. Items keep their placed
// order, except that results follow the message of their calls, as both vendors
// demand. A call and its result are written as such where both are included; one
// without the other would be refused, and becomes text. Ids are kept where they
// are valid and told apart, and made otherwise. O(n).
func NewChat(r *model.Report, v Vendor) *Chat {
	c := chatWriter{vendor: v, items: r.Items, ids: map[string]bool{}, notes: map[string][]int32{}}
	c.pair(r.Included)
	c.arrange(r.Included)
	request := c.openAI
	if v == Anthropic {
		request = c.anthropic
	}
	out := &Chat{request: request()}
	for _, what := range c.order {
		out.Notes = append(out.Notes, what+": "+listed(c.notes[what]))
	}
	return out
}

// chatWriter makes one request.
type chatWriter struct {
	vendor   Vendor
	items    *model.Set
	result   map[int32]int32 // by call: its result
	paired   map[int32]bool  // results that have a call
	tools    []any
	system   []int32
	messages []chatMessage
	ids      map[string]bool // that are taken
	made     int

	notes map[string][]int32
	order []string // of the notes
}

// chatMessage is what one speaker says in one go.
type chatMessage struct {
	role  string
	text  []int32 // at most one, of a user or the assistant
	calls []int32
}

func (c *chatWriter) note(item int32, what string) {
	if c.notes[what] == nil {
		c.order = append(c.order, what)
	}
	c.notes[what] = append(c.notes[what], item)
}

// listed names the first items of a note.
func listed(items []int32) string {
	const most = 5
	var b strings.Builder
	for k, i := range items[:min(most, len(items))] {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("#" + strconv.Itoa(int(i)))
	}
	if more := len(items) - most; more > 0 {
		b.WriteString(" +" + plain.Thousands(more))
	}
	return b.String()
}

func (c *chatWriter) meta(i int32, key string) string {
	s, _ := c.items.Loaded(int(i)).Metadata[key].(string)
	return s
}

// pair finds the calls and results that are both included. As on reading, a
// result belongs to the last call with its id that has none yet.
func (c *chatWriter) pair(included []int32) {
	c.result, c.paired = map[int32]int32{}, map[int32]bool{}
	open := map[string][]int32{}
	ascending := slices.Clone(included)
	slices.Sort(ascending)
	for _, i := range ascending {
		id := c.meta(i, "callId")
		switch part := c.meta(i, "part"); {
		case id == "":
		case part == "toolCall":
			open[id] = append(open[id], i)
		case part == "toolResult" && len(open[id]) > 0:
			calls := open[id]
			c.result[calls[len(calls)-1]], c.paired[i] = i, true
			open[id] = calls[:len(calls)-1]
		}
	}
}

// arrange sorts the items into tools, system prompts and messages.
func (c *chatWriter) arrange(included []int32) {
	last := int32(-1) // the item before, if its message may go on
	for _, i := range included {
		it := c.items.Loaded(int(i))
		before := last
		last = -1
		_, called := c.result[i]
		switch part := c.meta(i, "part"); {
		case c.paired[i]:
			last = before
		case part == "toolDefinition":
			c.tool(i, it)
		case part == "thinking":
			c.note(i, "left out, thinking is only accepted with its signature")
		case it.Count == model.Opaque || part == "opaque":
			c.note(i, "left out, an image or file of which only the size is kept")
		case c.vendor == Anthropic && strings.TrimSpace(it.Content) == "":
			c.note(i, "left out, Anthropic takes no blank text")
		case called:
			if m := c.goesOn(before, i); m != nil {
				m.calls = append(m.calls, i)
			} else {
				c.messages = append(c.messages, chatMessage{role: "assistant", calls: []int32{i}})
			}
			last = i
		case role(it) == "system":
			if c.vendor == Anthropic {
				c.system = append(c.system, i)
			} else {
				c.messages = append(c.messages, chatMessage{role: "system", text: []int32{i}})
			}
		default:
			c.said(before, i, it, part)
			last = i
		}
	}
	if c.vendor == Anthropic {
		if len(c.system) > 1 {
			for _, i := range c.system {
				c.note(i, "system prompts are given together, before the messages")
			}
		}
		if len(c.messages) > 0 && c.messages[0].role == "assistant" {
			c.note(c.messages[0].first(), "the assistant speaks first, which Anthropic refuses: add a message of the user")
		}
	}
}

// said adds a text.
func (c *chatWriter) said(before, i int32, it *model.Item, part string) {
	speaker := role(it)
	switch {
	case part == "toolCall":
		speaker = "assistant"
		c.note(i, "calls without their result become text")
	case it.Kind.Is(model.ToolOutput):
		speaker = "user"
		c.note(i, "results without their call become text of the user")
	case it.Kind.Is(model.Document) && c.vendor == Anthropic:
	case !it.Kind.Is(model.Message):
		c.note(i, "kinds that are no message become text, as "+plain.Line(string(it.Kind), nameCells))
	}
	if m := c.goesOn(before, i); m != nil && speaker == "assistant" && part != "toolCall" && len(m.text) == 0 {
		m.text = append(m.text, i)
		return
	}
	c.messages = append(c.messages, chatMessage{role: speaker, text: []int32{i}})
}

func (m *chatMessage) first() int32 {
	if len(m.text) > 0 {
		return m.text[0]
	}
	return m.calls[0]
}

// goesOn is the last message, if an item is a part of the same one as the item
// before; nil otherwise.
func (c *chatWriter) goesOn(before, i int32) *chatMessage {
	if before < 0 || len(c.messages) == 0 || c.messages[len(c.messages)-1].role != "assistant" {
		return nil
	}
	a, b := c.items.Loaded(int(before)), c.items.Loaded(int(i))
	if id := c.meta(i, "messageId"); id != c.meta(before, "messageId") ||
		id == "" && !(a.Timestamp.Set && b.Timestamp.Set && a.Timestamp.Value.Equal(b.Timestamp.Value)) {
		return nil
	}
	return &c.messages[len(c.messages)-1]
}

// tool adds the definition of a tool, in the vendor's own form.
func (c *chatWriter) tool(i int32, it *model.Item) {
	var def struct {
		Name, Description string
		Function          *struct {
			Name, Description string
			Parameters        json.RawMessage
		}
		Parameters  json.RawMessage
		InputSchema json.RawMessage                 `json:"input_schema"`
		Bedrock     *struct{ JSON json.RawMessage } `json:"inputSchema"`
	}
	if err := json.Unmarshal([]byte(it.Content), &def); err != nil {
		c.note(i, "left out, a definition of a tool that cannot be read")
		return
	}
	if own := def.Function != nil; own && c.vendor == OpenAI || c.vendor == Anthropic && def.InputSchema != nil {
		c.tools = append(c.tools, json.RawMessage(it.Content))
		return
	}
	name, text, schema := def.Name, def.Description, def.Parameters
	switch {
	case def.Function != nil:
		name, text, schema = def.Function.Name, def.Function.Description, def.Function.Parameters
	case def.InputSchema != nil:
		schema = def.InputSchema
	case def.Bedrock != nil:
		schema = def.Bedrock.JSON
	}
	if name == "" {
		c.note(i, "left out, a tool that only its own vendor runs")
		return
	}
	if len(schema) == 0 || !strings.HasPrefix(string(bytes.TrimSpace(schema)), "{") {
		schema = json.RawMessage(`{"type":"object"}`)
	}
	c.note(i, "definitions of tools are rewritten for "+string(c.vendor))
	if name = c.toolName(i, name); c.vendor == Anthropic {
		c.tools = append(c.tools, anthropicTool{name, text, schema})
	} else {
		c.tools = append(c.tools, openAITool{"function", openAIFunction{name, text, schema}})
	}
}

// toolName is a name that both vendors take: letters, digits, "_" and "-", at
// most 64.
func (c *chatWriter) toolName(i int32, name string) string {
	valid := strings.Map(func(r rune) rune {
		if isIDRune(r) {
			return r
		}
		return '_'
	}, name)
	if valid = valid[:min(64, len(valid))]; valid == "" {
		valid = "tool"
	}
	if valid != name {
		c.note(i, "names of tools that no API takes are changed")
	}
	return valid
}

func isIDRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
}

// id is the id of a call: its own, or one that is made.
func (c *chatWriter) id(call int32) string {
	id := c.meta(call, "callId")
	for len(id) > 40 || strings.ContainsFunc(id, func(r rune) bool { return !isIDRune(r) }) || c.ids[id] {
		c.made++
		id = "call_" + strconv.Itoa(c.made)
	}
	c.ids[id] = true
	return id
}

// call takes a call apart: the name of the tool and its arguments.
func (c *chatWriter) call(i int32) (name, arguments string) {
	tool, content := c.meta(i, "tool"), c.items.Loaded(int(i)).Content
	arguments = content
	if rest, ok := strings.CutPrefix(content, tool+" "); ok && tool != "" {
		arguments = rest
	}
	return c.toolName(i, tool), arguments
}

type openAIFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type openAITool struct {
	Type     string         `json:"type"`
	Function openAIFunction `json:"function"`
}

type openAICall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type openAIMessage struct {
	Role    string       `json:"role"`
	Content *string      `json:"content"`
	Calls   []openAICall `json:"tool_calls,omitempty"`
	CallID  string       `json:"tool_call_id,omitempty"`
}

func (c *chatWriter) openAI() any {
	request := struct {
		Messages []openAIMessage `json:"messages"`
		Tools    []any           `json:"tools,omitempty"`
	}{[]openAIMessage{}, c.tools}
	for _, m := range c.messages {
		out := openAIMessage{Role: m.role}
		for _, i := range m.text {
			out.Content = &c.items.Loaded(int(i)).Content
		}
		for _, i := range m.calls {
			call := openAICall{ID: c.id(i), Type: "function"}
			call.Function.Name, call.Function.Arguments = c.call(i)
			out.Calls = append(out.Calls, call)
		}
		request.Messages = append(request.Messages, out)
		for k, i := range m.calls {
			result := c.result[i]
			it := c.items.Loaded(int(result))
			if it.Metadata["isError"] == true {
				c.note(result, "that a result is an error cannot be said")
			}
			c.payload(result, it)
			request.Messages = append(request.Messages, openAIMessage{Role: "tool", Content: &it.Content, CallID: out.Calls[k].ID})
		}
	}
	return request
}

// payload notes a result of which only the size is kept.
func (c *chatWriter) payload(i int32, it *model.Item) {
	if it.Count == model.Opaque {
		c.note(i, "results of which only the size is kept are a line of text")
	}
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type anthropicBlock struct {
	Type   string           `json:"type"`
	Text   string           `json:"text,omitempty"`
	Source *anthropicSource `json:"source,omitempty"`
	Title  string           `json:"title,omitempty"`
	ID     string           `json:"id,omitempty"`
	Name   string           `json:"name,omitempty"`
	Input  json.RawMessage  `json:"input,omitempty"`
	CallID string           `json:"tool_use_id,omitempty"`
	// Content is a result's.
	Content string `json:"content,omitempty"`
	Failed  bool   `json:"is_error,omitempty"`
}

type anthropicSource struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

func (c *chatWriter) anthropic() any {
	request := struct {
		System   []anthropicBlock   `json:"system,omitempty"`
		Messages []anthropicMessage `json:"messages"`
		Tools    []any              `json:"tools,omitempty"`
	}{nil, []anthropicMessage{}, c.tools}
	for _, i := range c.system {
		request.System = append(request.System, anthropicBlock{Type: "text", Text: c.items.Loaded(int(i)).Content})
	}
	for _, m := range c.messages {
		out, results := anthropicMessage{Role: m.role}, anthropicMessage{Role: "user"}
		for _, i := range m.text {
			out.Content = append(out.Content, c.block(i, m.role))
		}
		for _, i := range m.calls {
			id, result := c.id(i), c.result[i]
			name, arguments := c.call(i)
			input := json.RawMessage(arguments)
			if !json.Valid(input) || input[0] != '{' {
				c.note(i, `arguments that are no JSON object are given as "input"`)
				input, _ = json.Marshal(map[string]string{"input": arguments}) // a map of texts has no error
			}
			out.Content = append(out.Content, anthropicBlock{Type: "tool_use", ID: id, Name: name, Input: input})
			it := c.items.Loaded(int(result))
			c.payload(result, it)
			results.Content = append(results.Content, anthropicBlock{
				Type: "tool_result", CallID: id, Content: it.Content, Failed: it.Metadata["isError"] == true,
			})
		}
		if request.Messages = append(request.Messages, out); len(results.Content) > 0 {
			request.Messages = append(request.Messages, results)
		}
	}
	return request
}

// block is a text, or a document in what the user says.
func (c *chatWriter) block(i int32, speaker string) anthropicBlock {
	it := c.items.Loaded(int(i))
	if it.Kind.Is(model.Document) && speaker == "user" {
		return anthropicBlock{Type: "document", Title: c.meta(i, "title"), Source: &anthropicSource{"text", "text/plain", it.Content}}
	}
	return anthropicBlock{Type: "text", Text: it.Content}
}

// NotesText is the notes in one line, "" if there are none.
func (c *Chat) NotesText() string {
	if len(c.Notes) == 0 {
		return ""
	}
	return fmt.Sprintf("not the same in this format: %s", strings.Join(c.Notes, "; "))
}
