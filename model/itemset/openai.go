package itemset

import (
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Chat messages as OpenAI defines them, which also hold those of Anthropic and
// what the logs of agents make of either: other keys, other types, the same things.

// chatMessage is what matters of one message.
type chatMessage struct {
	content, refusal, calls, legacy []byte
	audio, thoughts, blocks, usage  []byte
	callID, tool, thinking, thought string
	typ                             string
	failed                          bool
}

// message reads one message; false if it was skipped. attached is what texts of
// it may refer to.
func (b *builder) message(place int, record []byte, attached map[string][]byte) (m message, ok bool, err error) {
	if jsonwalk.Check(record) != nil {
		return m, false, b.skipBroken(place, record)
	}
	if c := jsonwalk.Type(record); c != '{' {
		return m, false, b.skip(place, typeName(c)+" instead of a message")
	}
	m.place = place
	in := partReader{attached: attached}
	var c chatMessage
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "role":
			m.role, _ = jsonwalk.String(value)
		case "type":
			c.typ, _ = jsonwalk.String(value)
		case "id":
			m.id, _ = jsonwalk.String(value)
		case "content":
			c.content = value
		case "refusal":
			c.refusal = value
		case "tool_calls":
			c.calls = value
		case "function_call":
			c.legacy = value
		case "tool_call_id":
			c.callID, _ = jsonwalk.String(value)
		case "tool_call_ids":
			for id := range jsonwalk.Elements(value) {
				c.callID, _ = jsonwalk.String(id)
				break
			}
		case "name", "tool_name":
			c.tool, _ = jsonwalk.String(value)
		case "function":
			if s, _ := jsonwalk.String(value); c.tool == "" {
				c.tool = s
			}
		case "error", "is_error":
			t := jsonwalk.Type(value)
			c.failed = t == '{' || t == '"' || t == 't'
		case "audio":
			c.audio = value
		case "reasoning_details", "thinking_blocks":
			c.blocks = value
		case "thought":
			c.thought, _ = jsonwalk.String(value)
		case "reasoning_content", "reasoning":
			if s, _ := jsonwalk.String(value); s != "" { // of several spellings the others may be null
				c.thinking = s
			}
		case "model":
			if s, _ := jsonwalk.String(value); s != "" {
				b.out.Model = s
			}
		case "usage":
			c.usage = value
		case "timestamp", "created_at", "create_time":
			b.timed(&m, value)
		case "extra", "metadata":
			b.extra(&m, &c, value)
		}
	}
	switch {
	case m.role != "":
	case isResponseItem(c.typ):
		return b.responseItem(place, record)
	default:
		return b.otherMessage(m, record, &in)
	}
	m.parts = c.parts(m.role, &in)
	if c.tool != "" && m.role != "tool" && m.role != "function" {
		m.meta = map[string]any{"name": c.tool}
	}
	if m.role == "assistant" {
		m.output = b.count(c.usage)
	}
	b.noteParts(place, in)
	return m, true, nil
}

// parts are the parts of a message with a role.
func (c *chatMessage) parts(role string, in *partReader) []part {
	if role == "tool" || role == "function" {
		return resultParts(c.callID, c.tool, c.failed, c.content, in)
	}
	said := contentParts(c.content, in)
	if len(said) == 0 { // refused, whichever of the two keys comes first
		said = contentParts(c.refusal, in)
	}
	for key, value := range jsonwalk.Members(c.audio) {
		s, _ := jsonwalk.String(value)
		switch {
		case key == "transcript" && s != "" && len(said) == 0:
			said = append(said, part{text: s})
		case key == "data" && s != "":
			said = append(said, opaque("audio", "", value))
		}
	}
	var all []part
	if c.thinking == "" && c.thought != "" && !repeats(said, c.thought) {
		c.thinking = c.thought
	}
	if c.thinking != "" {
		all = append(all, part{kind: thinkingPart, text: c.thinking})
	} else {
		for _, p := range contentParts(c.blocks, in) {
			if p.kind == textPart {
				p.kind = thinkingPart
			}
			all = append(all, p)
		}
	}
	all = append(all, said...)
	for call := range jsonwalk.Elements(c.calls) {
		all = append(all, toolCall(call))
	}
	if jsonwalk.Type(c.legacy) == '{' {
		all = append(all, functionCall(c.legacy))
	}
	return all
}

// repeats reports whether a text of the parts has the thought in it: some agents
// log what the model said as a thought too.
func repeats(parts []part, thought string) bool {
	thought = strings.TrimSpace(thought)
	for _, p := range parts {
		if p.kind == textPart && strings.Contains(p.text, thought) {
			return true
		}
	}
	return false
}

func (b *builder) noteParts(place int, in partReader) {
	for _, n := range in.notes {
		b.note(place, n)
	}
}

// timed gives a message its timestamp, if it can be understood.
func (b *builder) timed(m *message, raw []byte) {
	if at, ok := parseTime(raw); ok {
		m.at = model.Some(at)
	} else if at, ok := unixTime(raw); ok {
		m.at = model.Some(at)
		b.note(m.place, "timestamps given as seconds since 1970, taken to be that")
	} else if !jsonwalk.IsNull(raw) {
		b.note(m.place, "timestamps not understood, left out")
	}
}

// toolCall reads {"id", "function": {"name", "arguments"}}, and the shorter
// {"id", "function" or "name", "arguments"}.
func toolCall(raw []byte) part {
	var id, name string
	var input []byte
	p := part{kind: callPart}
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "id":
			id, _ = jsonwalk.String(value)
		case "function", "custom":
			if s, ok := jsonwalk.String(value); ok {
				name = s
			} else {
				p = functionCall(value)
			}
		case "name":
			name, _ = jsonwalk.String(value)
		case "arguments", "input", "args":
			input = value
		}
	}
	if p.text == "" && name != "" {
		p.tool, p.text = name, callText(name, input)
	}
	if p.text == "" {
		p.text = compact(raw)
	}
	p.callID = id
	return p
}

// functionCall reads {"name", "arguments"}, the arguments as text or as an object.
func functionCall(raw []byte) part {
	p := part{kind: callPart}
	var input []byte
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "name":
			p.tool, _ = jsonwalk.String(value)
		case "arguments", "input":
			input = value
		}
	}
	p.text = callText(p.tool, input)
	return p
}
