package agents

import (
	"math"

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
	stays := make([]bool, len(s.messages))
	for uuid := range s.kept {
		if i, ok := s.at[uuid]; ok {
			stays[i] = true
		}
	}
	moved := make([]int, len(s.messages)) // to which place
	rest := s.messages[:0]
	for i, m := range s.messages {
		if stays[i] {
			moved[i] = len(rest)
			rest = append(rest, m)
		} else {
			s.removed.Drop(s.doc, s.sink, m, at, conversation.BeforeCompaction)
		}
	}
	s.messages = rest
	for uuid, i := range s.at {
		if stays[i] {
			s.at[uuid], s.kept[uuid] = moved[i], true
		} else {
			delete(s.at, uuid)
		}
	}
	for id, i := range s.byID {
		if stays[i] {
			s.byID[id] = moved[i]
		} else {
			delete(s.byID, id)
		}
	}
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
	from, there := s.at[segment.Text("headUuid")]
	to, ends := s.at[segment.Text("tailUuid")]
	if len(rows) == 0 && there && ends {
		for uuid, i := range s.at {
			if from <= i && i <= to {
				rows[uuid] = true
			}
		}
	}
	return rows
}

// dropAbandoned drops what the user went back on. Rows form a tree by their
// parents; the live branch is what leads to the last row. A message of the user
// that hangs beside it was written over, and so was what followed it. Other rows
// beside it, such as the results of calls made at once, belong to it. With
// Options.Full nothing is dropped.
func (s *claudeSession) dropAbandoned() {
	if s.doc.Full || s.tip == "" {
		return
	}
	const (
		unknown = iota
		live
		kept // leads to no row of the live branch
		sideBranch
		abandoned
	)
	state := make(map[string]uint8, len(s.parents))
	for uuid := s.tip; uuid != "" && state[uuid] == unknown; uuid = s.parents[uuid] {
		if _, known := s.parents[uuid]; !known {
			break
		}
		state[uuid] = live
	}
	asked := map[string]bool{} // rows in which the user speaks
	for i := range s.messages {
		m := &s.messages[i]
		if m.Role == "user" && m.Meta == nil && !m.Summary && m.Row != "" && m.Speaks() {
			asked[m.Row] = true
		}
	}
	tops := map[string]string{} // of abandoned rows: the one that was written over
	find := func(uuid string) uint8 {
		var path []string
		found, top := uint8(kept), ""
		for uuid != "" {
			if have := state[uuid]; have != unknown {
				found, top = have, tops[uuid]
				break
			}
			if _, known := s.parents[uuid]; !known {
				break
			}
			state[uuid] = kept // a circle ends here
			path = append(path, uuid)
			uuid = s.parents[uuid]
		}
		for i := len(path) - 1; i >= 0; i-- {
			if found == live {
				found = sideBranch
			}
			if found == sideBranch && asked[path[i]] {
				found, top = abandoned, path[i]
			}
			if state[path[i]] = found; found == abandoned {
				tops[path[i]] = top
			}
		}
		return found
	}
	over := make([]record.Place, len(s.messages)) // where the next message is of another branch
	for i := len(s.messages) - 1; i >= 0; i-- {
		find(s.messages[i].Row)
		switch {
		case i == len(s.messages)-1:
			over[i].N = math.MaxInt
		case tops[s.messages[i].Row] != tops[s.messages[i+1].Row]:
			over[i] = s.messages[i+1].Place
		default:
			over[i] = over[i+1]
		}
	}
	rest := s.messages[:0]
	for i, m := range s.messages {
		if find(m.Row) == abandoned {
			s.removed.Drop(s.doc, s.sink, m, over[i], "messages that the user rewound, which --full keeps")
			continue
		}
		rest = append(rest, m)
	}
	s.messages = rest
}
