package itemset

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Codex rollouts: a row a line, {timestamp, type, payload}. What the model was
// sent are the response items, which are those of the Responses API. Rows of
// older rollouts are such items themselves. Events repeat them, but for the
// usage and for turns that the user took back.

// rollout collects the messages of one file.
type rollout struct {
	*builder
	messages []message
	tools    [][]byte
	system   bool                       // a session_meta row gave the instructions
	start    model.Option[model.Tokens] // of the usage that was counted last
	settled  int                        // leading messages that a compaction left
	looked   int                        // leading messages that are of no turn
}

func (b *builder) readCodex(doc document) error {
	r := rollout{builder: b}
	for place, record := range doc.elements() {
		if err := b.tick(); err != nil {
			return err
		}
		if err := r.row(place, record); err != nil {
			return err
		}
	}
	b.addTools(r.tools, r.messages)
	return b.addMessages(r.messages)
}

func (r *rollout) row(place int, record []byte) error {
	if jsonwalk.Check(record) != nil {
		return r.skipBroken(place, record)
	}
	if c := jsonwalk.Type(record); c != '{' {
		return r.skip(place, typeName(c)+" instead of a row")
	}
	var typ string
	var payload []byte
	row := message{place: place}
	recordType := false
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "type":
			typ, _ = jsonwalk.String(value)
		case "payload":
			payload = value
		case "timestamp":
			r.timed(&row, value)
		case "record_type":
			recordType = true
		}
	}
	if payload == nil {
		return r.oldRow(place, typ, row.at.Set, recordType, record)
	}
	if jsonwalk.Type(payload) != '{' {
		return r.skip(place, "payload is "+typeName(jsonwalk.Type(payload))+" instead of an object")
	}
	switch typ {
	case "response_item":
		m, ok, err := r.responseItem(place, payload)
		if ok {
			m.at = row.at
			r.messages = append(r.messages, m)
		}
		return err
	case "compacted":
		return r.compacted(row, payload)
	case "session_meta":
		r.meta(row, payload)
		return nil
	case "turn_context":
		for key, value := range jsonwalk.Members(payload) {
			if s, _ := jsonwalk.String(value); key == "model" && s != "" {
				r.out.Model = s
			}
		}
	case "event_msg":
		r.event(place, payload)
	case "":
		return r.skip(place, "without a type")
	default:
		return r.skip(place, fmt.Sprintf("unknown type %.40q", typ))
	}
	r.leftOut(place, typ+" rows")
	return nil
}

// oldRow reads a row without a payload, as the first versions wrote them.
func (r *rollout) oldRow(place int, typ string, timed, recordType bool, record []byte) error {
	switch {
	case typ == "message" || isResponseItem(typ):
		m, ok, err := r.responseItem(place, record)
		if ok {
			r.messages = append(r.messages, m)
		}
		return err
	case typ == "" && timed: // the head of the session
		r.meta(message{place: place}, record)
		return nil
	case recordType:
		r.leftOut(place, "state rows")
		return nil
	}
	return r.skip(place, "without a payload")
}

// meta reads the instructions of a session, and the tools that came with it.
// Later rows of the kind are those of sessions that this one was made from.
func (r *rollout) meta(row message, payload []byte) {
	var in partReader
	var parts []part
	for key, value := range jsonwalk.Members(payload) {
		switch key {
		case "base_instructions", "instructions":
			text := value
			for key, inner := range jsonwalk.Members(value) {
				if key == "text" {
					text = inner
				}
			}
			if s, _ := jsonwalk.String(text); s != "" {
				parts = contentParts(text, &in)
			}
		case "dynamic_tools":
			if !r.system {
				for tool := range jsonwalk.Elements(value) {
					r.tools = append(r.tools, tool)
				}
			}
		}
	}
	if len(parts) == 0 || r.system {
		r.leftOut(row.place, "session_meta rows without instructions of their own")
		return
	}
	r.system = true
	row.role, row.parts = "system", parts
	r.messages = append(r.messages, row)
}

// compacted puts what a compaction left in place of what was there. With
// Options.Full everything stays, and only the summary is added.
func (r *rollout) compacted(row message, payload []byte) error {
	var summary string
	var history []byte
	for key, value := range jsonwalk.Members(payload) {
		switch key {
		case "message":
			summary, _ = jsonwalk.String(value)
		case "replacement_history":
			if jsonwalk.Type(value) == '[' {
				history = value
			}
		}
	}
	var kept []message
	hasSummary := false
	for item := range jsonwalk.Elements(history) {
		m, ok, err := r.responseItem(row.place, item)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		m.at = row.at
		if !m.summary && len(m.parts) == 1 && summary != "" && strings.HasSuffix(m.parts[0].text, summary) {
			m.summary = true
		}
		hasSummary = hasSummary || m.summary
		if r.opts.Full && !m.summary {
			r.leftOut(row.place, "messages that a compaction kept, which are there already")
			continue
		}
		kept = append(kept, m)
	}
	if !hasSummary && summary != "" && (history == nil || r.opts.Full) {
		row.role, row.summary, row.parts = "user", true, []part{{text: summary}}
		kept = append(kept, row)
	}
	if r.opts.Full {
		r.messages = append(r.messages, kept...)
		return nil
	}
	if history == nil {
		r.note(row.place, "compactions that do not say what they left: the user's messages and the summary are kept")
		r.looked = min(r.looked, r.settled)
	} else {
		r.settled, r.looked = 0, 0
	}
	before := r.messages[:r.settled]
	for i, m := range r.messages[r.settled:] {
		kind, _ := kindOf(m.role)
		base := r.settled+i == 0 && r.system
		if base || history == nil && (kind == model.SystemPrompt || m.role == "user" && !m.summary) {
			before = append(before, m)
		} else {
			r.leftOut(m.place, beforeCompaction)
		}
	}
	if history == nil {
		r.settled = len(before)
	}
	r.messages = append(before, kept...)
	return nil
}

// event reads the two events that say what the response items do not.
func (r *rollout) event(place int, payload []byte) {
	var typ string
	var info, turns []byte
	for key, value := range jsonwalk.Members(payload) {
		switch key {
		case "type":
			typ, _ = jsonwalk.String(value)
		case "info":
			info = value
		case "num_turns":
			turns = value
		}
	}
	switch typ {
	case "token_count":
		r.tokenCount(info)
	case "thread_rolled_back":
		if n, ok := whole64(turns); ok && !r.opts.Full {
			r.rollBack(place, n)
		}
	}
}

// tokenCount reads the running totals of a session; a row often repeats them.
func (r *rollout) tokenCount(info []byte) {
	var total, last usage
	for key, value := range jsonwalk.Members(info) {
		switch key {
		case "total_token_usage":
			total = parseUsage(value)
		case "last_token_usage":
			last = parseUsage(value)
		}
	}
	if total.context == 0 || r.start.Set && r.start.Value == total.context {
		return
	}
	r.start = model.Some(total.context)
	r.out.Usage.Messages++
	r.out.Usage.Output, r.out.Usage.Context = max(r.out.Usage.Output, total.output), last.context
}

// rollBack drops the last turns, each of which begins with a message of the user.
func (r *rollout) rollBack(place int, turns model.Tokens) {
	// As far back as this was looked, there is nothing more to take back.
	end := len(r.messages)
	for i := end - 1; i >= r.looked && turns > 0; i-- {
		m := &r.messages[i]
		if m.role == "user" && !m.summary && !isContextNote(m) {
			end, turns = i, turns-1
		}
	}
	if turns > 0 {
		r.looked = end
	}
	r.settled = min(r.settled, end)
	for _, m := range r.messages[end:] {
		r.leftOut(m.place, "messages of turns that were taken back, which --full keeps")
	}
	r.messages = r.messages[:end]
}

// isContextNote reports whether a message of the user was written by Codex: an
// element of its own such as <environment_context>, or the instructions of a folder.
func isContextNote(m *message) bool {
	for _, p := range m.parts {
		text := strings.TrimSpace(p.text)
		for _, head := range [...]string{"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<INSTRUCTIONS>", "<turn_aborted>"} {
			if strings.HasPrefix(text, head) {
				return true
			}
		}
	}
	return false
}
