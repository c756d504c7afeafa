package agents

import "cupelscope/model/itemset/internal/record"

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
