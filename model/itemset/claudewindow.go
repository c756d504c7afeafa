package itemset

// Which messages of a Claude Code session the model still sees.

// compacted drops what came before a compaction from the live window.
func (s *session) compacted() {
	if s.opts.Full {
		return
	}
	for _, m := range s.messages {
		s.leftOut(m.place, beforeCompaction)
	}
	s.messages = s.messages[:0]
	clear(s.byID)
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
