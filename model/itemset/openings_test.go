package itemset

import (
	"context"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/tokens"
)

// copilotSession is a session of the Copilot CLI with a sub-agent. What its user wrote was
// sent with the time around it.
const copilotSession = `{"type":"user.message","data":{"content":"look","transformedContent":"<now>9:00</now> look"},"id":"1","timestamp":"2025-10-01T09:00:01Z","parentId":null}
{"type":"assistant.message","data":{"parentToolCallId":"t","messageId":"n","content":"said by a sub-agent"},"id":"2","timestamp":"2025-10-01T09:00:02Z","parentId":"1","agentId":"t"}
{"type":"tool.execution_start","data":{"toolCallId":"u","toolName":"view","arguments":{"path":"a.go"}},"id":"3","timestamp":"2025-10-01T09:00:03Z","parentId":"2","agentId":"t"}
{"type":"assistant.message","data":{"messageId":"m","content":"I see"},"id":"4","timestamp":"2025-10-01T09:00:04Z","parentId":"3"}`

const chunked = `[{"doc_id":"d","content":"whole","chunks":[{"chunk_id":"a","content":"part one"},{"chunk_id":"b","content":"part two"}]}]`

// Files that were once opened as something else, or passed for what they are not:
// what they open as, in short, or why they do not open.
func TestWhatOpenedWrong(t *testing.T) {
	for _, c := range []struct {
		name, file, in string
		format         Format
		opts           Options
		want           string // the outline
		says           string // a line of the report, or of the error
	}{
		{"Converse is no chat of OpenAI", "f.json", `{"messages":[{"role":"user","content":[{"text":"hi"},{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}]}]}`, "bedrock", Options{},
			"Message: hi\nMessage/opaque: [image png, 9 bytes, #]", "1 payload without text"},
		{"LangChain's messages have roles", "f.json", `[{"type":"system","content":"be brief"},{"type":"human","content":"hi"},{"type":"ai","content":"ho"}]`, "langchain", Options{}, "SystemPrompt!: be brief\nMessage: hi\nMessage: ho", ""},
		{"a short message adds to the prompt that it repeats", "f.json", `{"system":"be brief","messages":[{"role":"system","content":"be brief\nand kind"},{"role":"user","content":"hi"}]}`, "anthropic", Options{},
			"SystemPrompt!: be brief\nand kind\nMessage: hi", ""},
		{"a short message has the time of the one before it on its branch", "f.json", `{"current_node":"b","mapping":{"a":{"message":{"author":{"role":"user"},"create_time":1700000000,"content":{"parts":["x"]}}},"b":{"parent":"a","message":{"role":"assistant","content":"y"}}}}`, OpenAI, Options{},
			"Message: x\nMessage: y", "1 message without a timestamp, given that of the message beside them"},
		{"a text with a line of JSON is a text", "log.md", "# Log\n\n{\"role\":\"user\",\"content\":\"x\"}\n", Text, Options{}, "Document: # Log\n\n{\"role\":\"user\",\"content\":\"x\"}\n", ""},
		{"source code with a line of JSON is a text", "f.go", "package a\n\n// {\"a\":1}\n{\"a\":1}\n", Text, Options{}, "Document: package a\n\n// {\"a\":1}\n{\"a\":1}\n", ""},
		{"what a compaction replaced is gone", "f.json", `{"model":"claude-x","system":"s","messages":[{"role":"user","content":"old"},{"role":"assistant","content":[{"type":"compaction","content":"in short"},{"type":"text","text":"new"}]}]}`, "anthropic", Options{},
			"SystemPrompt!: s\nMemory/summary: in short\nMessage: new", "1 message before the last compaction"},
		{"Pinecone has no results in results", "f.json", `{"results":[],"matches":[{"id":"a","score":0.8,"metadata":{"text":"one"}}],"namespace":""}`, Documents, Options{}, "Document: one", ""},
		{"DeepEval's context is no item", "f.json", `[{"input":"q","actual_output":"a","context":["gold"],"retrieval_context":["one"]}]`, Documents, Options{}, "Document: one", "not read: actual_output"},
		{"what a tool of the Vercel AI SDK answered", "f.json", `[{"role":"assistant","parts":[{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"t","toolName":"f","args":{"a":1},"result":"found"}}]}]`, OpenAI, Options{},
			"Message/toolCall: f {\"a\":1}\nToolOutput/toolResult: found", ""},
		{"images of Ollama", "f.json", `{"model":"llama3","messages":[{"role":"user","content":"look","images":["aGVsbG8="]}]}`, OpenAI, Options{}, "Message: look\nMessage/opaque: [image, 6 bytes, #]", "1 payload without text"},
		{"events are one answer", "f.txt", "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\ndata: [DONE]\n\n", "stream", Options{}, "Message: ab", ""},
		{"lines of Ollama are one answer", "f.jsonl", "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"a\"},\"done\":false}\n{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"b\"},\"done\":true}\n", "stream", Options{}, "Message: ab", ""},
		{"rows of events are no items", "f.jsonl", `{"type":"snapshot","content":"x","source":"USER","status":"DONE","step_index":1}`, "", Options{}, "", "a session of Antigravity is not read yet"},
		{"events of OpenHands", "f.json", `[{"id":0,"source":"user","action":"message","args":{"content":"hi"}}]`, OpenAI, Options{}, "Message: hi", ""},
		{"a span that says nothing is no run", "f.json", `[{"name":"a","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"hi"}},{"name":"b","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":""}}]`, "otel", Options{}, "Message: hi", "spans without messages"},
		{"HotpotQA's pairs have text", "f.json", `{"question":"q","context":[["T",["one.","two."]]],"supporting_facts":[["T",0]]}`, Documents, Options{}, "Document: T one.two.", "titles of documents"},
		{"chunks of LangChain are documents", "f.json", `[{"content":"a","metadata":{"source":"f"}}]`, Documents, Options{}, "Document: a", ""},
		{"a template is no conversation", "f.json", `[{"role":"user","content":"a"},{"role":"user","content":{{x}}},{"role":"user","content":{{y}}},{"role":"user","content":{{z}}}]`, "", Options{}, "", "not JSON"},
		{"NaN costs a value", "f.json", `[{"content":"a","tokens":1,"futureRelevanceHint":NaN}]`, Items, Options{}, "Message: a", "read as null"},
		{"a session of a sub-agent alone asks for the flag", "f.jsonl", `{"type":"user","uuid":"1","sessionId":"s","isSidechain":true,"message":{"role":"user","content":"hi"}}`, ClaudeCode, Options{}, "Message: hi", "sub-agent"},
		{"rows that appear twice", "f.jsonl", claudeRow("user", "1", "", `"a"`) + "\n" + claudeRow("user", "1", "", `"a"`), ClaudeCode, Options{}, "Message: a", "twice"},
		{"strings are documents", "f.json", `["a text","another"]`, Documents, Options{}, "Document: a text\nDocument: another", ""},
		{"a text about folders is no pack", "f.md", "# a\n\nDirectory structure:\n└── a.go\n", Text, Options{}, "Document: # a\n\nDirectory structure:\n└── a.go\n", ""},
		{"a log of SpecStory with a tree is no pack", "f.md", "<!-- Generated by SpecStory -->\n\n_**User**_\n\nDirectory structure:\n└── a.go\n", "chat-log", Options{}, "Message: Directory structure:\n└── a.go", ""},
		{"what sub-agents said in a log of SpecStory", "f.md", "<!-- Generated by SpecStory -->\n\n_**User**_\n\na\n\n_**Agent - sidechain (x)**_\n\nb\n", "chat-log", Options{}, "Message: a", "1 message of sub-agents, which --sidechains keeps"},
		{"what sub-agents said in a session of the Copilot CLI", "f.jsonl", copilotSession, OpenAI, Options{}, "Message: <now>9:00</now> look\nMessage: I see", "1 message of sub-agents, which --sidechains keeps"},
		{"what sub-agents said, when it is asked for", "f.jsonl", copilotSession, OpenAI, Options{Sidechains: true}, "Message: <now>9:00</now> look\nMessage: said by a sub-agent\nMessage: I see", ""},
		{"a span whose message has a role alone is no run", "f.json", `[{"name":"a","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"user","llm.input_messages.0.message.content":"hi"}},{"name":"b","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"user"}}]`, "otel", Options{}, "Message: hi", "left out spans without messages"},
		{"documents with their chunks", "f.json", chunked, Documents, Options{}, "Document: part one\nDocument: part two", "not read: document.content"},
		{"the chunks of documents", "f.json", chunked, Documents, Options{Fields: Fields{AtPath: ".[].chunks[]"}}, "Document: part one\nDocument: part two", ""},
		{"an answer beside its request", "f.json", `{"model":"m","input":[{"role":"user","content":"hi"}],"output":{"object":"response","output":[{"type":"message","role":"assistant","content":"ho"}]}}`, OpenAI, Options{}, "Message: hi\nMessage: ho", ""},
		{"an output that is no message is told", "f.json", `{"model":"m","messages":[{"role":"user","content":"hi"}],"output":{"answer":"ho"}}`, OpenAI, Options{}, "Message: hi", "not read: request.output"},
		{"a second list of messages is told", "f.json", `{"trajectory":[{"action":"ls","observation":"a"}],"history":[{"role":"user","content":"hi"}]}`, OpenAI, Options{}, "Message: hi", "not read: request.trajectory"},
		{"Anthropic's answer beside its request", "f.json", `{"model":"claude-x","system":"s","messages":[{"role":"user","content":"hi"}],"response":{"type":"message","role":"assistant","content":[{"type":"text","text":"ho"}]}}`, "anthropic", Options{}, "SystemPrompt!: s\nMessage: hi\nMessage: ho", ""},
		{"a response that is no answer is told", "f.json", `{"messages":[{"role":"user","content":"hi"}],"response":{"error":"too long"}}`, OpenAI, Options{}, "Message: hi", "not read: request.response"},
		{"a list of ids", "f.json", `[` + strings.Repeat(`"repo__pkg-1",`, 20) + `"repo__pkg-2"]`, "", Options{}, "", "no format recognised in it: line 1, column 2 has a string"},
		{"a list of short texts", "f.json", `[` + strings.Repeat(`"chapter 1",`, 20) + `"chapter 2"]`, Documents, Options{}, strings.Repeat("Document: chapter 1\n", 20) + "Document: chapter 2", ""},
		{"a part of opencode alone", "f.json", `{"id":"p","messageID":"m","type":"text","text":"hi"}`, "", Options{}, "", "a message of opencode, or a part of one, whose session is a file below storage/session, is not read yet; --format text reads it"},
		{"long keys are shortened visibly", "f.json", `{"a key that is longer than what an error has room for":1}`, "", Options{}, "", `"a key that is longer than what an error …"`},
		// The rows of a table are documents or messages by its columns; one that is broken stays a text.
		{"a column of text", "a.csv", "id,text,score\n1,\"one, two\",0.5\n2,three,0.9\n", Documents, Options{}, "Document: one, two\nDocument: three", ""},
		{"the longest column", "a.tsv", "nr\tdescription\n1\tone\n2\ttwo\n", Documents, Options{}, "Document: one\nDocument: two", `the longest column, "description", is the text`},
		{"no column of text", "a.csv", "day,in,out\n1,100,200\n2,110,190\n", Text, Options{}, "Document: day,in,out\n1,100,200\n2,110,190\n", "no column holds half of the text"},
		{"a column that is named", "a.csv", "nr,short,long\n1,s,one and more\n", Documents, Options{Fields: Fields{Text: "short"}}, "Document: s", ""},
		{"messages", "a.csv", "role,content\nuser,hi\nassistant,ho\n", OpenAI, Options{}, "Message: hi\nMessage: ho", ""},
		{"a table that breaks", "a.csv", "a,b\n1,\"2\" 3\n4,5\n", Text, Options{}, "Document: a,b\n1,\"2\" 3\n4,5\n", "line 2"},
		{"a table that is cut", "a.csv", "id,text\n1,one\n2,\"two, thr", Documents, Options{}, "Document: one\nDocument: two, thr", "damaged: table ends within a cell"},
		{"a row that is cut, and one with a comma in its text", "a.csv", "id,score,text\n1,0.5,one\n2,0.4,two, three\n3,0.3,four\n4,0", Documents, Options{}, "Document: one\nDocument: two, three\nDocument: four", "2 rows with more or fewer cells than columns"},
		{"lines with commas", "a.csv", "Dear all,\nthis, is, a text\nof, some, lines\nin prose", Text, Options{}, "Document: Dear all,\nthis, is, a text\nof, some, lines\nin prose", ""},
		{"a table that is asked for as text", "a.csv", "a,b\n1,2\n", Text, Options{Format: Text}, "Document: a,b\n1,2\n", ""},
		{"answers besides the first", "f.json", `{"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","content":"b"}},{"message":{"role":"assistant","content":"c"}}]}`, OpenAI, Options{}, "Message: a", "2 answers besides the first"},
		{"a time in words", "f.json", `[{"source":"user","action":"message","timestamp":"some day","args":{"content":"hi"}}]`, OpenAI, Options{}, "Message: hi", "1 timestamp not understood"},
		{"a bzip2 archive", "f.bz2", "BZh91AY&SY\x00\x01\x02", "", Options{}, "", "bzip2"},
		{"an xz archive", "f.xz", "\xfd7zXZ\x00", "", Options{}, "", "xz"},
	} {
		path := musttest.File(t, c.file, c.in)
		l, err := Load(context.Background(), []string{path}, c.opts)
		if c.format == "" {
			musttest.Says(t, err, c.says, c.name)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		report := strings.Join(l.Report.Lines(), "\n")
		if got := hashes.ReplaceAllString(outline(l), "bytes, #]"); l.Format != c.format || got != c.want || !strings.Contains(report, c.says) {
			t.Errorf("%s: %s\n%s\nwant %s\n%s\nwith %q in\n%s", c.name, l.Format, got, c.format, c.want, c.says, report)
		}
	}
}

// No count passes for exact that is none: neither what another vendor counted, nor
// the definition of a tool, nor what a usage tells of an answer and its framing.
func TestNoCountPassesForExact(t *testing.T) {
	for _, c := range []struct {
		name, in string
		count    model.Provenance
	}{
		{"an answer of llama3", `{"model":"llama3","message":{"role":"assistant","content":"The sky is blue."},"done":true,"prompt_eval_count":26,"eval_count":6}`, model.FromUsage},
		{"an answer with its usage", `{"model":"gpt-4o","choices":[{"message":{"role":"assistant","content":"Hello there."}}],"usage":{"prompt_tokens":5,"completion_tokens":4}}`, model.FromUsage},
		{"a definition of a tool", `{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"hi"}]}`, model.Estimated},
	} {
		l := mustRead(t, c.in, Options{})
		counter := musttest.Of(new(tokens.Counters).Get("o200k_base"))(t)
		set := l.Set
		musttest.Do(t, counter.CountAll(context.Background(), tokens.Pending(set), 1, func(p tokens.Progress) {
			set = musttest.Of(set.Counted(p.Recounts))(t)
		}))
		if got := set.Count(0); got != c.count || got.IsExact() {
			t.Errorf("%s: counted %v, want %v", c.name, got, c.count)
		}
	}
}

// SpecStory gives the time of a turn with its date, in UTC or with an offset.
func TestSpecStoryTimes(t *testing.T) {
	l := mustRead(t, "<!-- Generated by SpecStory -->\n\n_**User (2025-01-01 10:00Z)**_\n\na\n\n_**Agent (x 2025-01-01 10:00:07Z)**_\n\nb\n\n_**Agent (2025-01-01 12:00:09+0200)**_\n\nc\n", Options{})
	for i, want := range []string{"10:00:00", "10:00:07", "10:00:09"} {
		musttest.Is(t, l.Set.Item(i).Timestamp.Value.Format(time.TimeOnly), want, "turn", i, "is of")
	}
}
