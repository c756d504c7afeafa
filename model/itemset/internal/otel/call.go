package otel

import (
	"bytes"
	"encoding/json"
	"fmt"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/record"
)

// call is a call of a model that a trace recorded, as a chat request with its answer, by
// the keys of one. What a program gave as the input and the output of a call may be that
// request and answer, messages, texts, or any other JSON, often in a string; what is no
// message is what the user, or the model, said.
type call map[string]json.RawMessage

// set sets a member, unless raw is nil.
func (c call) set(key string, raw []byte) {
	if raw != nil {
		c[key] = raw
	}
}

func (c call) ask(input []byte) {
	input = unquoted(input)
	switch jsonwalk.Type(input) {
	case 0, 'n':
		return
	case '{':
	default:
		c["messages"] = record.Array(messagesIn("user", input))
		return
	}
	members := record.Open(input)
	if inner := record.Open(unquoted(members.Raw("prompt"))); len(inner) > 0 { // what the Vercel AI SDK logs
		members = append(members, inner...)
	}
	for _, m := range members {
		c[m.Key] = m.Value
	}
	for _, key := range [...]string{"messages", "args", "prompt", "input"} {
		if said := c[key]; jsonwalk.HasText(said) {
			delete(c, key)
			c["messages"] = record.Array(messagesIn("user", unquoted(said)))
			return
		}
	}
	if !chat.HasRuns(record.Open(input)) {
		c["messages"] = record.Array([][]byte{said("user", input)})
	}
}

func (c call) answer(output []byte) {
	output = unquoted(output)
	o := record.Open(output)
	text := o.Raw("text")
	first := record.Open(jsonwalk.First(output))
	switch {
	case output == nil || jsonwalk.IsNull(output):
	case o.Has("candidates", "choices") || o.Text("object") == "response":
		for _, m := range o {
			c[m.Key] = m.Value
		}
	case first.Has("toolCallId") && !first.Has("role"): // calls alone
		c["output"] = fmt.Appendf(nil, `[{"role":"assistant","toolCalls":%s}]`, output)
	case o.Type("generations") == '[': // of LangChain, a list for each prompt
		c["output"] = record.Array(messagesIn("assistant", o.Raw("generations")))
	case chat.AnswerOf(output) != nil:
		c["output"] = output
	case jsonwalk.Type(text) == '"' && !o.Has("role"):
		c["output"] = record.Array([][]byte{said("assistant", text)})
	default:
		c["output"] = record.Array(messagesIn("assistant", output))
	}
}

// read adds the messages of the call to the sink.
func (c call) read(doc record.Document, sink record.Sink) error {
	doc.Select = 0 // it selects a call of the document
	return chat.Read(record.Split(doc.Name, record.JSON(c), doc.Options), sink)
}

// messagesIn returns the messages in a value, also in lists within lists. What is no message
// becomes a message of the given role.
func messagesIn(role string, raw []byte) [][]byte {
	var all [][]byte
	switch o := record.Open(raw); {
	case jsonwalk.Type(raw) == '[':
		for one := range jsonwalk.Elements(raw) {
			all = append(all, messagesIn(role, one)...)
		}
	case o.Type("message") == '{': // a generation of LangChain
		all = append(all, o.Raw("message"))
	case chat.IsMessage(o):
		all = append(all, raw)
	case o.Has("content"): // without a role
		all = append(all, fmt.Appendf(nil, `{"role":%q,%s`, role, bytes.TrimSpace(raw)[1:]))
	case o.Raw("role") != nil && !anyText(o): // it says nothing
	default:
		all = append(all, said(role, raw))
	}
	return all
}

// anyText reports whether a member that was not asked for holds text.
func anyText(o record.Object) bool {
	for range o.Unread(nil) {
		return true
	}
	return false
}

func said(role string, content []byte) []byte {
	return fmt.Appendf(nil, `{"role":%q,"content":%s}`, role, content)
}
