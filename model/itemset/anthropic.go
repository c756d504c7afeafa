package itemset

import (
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// Anthropic's messages: requests with "system" beside "messages", answers, and
// both in batches. Their messages are read like OpenAI's, and their blocks in
// parts.go; here is how the two are told apart.

// speaksAnthropic reports whether an object, a request or a message, is one of
// Anthropic's, given its members and how deep it is in another.
func speaksAnthropic(has map[string][]byte, depth int) bool {
	const deepest = 4                                                                   // a message in a result, and room to spare
	for _, key := range [...]string{"params", "body", "request", "result", "message"} { // a line of a batch
		if depth < deepest && jsonwalk.Type(has[key]) == '{' && has["messages"] == nil && has["role"] == nil {
			return speaksAnthropic(membersOf(has[key]), depth+1)
		}
	}
	if has["anthropic_version"] != nil || has["system"] != nil && has["messages"] != nil {
		return true
	}
	if typ, _ := jsonwalk.String(has["type"]); typ == "message" && has["stop_reason"] != nil {
		return true
	}
	if name, _ := jsonwalk.String(has["model"]); strings.HasPrefix(name, "claude-") && has["messages"] != nil && has["choices"] == nil {
		return true
	}
	for tool := range jsonwalk.Elements(has["tools"]) {
		for key := range jsonwalk.Members(tool) {
			if key == "input_schema" {
				return true
			}
		}
		break
	}
	if has["role"] != nil {
		return hasAnthropicBlock(has["content"])
	}
	return messagesSpeakAnthropic(has["messages"])
}

// messagesSpeakAnthropic looks for a block of Anthropic's in the first messages.
func messagesSpeakAnthropic(messages []byte) bool {
	const looked = 20
	n := 0
	for m := range jsonwalk.Elements(messages) {
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
			if key != "type" {
				continue
			}
			switch s, _ := jsonwalk.String(value); s {
			case "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use":
				return true
			}
		}
	}
	return false
}
