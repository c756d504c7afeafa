package export

import "encoding/json"

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
		if c.ctx.Err() != nil {
			break
		}
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
