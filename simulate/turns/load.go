package turns

import (
	"errors"
	"slices"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// ErrNoTurns is returned for a source that is not a conversation, so that the
// requests are not known.
var ErrNoTurns = errors.New("there are no turns: no item has a role, as the messages of a conversation have")

// FromItems returns the history of a conversation as the readers load it
// (itemset.Options.History), with the role and the id of its message in the
// metadata of each item. Items of the assistant with the same id belong to one
// answer. Those without an id form one answer with their neighbours, except
// that a message with a usage of its own is an answer of its own. told holds,
// in order, what the messages say about usage and about when items were taken
// out. The error is ErrNoTurns, or from newHistory.
func FromItems(s *model.Set, told []itemset.MessageFacts) (*History, error) {
	log := transcript{Items: s, Facts: make([]fact, s.Len())}
	answers, roles := 0, 0
	prompts := make([]model.Option[itemset.Prompt], s.Len()) // by the first item of a message
	for _, t := range told {
		if t.From < 0 || t.From >= t.To || t.To > s.Len() { // of another set
			continue
		}
		prompts[t.From] = t.Prompt
		for i := t.From; i < t.To; i++ {
			log.Facts[i].Gone = t.Gone
		}
	}
	markCopies(&log)
	byID := map[string]int{}
	beside := 0 // the answer without an id that the item before is part of
	for i := range log.Facts {
		it := s.Loaded(i)
		log.Facts[i].Continues = i > 0 && sameMessage(s.Loaded(i-1), it)
		role, _ := it.Metadata["role"].(string)
		if role != "" {
			roles++
		}
		if !writtenByModel(it) || log.Facts[i].Copy > 0 {
			beside = 0
			continue
		}
		begins := prompts[i].Set // an answer of its own
		id, _ := it.Metadata["messageId"].(string)
		answer := byID[id]
		if id == "" && !begins {
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
		for begins && len(log.Recorded) < answer {
			log.Recorded = append(log.Recorded, model.Option[itemset.Prompt]{})
		}
		if begins && !log.Recorded[answer-1].Set {
			log.Recorded[answer-1] = prompts[i]
		}
	}
	if roles == 0 {
		return nil, ErrNoTurns
	}
	return newHistory(log)
}

// sameMessage reports whether two neighbouring items are of one message: they have the
// same role, id and time, and readers give messages without times times of their own.
func sameMessage(a, b *model.Item) bool {
	return a.Metadata["role"] == b.Metadata["role"] && a.Metadata["messageId"] == b.Metadata["messageId"] && a.Timestamp == b.Timestamp
}

// writtenByModel reports whether an item is part of an answer of the model. The
// result of a tool is not, whatever its role.
func writtenByModel(it *model.Item) bool {
	return it.Metadata["role"] == "assistant" && !it.Kind.Is(model.ToolOutput)
}

// markCopies finds the items that compactions wrote again: between a compaction and
// the next answer, an item with the content and the kind of one that it took out. A tool
// call with an id of its own is a new one, and so is its result.
func markCopies(log *transcript) {
	taken := map[int][]int{} // items that went, by the index before which
	for i, f := range log.Facts {
		if f.Gone > 0 {
			taken[f.Gone] = append(taken[f.Gone], i)
		}
	}
	var open map[string][]int // items that the last compaction took out, by content
	for i := range log.Facts {
		if went := taken[i]; len(went) > 0 {
			open = map[string][]int{}
			for _, k := range went {
				content := log.Items.Loaded(k).Content
				open[content] = append(open[content], k)
			}
		}
		it := log.Items.Loaded(i)
		same := open[it.Content]
		at := slices.IndexFunc(same, func(k int) bool { return mayCopy(it, log.Items.Loaded(k)) })
		if at >= 0 {
			log.Facts[i].Copy = 1 + same[at]
			open[it.Content] = slices.Delete(same, at, at+1)
		} else if writtenByModel(it) {
			open = nil
		}
	}
}

// mayCopy reports whether an item with the content of an older one can be the older one, written
// again.
func mayCopy(it, older *model.Item) bool {
	id, _ := it.Metadata["callId"].(string)
	was, _ := older.Metadata["callId"].(string)
	return it.Kind.Is(older.Kind) && (id == was || id == "" || was == "")
}
