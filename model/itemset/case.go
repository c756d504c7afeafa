package itemset

import (
	"bytes"

	"cupelscope/model/internal/jsonwalk"
)

// IsCase reports whether a line is a source by itself: a scenario, an item set,
// a request or run with its messages, or the results of a retrieval. A record
// that makes a source together with its neighbours (an item, a message, a
// document, a row of a session) is none.
func IsCase(line []byte) bool {
	line = bytes.TrimSpace(line)
	if jsonwalk.Type(line) != '{' || jsonwalk.Check(line) != nil {
		return false
	}
	switch detectObject(line, true) {
	case Scenario:
		return true
	case Items:
		for key, value := range jsonwalk.Members(line) {
			if key == "items" && jsonwalk.Type(value) == '[' {
				return true
			}
		}
	case OpenAI, Anthropic:
		return len(findRuns(0, line)) > 0
	case Documents:
		return len(findResults(0, line)) > 0
	}
	return false
}

// IsScenario reports whether a line looks like a scenario. It need not be JSON.
func IsScenario(line []byte) bool {
	return jsonwalk.Type(line) == '{' && detectObject(line, true) == Scenario
}
