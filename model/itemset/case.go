package itemset

import (
	"bytes"

	"cupelscope/model/internal/jsonwalk"
)

// IsCase reports whether a line is a source by itself: a scenario, an item set,
// a request or run with its messages, or the results of a retrieval. A record
// that makes a source together with its neighbours (an item, a message, a
// document, a row of a session) is none. It also says what the line is.
func IsCase(line []byte) (Format, bool) {
	line = bytes.TrimSpace(line)
	if jsonwalk.Type(line) != '{' || jsonwalk.Check(line) != nil {
		return Auto, false
	}
	f := detectObject(line, true)
	switch f {
	case Scenario:
		return f, true
	case Items:
		for key, value := range jsonwalk.Members(line) {
			if key == "items" && jsonwalk.Type(value) == '[' {
				return f, true
			}
		}
		return f, false
	case OpenAI, Anthropic:
		return f, len(findRuns(0, line)) > 0
	case Documents:
		return f, len(findResults(0, line)) > 0
	}
	return f, false
}
