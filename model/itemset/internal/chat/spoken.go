package chat

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// Messages of no known format: who speaks stands under one of record.Roles or
// record.FromUser, and what is said under one of record.Said.

func speaker(o record.Object) (role string, ok bool) {
	for _, key := range record.FromUser {
		switch o.Type(key) {
		case 't':
			return "user", true
		case 'f':
			return "assistant", true
		}
	}
	for _, key := range record.Roles {
		if o.Type(key) == '"' {
			if from := o.Text(key); from != "" {
				return Role(from), true
			}
		}
	}
	if o.Type("parts") == '[' { // the one turn of a request of Gemini
		return "user", true
	}
	role = Role(o.Text("type"))
	return role, role == "user" || role == "assistant"
}

// IsSpoken reports whether an object is a message by its structure, though its keys are of no
// known format. A post that names its author, and a file that names its sender, is one only if
// the author has a role or the post a time.
func IsSpoken(o record.Object) bool {
	if IsMessage(o) || isClineEvent(o) {
		return true
	}
	role, ok := speaker(o)
	if !ok || !slices.ContainsFunc(record.Said, func(key string) bool { return key != "parts" && slices.Contains([]byte{'"', '['}, o.Type(key)) }) {
		return false
	}
	known := slices.Contains([]string{"user", "assistant", "system", "tool"}, role)
	return known || o.Has("speaker", "sender") || o.Time() != nil && !o.Has("title", "url", "link")
}

// holdsSpoken reports whether the first elements of an array, but for one, are messages
// by their structure.
func holdsSpoken(array []byte) bool {
	n, spoken := 0, 0
	for raw := range record.Firsts(jsonwalk.Elements(array), 4) {
		n++
		if jsonwalk.Type(raw) == '{' && IsSpoken(record.Open(raw)) {
			spoken++
		}
	}
	return spoken > 0 && spoken >= n-1
}

// spoken reads a message of no known format; false if no one speaks in it.
func spoken(m *conversation.Message, o record.Object, in *blocks.Reader) bool {
	if isClineEvent(o) {
		clineEvent(m, o, in)
		return true
	}
	role, ok := speaker(o)
	if !ok {
		return false
	}
	m.Role, m.ID = role, o.Text(record.IDs...)
	for _, key := range record.Said {
		if m.Blocks = in.Content(o.Raw(key)); len(m.Blocks) > 0 {
			break
		}
	}
	for _, key := range [...]string{"attachments", "files"} { // of exports of Claude
		for raw := range jsonwalk.Elements(o.At(key)) {
			if file := record.Open(raw); file.Has("file_name") {
				o.Raw(key)
				m.Blocks = append(m.Blocks, blocks.Block{Kind: blocks.Document, Text: file.Text("extracted_content"), Name: file.Text("file_name")})
			}
		}
	}
	return true
}

// pairs are the keys of a question and its answer in collections of examples.
var pairs = [...][2]string{
	{"instruction", "output"}, {"instruction", "response"}, {"prompt", "completion"}, {"prompt", "response"}, {"question", "answer"}, {"question", "response"}, {"query", "response"}, {"query", "answer"},
	{"prompt.raw", "response.output"}, // of promptfoo
}

// pairOf returns the messages of an example of a question and its answer, each a text or
// messages. It returns nil if an object is none, or has lists beside them: a question
// with documents is no conversation.
func pairOf(o record.Object) []byte {
	for _, pair := range pairs {
		if !holdsSaid(o.At(pair[0])) || !holdsSaid(o.At(pair[1])) || o.Has("context") {
			continue
		}
		for _, m := range o {
			if c := jsonwalk.Type(m.Value); !strings.Contains(pair[0], ".") && !slices.Contains(pair[:], m.Key) && (c == '[' || c == '{') && jsonwalk.HasText(m.Value) {
				return nil
			}
		}
		var all [][]byte
		for i, role := range [...]string{"user", "assistant"} {
			key, _, _ := strings.Cut(pair[i], ".")
			o.Raw(key)
			raw := o.At(pair[i])
			if text, ok := jsonwalk.String(raw); ok && jsonwalk.Type([]byte(text)) == '[' && holdsSaid([]byte(text)) && jsonwalk.Valid([]byte(text)) { // the messages of a prompt
				raw = []byte(text)
			}
			if jsonwalk.Type(raw) == '[' {
				all = slices.AppendSeq(all, jsonwalk.Elements(raw))
				continue
			}
			if more := o.Text("input"); i == 0 && more != "" { // what an instruction is about
				raw = record.JSON(o.Text(pair[i]) + "\n" + more)
			}
			all = append(all, fmt.Appendf(nil, `{"role":%q,"content":%s}`, role, raw))
		}
		return record.Array(all)
	}
	return nil
}

// seeds returns the examples in a task as Self-Instruct has it: an instruction with
// instances of it, each with an input and an output.
func seeds(o record.Object) (all []run) {
	for one := range jsonwalk.Elements(o.At("instances")) {
		example := append(record.Open(one), record.Member{Key: "instruction", Value: o.At("instruction")})
		if messages := pairOf(example); messages != nil {
			o.Raw("instruction")
			o.Raw("instances")
			all = append(all, run{outer: o, request: example, messages: messages})
		}
	}
	return all
}

// holdsSaid reports whether a value is a text or a list of messages.
func holdsSaid(raw []byte) bool {
	return jsonwalk.Type(raw) == '"' && len(raw) > len(`""`) || jsonwalk.Type(raw) == '[' && holdsMessages(raw)
}

// isClineEvent reports whether an object is a row of ui_messages.json, which Cline and
// Roo write for their screen.
func isClineEvent(o record.Object) bool {
	typ := o.Text("type")
	return (typ == "say" || typ == "ask") && o.Type(typ) == '"' && o.Has("ts")
}

// saysNothing reports whether a row of ui_messages.json holds nothing that was said.
func saysNothing(o record.Object) bool {
	what := o.Text("say", "ask")
	return strings.HasPrefix(what, "api_req_") || strings.HasPrefix(what, "checkpoint") || strings.HasPrefix(what, "resume_") || strings.HasSuffix(what, "_api_reqs") ||
		!o.Has("images") && o.Text("text") == ""
}

func clineEvent(m *conversation.Message, o record.Object, in *blocks.Reader) {
	m.Role = "assistant"
	switch what := o.Text("say", "ask"); {
	case what == "task" || strings.HasPrefix(what, "user_feedback") || what == "text" && m.Place.N == 1:
		m.Role = "user"
	case what == "command_output" || what == "mcp_server_response":
		m.Role = "tool"
		m.Blocks = in.Result("", "", false, o.Raw("text"))
		return
	case what == "command" || what == "tool" || what == "use_mcp_server":
		m.Blocks = []blocks.Block{{Kind: blocks.Call, Text: o.Text("text")}}
		return
	case what == "reasoning":
		m.Blocks = in.Thoughts(o.Raw("text"))
		return
	}
	m.Blocks = in.Content(o.Raw("text"))
	for image := range o.List("images") {
		m.Blocks = append(m.Blocks, blocks.Payload("image", "", image))
	}
}
