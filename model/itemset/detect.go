package itemset

import "cupelscope/model/internal/jsonwalk"

// sampleRecords is how many records detection looks at before it gives up.
const sampleRecords = 100

// fewRecords is how many records tell messages of OpenAI's from Anthropic's.
const fewRecords = 20

// detect tells the format of a text; Auto if it shows none.
func detect(data []byte) Format {
	if isVector(data) {
		return Vectors
	}
	return split(data).detect()
}

// detect tells the format of a document of JSON from the first record that shows one;
// Auto if none does.
func (d document) detect() Format {
	if d.layout == whole && d.data[0] == '{' {
		if f := detectObject(d.data, true); f != Auto {
			return f
		}
	}
	seen, found := 0, Auto
	for _, record := range d.elements("items", "messages") {
		if seen++; seen > sampleRecords || found != Auto && seen > fewRecords {
			break
		}
		// Arrays of messages, one a line or one within the other.
		for range 2 {
			if jsonwalk.Type(record) != '[' {
				break
			}
			for first := range jsonwalk.Elements(record) {
				record = first
				break
			}
		}
		if jsonwalk.Type(record) != '{' {
			continue
		}
		f := detectObject(record, false)
		if f == OpenAI && seen < fewRecords {
			found = f // a block of Anthropic's may follow
			continue
		}
		if f == Anthropic || f != Auto && found == Auto {
			return f
		}
	}
	return found
}

// detectObject tells the format from the keys of an object: a whole document or
// one record of it.
func detectObject(object []byte, isWhole bool) Format {
	has := map[string]byte{} // type of the value by key
	for key, value := range jsonwalk.Members(object) {
		has[key] = jsonwalk.Type(value)
	}
	isList := func(key string) bool { return has[key] == '[' }
	switch {
	case isWhole && (isList("items") || has["itemsFile"] == '"') && (has["budget"] == '{' || has["policy"] == '{'):
		return Scenario
	case isWhole && isList("items"):
		return Items
	case has["content"] == '"' && (has["kind"] == '"' || has["tokens"] != 0):
		return Items
	case has["type"] == '"' && (has["sessionId"] == '"' || has["leafUuid"] == '"' || has["parentUuid"] != 0 ||
		has["message"] == '{' || has["snapshot"] == '{' || has["uuid"] == '"' && has["content"] == 0):
		return ClaudeCode
	case has["type"] == '"' && has["payload"] == '{', has["timestamp"] == '"' && has["instructions"] != 0 && !isList("messages"):
		return Codex
	case has["role"] == '"' && has["kind"] == 0 && has["tokens"] == 0 && (has["content"] != 0 || has["tool_calls"] != 0 || has["function_call"] != 0),
		has["content"] == 0 && len(findRuns(0, object)) > 0, isBareItem(object):
		if speaksAnthropic(object) {
			return Anthropic
		}
		return OpenAI
	}
	if isPassage(object) || len(findResults(0, object)) > 0 {
		return Documents
	}
	if has["content"] != 0 {
		return Items
	}
	return Auto
}

// isBareItem reports whether an object is a message without a role or content.
func isBareItem(object []byte) bool {
	has := map[string][]byte{}
	for key, value := range jsonwalk.Members(object) {
		has[key] = value
	}
	return has["content"] == nil && isMessage(has)
}
