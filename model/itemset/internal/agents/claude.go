// Package agents reads the sessions that coding agents log: Claude Code and Qwen Code,
// Codex, Gemini CLI, rows with a message of several others, and the Markdown of aider
// and SpecStory.
package agents

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// A session of Claude Code has a row on each line; user and assistant rows hold messages of the
// Anthropic API. An answer is written a block a row: rows with the same message id are one
// message, whose usage counts once. Sessions of the web have the rows in a list. What a model
// still sees begins at the last compaction. toolUseResult repeats the result and is ignored.
// Rows refer to the row before them; claudewindow.go finds the rows that nothing refers to any
// more.

// IsClaude reports whether an object is a row of a session of Claude Code, or a session as
// the web gives it, with its rows in a list.
func IsClaude(o record.Object) bool {
	for row := range o.List(loglines) {
		return IsClaude(record.Open(row))
	}
	if typ := o.Text("type"); typ == "message" || typ == "message_start" || typ == "system" && !o.Has("uuid", "parentUuid") { // of another program
		return false
	}
	return o.Type("type") == '"' && (o.Type("sessionId") == '"' || o.Type("leafUuid") == '"' || o.Has("parentUuid") ||
		o.Type("message") == '{' || o.Type("snapshot") == '{' || o.Type("uuid") == '"' && !o.Has("content"))
}

// loglines is the key of the rows in a session that is one object.
const loglines = "loglines"

// IsQwen reports whether a row is one of Qwen Code, which holds a message of
// Gemini's.
func IsQwen(o record.Object) bool { return IsClaude(o) && o.Open("message").Type("parts") == '[' }

type claudeRow struct {
	record.Object
	message   record.Object
	said      []byte // the message as it stands
	uuid      string
	sidechain bool
}

// ClaudeNoContent lists the members of rows and their messages that are not reported as
// unread, because they hold no content or repeat the message, as toolUseResult.
var ClaudeNoContent = []string{
	"cwd", "sessionId", "session_id", "version", "gitBranch", "userType", "requestId", "slug", "toolUseResult", "toolCallResult", "logicalParentUuid", "permissionMode",
	"thinkingMetadata", "leafUuid", "agentId", "level", "toolUseID", "parentToolUseID", "sourceToolUseID", "sourceToolAssistantUUID", "entrypoint", "origin", "agentName", "teamName",
	"promptId", "uuid", "parentUuid", "parent_tool_use_id", "stop_reason", "stop_sequence", "stop_details", "type", "container", "context_management", "usageMetadata", "model", "id", "role",
}

func parseRow(raw []byte) claudeRow {
	o := record.Open(raw)
	said := o.Raw("message")
	side := o.Is("isSidechain") || o.Type("parent_tool_use_id") == '"' // the latter in what the program prints
	return claudeRow{o, record.Open(said), said, o.Text("uuid"), side}
}

type claudeSession struct {
	doc      record.Document
	sink     record.Sink
	messages []*conversation.Message
	removed  conversation.Removed             // by a compaction, a rollback or a rewind; with Options.History
	byID     map[string]*conversation.Message // assistant messages by their id
	usage    map[string]conversation.Usage
	last     conversation.Usage
	at       map[string]*conversation.Message // messages by the uuid of their rows
	said     map[string][]byte                // the message of a row, by uuid
	kept     map[string]bool                  // rows that the last compaction kept as they were
	rows     []string                         // the uuid of every row, in order
	parents  map[string]string                // and its parent, by uuid; "": none
	tip      string                           // uuid of the last row of the main conversation
	system   conversation.Message             // the last system prompt that was logged
	tools    [][]byte                         // and the tools with it
	side     []sideRow                        // rows of sub-agents, as long as they are left out
}

type sideRow struct {
	at  record.Place
	row claudeRow
}

// ReadClaude adds the items of a session to the sink.
func ReadClaude(doc record.Document, sink record.Sink) error {
	s := claudeSession{doc: doc, sink: sink, byID: map[string]*conversation.Message{}, usage: map[string]conversation.Usage{}, at: map[string]*conversation.Message{}, said: map[string][]byte{}, parents: map[string]string{}}
	if o := doc.Object(); o.Has(loglines) {
		record.TellUnread(sink, record.Place{}, "session.", o, append([]string{loglines}, ClaudeNoContent...))
	}
	for at, raw := range doc.Objects(sink, "a row", loglines) {
		s.row(at, parseRow(raw))
	}
	if len(s.messages) == 0 && len(s.side) > 0 {
		sink.Tell(record.Changed, record.Place{}, "a session of a sub-agent alone, read as with --sidechains")
		s.doc.Sidechains = true
		s.rows, s.parents = nil, map[string]string{}
		for _, r := range s.side {
			s.row(r.at, r.row)
		}
		s.side = nil
	}
	for _, r := range s.side {
		sink.Tell(record.LeftOut, r.at, "sidechain rows, which --sidechains keeps")
	}
	s.dropAbandoned()
	usage := &sink.Facts().Usage
	for _, u := range s.usage {
		usage.Output += u.Output // a sum: the order does not matter
	}
	usage.Messages += len(s.usage)
	if len(s.usage) > 0 {
		usage.Context = s.last.Context
	}
	all := make([]conversation.Message, 0, len(s.messages)+1)
	for _, m := range s.messages {
		all = append(all, *m)
	}
	all = s.removed.Merge(all)
	for i := range all {
		if u, ok := s.usage[all[i].ID]; ok {
			all[i].Output = &u
		}
	}
	if len(s.system.Blocks) > 0 {
		all = append([]conversation.Message{s.system}, all...)
	}
	conversation.Write(sink, s.tools, all)
	return nil
}

func (s *claudeSession) add(m conversation.Message) {
	s.at[m.Row] = &m
	s.messages = append(s.messages, &m)
}

func (s *claudeSession) row(at record.Place, r claudeRow) {
	leftOut := func(what string) { s.sink.Tell(record.LeftOut, at, what) }
	skip := func(why string) { s.sink.Tell(record.Skipped, at, why) }
	if r.uuid != "" {
		s.rows = append(s.rows, r.uuid)
		s.parents[r.uuid] = r.Text("parentUuid")
		if s.kept[r.uuid] {
			leftOut("rows that a compaction repeats")
			return
		}
	}
	switch typ := r.Text("type"); typ {
	case "user", "assistant", "tool_result":
	case "attachment":
		if r.sidechain && !s.doc.Sidechains {
			s.side = append(s.side, sideRow{at, r})
		} else {
			s.attachment(at, r)
		}
		return
	case "system":
		if r.Text("subtype") == "compact_boundary" && !r.sidechain {
			s.compacted(at, r.Open("compactMetadata", "compact_metadata"))
		}
		if r.Text("subtype") == "microcompact_boundary" && !r.sidechain {
			s.cleared(at, r.Open("microcompactMetadata"))
		}
		leftOut("system rows")
		return
	case "summary", "ai-title", "custom-title", "agent-name", "last-prompt", "tag", "queue-operation", "file-history-snapshot",
		"progress", "permission-mode", "mode", "pr-link", "worktree-state", "attribution-snapshot",
		"result", "stream_event", "rate_limit_event":
		leftOut(typ + " rows")
		return
	case "":
		skip("rows without a type")
		return
	default:
		skip(fmt.Sprintf("rows of unknown type %.40q", typ))
		return
	}
	before, met := s.said[r.uuid]
	switch {
	case met && r.uuid != "" && r.message.Text("id") == "" && bytes.Equal(before, r.said): // those with an id are joined below
		leftOut("rows that appear twice, by their uuid")
	case r.sidechain && !s.doc.Sidechains:
		s.side = append(s.side, sideRow{at, r})
	case r.Is("isApiErrorMessage"):
		leftOut("rows that report an error of the API")
	case jsonwalk.Type(r.said) != '{':
		skip("rows without a message")
	default:
		if !r.sidechain && r.uuid != "" {
			s.tip = r.uuid
		}
		s.said[r.uuid] = r.said
		s.extend(at, r)
		record.TellUnread(s.sink, at, "row.", r.Object, ClaudeNoContent)
		record.TellUnread(s.sink, at, "message.", r.message, ClaudeNoContent)
	}
}

// extend adds the message of a row, or its blocks to the message that it continues.
func (s *claudeSession) extend(at record.Place, r claudeRow) {
	var in blocks.Reader
	said := in.Content(r.message.Raw("content", "parts")) // Qwen Code writes Gemini's messages
	conversation.Note(s.sink, at, in)
	m := conversation.Message{Place: at, Role: chat.Role(r.message.Text("role")), ID: r.message.Text("id"), Blocks: said, Summary: r.Is("isCompactSummary"), Row: r.uuid}
	m.Timed(s.sink, r.Raw("timestamp"))
	if name := r.message.Text("model"); name != "<synthetic>" {
		s.sink.Facts().Names(name)
	}
	if usage := r.message.Raw("usage"); jsonwalk.Type(usage) == '{' && m.ID != "" {
		// Later rows of a message repeat its usage, with the final output.
		u := conversation.ParseUsage(usage)
		u.Output = max(u.Output, s.usage[m.ID].Output)
		s.usage[m.ID], s.last = u, u
	}
	if m := s.byID[m.ID]; m != nil {
		fresh := unrepeated(m.Blocks, said)
		for range len(said) - len(fresh) {
			s.sink.Tell(record.Changed, at, "blocks that repeat one of an earlier row of their message, left out")
		}
		m.Blocks = append(m.Blocks, fresh...)
		s.at[r.uuid] = m
		return
	}
	m.Role = cmp.Or(m.Role, r.Text("type"))
	if r.Is("isMeta") || r.sidechain {
		m.Meta = map[string]any{}
		if r.Is("isMeta") {
			m.Meta["isMeta"] = true
		}
		if r.sidechain {
			m.Meta["isSidechain"] = true
		}
	}
	s.add(m)
	if m.ID != "" {
		s.byID[m.ID] = s.at[r.uuid]
	}
}

// maxRepeats is how many of the last blocks of a message a row is compared with: more than
// any answer has.
const maxRepeats = 64

// unrepeated returns the parts of a row that the earlier rows of its message do
// not have: a row may repeat the blocks of the rows before it. Each earlier part
// stands for one part of the row, so what a row itself holds twice stays twice.
func unrepeated(earlier, row []blocks.Block) []blocks.Block {
	earlier = slices.Clone(earlier[max(0, len(earlier)-maxRepeats):])
	return slices.DeleteFunc(slices.Clone(row), func(b blocks.Block) bool {
		at := slices.Index(earlier, b)
		if at >= 0 {
			earlier = slices.Delete(earlier, at, at+1)
		}
		return at >= 0
	})
}
