// Package conversation makes items of the messages of a conversation, for the readers
// of all formats that hold messages.
package conversation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/record"
)

// Message is a message of any format, before it becomes items.
type Message struct {
	Place   record.Place
	Role    string
	ID      string
	At      model.Option[time.Time] // timestamp; unset if it is not known
	Text    string                  // all that the message has if it is one text; else ""
	Blocks  []blocks.Block          // what it has if Text is ""
	Summary bool                    // the message replaces what was compacted
	Meta    map[string]any
	Output  *Usage         // usage of the answer that the message is; nil if there is none
	Prompt  *record.Prompt // prompt of that answer, if Output does not say it; or nil
	Gone    int            // number of the record, a compaction or rewind, that removed the message; 0 if it stays
	Row     string         // name of its first row; "" in formats without names
}

// BeforeCompaction is the reason for leaving out what a session had before it was
// compacted.
const BeforeCompaction = "messages before the last compaction, which --full keeps"

// Rewound is the reason for leaving out what the user went back on.
const Rewound = "messages that the user rewound, which --full keeps"

// OfSubAgents is the reason for leaving out what a session has of sub-agents.
const OfSubAgents = "messages of sub-agents, which --sidechains keeps"

// datedLikeFirst is the note for system prompts and tools without a timestamp in a
// conversation that has timestamps. They get the first of these, because a made-up
// one might be later.
const datedLikeFirst = "system prompts or tools without a timestamp, given the first that there is"

// KindOf returns the kind and source of the items of a message with a role. A role that it does
// not know gives an ordinary chat message.
func KindOf(role string) (model.Kind, model.Source) {
	switch role {
	case "system", "developer":
		return model.SystemPrompt, model.Chat
	case "tool", "function":
		return model.ToolOutput, model.Tool
	}
	return model.Message, model.Chat
}

// Note tells the sink what a reader of blocks changed or did not read in the message
// at a place.
func Note(sink record.Sink, at record.Place, r blocks.Reader) {
	r.Notes.Tell(sink, at)
	for _, key := range r.Unread {
		sink.Tell(record.Unread, at, "block."+key)
	}
}

// Timed sets the timestamp of the message from a JSON value that record.Time or
// record.UnixTime can read. Otherwise it leaves it unset and tells the sink, unless
// raw is nil or null.
func (m *Message) Timed(sink record.Sink, raw []byte) {
	if at, ok := record.Time(raw); ok {
		m.At = model.Some(at)
	} else if at, ok := record.UnixTime(raw); ok {
		m.At = model.Some(at)
		sink.Tell(record.Changed, m.Place, "timestamps in seconds or milliseconds since 1970")
	} else if raw != nil && !jsonwalk.IsNull(raw) {
		sink.Tell(record.Changed, m.Place, "timestamps not understood, left out")
	}
}

// NotBefore dates the message like the one before it, if its own time is earlier: a summary
// is written later than what stays behind it.
func (m *Message) NotBefore(other *Message) {
	if m.At.Set && other.At.Set && m.At.Value.Before(other.At.Value) {
		m.At = other.At
	}
}

// Parts returns the blocks of the message. A short message has its text without a block,
// which takes more memory than the text.
func (m *Message) Parts() []blocks.Block {
	if m.Text != "" {
		return []blocks.Block{{Text: m.Text}}
	}
	return m.Blocks
}

// Say appends a block of text to the message.
func (m *Message) Say(text string) { m.Blocks = append(m.Blocks, blocks.Block{Text: text}) }

// Speaks reports whether there is a text among the blocks of the message.
func (m *Message) Speaks() bool {
	return slices.ContainsFunc(m.Blocks, func(b blocks.Block) bool { return b.Kind == blocks.Text })
}

// AfterCompaction returns the messages that the model still sees after the last
// block of the kind Summary: the system prompts before it, and everything from that
// block on. It tells the sink which messages it leaves out. Without such a block it
// returns all. It modifies the blocks of the message that holds the summary.
func AfterCompaction(sink record.Sink, all []Message) []Message {
	isSummary := func(b blocks.Block) bool { return b.Kind == blocks.Summary && b.Text != "" }
	last := len(all) - 1
	for last >= 0 && !slices.ContainsFunc(all[last].Blocks, isSummary) {
		last--
	}
	if last < 0 {
		return all
	}
	var rest []Message
	for i := range all[:last] {
		if kind, _ := KindOf(all[i].Role); kind == model.SystemPrompt {
			rest = append(rest, all[i])
		} else {
			sink.Tell(record.LeftOut, all[i].Place, BeforeCompaction)
		}
	}
	m := &all[last]
	from := len(m.Blocks) - 1
	for !isSummary(m.Blocks[from]) {
		from--
	}
	m.Blocks = m.Blocks[from:]
	return append(rest, all[last:]...)
}

type writer struct {
	sink  record.Sink
	first model.Option[time.Time]   // timestamp that the messages have
	roles map[string]map[string]any // metadata of a role alone
}

// Write adds the items of a conversation to the sink: one for each definition of a
// tool in tools, then for each message one for its joined text and one for each call,
// result, thinking block and payload, in the order of their first block. It sets the
// Blocks of the messages to nil, because their texts are then in the items.
func Write(sink record.Sink, tools [][]byte, all []Message) {
	w := writer{sink: sink, roles: map[string]map[string]any{}}
	parts, linked, told := 0, false, false
	for i := range all {
		m := &all[i]
		parts += len(m.Parts())
		for k := range m.Blocks {
			linked = linked || m.Blocks[k].IsTool()
		}
		told = told || m.Prompt != nil || m.Output != nil || m.Gone > 0
		if m.At.Set && !w.first.Set {
			w.first = m.At
		}
	}
	if linked {
		link(sink, all)
	}
	w.tools(tools)
	synthetic := !w.first.Set && len(all) > 0
	if synthetic {
		sink.Facts().SyntheticTimestamps = true
	}
	sink.Expect(parts)
	var firsts []int32
	if told {
		firsts = make([]int32, 0, len(all)+1)
	}
	start := record.SyntheticStart()
	for i := range all {
		if told {
			firsts = append(firsts, int32(sink.Items()))
		}
		if synthetic {
			all[i].At = model.Some(start.Add(time.Duration(i) * time.Second))
			sink.Tell(record.Changed, all[i].Place, "messages without timestamps: their order is used")
		}
		w.message(&all[i])
		all[i].Blocks = nil // the texts are in the items
	}
	if told {
		tellTurns(sink.Facts(), all, append(firsts, int32(sink.Items())))
	}
}

// tellTurns adds what is known of the messages beside their items; firsts are the indexes
// of the first items of each, and of the item after them all.
func tellTurns(facts *record.Facts, all []Message, firsts []int32) {
	for i := range all {
		m, t := &all[i], record.MessageFacts{From: int(firsts[i]), To: int(firsts[i+1])}
		if m.Prompt != nil {
			t.Prompt = model.Some(*m.Prompt)
		} else if m.Output != nil {
			t.Prompt = m.Output.Prompt
		}
		if m.Gone > 0 {
			later := all[i+1:]
			t.Gone = int(firsts[i+1+sort.Search(len(later), func(k int) bool { return later[k].Place.N >= m.Gone })])
		}
		if t.From < t.To && (t.Prompt.Set || t.Gone > 0) {
			facts.Messages = append(facts.Messages, t)
		}
	}
}

// Removed are the messages that a session no longer has, kept with Options.History.
type Removed []Message

// Drop removes a message because of the row at a place. It tells the sink why or, with
// Options.History, keeps the message as gone.
func (gone *Removed) Drop(doc record.Document, sink record.Sink, m Message, at record.Place, why string) {
	m.Gone = at.N
	if doc.History {
		*gone = append(*gone, m)
	} else {
		sink.Tell(record.LeftOut, m.Place, why)
	}
}

// Merge returns the messages that were removed and those that stay in one list, in
// the order of their places.
func (gone Removed) Merge(left []Message) []Message {
	if len(gone) == 0 {
		return left
	}
	all := slices.Concat(gone, left)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Place.N < all[j].Place.N })
	return all
}

// tools adds the definitions of tools. They are always in the prompt, so they are
// pinned, and they are as old as the conversation.
func (w *writer) tools(definitions [][]byte) {
	for _, tool := range definitions {
		it := model.Item{
			Content: record.Compact(tool), Kind: model.SystemPrompt, Pinned: true, Timestamp: w.first, Metadata: map[string]any{"part": "toolDefinition"},
		}
		if w.first.Set {
			w.sink.Tell(record.Changed, record.Place{}, datedLikeFirst)
		} else {
			w.sink.Facts().SyntheticTimestamps, it.Timestamp = true, model.Some(record.SyntheticStart())
		}
		if name := toolName(tool); name != "" {
			it.Metadata["tool"] = name
		}
		w.sink.Add(record.Place{}, it, false)
	}
}

func toolName(tool []byte) string {
	o := record.Open(tool)
	if inner := o.Open("function"); inner != nil {
		return inner.Text("name")
	}
	name := o.Text("name", "type") // web_search and the like have no other
	if name == "function" || name == "custom" {
		return ""
	}
	return name
}

func (w *writer) message(m *Message) {
	if !m.At.Set {
		if kind, _ := KindOf(m.Role); kind == model.SystemPrompt {
			m.At = w.first
			w.sink.Tell(record.Changed, record.Place{}, datedLikeFirst)
		} else {
			w.sink.Tell(record.Changed, m.Place, "messages without a timestamp")
		}
	}
	parts := blocks.Join(m.Parts())
	if len(parts) == 0 {
		w.sink.Tell(record.LeftOut, m.Place, "empty messages")
	}
	given, counted := m.counted(w.sink, parts)
	for k := range parts {
		b := &parts[k]
		it := w.item(m, b)
		switch {
		case b.Size > 0:
			it.Tokens, it.Count = b.Tokens(), model.Opaque
			w.sink.Facts().OpaqueBytes += int64(b.Size)
		case counted && (b.Kind == blocks.Text || b.Kind == blocks.Call):
			it.Tokens, it.Count = given, model.FromUsage
		}
		w.sink.Add(m.Place, it, b.Size > 0 || it.Tokens > 0)
	}
}

// partNames are the names of the kinds of blocks in the metadata of items.
var partNames = [...]string{
	blocks.Summary: "summary", blocks.Call: "toolCall", blocks.Result: "toolResult", blocks.Document: "document", blocks.Thinking: "thinking", blocks.Opaque: "opaque",
}

func (w *writer) item(m *Message, b *blocks.Block) model.Item {
	it := model.Item{Content: b.Text, Timestamp: m.At}
	role := cmp.Or(b.Role, m.Role)
	it.Kind, it.Source = KindOf(role)
	if m.Summary || b.Kind == blocks.Summary {
		it.Kind = model.Memory
	}
	switch {
	case b.Kind == blocks.Result, b.Kind == blocks.Opaque && b.CallID != "":
		it.Kind, it.Source = model.ToolOutput, model.Tool
	case b.Kind == blocks.Document:
		it.Kind, it.Source = model.Document, model.Rag
	}
	it.Pinned = it.Kind == model.SystemPrompt
	if b.Kind == blocks.Text && b.CallID == "" && m.ID == "" && len(m.Meta) == 0 && !m.Summary {
		it.Metadata = w.roleOnly(role)
		return it
	}
	it.Metadata = make(map[string]any, len(m.Meta)+4)
	maps.Copy(it.Metadata, m.Meta)
	name := "title"
	if b.IsTool() {
		name = "tool"
	}
	for _, f := range [...]struct{ key, value string }{
		{"role", role}, {"messageId", m.ID}, {"part", partNames[b.Kind]}, {"callId", b.CallID}, {name, b.Name},
	} {
		if f.value != "" {
			it.Metadata[f.key] = f.value
		}
	}
	if b.Failed {
		it.Metadata["isError"] = true
	}
	return it
}

// roleOnly returns the metadata of items that have only a role. Items of one role
// share it, because items are never changed.
func (w *writer) roleOnly(role string) map[string]any {
	if role == "" {
		return nil
	}
	shared, ok := w.roles[role]
	if !ok {
		shared = map[string]any{"role": role}
		w.roles[role] = shared
	}
	return shared
}

// link names a result like its call, and gives an id to calls and results that have none: older
// requests and some agents tell calls apart by the name of the tool alone. A result belongs to
// the last call with its id that has no result yet. Without an id it belongs to the first call
// of its name that has none, or to the first of all if it has no name.
func link(sink record.Sink, all []Message) {
	open := map[string][]*blocks.Block{} // calls without a result, by id
	var calls []*blocks.Block            // without an id, in order
	byName := map[string][]int{}         // of those, the ones without a result
	links, next := 0, 0
	for i := range all {
		for k := range all[i].Blocks {
			b := &all[i].Blocks[k]
			switch {
			case b.Text == "" || !b.IsTool():
			case b.Kind == blocks.Call && b.CallID != "":
				open[b.CallID] = append(open[b.CallID], b)
			case b.Kind == blocks.Call:
				byName[b.Name] = append(byName[b.Name], len(calls))
				calls = append(calls, b)
			case b.CallID != "":
				if of := open[b.CallID]; len(of) > 0 {
					call := of[len(of)-1]
					open[b.CallID] = of[:len(of)-1]
					b.Name = cmp.Or(b.Name, call.Name)
				}
			default:
				for next < len(calls) && calls[next].CallID != "" {
					next++
				}
				if next == len(calls) {
					continue
				}
				name := cmp.Or(b.Name, calls[next].Name)
				if len(byName[name]) == 0 {
					continue
				}
				call := calls[byName[name][0]]
				byName[name] = byName[name][1:]
				links++
				b.CallID, b.Name = fmt.Sprintf("by-order-%d", links), name
				call.CallID = b.CallID
				sink.Tell(record.Changed, all[i].Place, "results without an id, linked by their order to the calls")
			}
		}
	}
}
