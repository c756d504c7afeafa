package itemset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/agents"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/documents"
	"cupelscope/model/itemset/internal/otel"
	"cupelscope/model/itemset/internal/record"
)

// Format names the format of a source. Formats returns all names. The constants are the formats
// that the code names.
type Format string

const (
	Auto       Format = "auto"        // detect the format from the content
	Items      Format = "items"       // Cupel's wire format: an array, {"items": []}, or an item a line
	Scenario   Format = "scenario"    // an experiment: items, policies, budget, edits
	OpenAI     Format = "openai"      // chat messages, requests, batches, logs of agents
	ClaudeCode Format = "claude-code" // sessions of Claude Code, a row on each line
	Codex      Format = "codex"       // rollouts of Codex, a row on each line
	Documents  Format = "documents"   // documents and retrieval results
	Text       Format = "text"        // any text, which becomes one document
	Vectors    Format = "vector"      // a conformance vector of Cupel, in TOML
)

// format is a row of the table of formats: all that the loader knows of one.
type format struct {
	name Format
	// is reports whether an object has the format, as the whole document or as one record of
	// it, and whole whether one has it that is the whole document. If both are nil, the
	// format is not detected from objects.
	is, whole func(record.Object) bool
	// text reports whether a text has the format. If text is nil, the format is not
	// detected from text.
	text func(text []byte) bool
	// read adds the items of a document to the sink. If read is nil, the loader
	// itself reads the format.
	read func(record.Document, record.Sink) error
	// expected says in errors what a source of the format holds; "" if no error
	// needs it.
	expected string
	// isCase reports whether one record of the format is a source by itself, as
	// IsCase does. If isCase is nil, no record is.
	isCase func(record.Object) bool
	// runs returns the number of runs in one record of a source that is an array of
	// records. If runs is nil, such an array is one run.
	runs func(record.Object) int
	// doubtful says that records of another format may look like this one, so that
	// detection looks at further records before it settles on it.
	doubtful bool
	// conversation says that the items are messages in order, whatever their kinds.
	conversation bool
	// history says that sessions still contain what compactions and rewinds removed.
	history bool
	// alone says that a source of the format cannot be opened with other sources.
	alone bool
}

// formats is the table of formats, in the order in which detection tries them.
var formats = []format{
	{name: Scenario, alone: true, whole: isScenario, isCase: always},
	{
		name: "cupel-report", read: readReport, expected: "a selection report of Cupel's (included and excluded, each with items), or its spans",
		is: otel.IsCupel, whole: cupel.IsReport, isCase: cupel.IsReport,
	},
	{
		name: Items, read: cupel.Read, expected: "items (an array, {\"items\": [...]} or JSON lines, each with content)",
		is: cupel.IsItem, whole: listsItems, isCase: listsItems,
	},
	{name: "agent-rows", read: agents.ReadRows, is: agents.IsRow, conversation: true, history: true, expected: "rows with a message that has a role and content"},
	{name: "gemini-cli", read: agents.ReadGemini, is: agents.IsGemini, conversation: true, history: true, expected: "messages of the types user and gemini"},
	{name: "qwen-code", read: agents.ReadClaude, is: agents.IsQwen, conversation: true, expected: "rows of type user and assistant whose message has parts"},
	{name: ClaudeCode, read: agents.ReadClaude, is: agents.IsClaude, conversation: true, history: true, expected: "rows of type user and assistant that have a message"},
	{name: Codex, read: agents.ReadCodex, is: agents.IsCodex, conversation: true, history: true, expected: "rows of type response_item that have a payload"},
	{
		name: "memory-qa", read: documents.ReadMemory, conversation: true, expected: "samples of LoCoMo or LongMemEval",
		is: documents.IsMemory, isCase: always, runs: documents.Questions,
	},
	{name: "langfuse", read: otel.ReadLangfuse, is: otel.IsLangfuse, conversation: true, expected: "a trace with observations of the type GENERATION"},
	{name: "otel", read: otel.Read, is: otel.Is, conversation: true, expected: "spans whose attributes hold messages"},
	{name: "stream", read: chat.ReadStream, is: chat.IsPiece, text: chat.IsEvents, conversation: true, expected: "pieces of answers, a line or an event each"},
	{
		name: "bedrock", read: chat.Read, conversation: true, expected: "a Converse request or answer (messages whose content is a list of blocks)",
		is: chat.IsBedrock, isCase: chat.HasRuns,
	},
	{
		name: "gemini", read: chat.Read, conversation: true, expected: "a Gemini request or answer (contents or candidates with parts)",
		is: chat.IsGemini, isCase: chat.HasRuns,
	},
	{
		name: "langchain", read: chat.Read, conversation: true, doubtful: true, expected: "messages of the types human, ai, system and tool",
		is: chat.IsLangChain, isCase: chat.HasRuns,
	},
	{name: "anthropic", read: chat.Read, is: chat.IsAnthropic, isCase: chat.HasRuns, conversation: true, expected: messages},
	{name: OpenAI, read: chat.Read, is: chat.Is, isCase: chat.HasRuns, conversation: true, doubtful: true, expected: messages},
	{
		name: Documents, read: documents.Read, expected: "documents with page_content, text or content, or results around them (an array, an object or JSON lines)",
		is: documents.Is, isCase: documents.HoldsSets, runs: documents.ResultSets,
	},
	{name: "repo-pack", read: documents.ReadPack, text: documents.IsPack, whole: documents.IsPackObject, expected: "files packed by repomix, gitingest or code2prompt"},
	{name: "chat-log", read: agents.ReadMarkdown, text: agents.IsMarkdown, conversation: true, expected: "a history of aider, or a log of SpecStory"},
	{name: Text},
	{name: Vectors, text: cupel.IsVector, alone: true},
}

func always(record.Object) bool { return true }

// isScenario reports whether an object has items and a member that changes what becomes of them,
// which a reader of items would skip. Beside Cupel's own items a value of any type is such a member;
// beside others, as documents with a title, a budget that is a number has a meaning of its own.
func isScenario(o record.Object) bool {
	if o.Type("items") != '[' && o.Type("itemsFile") != '"' {
		return false
	}
	given := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return o.Has(key) && o.Type(key) != 'n' })
	}
	if o.Type("budget") == '{' || o.Type("policy") == '{' || o.Type("edits") == '{' || o.Type("shrink") == '[' || given("policyB", "slackTokens", "axisEnd", "shrinkPinned") {
		return true
	}
	first := record.Open(jsonwalk.First(o.Raw("items")))
	own := o.Has("itemsFile") || cupel.IsItem(first) || first.Type("content") == '"' && !isEvent(first) && !first.Has(ofDocuments...)
	return own && (given("budget", "policy", "edits", "shrink") || o.Type("labels") == '{' || o.Type("missed") == '[')
}

const messages = "messages with a role and content (an array, {\"messages\": [...]} or JSON lines)"

// listsItems reports whether an object lists items, and not the messages of a conversation.
func listsItems(o record.Object) bool {
	first := record.Open(jsonwalk.First(o.Raw("items")))
	return o.Type("items") == '[' && (!chat.IsMessage(first) || first.Has("kind", "tokens"))
}

// readReport reads a report of Cupel's, or the spans that one of its runs left.
func readReport(doc record.Document, sink record.Sink) error {
	if cupel.IsReport(doc.Object()) {
		return cupel.ReadReport(doc, sink)
	}
	return otel.ReadCupel(doc, sink)
}

// rowOf returns the row of a format in the table, or nil if it has none, as Auto.
func rowOf(name Format) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// Formats returns the values that Options.Format may have, Auto first.
func Formats() []Format {
	all := []Format{Auto}
	for i := range formats {
		all = append(all, formats[i].name)
	}
	return all
}

// expected returns what a source of a format holds, for errors. For "", Auto and
// formats without such a text it describes the common formats.
func expected(f Format) string {
	if row := rowOf(f); row != nil && row.expected != "" {
		return row.expected
	}
	return rowOf(Items).expected + ", messages of a chat, a session of an agent, documents or retrieval results, or a scenario"
}

// KeepsHistory reports whether sessions of the format still contain what
// compactions and rewinds removed, so that Options.History can keep it.
func (f Format) KeepsHistory() bool {
	row := rowOf(f)
	return row != nil && row.history
}

// likely holds the formats that most files have, for errors.
var likely = []Format{Items, OpenAI, ClaudeCode, Documents, Text}

const (
	// sampleRecords is how many records detection looks at before it gives up.
	sampleRecords = 100
	// maxFewRecords is how many records detection looks at before it settles on a
	// doubtful format.
	maxFewRecords = 20
)

// detect returns the format of a document, or Auto if it recognises none.
func detect(doc record.Document) Format {
	c := jsonwalk.Type(doc.Data)
	for i := range formats {
		// JSON may hold any text; only a vector begins with a bracket too.
		if text := formats[i].text; text != nil && (formats[i].name == Vectors || c != '{' && c != '[') && text(doc.Data) {
			return formats[i].name
		}
	}
	if doc.IsObject() {
		if f := detectObject(doc.Object(), true); f != Auto {
			return f
		}
	}
	seen, found := 0, Auto
	for _, raw := range doc.Records("items", "messages") {
		if seen++; seen > sampleRecords || found != Auto && seen > maxFewRecords {
			break
		}
		// Arrays of messages, one a line or one within the other.
		for range 2 {
			if first := jsonwalk.First(raw); first != nil {
				raw = first
			}
		}
		if jsonwalk.Type(raw) != '{' {
			continue
		}
		f := detectObject(record.Open(raw), false)
		row := rowOf(f)
		switch {
		case row == nil && notRead(record.Open(raw)) != "":
			return Auto
		case row == nil:
		case row.doubtful && seen < maxFewRecords:
			if found == Auto {
				found = f
			}
		case row.conversation && rowOf(found) != nil && rowOf(found).conversation, found == Auto:
			return f
		}
	}
	if found == Auto && doc.IsArray() && documents.IsList(doc.Data) { // texts without a word about them
		return Documents
	}
	return found
}

// detectObject returns the format of an object from its keys, or Auto if it
// recognises none. whole says whether it is the whole document or one record of it.
func detectObject(o record.Object, whole bool) Format {
	if notRead(o) != "" {
		return Auto
	}
	for i := range formats {
		if row := &formats[i]; row.is != nil && row.is(o) || whole && row.whole != nil && row.whole(o) {
			return row.name
		}
	}
	switch {
	case !o.Has("content") || isEvent(o):
		return Auto
	case o.Type("content") == '"' && o.Has(ofDocuments...):
		return Documents
	}
	return Items
}

// ofDocuments are the keys that say of an object with a content that it is a document,
// not an item of Cupel's.
var ofDocuments = []string{"title", "url", "uri", "link", "path", "file", "file_path", "filepath", "filename", "chunk_id", "chunk_index", "doc_id", "document_id", "page", "embedding", "start_line"}

// isEvent reports whether an object is a row of a log rather than an item.
func isEvent(o record.Object) bool {
	return o.Has("event", "action", "observation", "message", "role") ||
		o.Has("type") && o.Has("timestamp", "ts", "time", "created_at", "source", "models_usage", "parentId", "sessionId", "session_id")
}

// IsCase reports whether a line of JSON is a source by itself: a scenario, an item
// set, a request or run with its messages, or the results of a retrieval. It returns
// false for a record that makes a source only together with its neighbours (an item,
// a message, a document, a row of a session), and for anything but a JSON object. Alone
// reports whether Load reads such a line only by itself: where its neighbours are cases
// too, it selects none of them.
func IsCase(line []byte) (is, alone bool) {
	row, o := rowFor(line)
	is = row != nil && row.isCase != nil && row.isCase(o)
	return is, is && (row.is == nil || !row.is(o))
}

// Runs returns the number of runs in one element of an array that is a source: the
// questions of a sample, or the result sets of a record. It returns 0 for any other
// element; then the array as a whole decides what it holds.
func Runs(element []byte) int {
	row, o := rowFor(element)
	if row == nil || row.runs == nil {
		return 0
	}
	return row.runs(o)
}

// rowFor returns the row of the format that an object in JSON has as a whole, and the
// object; nil if it has none or is no object.
func rowFor(object []byte) (*format, record.Object) {
	object = bytes.TrimSpace(object)
	if jsonwalk.Type(object) != '{' || !jsonwalk.Valid(object) {
		return nil, nil
	}
	return rowOf(detectObject(record.Open(object), true)), record.Open(object)
}

// IsScenario reports whether a line looks like a scenario, from its top-level keys.
// The line need not be valid JSON.
func IsScenario(line []byte) bool {
	return jsonwalk.Type(line) == '{' && detectObject(record.Open(line), true) == Scenario
}

// FormatError says that a source holds nothing that can be used.
type FormatError struct {
	Name   string // name of the source
	Format Format // the format it was read in; "" if none was recognised
	Reason string // what was found instead; "" if there is nothing to say
	Broken string // where the first record that is not JSON breaks, and how; "" if none does
	Known  bool   // Reason says what the source is, so that no format needs to be named
	torn   bool   // nothing else is wrong than what Broken says
}

func (e *FormatError) Error() string {
	if e.Known {
		return e.Name + ": no usable item: " + e.Reason
	}
	if e.torn {
		where, why, placed := strings.Cut(e.Broken, ": ")
		if !placed {
			return e.Name + ": not JSON: " + e.Broken
		}
		return e.Name + ", " + where + ": not JSON: " + why
	}
	reason := ""
	if e.Reason != "" {
		reason = ": " + e.Reason
	}
	if e.Broken != "" {
		reason += ": " + e.Broken
	}
	taken := ""
	if e.Format != "" {
		taken = fmt.Sprintf("it was taken for the format %q; ", string(e.Format))
	}
	return fmt.Sprintf("%s: no usable item%s; %sexpected %s; --format NAME forces another: %s, or one that report --help lists",
		e.Name, reason, taken, expected(e.Format), strings.Join(model.Names(likely), ", "))
}
