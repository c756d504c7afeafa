package chat

import (
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
)

// Is reports whether an object is a message, or holds conversations.
func Is(o record.Object) bool {
	if o.Type("role") == '"' && !o.Has("kind", "tokens") && o.Has("content", "tool_calls", "function_call") {
		return true
	}
	return (!o.Has("content") || o.Type("author") == '{') && (isMessage(o) || len(runsIn(o, o, 0)) > 0)
}

// IsAnthropic reports whether an object is a request, an answer or a message of
// Anthropic's, or a line of a batch of them. Their messages are read like
// OpenAI's; the table of blocks holds the blocks of both.
func IsAnthropic(o record.Object) bool { return Is(o) && speaksAnthropic(o, 0) }

func speaksAnthropic(o record.Object, depth int) bool {
	const deepest = 4                                                                   // a message in a result, and room to spare
	for _, key := range [...]string{"params", "body", "request", "result", "message"} { // a line of a batch
		if depth < deepest && o.Type(key) == '{' && !o.Has("messages", "role") {
			return speaksAnthropic(o.Open(key), depth+1)
		}
	}
	switch {
	case o.Has("anthropic_version"), o.Has("system") && o.Has("messages"),
		o.Text("type") == "message" && o.Has("stop_reason"),
		strings.HasPrefix(o.Text("model"), "claude-") && o.Has("messages") && !o.Has("choices"):
		return true
	}
	for tool := range o.List("tools") {
		if record.Open(tool).Has("input_schema") {
			return true
		}
		break
	}
	if o.Has("role") {
		return hasAnthropicBlock(o.Raw("content"))
	}
	const looked = 20
	n := 0
	for m := range o.List("messages") {
		if n++; n > looked {
			break
		}
		for key, value := range jsonwalk.Members(m) {
			if key == "content" && hasAnthropicBlock(value) {
				return true
			}
		}
	}
	return false
}

func hasAnthropicBlock(content []byte) bool {
	for block := range jsonwalk.Elements(content) {
		for key, value := range jsonwalk.Members(block) {
			typ, _ := jsonwalk.String(value)
			if key == "type" && slices.Contains([]string{"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"}, typ) {
				return true
			}
		}
	}
	return false
}
