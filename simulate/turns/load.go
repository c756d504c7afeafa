package turns

import (
	"errors"

	"cupelscope/model"
	"cupelscope/simulate"
)

// ErrNoTurns says that a source is no conversation, so that nothing tells which
// requests were made.
var ErrNoTurns = errors.New("there are no turns: no item has a role, as the messages of a conversation have")

// FromItems makes the session of a conversation as the readers load it: the role
// and the id of its message are in the metadata of an item. Items of the
// assistant with an id belong to the answer of that id; others make one answer
// with those beside them. The error is ErrNoTurns, or that of NewSession.
func FromItems(s *model.Set, pairs simulate.Pairs) (*Session, error) {
	log := Log{Items: s, Facts: make([]Fact, s.Len()), Pairs: pairs}
	answers, roles := 0, 0
	byID := map[string]int{}
	beside := 0 // the answer without an id that the item before is part of
	for i := range log.Facts {
		it := s.Loaded(i)
		role, _ := it.Metadata["role"].(string)
		if role != "" {
			roles++
		}
		if role != "assistant" || it.Kind.Is(model.ToolOutput) {
			beside = 0
			continue
		}
		id, _ := it.Metadata["messageId"].(string)
		answer := byID[id]
		if id == "" {
			answer = beside
		}
		if answer == 0 {
			answers++
			answer = answers
		}
		if id != "" {
			byID[id], beside = answer, 0
		} else {
			beside = answer
		}
		log.Facts[i].Answer = answer
	}
	if roles == 0 {
		return nil, ErrNoTurns
	}
	return NewSession(log)
}
