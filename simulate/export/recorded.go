package export

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// RecordedNote returns one line on how a result differs from a recorded one.
func RecordedNote(r, recorded *model.Report) string {
	c := simulate.Compare(r, recorded)
	differ := len(c.OnlyA) + len(c.OnlyB) + len(c.Sized)
	if differ == 0 {
		return fmt.Sprintf("as recorded: the same %s in", plain.Count(len(c.Both), "item"))
	}
	return fmt.Sprintf("as recorded: %s otherwise, %s in only here and %s only there; the budget of that run is not known, so it has no first in and no "+plain.StaysFrom,
		plain.Count(differ, "item"), plain.Thousands(len(c.OnlyA)), plain.Thousands(len(c.OnlyB)))
}

// recordedWords returns the outcome of an item in a recorded run, in words.
func recordedWords(recorded *model.Report, i int) string {
	if state := state(recorded.Codes[i]); state == "in" {
		return state
	}
	return codeWords(recorded.Reason(i))
}

// appendRecorded appends the outcome of an item in a recorded run.
func appendRecorded(dst []byte, recorded *model.Report, i int) []byte {
	dst = appendQuoted(append(dst, `,"recorded":{"reason":`...), recorded.Codes[i].String())
	dst = appendNumber(append(dst, `,"score":`...), recorded.Scores[i])
	return append(appendQuoted(append(dst, `,"why":`...), recordedWords(recorded, i)), '}')
}
