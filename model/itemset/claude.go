package itemset

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Claude Code sessions: a row a line, user and assistant rows holding messages
// of the Anthropic API. An answer is written a block a row; rows with the same
// message id are one message, whose usage counts once. What a model still sees
// begins at the last compaction. toolUseResult repeats the result: ignored.
// Rows refer to the one before them; claudewindow.go finds those that nothing
// refers to any more.

// session collects the messages of one file.
type session struct {
	*builder
	messages []message
	byID     map[string]int // assistant messages by their id
	usage    map[string]usage
	last     usage
	at       map[string]int    // messages by the uuid of their rows
	kept     map[string]bool   // rows that the last compaction kept as they were
	parents  map[string]string // of every row, by uuid; "": none
	tip      string            // uuid of the last row of the main conversation
	system   message           // the last system prompt that was logged
	tools    [][]byte          // and the tools with it
}

func (b *builder) readClaude(doc document) error {
	s := session{builder: b, byID: map[string]int{}, usage: map[string]usage{}, at: map[string]int{}, parents: map[string]string{}}
	for place, record := range doc.elements() {
		if err := b.tick(); err != nil {
			return err
		}
		if err := s.row(place, record); err != nil {
			return err
		}
	}
	s.dropAbandoned()
	for _, u := range s.usage {
		b.out.Usage.Output += u.output // a sum: the order does not matter
	}
	b.out.Usage.Messages += len(s.usage)
	if len(s.usage) > 0 {
		b.out.Usage.Context = s.last.context
	}
	for i := range s.messages {
		if u, ok := s.usage[s.messages[i].id]; ok {
			s.messages[i].output = model.Some(u)
		}
	}
	if len(s.system.parts) > 0 {
		s.messages = append([]message{s.system}, s.messages...)
	}
	b.addTools(s.tools, s.messages)
	return b.addMessages(s.messages)
}

func (s *session) row(place int, record []byte) error {
	if jsonwalk.Check(record) != nil {
		return s.skipBroken(place, record)
	}
	if c := jsonwalk.Type(record); c != '{' {
		return s.skip(place, typeName(c)+" instead of a row")
	}
	r := parseRow(record)
	if r.uuid != "" {
		s.parents[r.uuid] = r.parent
		if s.kept[r.uuid] {
			s.leftOut(place, "rows that a compaction repeats")
			return nil
		}
	}
	switch r.typ {
	case "user", "assistant":
	case "attachment":
		return s.attachment(place, r)
	case "system":
		if r.subtype == "compact_boundary" && !r.sidechain {
			s.compacted(r.compaction)
		}
		s.leftOut(place, "system rows")
		return nil
	case "summary", "ai-title", "custom-title", "agent-name", "last-prompt", "tag", "queue-operation", "file-history-snapshot",
		"progress", "permission-mode", "mode", "pr-link", "worktree-state", "attribution-snapshot",
		"result", "stream_event", "rate_limit_event":
		s.leftOut(place, r.typ+" rows")
		return nil
	case "":
		return s.skip(place, "without a type")
	default:
		return s.skip(place, fmt.Sprintf("unknown type %.40q", r.typ))
	}
	if r.sidechain && !s.opts.Sidechains {
		s.leftOut(place, "sidechain rows, which --sidechains keeps")
		return nil
	}
	if r.apiError {
		s.leftOut(place, "rows that report an error of the API")
		return nil
	}
	if jsonwalk.Type(r.message) != '{' {
		return s.skip(place, "without a message")
	}
	if r.badTime {
		s.note(place, "timestamps not understood, left out")
	}
	if !r.sidechain && r.uuid != "" {
		s.tip = r.uuid
	}
	s.extend(place, r)
	return nil
}

// extend adds the message of a row, or its blocks to the message that it continues.
func (s *session) extend(place int, r row) {
	var in partReader
	parts := contentParts(r.messageText, &in)
	for _, n := range in.notes {
		s.note(place, n)
	}
	if r.messageModel != "" && r.messageModel != "<synthetic>" {
		s.out.Model = r.messageModel
	}
	if jsonwalk.Type(r.usage) == '{' && r.messageID != "" {
		// Later rows of a message repeat its usage, with the final output.
		u := parseUsage(r.usage)
		if before := s.usage[r.messageID]; before.output > u.output {
			u.output = before.output
		}
		s.usage[r.messageID], s.last = u, u
	}
	if i, ok := s.byID[r.messageID]; ok && r.messageID != "" {
		m := &s.messages[i]
		fresh := unrepeated(m.parts, parts)
		for range len(parts) - len(fresh) {
			s.note(place, "blocks that repeat one of an earlier row of their message, left out")
		}
		m.parts = append(m.parts, fresh...)
		s.at[r.uuid] = i
		return
	}
	m := message{place: place, role: r.role, id: r.messageID, at: r.at, parts: parts, summary: r.summary, row: r.uuid}
	if m.role == "" {
		m.role = r.typ
	}
	if r.isMeta || r.sidechain {
		m.meta = map[string]any{}
		if r.isMeta {
			m.meta["isMeta"] = true
		}
		if r.sidechain {
			m.meta["isSidechain"] = true
		}
	}
	if r.messageID != "" {
		s.byID[r.messageID] = len(s.messages)
	}
	s.at[r.uuid] = len(s.messages)
	s.messages = append(s.messages, m)
}

// maxRepeats is how many of the last blocks of a message a row is compared
// with: more than any answer has, and as many as a uint64 has bits.
const maxRepeats = 64

// unrepeated returns the parts of a row that the earlier rows of its message do
// not have: a row may repeat the blocks of the rows before it. Each earlier part
// stands for one part of the row, so what a row itself holds twice stays twice.
func unrepeated(earlier, row []part) []part {
	earlier = earlier[max(0, len(earlier)-maxRepeats):]
	var met uint64 // which of them the row has repeated
	var fresh []part
next:
	for _, p := range row {
		for i, have := range earlier {
			if met&(1<<i) == 0 && have == p {
				met |= 1 << i
				continue next
			}
		}
		fresh = append(fresh, p)
	}
	return fresh
}
