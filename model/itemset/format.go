package itemset

import (
	"bytes"
	"fmt"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/chat"
	"cupelscope/model/itemset/claude"
	"cupelscope/model/itemset/codex"
	"cupelscope/model/itemset/documents"
	"cupelscope/model/itemset/native"
	"cupelscope/model/itemset/record"
	"cupelscope/model/itemset/vector"
)

// Format names how a source is laid out.
type Format string

const (
	Auto       Format = "auto"        // told from the content
	Items      Format = "items"       // Cupel's wire format: an array, {"items": []}, or an item a line
	Scenario   Format = "scenario"    // an experiment: items, policies, budget, edits
	OpenAI     Format = "openai"      // chat messages, requests, batches, logs of agents
	Anthropic  Format = "anthropic"   // the same of Anthropic's
	ClaudeCode Format = "claude-code" // sessions, a row a line
	Codex      Format = "codex"       // rollouts, a row a line
	Documents  Format = "documents"   // documents and retrieval results
	Text       Format = "text"        // a text as it is: one document
	Vectors    Format = "vector"      // a conformance vector of Cupel, in TOML
)

// format is a row of the table of formats: all that the loader knows of one.
type format struct {
	name Format
	// is reports whether an object shows the format: all of a document, or one
	// record of it. nil: it is not told from objects.
	is func(raw []byte, o record.Object, whole bool) bool
	// read adds the items of a document; nil: the loader itself reads it.
	read func(record.Document, record.Sink) error
	// expected says what the format is made of; "": it does not come to that.
	expected string
	// isCase reports whether one record of the format is a source by itself; nil:
	// never.
	isCase func(raw []byte, o record.Object) bool
	// doubtful: records of the format that is found next may look like this one.
	doubtful bool
	// conversation: messages in their order, whatever their kinds.
	conversation bool
	// alone: it cannot be opened with other sources.
	alone bool
}

// formats is the table of formats, in the order in which they are looked for.
var formats = []format{
	{
		name: Scenario, alone: true,
		is: func(_ []byte, o record.Object, whole bool) bool {
			return whole && (o.Type("items") == '[' || o.Type("itemsFile") == '"') && (o.Type("budget") == '{' || o.Type("policy") == '{')
		},
		isCase: func([]byte, record.Object) bool { return true },
	},
	{
		name: Items, read: native.Read, expected: "items (an array, {\"items\": [...]} or JSON lines, each with content)",
		is: func(_ []byte, o record.Object, whole bool) bool {
			return whole && o.Type("items") == '[' || o.Type("content") == '"' && (o.Type("kind") == '"' || o.Has("tokens"))
		},
		isCase: func(_ []byte, o record.Object) bool { return o.Type("items") == '[' },
	},
	{
		name: ClaudeCode, read: claude.Read, conversation: true, expected: "rows of type user and assistant that have a message",
		is: func(_ []byte, o record.Object, _ bool) bool { return claude.Is(o) },
	},
	{
		name: Codex, read: codex.Read, conversation: true, expected: "rows of type response_item that have a payload",
		is: func(_ []byte, o record.Object, _ bool) bool { return codex.Is(o) },
	},
	{
		name: Anthropic, read: chat.Read, conversation: true, expected: messages,
		is:     func(_ []byte, o record.Object, _ bool) bool { return chat.IsAnthropic(o) },
		isCase: func(raw []byte, _ record.Object) bool { return chat.HasRuns(raw) },
	},
	{
		name: OpenAI, read: chat.Read, conversation: true, expected: messages, doubtful: true,
		is:     func(_ []byte, o record.Object, _ bool) bool { return chat.Is(o) },
		isCase: func(raw []byte, _ record.Object) bool { return chat.HasRuns(raw) },
	},
	{
		name: Documents, read: documents.Read,
		expected: "documents with page_content, text or content, or results around them (an array, an object or JSON lines)",
		is:       func(raw []byte, _ record.Object, _ bool) bool { return documents.Is(raw) },
		isCase:   func(raw []byte, _ record.Object) bool { return documents.HasResults(raw) },
	},
	{name: Text},
	{name: Vectors, alone: true},
}

const messages = "messages with a role and content (an array, {\"messages\": [...]} or JSON lines)"

// rowOf is the row of a format; nil if there is none of that name.
func rowOf(name Format) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Formats lists what Options.Format may be.
func Formats() []Format {
	all := []Format{Auto}
	for i := range formats {
		all = append(all, formats[i].name)
	}
	return all
}

// formatNames are the formats that can be forced.
func formatNames() string {
	var names []string
	for _, f := range Formats()[1:] {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// expected says what a format is made of, "" for any.
func expected(f Format) string {
	if row := rowOf(f); row != nil && row.expected != "" {
		return row.expected
	}
	return rowOf(Items).expected + ", a scenario, messages of OpenAI's or Anthropic's, a Claude Code session, " +
		"a Codex rollout, documents or retrieval results, or a conformance vector in TOML"
}

const (
	// sampleRecords is how many records detection looks at before it gives up.
	sampleRecords = 100
	// fewRecords is how many records tell a doubtful format from another.
	fewRecords = 20
)

// detect tells the format of a document; Auto if it shows none.
func detect(doc record.Document) Format {
	if vector.Is(doc.Data) {
		return Vectors
	}
	if doc.IsObject() {
		if f := detectObject(doc.Data, true); f != Auto {
			return f
		}
	}
	seen, found := 0, Auto
	for _, raw := range doc.Records("items", "messages") {
		if seen++; seen > sampleRecords || found != Auto && seen > fewRecords {
			break
		}
		// Arrays of messages, one a line or one within the other.
		for range 2 {
			for first := range jsonwalk.Elements(raw) {
				raw = first
				break
			}
		}
		if jsonwalk.Type(raw) != '{' {
			continue
		}
		f := detectObject(raw, false)
		row := rowOf(f)
		switch {
		case row == nil:
		case row.doubtful && seen < fewRecords:
			found = f
		case row.conversation && rowOf(found) != nil && rowOf(found).conversation, found == Auto:
			return f
		}
	}
	return found
}

// detectObject tells the format from the keys of an object: a whole document or
// one record of it.
func detectObject(raw []byte, whole bool) Format {
	o := record.Open(raw)
	for i := range formats {
		if is := formats[i].is; is != nil && is(raw, o, whole) {
			return formats[i].name
		}
	}
	if o.Has("content") {
		return Items
	}
	return Auto
}

// IsCase reports whether a line is a source by itself: a scenario, an item set,
// a request or run with its messages, or the results of a retrieval. A record
// that makes a source together with its neighbours (an item, a message, a
// document, a row of a session) is none.
func IsCase(line []byte) bool {
	line = bytes.TrimSpace(line)
	if jsonwalk.Type(line) != '{' || jsonwalk.Check(line) != nil {
		return false
	}
	row := rowOf(detectObject(line, true))
	return row != nil && row.isCase != nil && row.isCase(line, record.Open(line))
}

// IsScenario reports whether a line looks like a scenario. It need not be JSON.
func IsScenario(line []byte) bool {
	return jsonwalk.Type(line) == '{' && detectObject(line, true) == Scenario
}

// FormatError says that a source holds nothing usable.
type FormatError struct {
	Name   string
	Taken  Format // what it was taken for; "": nothing
	Reason string // what was found instead
	Broken string // where the first record that is not JSON breaks, and how
}

func (e *FormatError) Error() string {
	reason := ""
	if e.Reason != "" {
		reason = ": " + e.Reason
	}
	if e.Broken != "" {
		reason += ": " + e.Broken
	}
	taken := ""
	if e.Taken != "" {
		taken = fmt.Sprintf("it was taken for the format %q; ", string(e.Taken))
	}
	return fmt.Sprintf("%s: no usable item%s; %sexpected %s; --format forces another: %s", e.Name, reason, taken, expected(e.Taken), formatNames())
}
