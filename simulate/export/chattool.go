package export

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"cupelscope/model"
)

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
	name = c.toolName(i, name)
	if c.vendor == Anthropic {
		c.tools = append(c.tools, anthropicTool{name, text, schema})
	} else {
		c.tools = append(c.tools, openAITool{"function", openAIFunction{name, text, schema}})
	}
}

// toolName returns a name that both vendors accept: at most 64 letters, digits, "_"
// and "-".
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

// id returns the id of a call: its own, or a generated one.
func (c *chatWriter) id(call int32) string {
	id := c.meta(call, "callId")
	for len(id) > 40 || strings.ContainsFunc(id, func(r rune) bool { return !isIDRune(r) }) || c.ids[id] {
		c.made++
		id = "call_" + strconv.Itoa(c.made)
	}
	c.ids[id] = true
	return id
}

// call returns the name of the tool of a call, and its arguments.
func (c *chatWriter) call(i int32) (name, arguments string) {
	tool, content := c.meta(i, "tool"), c.items.Loaded(int(i)).Content
	arguments = content
	if rest, ok := strings.CutPrefix(content, tool+" "); ok && tool != "" {
		arguments = rest
	}
	return c.toolName(i, tool), arguments
}
