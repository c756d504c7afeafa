package itemset

import (
	"fmt"

	"cupelscope/model/internal/jsonwalk"
)

// Attachments of a Claude Code session: what is put before the model besides
// what is said. Those that carry a text of their own become items: what the user
// wrote meanwhile, files, memories, reminders, the system prompt. The others are
// settings and notes to the program.

func (s *session) attachment(place int, r row) error {
	if r.sidechain && !s.opts.Sidechains {
		s.leftOut(place, "sidechain rows, which --sidechains keeps")
		return nil
	}
	has := membersOf(r.attachment)
	typ, _ := jsonwalk.String(has["type"])
	m := message{place: place, role: "user", at: r.at, row: r.uuid}
	var in partReader
	switch typ {
	case "queued_command":
		m.parts = contentParts(has["prompt"], &in)
	case "file", "edited_text_file", "selected_lines_in_ide", "mcp_resource":
		m.parts = fileParts(has, documentPart, &in)
	case "nested_memory", "ultramemory":
		m.summary, m.parts = true, fileParts(has, textPart, &in)
	case "instructions", "relevant_memories":
		m.summary = true
		for _, key := range [...]string{"files", "memories"} {
			for one := range jsonwalk.Elements(has[key]) {
				inner := membersOf(one)
				m.parts = append(m.parts, fileParts(inner, textPart, &in)...)
			}
		}
	case "hook_additional_context", "skill_listing":
		m.meta = map[string]any{"isMeta": true}
		for one := range jsonwalk.Elements(has["content"]) {
			m.parts = append(m.parts, contentParts(one, &in)...)
		}
		if m.parts == nil {
			m.parts = contentParts(has["content"], &in)
		}
	case "prompt_snapshot":
		s.snapshot(m, has, &in)
		return nil
	}
	s.noteParts(place, in)
	if len(m.parts) == 0 {
		s.leftOut(place, fmt.Sprintf("attachment rows of type %.40q", typ))
		return nil
	}
	if m.meta == nil {
		m.meta = map[string]any{}
	}
	m.meta["attachment"] = typ
	s.at[r.uuid] = len(s.messages)
	s.messages = append(s.messages, m)
	return nil
}

// fileParts reads a text with the path that it is from, which may be deeper
// within the content.
func fileParts(has map[string][]byte, kind partKind, in *partReader) []part {
	var title string
	var content []byte
	for range 3 { // content{file{content}} is the deepest
		for _, key := range [...]string{"filename", "path", "filePath", "uri"} {
			if s, _ := jsonwalk.String(has[key]); s != "" {
				title = s
			}
		}
		content = has["content"]
		if content == nil {
			content = has["snippet"]
		}
		if content == nil {
			content = has["file"]
		}
		if jsonwalk.Type(content) != '{' {
			break
		}
		inner := membersOf(content)
		has = inner
	}
	if jsonwalk.Type(content) == '{' {
		return nil
	}
	parts := contentParts(content, in)
	for i := range parts {
		if parts[i].kind == textPart {
			parts[i].kind, parts[i].title = kind, title
		}
	}
	return parts
}

// snapshot keeps the last system prompt that was logged, with its tools.
func (s *session) snapshot(m message, has map[string][]byte, in *partReader) {
	if s.system.parts != nil {
		s.leftOut(s.system.place, "system prompts that a later one replaced")
	}
	s.tools = nil
	for _, key := range [...]string{"systemPrompt", "tools"} {
		for one := range jsonwalk.Elements(has[key]) {
			if key == "tools" {
				s.tools = append(s.tools, one)
			} else {
				m.parts = append(m.parts, contentParts(one, in)...)
			}
		}
	}
	if len(m.parts) == 0 {
		m.parts = contentParts(has["systemPrompt"], in)
	}
	m.role = "system"
	s.system = m
}
