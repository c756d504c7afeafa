package itemset

import "cupelscope/model/internal/jsonwalk"

// Which messages of a Claude Code session the model still sees.

// compacted drops what came before a compaction from the live window, but for
// the messages that it kept as they were.
func (s *session) compacted(meta []byte) {
	if s.opts.Full {
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
			s.leftOut(m.place, beforeCompaction)
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

// preserved are the rows that a compaction says it kept: by name, or from one to
// another.
func (s *session) preserved(meta []byte) map[string]bool {
	rows := map[string]bool{}
	var head, tail string
	for key, value := range jsonwalk.Members(meta) {
		switch key {
		case "preservedMessages":
			for list, uuids := range jsonwalk.Members(value) {
				if list != "uuids" && list != "allUuids" {
					continue
				}
				for uuid := range jsonwalk.Elements(uuids) {
					if name, _ := jsonwalk.String(uuid); name != "" {
						rows[name] = true
					}
				}
			}
		case "preservedSegment":
			for key, value := range jsonwalk.Members(value) {
				switch name, _ := jsonwalk.String(value); key {
				case "headUuid":
					head = name
				case "tailUuid":
					tail = name
				}
			}
		}
	}
	from, there := s.at[head]
	to, ends := s.at[tail]
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
// beside it, such as the results of calls made at once, belong to it.
func (s *session) dropAbandoned() {
	if s.opts.Full || s.tip == "" {
		return
	}
	const (
		unknown = iota
		live
		kept // leads to no row of the live branch
		beside
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
		if m.role == "user" && m.meta == nil && !m.summary && m.row != "" && speaks(m.parts) {
			asked[m.row] = true
		}
	}
	find := func(uuid string) uint8 {
		var path []string
		found := uint8(kept)
		for uuid != "" {
			if have := state[uuid]; have != unknown {
				found = have
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
				found = beside
			}
			if found == beside && asked[path[i]] {
				found = abandoned
			}
			state[path[i]] = found
		}
		return found
	}
	rest := s.messages[:0]
	for _, m := range s.messages {
		if find(m.row) == abandoned {
			s.leftOut(m.place, "messages that the user went back on, which --full keeps")
			continue
		}
		rest = append(rest, m)
	}
	s.messages = rest
}

// speaks reports whether there is a text among the parts.
func speaks(parts []part) bool {
	for _, p := range parts {
		if p.kind == textPart {
			return true
		}
	}
	return false
}
