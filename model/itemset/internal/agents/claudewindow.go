package agents

import (
	"maps"
	"math"
	"slices"

	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Which messages of a Claude Code session the model still sees.

// compacted drops what came before a compaction from the live window, but for
// the messages that it kept as they were. With Options.Full nothing is dropped.
func (s *claudeSession) compacted(at record.Place, meta record.Object) {
	if s.doc.Full {
		return
	}
	s.kept = s.preserved(meta)
	stays := map[*conversation.Message]bool{}
	for uuid := range s.kept {
		stays[s.at[uuid]] = true
	}
	s.messages = slices.DeleteFunc(s.messages, func(m *conversation.Message) bool {
		if !stays[m] {
			s.removed.Drop(s.doc, s.sink, *m, at, conversation.BeforeCompaction)
		}
		return !stays[m]
	})
	gone := func(_ string, m *conversation.Message) bool { return !stays[m] }
	maps.DeleteFunc(s.byID, gone)
	maps.DeleteFunc(s.at, gone)
	for uuid := range s.at {
		s.kept[uuid] = true
	}
}

// cleared drops the results of tools and the attachments that a micro-compaction names. The
// model sees a few words in the place of each, which the session does not hold. With
// Options.Full nothing is dropped.
func (s *claudeSession) cleared(at record.Place, meta record.Object) {
	if s.doc.Full {
		return
	}
	calls, _ := record.Strings(meta.Raw("compactedToolIds"))
	whole := map[*conversation.Message]bool{}
	uuids, _ := record.Strings(meta.Raw("clearedAttachmentUUIDs"))
	for _, uuid := range uuids {
		whole[s.at[uuid]] = true
	}
	s.messages = slices.DeleteFunc(s.messages, func(m *conversation.Message) bool {
		goes, stays := *m, []blocks.Block(nil)
		goes.Blocks = nil
		for _, b := range m.Blocks {
			if whole[m] || b.Kind != blocks.Call && slices.Contains(calls, b.CallID) {
				goes.Blocks = append(goes.Blocks, b)
			} else {
				stays = append(stays, b)
			}
		}
		if len(goes.Blocks) == 0 {
			return false
		}
		s.removed.Drop(s.doc, s.sink, goes, at, "results of tools that a micro-compaction cleared, which --full keeps")
		m.Blocks = stays
		return len(stays) == 0
	})
}

// preserved returns the uuids of the rows that a compaction says it kept, listed one by
// one or as a range.
func (s *claudeSession) preserved(meta record.Object) map[string]bool {
	rows := map[string]bool{}
	kept, segment := meta.Open("preservedMessages"), meta.Open("preservedSegment")
	for _, list := range [...]string{"uuids", "allUuids"} {
		names, _ := record.Strings(kept.Raw(list))
		for _, name := range names {
			rows[name] = true
		}
	}
	from, to := s.at[segment.Text("headUuid")], s.at[segment.Text("tailUuid")]
	if len(rows) == 0 && from != nil && to != nil {
		for uuid, m := range s.at {
			if from.Place.N <= m.Place.N && m.Place.N <= to.Place.N {
				rows[uuid] = true
			}
		}
	}
	return rows
}

// dropAbandoned drops what the user went back on. Rows form a tree by their
// parents, which come before them; the live branch is what leads to the last row. A message
// of the user that hangs beside it was written over, and so was what followed it. Other rows
// beside it, such as the results of calls made at once, belong to it. With
// Options.Full nothing is dropped.
func (s *claudeSession) dropAbandoned() {
	if s.doc.Full || s.tip == "" {
		return
	}
	live, asked := map[string]bool{}, map[string]bool{}
	for uuid := s.tip; uuid != "" && !live[uuid]; uuid = s.parents[uuid] {
		if _, known := s.parents[uuid]; !known {
			break
		}
		live[uuid] = true
	}
	for _, m := range s.messages {
		if m.Role == "user" && m.Meta == nil && !m.Summary && m.Row != "" && m.Speaks() {
			asked[m.Row] = true
		}
	}
	beside := map[string]bool{} // rows that hang beside the live branch
	over := map[string]string{} // of those, what was written over, by its first row
	for _, uuid := range s.rows {
		parent := s.parents[uuid]
		switch {
		case live[uuid] || !live[parent] && !beside[parent]:
			continue
		case over[parent] != "":
			over[uuid] = over[parent]
		case asked[uuid]:
			over[uuid] = uuid
		}
		beside[uuid] = true
	}
	next, at := "", record.Place{N: math.MaxInt} // where the next message is of another branch
	branches := make([]record.Place, len(s.messages))
	for i, m := range slices.Backward(s.messages) {
		if i+1 < len(s.messages) && over[m.Row] != next {
			at = s.messages[i+1].Place
		}
		next, branches[i] = over[m.Row], at
	}
	rest := s.messages[:0]
	for i, m := range s.messages {
		if over[m.Row] != "" {
			s.removed.Drop(s.doc, s.sink, *m, branches[i], conversation.Rewound)
			continue
		}
		rest = append(rest, m)
	}
	s.messages = rest
}
