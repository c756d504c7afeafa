package agents

import (
	"cupelscope/model/itemset/internal/record"
)

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

// rows is the key of the rows in a session that is one object.
const loglines = "loglines"

// IsQwen reports whether a row is one of Qwen Code, which holds a message of
// Gemini's.
func IsQwen(o record.Object) bool { return IsClaude(o) && o.Open("message").Type("parts") == '[' }

// claudeRow holds the members of a row that are used.
type claudeRow struct {
	typ, subtype, uuid string
	parent             string // uuid of the row before it
	timestamp          []byte
	sidechain, isMeta  bool
	summary, apiError  bool
	message            []byte
	attachment         []byte
	compaction         []byte // what a compact_boundary says of it
	messageID, role    string
	messageModel       string
	content, usage     []byte
	unread             []string // paths of members that hold text and that nothing reads
}

// ClaudeNoContent lists the members of rows and their messages that are not reported as
// unread, because they hold no content or repeat the message, as toolUseResult.
var ClaudeNoContent = []string{
	"cwd", "sessionId", "session_id", "version", "gitBranch", "userType", "requestId", "slug", "toolUseResult", "toolCallResult", "logicalParentUuid", "permissionMode",
	"thinkingMetadata", "leafUuid", "agentId", "level", "toolUseID", "parentToolUseID", "sourceToolUseID", "sourceToolAssistantUUID", "entrypoint", "origin", "agentName", "teamName",
	"promptId", "uuid", "parentUuid", "stop_reason", "stop_sequence", "stop_details", "type", "container", "context_management", "usageMetadata", "model", "id", "role",
}

func parseRow(raw []byte) claudeRow {
	o := record.Open(raw)
	m := o.Open("message")
	r := claudeRow{
		typ: o.Text("type"), subtype: o.Text("subtype"), uuid: o.Text("uuid"), parent: o.Text("parentUuid"), timestamp: o.Raw("timestamp"),
		sidechain: o.Is("isSidechain") || o.Type("parent_tool_use_id") == '"', // the latter in what the program prints
		isMeta:    o.Is("isMeta"), summary: o.Is("isCompactSummary"), apiError: o.Is("isApiErrorMessage"),
		message: o.Raw("message"), attachment: o.Raw("attachment"), compaction: o.Raw("compactMetadata", "compact_metadata"),
		messageID: m.Text("id"), role: m.Text("role"), messageModel: m.Text("model"), usage: m.Raw("usage"), content: m.Raw("content"),
	}
	if parts := m.Raw("parts"); r.content == nil && parts != nil { // Qwen Code writes Gemini's messages
		r.content = parts
		if r.role == "model" {
			r.role = "assistant"
		}
	}
	o.Raw("parent_tool_use_id")
	for key := range o.Unread(ClaudeNoContent) {
		r.unread = append(r.unread, "row."+key)
	}
	for key := range m.Unread(ClaudeNoContent) {
		r.unread = append(r.unread, "message."+key)
	}
	return r
}
