package itemset

import (
	"cupelscope/model/internal/jsonwalk"
)

// What the logs of agents and collections of dialogues have instead of chat
// messages: steps of an action and what was observed, answers as the Responses
// API gives them, and turns from a human, a model or a tool.

// otherMessage reads a message that has no role.
func (b *builder) otherMessage(m message, record []byte, in *partReader) (message, bool, error) {
	has := membersOf(record)
	text := func(key string) string {
		s, _ := jsonwalk.String(has[key])
		return s
	}
	switch {
	case has["from"] != nil && has["value"] != nil:
		m.role = roleOf(text("from"))
		switch m.role {
		case "tool":
			m.parts = resultParts("", text("name"), false, has["value"], in)
		case "function_call":
			m.role, m.parts = "assistant", []part{{kind: callPart, text: text("value")}}
		default:
			m.parts = contentParts(has["value"], in)
		}
	case jsonwalk.Type(has["author"]) == '{':
		authored(&m, has, in)
	case jsonwalk.Type(has["sender"]) == '"':
		m.role = roleOf(text("sender"))
		m.id = text("uuid")
		if m.parts = contentParts(has["content"], in); len(m.parts) == 0 {
			m.parts = contentParts(has["text"], in)
		}
		for _, key := range [...]string{"attachments", "files"} {
			for file := range jsonwalk.Elements(has[key]) {
				m.parts = append(m.parts, attachedFile(membersOf(file), in)...)
			}
		}
	case has["action"] != nil && has["observation"] != nil:
		m.role = "assistant"
		if said := text("response"); said != "" {
			m.parts = []part{{text: said}}
		} else {
			m.parts = []part{{text: text("thought")}, {kind: callPart, text: text("action")}}
		}
		m.parts = append(m.parts, resultParts("", "", false, has["observation"], in)...)
	case jsonwalk.Type(has["output"]) == '[':
		m.role, m.id = "assistant", text("id")
		for item := range jsonwalk.Elements(has["output"]) {
			one, ok, err := b.responseItem(m.place, item)
			if err != nil {
				return m, false, err
			}
			if ok {
				m.parts = append(m.parts, one.parts...)
			}
		}
		m.output = b.count(has["usage"])
	default:
		return m, false, b.skip(m.place, "without a role")
	}
	b.noteParts(m.place, *in)
	return m, true, nil
}

// roleOf maps the speaker of a turn to a role.
func roleOf(from string) string {
	switch from {
	case "human":
		return "user"
	case "gpt", "model", "bot", "chatgpt", "bing", "bard":
		return "assistant"
	case "observation", "function_response", "tool_response":
		return "tool"
	}
	return from
}

// extra reads what some agents log beside a message: when it was, and what the
// answer that it was taken from says of its tokens.
func (b *builder) extra(m *message, c *chatMessage, raw []byte) {
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "timestamp":
			if !m.at.Set {
				b.timed(m, value)
			}
		case "response":
			for key, value := range jsonwalk.Members(value) {
				if key == "usage" && c.usage == nil {
					c.usage = value
				}
			}
		}
	}
}
