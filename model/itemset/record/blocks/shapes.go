package blocks

import (
	"fmt"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
)

// shape is one way to write a block: what tells it, and which members hold what.
// Of several members the first that is there counts.
type shape struct {
	as     reading
	types  []string // what the member "type" says
	member string   // or a member that no other block has
	text   []string // what the block says: content of its own, or the input of a call
	id     []string // what links a call to its result
}

// reading is how a block is read once its shape is known.
type reading uint8

const (
	asText reading = iota
	asThinking
	asEncrypted
	asCall
	asResult
	asDocument
	asMedia
	asFound
	asLogs
)

// shapes is the table of blocks.
var shapes = []shape{
	{as: asText, types: []string{"text", "input_text", "output_text", "summary_text", "reasoning_text"}, text: []string{"text"}},
	{as: asText, types: []string{"refusal"}, text: []string{"refusal"}},
	{as: asText, types: []string{"web_fetch_result"}, text: []string{"content"}},
	{as: asThinking, types: []string{"thinking", "reasoning", "reasoning.text", "reasoning.summary"}, text: []string{"thinking", "text", "reasoning", "summary"}},
	{as: asEncrypted, types: []string{"redacted_thinking", "reasoning.encrypted"}, text: []string{"data"}},
	{as: asCall, types: []string{"tool_use", "server_tool_use", "mcp_tool_use"}, id: []string{"id"}, text: []string{"input"}},
	{as: asDocument, types: []string{"document", "search_result"}},
	{as: asMedia, types: []string{"image", "image_url", "input_image", "computer_screenshot", "file", "input_file", "input_audio", "audio", "video"}},
	{as: asFound, types: []string{"web_search_result"}},
	{as: asLogs, types: []string{"code_execution_result", "bash_code_execution_result", "logs"}, text: []string{"stdout", "stderr", "logs"}},
	{as: asResult, types: []string{"tool_result"}, member: "tool_use_id", id: []string{"tool_use_id"}, text: []string{"content"}},
}

// shapeOf finds the row of the table for a block.
func shapeOf(typ string, o record.Object) *shape {
	for i := range shapes {
		s := &shapes[i]
		for _, t := range s.types {
			if t == typ {
				return s
			}
		}
		if s.member != "" && o.Has(s.member) {
			return s
		}
	}
	return nil
}

// block reads one block, a JSON object.
func (r *Reader) block(raw []byte) []Block {
	o := record.Open(raw)
	typ := o.Text("type")
	if s := shapeOf(typ, o); s != nil {
		return r.read(s, o, raw)
	}
	switch text := o.Text("text"); {
	case !o.Has("type"):
		r.note("contents that are objects, kept as JSON")
		return []Block{{Text: record.Compact(raw)}}
	case text != "":
		return []Block{{Text: text}}
	}
	r.note(fmt.Sprintf("parts of unknown type %.40q, sized only", typ))
	return []Block{Payload(typ, "", raw)}
}

// read reads a block of a known shape.
func (r *Reader) read(s *shape, o record.Object, raw []byte) []Block {
	switch s.as {
	case asThinking:
		if text := o.Text(s.text...); text != "" {
			return []Block{{Kind: Thinking, Text: text}}
		}
		return []Block{Payload("thinking", "", o.Raw("signature"))} // only its signature is left
	case asEncrypted:
		return []Block{Payload("thinking", "encrypted", o.Raw(s.text...))}
	case asCall:
		return []Block{CallOf(o.Text(s.id...), o.Text("name"), o.Raw(s.text...))}
	case asResult:
		return r.Result(o.Text(s.id...), "", o.Is("is_error"), o.Raw(s.text...))
	case asDocument:
		return r.document(o, raw)
	case asMedia:
		return []Block{media(o, raw)}
	case asFound:
		found := Block{Text: strings.TrimSpace(o.Text("title") + "\n" + o.Text("url"))}
		return []Block{found, Payload("page", "encrypted", o.Raw("encrypted_content"))}
	case asLogs:
		var all []Block
		for _, key := range s.text {
			all = append(all, Block{Text: o.Text(key)})
		}
		return all
	}
	return r.Content(o.Raw(s.text...))
}

// document reads a document that is given as text, and a search result; any
// other is a payload.
func (r *Reader) document(o record.Object, raw []byte) []Block {
	content := o.Raw("content")
	if source := o.Open("source"); source != nil {
		content = nil
		if typ := source.Text("type"); typ == "text" || typ == "content" {
			content = source.Raw("data", "content")
		}
	}
	var texts []string
	for _, b := range r.Content(content) {
		if b.Size > 0 {
			return []Block{media(o, raw)}
		}
		texts = append(texts, b.Text)
	}
	text := strings.Join(texts, "\n")
	if text == "" {
		return []Block{media(o, raw)}
	}
	return []Block{{Kind: Document, Title: o.Text("title", "source"), Text: text}}
}

// media reads an image, document, file or sound.
func media(o record.Object, raw []byte) Block {
	what := strings.TrimSuffix(strings.TrimPrefix(o.Text("type"), "input_"), "_url")
	if what == "computer_screenshot" {
		what = "image"
	}
	payload, kind := raw, ""
	for _, key := range [...]string{"source", "image_url", "input_audio", "file", "file_data", "data", "audio"} {
		value := o.Raw(key)
		if jsonwalk.Type(value) == '"' {
			payload = value
		}
		inner := record.Open(value)
		if data := inner.Raw("data", "url", "file_data", "file_id", "content"); data != nil {
			payload = data
		}
		if s := inner.Text("media_type", "format", "filename"); s != "" {
			kind = s
		}
		if inner.Text("type") == "text" { // a document given as text
			if text, _ := jsonwalk.String(payload); text != "" {
				return Block{Text: text}
			}
		}
	}
	return Payload(what, kind, payload)
}
