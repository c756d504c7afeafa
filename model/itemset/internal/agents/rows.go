package agents

import (
	"cmp"
	"fmt"
	"maps"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Logs of the agents that have no file of their own here: Cursor, Droid, pi and OpenClaw write
// rows with a message, a row a line; Grok writes rows that are messages by their type; Gemini
// CLI writes sessions of messages.

// IsRow reports whether an object is a row with a message: {"type", "message":
// {"role", "content"}}, or with the role beside the message.
func IsRow(o record.Object) bool {
	if typ := o.Text("type"); typ == "message" && o.Has("role") && o.Has("text") && o.Has("session_id", "sessionId") || isTyped(o) && typ != "system" {
		return true
	}
	if o.Type("message") != '{' || o.Has("uuid", "parentUuid", "sessionId", "session_id", "done", "finish_reason", "index") {
		return false
	}
	m, typ := o.Open("message"), o.Text("type")
	return (typ == "" || typ == "message") && m.Has("content") && (m.Type("role") == '"' || o.Type("role") == '"')
}

// isTyped reports whether an object is a message whose type is its role, as Grok
// writes them.
func isTyped(o record.Object) bool {
	switch o.Text("type") {
	case "system", "user", "assistant", "tool_result":
		return o.Has("content") && !o.Has("message", "role", "uuid", "id", "timestamp", "subtype", "tool_use_id")
	}
	return false
}

type logged struct {
	doc      record.Document
	sink     record.Sink
	messages []conversation.Message
	removed  conversation.Removed // by a compaction; with Options.History
	before   map[string]int       // how many messages came before an entry, by its id
	// Of Gemini CLI, whose rows are written again: the usage of answers by their id, and
	// the ids of results that are recorded beside their calls.
	usage   map[string]*conversation.Usage
	results map[string]bool
}

// ReadRows adds the messages of a log to the sink. After a compaction only its
// summary and the messages from the first entry that it kept remain.
func ReadRows(doc record.Document, sink record.Sink) error {
	l := logged{doc: doc, sink: sink, before: map[string]int{}}
	for at, raw := range doc.Objects(sink, "a row") {
		l.row(at, raw, record.Open(raw))
	}
	conversation.Write(sink, nil, l.removed.Merge(l.messages))
	return nil
}

func (l *logged) row(at record.Place, raw []byte, o record.Object) {
	typ := o.Text("type")
	if id := o.Text("id"); id != "" {
		l.before[id] = len(l.messages)
	}
	switch {
	case o.Type("message") == '{':
		l.message(at, o, o.Open("message"))
	case typ == "message", isTyped(o):
		l.message(at, nil, o)
	case typ == "tool_call", typ == "tool_result":
		l.tool(at, typ, o)
	case typ == "completion":
		l.add(at, "assistant", o, func(in *blocks.Reader) []blocks.Block { return in.Content(o.Raw("finalText")) })
	case typ == "compaction":
		l.compacted(at, o)
	case typ == "custom_message", typ == "branch_summary":
		l.add(at, "user", o, func(in *blocks.Reader) []blocks.Block { return in.Content(o.Raw("content", "summary")) }).Summary = typ == "branch_summary"
	case chat.IsResponseItem(typ):
		if m, ok := chat.ResponseItem(l.sink, at, raw); ok {
			l.messages = append(l.messages, m)
		}
	case typ == "model_change":
		l.sink.Facts().Names(o.Text("modelId", "model"))
	case typ != "":
		l.sink.Tell(record.LeftOut, at, fmt.Sprintf("%.40s rows", typ))
	default:
		l.sink.Tell(record.Skipped, at, "rows without a message")
	}
}

// add adds the message of a row, with what said reads of it.
func (l *logged) add(at record.Place, role string, o record.Object, said func(*blocks.Reader) []blocks.Block) *conversation.Message {
	m := conversation.Message{Place: at, Role: role, ID: o.Text("id")}
	m.Timed(l.sink, o.Raw("timestamp"))
	var in blocks.Reader
	m.Blocks = said(&in)
	conversation.Note(l.sink, at, in)
	record.TellUnread(l.sink, at, "row.", o, RowsNoContent)
	l.messages = append(l.messages, m)
	return &l.messages[len(l.messages)-1]
}

// tool reads a call or a result that is a row by itself.
func (l *logged) tool(at record.Place, typ string, o record.Object) {
	id, name := o.Text("toolCallId", "tool_call_id", "call_id", "id"), o.Text("toolName", "toolId", "name")
	l.add(at, "assistant", o, func(in *blocks.Reader) []blocks.Block {
		if typ == "tool_call" {
			return []blocks.Block{blocks.CallOf(id, name, o.Raw("parameters", "arguments", "input", "args"))}
		}
		return in.Result(id, name, o.Is("isError"), o.Raw("value", "content", "output", "result"))
	}).ID = "" // the id of the call
}

func (l *logged) message(at record.Place, o, inner record.Object) {
	l.sink.Facts().Names(inner.Text("model"))
	role := chat.Role(cmp.Or(inner.Text("role"), o.Text("role"), inner.Text("type")))
	ran := role == "bashExecution" // a command that the user ran
	if ran {
		role = "user"
	}
	m := l.add(at, role, o, func(in *blocks.Reader) []blocks.Block {
		if ran {
			return append([]blocks.Block{blocks.CallOf("", "bash", inner.Raw("command"))}, in.Result("", "bash", false, inner.Raw("output"))...)
		}
		if all := chat.Blocks(role, inner, in); len(all) > 0 {
			return all
		}
		return in.Content(inner.Raw("text"))
	})
	if !m.At.Set {
		m.Timed(l.sink, inner.Raw("timestamp"))
	}
	if role == "assistant" {
		m.Output = conversation.Count(l.sink, inner.Raw("usage"))
	}
	record.TellUnread(l.sink, at, "message.", inner, RowsNoContent)
}

// RowsNoContent lists the members of rows and their messages that hold no content and are
// not reported as unread.
var RowsNoContent = []string{
	"type", "id", "parentId", "timestamp", "role", "stopReason", "provider", "api", "sessionId", "requestId", "visibility", "cwd", "version", "status", "renderOutputAsMarkdown",
	"firstKeptEntryId", "session_id", "projectHash", "startTime", "lastUpdated", "kind", "$set", "directories", "displayContent",
}

func (l *logged) compacted(at record.Place, o record.Object) {
	kept, known := l.before[o.Text("firstKeptEntryId")]
	if !known {
		kept = len(l.messages)
	}
	m := l.add(at, "user", o, func(*blocks.Reader) []blocks.Block { return []blocks.Block{{Text: o.Text("summary")}} })
	m.Summary = true
	if l.doc.Full {
		return
	}
	end := len(l.messages) - 1
	left := []conversation.Message{*m}
	for k, was := range l.messages[:end] {
		if k < kept || l.doc.History {
			l.removed.Drop(l.doc, l.sink, was, at, conversation.BeforeCompaction)
		}
		if k < kept {
			continue
		}
		if l.doc.History { // what is kept is sent again, behind the summary
			was.Place, was.Prompt, was.Output = at, nil, nil
		}
		was.NotBefore(&left[len(left)-1])
		left = append(left, was)
	}
	l.messages = left
	for id, n := range l.before {
		l.before[id] = max(0, n-kept) + 1 // the summary stands before what was kept
	}
}

// IsGemini reports whether an object is a session of Gemini CLI, or a message of such
// a session with one message on each line.
func IsGemini(o record.Object) bool {
	if set := o.Open("$set"); set != nil {
		return isGeminiMessage(record.Open(jsonwalk.First(set.Raw("messages"))))
	}
	if o.Type("messages") == '[' && o.Has("sessionId") {
		first := jsonwalk.First(o.Raw("messages"))
		return first == nil && o.Has("projectHash") || isGeminiMessage(record.Open(first))
	}
	return isGeminiMessage(o)
}

func isGeminiMessage(o record.Object) bool {
	typ := o.Text("type")
	return o.Has("content", "parts") && o.Has("id") && o.Has("timestamp") && !o.Has("message", "role", "uuid") && (typ == "gemini" || typ == "model" || typ == "user" || typ == "info" || typ == "error")
}

// ReadGemini adds the messages of a session of Gemini CLI to the sink. Its lines change what
// came before them: a message is written again as it grows, a rewind takes back the message
// that it names and all after it, and a compression lists the messages that it left.
func ReadGemini(doc record.Document, sink record.Sink) error {
	l := logged{doc: doc, sink: sink, before: map[string]int{}, usage: map[string]*conversation.Usage{}, results: map[string]bool{}}
	if doc.IsObject() {
		sink.Unit("message")
		record.TellUnread(sink, record.Place{}, "session.", doc.Object(), append([]string{"messages"}, RowsNoContent...))
	}
	for at, raw := range doc.Objects(sink, "a message", "messages") {
		o := record.Open(raw)
		switch set := o.Open("$set"); {
		case !doc.Full && o.Type("$rewindTo") == '"':
			l.rewound(at, o.Text("$rewindTo"))
		case set.Type("messages") == '[':
			l.compressed(at, set)
		default:
			l.geminiRow(at, o)
		}
	}
	conversation.Write(sink, nil, l.removed.Merge(l.messages))
	return nil
}

func (l *logged) geminiRow(at record.Place, o record.Object) {
	switch typ := o.Text("type"); {
	case typ == "user" || typ == "gemini" || typ == "model":
		l.gemini(at, typ, o)
	case typ == "" && o.Has("sessionId", "$set", "$rewindTo"):
		l.sink.Tell(record.LeftOut, at, "rows about the session")
	case typ == "":
		l.sink.Tell(record.Skipped, at, "messages without a type")
	default:
		l.sink.Tell(record.LeftOut, at, fmt.Sprintf("%.40s messages", typ))
	}
}

// rewound drops the message with an id and all after it: all there are if there is none, as
// Gemini CLI does.
func (l *logged) rewound(at record.Place, id string) {
	from := l.before[id]
	for _, m := range l.messages[from:] {
		l.removed.Drop(l.doc, l.sink, m, at, conversation.Rewound)
	}
	l.messages = l.messages[:from]
	maps.DeleteFunc(l.before, func(_ string, n int) bool { return n >= from })
}

// compressed replaces the messages by the messages that a compression left. With Options.Full
// all messages stay, and only new ones are added.
func (l *logged) compressed(at record.Place, set record.Object) {
	was, before := l.messages, l.before
	stays := map[string]bool{}
	for raw := range set.List("messages") {
		stays[record.Open(raw).Text("id")] = true
	}
	if !l.doc.Full {
		l.messages, l.before = nil, map[string]int{}
		clear(l.results)
		for _, m := range was {
			if l.doc.History || !stays[m.ID] {
				l.removed.Drop(l.doc, l.sink, m, at, conversation.BeforeCompaction)
			}
		}
	}
	for raw := range set.List("messages") {
		o := record.Open(raw)
		_, met := before[o.Text("id")]
		if met && l.doc.Full {
			continue
		}
		n := len(l.messages)
		l.geminiRow(at, o)
		if len(l.messages) == n {
			continue
		}
		m := &l.messages[n]
		if met && l.doc.History { // it is sent again, behind the summary
			m.Prompt, m.Output = nil, nil
		}
		if n > 0 {
			m.NotBefore(&l.messages[n-1])
		}
	}
}

func (l *logged) gemini(at record.Place, typ string, o record.Object) {
	role := chat.Role(typ)
	l.sink.Facts().Names(o.Text("model"))
	m := l.add(at, role, o, func(in *blocks.Reader) []blocks.Block { return l.geminiBlocks(o, in) })
	if role == "assistant" {
		m.Output = l.counted(m.ID, o.Raw("tokens"))
	}
	if i, met := l.before[m.ID]; met && m.ID != "" { // a later row replaces an earlier one
		l.sink.Tell(record.LeftOut, l.messages[i].Place, "messages that a later row replaces")
		l.messages[i] = *m
		l.messages = l.messages[:len(l.messages)-1]
	} else {
		l.before[m.ID] = len(l.messages) - 1
	}
}

// counted counts the usage of an answer once, however often its row is written.
func (l *logged) counted(id string, raw []byte) *conversation.Usage {
	was, now := l.usage[id], conversation.Count(l.sink, raw)
	if now == nil || id == "" {
		return cmp.Or(now, was)
	}
	if was != nil {
		sum := &l.sink.Facts().Usage
		sum.Messages--
		sum.Output -= was.Output
	}
	l.usage[id] = now
	return now
}

// geminiBlocks reads what a message says. What a compression left has thoughts, calls and
// results twice: as they were sent, and as they were recorded.
func (l *logged) geminiBlocks(o record.Object, in *blocks.Reader) []blocks.Block {
	var thoughts [][]byte
	for raw := range o.List("thoughts") {
		t := record.Open(raw)
		thoughts = append(thoughts, record.JSON(t.Text("subject")+"\n"+t.Text("description")))
	}
	recorded := map[string]bool{}
	for raw := range o.List("toolCalls") {
		recorded[record.Open(raw).Text("id")] = true
	}
	said := in.Thoughts(thoughts...)
	thought := len(said) > 0
	for _, b := range in.Content(o.Raw("content", "parts")) {
		again := thought && b.Kind == blocks.Thinking || b.Kind == blocks.Call && recorded[b.CallID] || b.CallID != "" && l.results[b.CallID]
		if !again {
			said = append(said, b)
		}
	}
	for raw := range o.List("toolCalls") {
		o := record.Open(raw)
		call := blocks.CallOf(o.Text("id"), o.Text("name"), o.Raw("args"))
		result := o.Raw("result", "resultDisplay")
		all := in.Result(call.CallID, call.Name, blocks.Failed(o), result)
		if in.HoldsResults(result) {
			all = in.Content(result)
		}
		said = append(said, call)
		for _, b := range all {
			if b.CallID != call.CallID && recorded[b.CallID] { // of another call of the message
				continue
			}
			b.CallID = call.CallID
			l.results[b.CallID] = b.CallID != ""
			said = append(said, b)
		}
	}
	return said
}
