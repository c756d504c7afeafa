package agents

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Rollouts of Codex have a row {timestamp, type, payload} on each line. The model was sent the
// response items, which are items of the Responses API. In older rollouts the rows are such
// items themselves. Events repeat the items, except for the usage and for turns that the user
// took back, which only events have.

// IsCodex reports whether an object is a row of a Codex rollout, or the head of an old
// one, whose rows are response items.
func IsCodex(o record.Object) bool {
	return o.Type("type") == '"' && o.Type("payload") == '{' ||
		o.Type("id") == '"' && o.Type("timestamp") == '"' && o.Has("instructions") && !o.Has("content") && o.Type("messages") != '['
}

type rollout struct {
	doc      record.Document
	sink     record.Sink
	messages []conversation.Message
	removed  conversation.Removed // by a compaction, a rollback or a rewind; with Options.History
	tools    [][]byte
	system   bool                        // a session_meta row gave the instructions
	start    model.Option[model.Tokens]  // of the usage that was counted last
	prompt   model.Option[record.Prompt] // of the answer that comes next
	counted  bool                        // a usage was met
	before   bool                        // the usage of an answer is written before it
	settled  int                         // leading messages that a compaction left
	looked   int                         // leading messages that are of no turn
}

// ReadCodex adds the items of a rollout to the sink.
func ReadCodex(doc record.Document, sink record.Sink) error {
	r := rollout{doc: doc, sink: sink}
	for at, raw := range doc.Objects(sink, "a row") {
		r.row(at, raw)
	}
	conversation.Write(sink, r.tools, r.removed.Merge(r.messages))
	return nil
}

// CodexNoContent lists the members of rows that hold no content and are not reported as
// unread. For the response items in the rows, chat.NoContent does the same.
var CodexNoContent = []string{"type", "timestamp", "payload", "git", "cwd", "id", "cli_version", "originator", "source", "model_provider", "forked_from_id"}

func (r *rollout) row(at record.Place, raw []byte) {
	o := record.Open(raw)
	typ, payload := o.Text("type"), o.Raw("payload")
	m := conversation.Message{Place: at}
	m.Timed(r.sink, o.Raw("timestamp"))
	if payload != nil {
		record.TellUnread(r.sink, at, "row.", o, CodexNoContent)
	}
	switch {
	case payload == nil:
		r.oldRow(m, typ, o, raw)
		return
	case jsonwalk.Type(payload) != '{':
		r.sink.Tell(record.Skipped, at, "rows whose payload is "+jsonwalk.TypeName(payload)+" instead of an object")
		return
	}
	switch typ {
	case "response_item":
		r.item(m, payload)
		return
	case "compacted":
		r.compacted(m, record.Open(payload))
		return
	case "session_meta":
		r.meta(m, record.Open(payload))
		return
	case "world_state": // the surroundings, as the program tells them to itself
	case "turn_context":
		r.sink.Facts().Names(record.Open(payload).Text("model"))
	case "event_msg":
		r.event(at, record.Open(payload))
	case "":
		r.sink.Tell(record.Skipped, at, "rows without a type")
		return
	default:
		r.sink.Tell(record.Skipped, at, fmt.Sprintf("rows of unknown type %.40q", typ))
		return
	}
	r.sink.Tell(record.LeftOut, at, typ+" rows")
}

// item adds a response item with the place and time of m.
func (r *rollout) item(m conversation.Message, raw []byte) {
	if one, ok := chat.ResponseItem(r.sink, m.Place, raw); ok {
		one.At = m.At
		if r.prompt.Set && byModel(&one) {
			one.Prompt, r.prompt.Set = new(r.prompt.Value), false
		}
		r.messages = append(r.messages, one)
	}
}

// oldRow reads a row without a payload, as the first versions wrote them.
func (r *rollout) oldRow(m conversation.Message, typ string, o record.Object, raw []byte) {
	switch {
	case typ == "message" || chat.IsResponseItem(typ):
		m.At.Set = false
		r.item(m, raw)
	case typ == "" && m.At.Set: // the head of the session
		m.At.Set = false
		r.meta(m, o)
	case o.Has("record_type"):
		r.sink.Tell(record.LeftOut, m.Place, "state rows")
	default:
		r.sink.Tell(record.Skipped, m.Place, "rows without a payload")
	}
}

// meta reads the instructions of a session, and the tools that came with it. Later rows of the
// kind belong to sessions that this one was made from.
func (r *rollout) meta(m conversation.Message, o record.Object) {
	var in blocks.Reader
	for _, key := range [...]string{"base_instructions", "instructions"} {
		text := o.Raw(key)
		if inner := record.Open(text); inner.Has("text") {
			text = inner.Raw("text")
		}
		if jsonwalk.Type(text) == '"' && len(m.Blocks) == 0 {
			m.Blocks = in.Content(text)
		}
	}
	if !r.system {
		r.tools = slices.AppendSeq(r.tools, o.List("dynamic_tools"))
	}
	record.TellUnread(r.sink, m.Place, "session_meta.", o, CodexNoContent)
	if len(m.Blocks) == 0 || r.system {
		r.sink.Tell(record.LeftOut, m.Place, "session_meta rows without instructions of their own")
		return
	}
	r.system, m.Role = true, "system"
	r.messages = append(r.messages, m)
}

// compacted replaces the messages by what a compaction left of them. With Options.Full
// all messages stay, and only the summary is added.
func (r *rollout) compacted(row conversation.Message, o record.Object) {
	summary, history := o.Text("message"), o.Raw("replacement_history")
	if jsonwalk.Type(history) != '[' {
		history = nil
	}
	var kept []conversation.Message
	hasSummary := false
	for item := range jsonwalk.Elements(history) {
		m, ok := chat.ResponseItem(r.sink, row.Place, item)
		if !ok {
			continue
		}
		m.At = row.At
		if len(m.Blocks) == 1 && summary != "" && strings.HasSuffix(m.Blocks[0].Text, summary) {
			m.Summary = true
		}
		hasSummary = hasSummary || m.Summary
		if r.doc.Full && !m.Summary {
			r.sink.Tell(record.LeftOut, row.Place, "messages that a compaction kept, which are there already")
			continue
		}
		kept = append(kept, m)
	}
	if !hasSummary && summary != "" && (history == nil || r.doc.Full) {
		row.Role, row.Summary, row.Blocks = "user", true, []blocks.Block{{Text: summary}}
		kept = append(kept, row)
	}
	if r.doc.Full {
		r.messages = append(r.messages, kept...)
		return
	}
	if history == nil {
		r.sink.Tell(record.Changed, row.Place, "compactions that do not say what they left: the user's messages and the summary are kept")
		r.looked = min(r.looked, r.settled)
	} else {
		r.settled, r.looked = 0, 0
	}
	before := r.messages[:r.settled]
	for i, m := range r.messages[r.settled:] {
		kind, _ := conversation.KindOf(m.Role)
		base := r.settled+i == 0 && r.system
		if base || history == nil && (kind == model.SystemPrompt || m.Role == "user" && !m.Summary) {
			before = append(before, m)
		} else {
			r.removed.Drop(r.doc, r.sink, m, row.Place, conversation.BeforeCompaction)
		}
	}
	if history == nil {
		r.settled = len(before)
	}
	r.messages = append(before, kept...)
}

// event reads the two events that say what the response items do not.
func (r *rollout) event(at record.Place, o record.Object) {
	switch o.Text("type") {
	case "token_count":
		info := o.Open("info")
		total, last := conversation.ParseUsage(info.Raw("total_token_usage")), conversation.ParseUsage(info.Raw("last_token_usage"))
		if total.Context == 0 || r.start.Set && r.start.Value == total.Context { // a row often repeats the totals
			return
		}
		r.start = model.Some(total.Context)
		usage := &r.sink.Facts().Usage
		usage.Messages++
		usage.Output, usage.Context = max(usage.Output, total.Output), last.Context
		r.answered(last.Prompt)
	case "thread_rolled_back":
		if n, ok := record.Whole(o.Raw("num_turns")); ok && !r.doc.Full {
			r.rollBack(at, n)
		}
	}
}

// answered gives the usage of a prompt to its answer: to the first of its messages.
// Older versions write it behind the answer, newer ones before: the first one shows
// which.
func (r *rollout) answered(prompt model.Option[record.Prompt]) {
	if !prompt.Set || !slices.ContainsFunc(r.messages, func(m conversation.Message) bool { return m.Role == "user" }) {
		return
	}
	end := len(r.messages)
	if !r.counted {
		r.counted, r.before = true, !byModel(&r.messages[end-1])
	}
	if r.before {
		r.prompt = prompt
		return
	}
	for end > 0 && !byModel(&r.messages[end-1]) {
		end--
	}
	first := end
	for first > 0 && byModel(&r.messages[first-1]) && r.messages[first-1].Prompt == nil {
		first--
	}
	if first < end {
		r.messages[first].Prompt = &prompt.Value
	}
}

// byModel reports whether a message is a part of an answer: what a tool observed is
// not, though the items of an answer have one role.
func byModel(m *conversation.Message) bool {
	return m.Role == "assistant" && !slices.ContainsFunc(m.Blocks, func(b blocks.Block) bool { return b.Kind == blocks.Result || b.Kind == blocks.Opaque && b.CallID != "" })
}

// rollBack drops the last turns, each of which begins with a message of the user.
func (r *rollout) rollBack(at record.Place, turns model.Tokens) {
	// No message before r.looked belongs to a turn.
	end := len(r.messages)
	for i := end - 1; i >= r.looked && turns > 0; i-- {
		m := &r.messages[i]
		if m.Role == "user" && !m.Summary && !slices.ContainsFunc(m.Blocks, func(b blocks.Block) bool { return contextNote.MatchString(b.Text) }) {
			end, turns = i, turns-1
		}
	}
	if turns > 0 {
		r.looked = end
	}
	r.settled = min(r.settled, end)
	for _, m := range r.messages[end:] {
		r.removed.Drop(r.doc, r.sink, m, at, "messages of turns that were undone, which --full keeps")
	}
	r.messages = r.messages[:end]
}

// contextNote matches the start of a message of the user that Codex wrote: an element of its
// own such as <environment_context>, or the instructions of a folder.
var contextNote = regexp.MustCompile(`^\s*(?:<environment_context>|<user_instructions>|# AGENTS\.md instructions|<INSTRUCTIONS>|<turn_aborted>)`)
