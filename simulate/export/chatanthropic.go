package export

import (
	"encoding/json"

	"cupelscope/model"
)

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
	// Content is the text of a result.
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
		if c.ctx.Err() != nil {
			break
		}
		out, results := anthropicMessage{Role: m.role}, anthropicMessage{Role: "user"}
		for _, i := range m.text {
			out.Content = append(out.Content, c.block(i, m.role))
		}
		for _, i := range m.calls {
			id, result := c.id(i), c.result[i]
			name, arguments := c.call(i)
			input := json.RawMessage(arguments)
			if !json.Valid(input) || input[0] != '{' {
				c.note(i, `arguments that are not a JSON object are given as "input"`)
				input, _ = json.Marshal(map[string]string{"input": arguments}) // a map of texts has no error
			}
			out.Content = append(out.Content, anthropicBlock{Type: "tool_use", ID: id, Name: name, Input: input})
			it := c.items.Loaded(int(result))
			c.payload(result, it)
			results.Content = append(results.Content, anthropicBlock{
				Type: "tool_result", CallID: id, Content: it.Content, Failed: it.Metadata["isError"] == true,
			})
		}
		request.Messages = append(request.Messages, out)
		if len(results.Content) > 0 {
			request.Messages = append(request.Messages, results)
		}
	}
	return request
}

// block returns the block of an item: a text, or a document in a user message.
func (c *chatWriter) block(i int32, speaker string) anthropicBlock {
	it := c.items.Loaded(int(i))
	if it.Kind.Is(model.Document) && speaker == "user" {
		return anthropicBlock{Type: "document", Title: c.meta(i, "title"), Source: &anthropicSource{"text", "text/plain", it.Content}}
	}
	return anthropicBlock{Type: "text", Text: it.Content}
}
