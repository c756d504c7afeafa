package itemset

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// Items of OpenAI's Responses API, which requests hold under "input", answers
// under "output", and Codex writes a row each: messages, calls and results by
// themselves, linked by call_id.

// isResponseItem reports whether a type is that of such an item, but for
// messages, which have a role.
func isResponseItem(typ string) bool {
	switch typ {
	case "reasoning", "item_reference", "ghost_snapshot", "mcp_list_tools",
		"compaction", "compaction_summary", "context_compaction", "tool_search_output":
		return true
	}
	return strings.HasSuffix(typ, "_call") || strings.HasSuffix(typ, "_call_output")
}

// responseItem reads one item as a message of one part, or of a call and its
// result where an item holds both; false if it was skipped or left out.
func (b *builder) responseItem(place int, record []byte) (m message, ok bool, err error) {
	if jsonwalk.Check(record) != nil {
		return m, false, b.skipBroken(place, record)
	}
	has := membersOf(record)
	text := func(key string) string {
		s, _ := jsonwalk.String(has[key])
		return s
	}
	typ := text("type")
	m.place, m.role, m.id = place, "assistant", text("id")
	var in partReader
	switch typ {
	case "message", "":
		if m.role = text("role"); m.role == "" {
			return m, false, b.skip(place, "without a role")
		}
		m.parts = contentParts(has["content"], &in)
	case "reasoning":
		for _, key := range [...]string{"summary", "content"} {
			for _, p := range contentParts(has[key], &in) {
				if p.kind == textPart {
					p.kind = thinkingPart
				}
				m.parts = append(m.parts, p)
			}
		}
		m.parts = joinThinking(m.parts)
		if text("encrypted_content") != "" {
			m.parts = append(m.parts, opaque("thinking", "encrypted", has["encrypted_content"]))
		}
	case "compaction", "compaction_summary", "context_compaction":
		m.summary = true
		if text("encrypted_content") != "" {
			m.parts = []part{opaque("memory", "encrypted", has["encrypted_content"])}
		}
	case "mcp_list_tools":
		for tool := range jsonwalk.Elements(has["tools"]) {
			m.parts = append(m.parts, part{kind: resultPart, tool: text("server_label"), text: compact(tool)})
		}
	case "item_reference", "ghost_snapshot":
		b.leftOut(place, typ+" items")
		return m, false, nil
	default:
		if !isResponseItem(typ) {
			return m, false, b.skip(place, fmt.Sprintf("unknown type %.40q", typ))
		}
		m.parts = callParts(typ, has, &in)
	}
	b.noteParts(place, in)
	return m, true, nil
}

// joinThinking makes one part of several: a summary comes in pieces.
func joinThinking(parts []part) []part {
	var texts []string
	var rest []part
	for _, p := range parts {
		if p.kind == thinkingPart {
			texts = append(texts, p.text)
		} else {
			rest = append(rest, p)
		}
	}
	if len(texts) == 0 {
		return rest
	}
	return append([]part{{kind: thinkingPart, text: strings.Join(texts, "\n")}}, rest...)
}

// callParts reads a call or what came of it. The type names the tool where
// nothing else does.
func callParts(typ string, has map[string][]byte, in *partReader) []part {
	first := func(keys ...string) []byte {
		for _, key := range keys {
			if raw := has[key]; raw != nil && !jsonwalk.IsNull(raw) {
				return raw
			}
		}
		return nil
	}
	id, _ := jsonwalk.String(first("call_id", "id"))
	name, _ := jsonwalk.String(has["name"])
	if strings.HasSuffix(typ, "_output") {
		output, failed := outputOf(first("output", "tools", "content", "result"))
		return resultParts(id, name, failed, output, in)
	}
	if name == "" && !slices.Contains([]string{"function_call", "custom_tool_call"}, typ) {
		name = strings.TrimSuffix(typ, "_call")
	}
	var all []part
	if typ == "image_generation_call" {
		all = append(all, part{kind: callPart, callID: id, tool: name, text: callText(name, first("revised_prompt"))})
		if raw := first("result"); raw != nil {
			p := opaque("image", "", raw)
			p.kind, p.callID = resultPart, id
			all = append(all, p)
		}
		return all
	}
	all = append(all, part{kind: callPart, callID: id, tool: name,
		text: callText(name, first("arguments", "input", "action", "operation", "code", "queries"))})
	if raw := first("output", "outputs", "results", "error"); raw != nil {
		output, _ := outputOf(raw)
		failed := jsonwalk.Type(has["error"]) == '{' || jsonwalk.Type(has["error"]) == '"'
		all = append(all, resultParts(id, name, failed, output, in)...)
	}
	return all
}

// outputOf is the content of an output, which is text, blocks or an object that
// holds either, and whether it says that it failed.
func outputOf(raw []byte) (content []byte, failed bool) {
	if jsonwalk.Type(raw) != '{' {
		return raw, false
	}
	content = raw
	for key, value := range jsonwalk.Members(raw) {
		switch key {
		case "type":
			return raw, failed // a block
		case "content", "output", "body":
			content = value
		case "success":
			failed = jsonwalk.Type(value) == 'f'
		}
	}
	return content, failed
}
