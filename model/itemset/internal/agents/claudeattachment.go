package agents

import (
	"fmt"
	"iter"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Attachments of a session: what is put before the model besides what is said.
// Those that carry a text of their own become items: what the user wrote
// meanwhile, files, memories, reminders, the system prompt. The others are
// settings and notes to the program.

func (s *claudeSession) attachment(at record.Place, r claudeRow) {
	o := r.Open("attachment")
	typ := o.Text("type")
	m := conversation.Message{Place: at, Role: "user", Row: r.uuid, Meta: map[string]any{"attachment": typ}}
	m.Timed(s.sink, r.Raw("timestamp"))
	var in blocks.Reader
	files := func(list iter.Seq[[]byte], kind blocks.Kind) {
		for one := range list {
			m.Blocks = append(m.Blocks, fileBlocks(record.Open(one), kind, &in)...)
		}
	}
	switch typ {
	case "queued_command":
		m.Blocks = in.Content(o.Raw("prompt"))
	case "file", "edited_text_file", "selected_lines_in_ide", "directory":
		m.Blocks = fileBlocks(o, blocks.Document, &in)
	case "nested_memory", "ultramemory":
		m.Summary, m.Blocks = true, fileBlocks(o, blocks.Text, &in)
	case "instructions", "relevant_memories":
		m.Summary = true
		files(o.List("files"), blocks.Text)
		files(o.List("memories"), blocks.Text)
	case "mcp_resource":
		files(o.Open("content").List("contents"), blocks.Document)
		if m.Blocks == nil {
			m.Blocks = fileBlocks(o, blocks.Document, &in)
		}
	case "invoked_skills":
		files(o.List("skills"), blocks.Text)
	case "hook_additional_context", "skill_listing", "critical_system_reminder", "mcp_instructions_delta", "deferred_tools_delta", "agent_listing_delta":
		m.Meta["isMeta"] = true
		m.Blocks = in.Content(o.Raw("content", "addedBlocks", "addedLines"))
	case "prompt_snapshot":
		if s.system.Blocks != nil {
			s.sink.Tell(record.LeftOut, s.system.Place, "system prompts that a later one replaced")
		}
		s.tools = slices.Collect(o.List("tools"))
		m.Role, m.Meta, m.Blocks = "system", nil, in.Content(o.Raw("systemPrompt"))
		s.system = m
		return
	}
	conversation.Note(s.sink, at, in)
	if len(m.Blocks) == 0 {
		s.sink.Tell(record.LeftOut, at, fmt.Sprintf("attachment rows of type %.40q", typ))
		return
	}
	s.add(m)
}

// fileBlocks reads a text with the path that it is from, which may be deeper
// within the content.
func fileBlocks(o record.Object, kind blocks.Kind, in *blocks.Reader) []blocks.Block {
	var title string
	var content []byte
	for range 3 { // content{file{content}} is the deepest
		if s := o.Text("uri", "filePath", "path", "filename"); s != "" {
			title = s
		}
		if content = o.Raw("content", "snippet", "file", "text"); jsonwalk.Type(content) != '{' {
			break
		}
		o = record.Open(content)
	}
	if jsonwalk.Type(content) == '{' {
		return nil
	}
	all := in.Content(content)
	for i := range all {
		if all[i].Kind == blocks.Text {
			all[i].Kind, all[i].Name = kind, title
		}
	}
	return all
}
