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
	has := membersOf(object)
	typ := func(key string) byte { return jsonwalk.Type(has[key]) }
	isList := func(key string) bool { return typ(key) == '[' }
	switch {
	case isWhole && (isList("items") || typ("itemsFile") == '"') && (typ("budget") == '{' || typ("policy") == '{'):
		return Scenario
	case isWhole && isList("items"):
		return Items
	case typ("content") == '"' && (typ("kind") == '"' || typ("tokens") != 0):
		return Items
	case typ("type") == '"' && (typ("sessionId") == '"' || typ("leafUuid") == '"' || typ("parentUuid") != 0 ||
		typ("message") == '{' || typ("snapshot") == '{' || typ("uuid") == '"' && typ("content") == 0):
		return ClaudeCode
	case typ("type") == '"' && typ("payload") == '{', typ("id") == '"' && typ("timestamp") == '"' && typ("instructions") != 0 && typ("content") == 0 && !isList("messages"):
		return Codex
	case typ("role") == '"' && typ("kind") == 0 && typ("tokens") == 0 && (typ("content") != 0 || typ("tool_calls") != 0 || typ("function_call") != 0),
		(typ("content") == 0 || typ("author") == '{') && (isMessage(has) || len(runsIn(0, object, object, has, 0)) > 0):
		if speaksAnthropic(has, 0) {
			return Anthropic
		}
		return OpenAI
	}
	if isPassage(object) || len(findResults(0, object)) > 0 {
		return Documents
	}
	if typ("content") != 0 {
		return Items
	}
	return Auto
}

// membersOf are the members of an object by key. Of a key that is there twice
// the last one counts.
func membersOf(object []byte) map[string][]byte {
	has := make(map[string][]byte, 8)
	for key, value := range jsonwalk.Members(object) {
		has[key] = value
	}
	return has
}
