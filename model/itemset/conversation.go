package itemset

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
)

// message is a message of any chat format, before it becomes items.
type message struct {
	place   int
	role    string
	id      string
	at      model.Option[time.Time]
	parts   []part
	summary bool // stands for what was compacted: a Memory
	meta    map[string]any
	output  model.Option[usage] // of the answer that the message is
	row     string              // the name of its first row, in formats that have one
}

// syntheticStart is the timestamp of the first message of a conversation that
// has none; each further message is a second later.
func syntheticStart() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// firstTime is the first timestamp that messages have.
func firstTime(all []message) model.Option[time.Time] {
	for i := range all {
		if all[i].at.Set {
			return all[i].at
		}
	}
	return model.Option[time.Time]{}
}

// datedLikeFirst is said of what comes before the conversation by its nature,
// where that has timestamps: a made-up one may be later than those.
const datedLikeFirst = "system prompts or tools without a timestamp, given the first that there is"

// beforeCompaction is said of what a session had before it was compacted.
const beforeCompaction = "messages before the last compaction, which --full keeps"

// addMessages makes the items of a conversation: the joined text of a message,
// and each call, result, thinking block and payload, in the order of their
// first part.
func (b *builder) addMessages(all []message) error {
	b.linkByOrder(all)
	first := firstTime(all)
	if !first.Set && len(all) > 0 {
		b.out.SyntheticTimestamps = true
		for i := range all {
			all[i].at = model.Some(syntheticStart().Add(time.Duration(i) * time.Second))
			b.note(all[i].place, "messages dated by their order, a second each, for want of timestamps")
		}
	}
	parts := 0
	for i := range all {
		parts += len(all[i].parts)
	}
	b.items = slices.Grow(b.items, min(parts, model.MaxItems))
	for i := range all {
		m := &all[i]
		switch kind, _ := kindOf(m.role); {
		case m.at.Set:
		case kind == model.SystemPrompt:
			m.at = first
			b.out.Report.add(Changed, datedLikeFirst, "")
		default:
			b.note(m.place, "messages without a timestamp")
		}
		if len(m.parts) == 0 {
			b.leftOut(m.place, "empty messages")
		}
		parts := joinText(m.parts)
		given, counted := b.spoken(m, parts)
		if counted {
			b.note(m.place, "answers of one item, counted by their usage")
		}
		for _, p := range parts {
			if len(b.items) >= model.MaxItems {
				if err := b.skip(m.place, fmt.Sprintf("beyond the %v items of a set", model.Tokens(model.MaxItems))); err != nil {
					return err
				}
				continue
			}
			b.addPart(m, p)
			if counted && (p.kind == textPart || p.kind == callPart) {
				it := &b.items[len(b.items)-1]
				it.Tokens, it.Count = given, model.FromFile
			}
		}
	}
	for _, p := range b.pair() { // a result is named like its call
		call, result := b.items[p.Call].Metadata, b.items[p.Result].Metadata
		if tool := call["tool"]; tool != nil && result["tool"] == nil {
			result["tool"] = tool
		}
	}
	return nil
}

// joinText joins the text parts into one, where the first of them stands.
func joinText(parts []part) []part {
	texts := make([]string, 0, len(parts))
	for _, p := range parts {
		if p.kind == textPart {
			texts = append(texts, p.text)
		}
	}
	out := make([]part, 0, len(parts))
	joined := false
	for _, p := range parts {
		if p.kind == textPart {
			if joined {
				continue
			}
			joined = true
			p.text = strings.Join(texts, "\n")
		}
		if p.text != "" {
			out = append(out, p)
		}
	}
	return out
}

// kindOf maps a role to a kind.
func kindOf(role string) (model.Kind, model.Source) {
	switch role {
	case "system", "developer":
		return model.SystemPrompt, model.Chat
	case "tool", "function":
		return model.ToolOutput, model.Tool
	}
	return model.Message, model.Chat
}

func (b *builder) addPart(m *message, p part) {
	it := model.Item{Content: p.text, Timestamp: m.at}
	it.Kind, it.Source = kindOf(m.role)
	if p.kind == textPart && p.callID == "" && m.id == "" && len(m.meta) == 0 && !m.summary {
		it.Pinned, it.Metadata = it.Kind == model.SystemPrompt, b.roleOnly(m.role)
		b.add(it, false)
		return
	}
	it.Metadata = make(map[string]any, len(m.meta)+4)
	if m.summary {
		it.Kind = model.Memory
	}
	it.Pinned = it.Kind == model.SystemPrompt
	for k, v := range m.meta {
		it.Metadata[k] = v
	}
	if m.role != "" {
		it.Metadata["role"] = m.role
	}
	if m.id != "" {
		it.Metadata["messageId"] = m.id
	}
	switch p.kind {
	case callPart:
		it.Metadata["part"] = "toolCall"
	case resultPart:
		it.Kind, it.Source, it.Pinned = model.ToolOutput, model.Tool, false
		it.Metadata["part"] = "toolResult"
	case documentPart:
		it.Kind, it.Source, it.Pinned = model.Document, model.Rag, false
		it.Metadata["part"] = "document"
		if p.title != "" {
			it.Metadata["title"] = p.title
		}
	case thinkingPart:
		it.Metadata["part"] = "thinking"
	case opaquePart:
		it.Metadata["part"] = "opaque"
		if p.callID != "" {
			it.Kind, it.Source = model.ToolOutput, model.Tool
		}
	}
	if p.callID != "" {
		it.Metadata["callId"] = p.callID
	}
	if p.tool != "" {
		it.Metadata["tool"] = p.tool
	}
	if p.failed {
		it.Metadata["isError"] = true
	}
	if p.size > 0 {
		it.Tokens, it.Count = p.opaqueTokens(), model.Opaque
		b.out.Report.OpaqueBytes += int64(p.size)
		b.add(it, true)
		return
	}
	b.add(it, false)
}

// roleOnly is the metadata of items that have nothing but a role. As items are
// never changed, those of a role share it.
func (b *builder) roleOnly(role string) map[string]any {
	if role == "" {
		return nil
	}
	if b.roles == nil {
		b.roles = map[string]map[string]any{}
	}
	shared, ok := b.roles[role]
	if !ok {
		shared = map[string]any{"role": role}
		b.roles[role] = shared
	}
	return shared
}

// addTools adds the definitions of tools: always in the prompt, so pinned. They
// are as old as the conversation.
func (b *builder) addTools(definitions [][]byte, conversation []message) {
	at := firstTime(conversation)
	for _, tool := range definitions {
		if at.Set {
			b.out.Report.add(Changed, datedLikeFirst, "")
			b.addTool(toolName(tool), compact(tool), at.Value)
		} else {
			b.out.SyntheticTimestamps = true
			b.addTool(toolName(tool), compact(tool), syntheticStart())
		}
	}
}

func (b *builder) addTool(name, definition string, at time.Time) {
	meta := map[string]any{"part": "toolDefinition"}
	if name != "" {
		meta["tool"] = name
	}
	b.add(model.Item{
		Content: definition, Kind: model.SystemPrompt, Pinned: true, Timestamp: model.Some(at), Metadata: meta,
	}, false)
}

// pair links the calls and results among the items that were added since it was
// called last, and returns those pairs: a result belongs to the last call with
// its id that has no result yet. It is called for each source, as ids are only
// good within one. No item is changed.
func (b *builder) pair() []Pair {
	before := len(b.out.Pairs)
	var open map[string][]int
	for ; b.paired < len(b.items); b.paired++ {
		i := b.paired
		meta := b.items[i].Metadata
		id, _ := meta["callId"].(string)
		if id == "" {
			continue
		}
		switch meta["part"] {
		case "toolCall":
			if open == nil {
				open = map[string][]int{}
			}
			open[id] = append(open[id], i)
		case "toolResult":
			if calls := open[id]; len(calls) > 0 {
				last := len(calls) - 1
				b.out.Pairs = append(b.out.Pairs, Pair{calls[last], i})
				open[id] = calls[:last]
			}
		}
	}
	return b.out.Pairs[before:]
}

// linkByOrder gives an id to calls and results that have none: those of older
// requests and of some agents are told apart by the name of the tool alone. A
// result belongs to the first call of its name that has no result yet, or to the
// first of all if it does not say whose it is.
func (b *builder) linkByOrder(all []message) {
	var calls []*part
	byName := map[string][]int{} // of calls, those without a result
	links, next := 0, 0
	for i := range all {
		for k := range all[i].parts {
			p := &all[i].parts[k]
			switch {
			case p.callID != "":
			case p.kind == callPart:
				byName[p.tool] = append(byName[p.tool], len(calls))
				calls = append(calls, p)
			case p.kind == resultPart:
				for next < len(calls) && calls[next].callID != "" {
					next++
				}
				if next == len(calls) {
					continue
				}
				name := p.tool
				if name == "" {
					name = calls[next].tool
				}
				if len(byName[name]) == 0 {
					continue
				}
				call := calls[byName[name][0]]
				byName[name] = byName[name][1:]
				links++
				p.callID = fmt.Sprintf("by-order-%d", links)
				call.callID = p.callID
				b.note(all[i].place, "results without an id, linked to their calls by their order")
			}
		}
	}
}
