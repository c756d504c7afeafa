// Package blocks reads what messages are made of: texts, calls of tools, their
// results, reasoning, images and files. Vendors write the same few things with
// other members; the table in shapes.go has a row for each way.
package blocks

import (
	"bytes"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
)

// Kind says what a block of a message is.
type Kind uint8

const (
	Text     Kind = iota
	Call          // a tool is called
	Result        // what a tool answered
	Thinking      // what the model thought
	Opaque        // a payload that is no text: image, file, encrypted reasoning
	Document      // a text that was attached or found
	Summary       // stands for what was compacted before it
)

// Block is a piece of a message that becomes an item. The texts of a message are
// joined into one.
type Block struct {
	Kind   Kind
	Text   string
	CallID string // calls, results and what belongs to a result
	Tool   string // name of the tool
	Failed bool   // a result that is an error
	Title  string // of a document
	Size   int    // opaque: bytes of the payload
}

// Reader reads blocks and remembers what it met on the way.
type Reader struct {
	Notes    []string
	Unread   []string          // keys of members that hold texts and were not read
	Attached map[string][]byte // what texts may refer to by name, as JSON strings
	depth    int               // of content within content
}

// maxDepth is how deep content within content is read: a result holds blocks,
// and there it ends in practice. What is deeper is sized only.
const maxDepth = 16

func (r *Reader) note(what string) { r.Notes = append(r.Notes, what) }

// Content reads the content of a message, or of a tool's result: a string, an
// array of blocks, null, or an object. It notes what it meets that is no
// ordinary block.
func (r *Reader) Content(raw []byte) []Block {
	if r.depth >= maxDepth {
		r.note("contents nested too deep, sized only")
		return []Block{Payload("content", "", raw)}
	}
	r.depth++
	defer func() { r.depth-- }()
	switch jsonwalk.Type(raw) {
	case '"':
		raw = r.resolve(raw)
		if isPayload(raw) {
			r.note("texts that are a payload in base64, sized only")
			return []Block{Payload("base64", "text", raw)}
		}
		if s, ok := jsonwalk.String(raw); ok && s != "" {
			return []Block{{Text: s}}
		}
	case '[':
		var all []Block
		for block := range jsonwalk.Elements(raw) {
			if jsonwalk.Type(block) == '{' {
				all = append(all, r.block(block)...)
			} else {
				all = append(all, r.Content(block)...) // a bare string among blocks
			}
		}
		return all
	case '{':
		return r.block(raw)
	case 0, 'n':
	default: // a number or boolean
		return []Block{{Text: string(bytes.TrimSpace(raw))}}
	}
	return nil
}

// resolve returns what a text of the form attachment://NAME stands for, and any
// other as it is.
func (r *Reader) resolve(raw []byte) []byte {
	if name, ok := bytes.CutPrefix(raw, []byte(`"attachment://`)); ok && len(name) > 0 && len(name) < 200 {
		if text := r.Attached[string(name[:len(name)-1])]; text != nil {
			return text
		}
	}
	return raw
}

// Thoughts is Content with texts as thinking, joined into one block: a summary
// comes in pieces.
func (r *Reader) Thoughts(raw ...[]byte) []Block {
	var texts []string
	var rest []Block
	for _, one := range raw {
		for _, b := range r.Content(one) {
			if b.Kind == Text || b.Kind == Thinking {
				texts = append(texts, b.Text)
			} else {
				rest = append(rest, b)
			}
		}
	}
	if len(texts) == 0 {
		return rest
	}
	return append([]Block{{Kind: Thinking, Text: strings.Join(texts, "\n")}}, rest...)
}

// Result makes one result of the text of a tool's answer, and an opaque block of
// each payload in it.
func (r *Reader) Result(id, tool string, failed bool, raw []byte) []Block {
	var texts []string
	var all []Block
	for _, b := range r.Content(raw) {
		if b.Size > 0 { // a payload, or the result that one is
			b.CallID = id
			all = append(all, b)
			continue
		}
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	if s := strings.Join(texts, "\n"); s != "" {
		all = append([]Block{{Kind: Result, Text: s, CallID: id, Tool: tool, Failed: failed}}, all...)
	} else if len(all) > 0 { // the payload is the result
		all[0].Kind, all[0].Tool, all[0].Failed = Result, tool, failed
	}
	return all
}

// HoldsResults reports whether a content has results of its own among its first
// blocks, rather than being one.
func (r *Reader) HoldsResults(raw []byte) bool {
	for block := range jsonwalk.Elements(raw) {
		o := record.Open(block)
		s := shapeOf(o.Text("type"), o)
		return s != nil && s.as == asResult
	}
	return false
}

// CallOf is the call of a tool: its name and its arguments, JSON on one line or
// the text itself where they are given as text.
func CallOf(id, name string, input []byte) Block {
	args, ok := jsonwalk.String(input)
	if !ok {
		args = record.Compact(input)
	}
	if args == "" || args == "null" {
		args = "{}"
	}
	if name != "" {
		args = name + " " + args
	}
	return Block{Kind: Call, CallID: id, Tool: name, Text: args}
}

// ToolCall reads a call as chat requests list them: {"id", "function": {"name",
// "arguments"}}, or shorter {"id", "function" or "name", "arguments"}.
func ToolCall(raw []byte) Block {
	o := record.Open(raw)
	name, input := o.Text("function", "custom", "name"), o.Raw("arguments", "input", "args")
	if f := o.Open("function", "custom"); f != nil {
		name, input = f.Text("name"), f.Raw("arguments", "input")
	}
	b := CallOf(o.Text("id"), name, input)
	if name == "" && input == nil {
		b.Text = record.Compact(raw)
	}
	return b
}

// Join makes one block of the texts of a message, where the first of them
// stands, and drops what is empty.
func Join(all []Block) []Block {
	if len(all) == 1 && all[0].Text != "" {
		return all
	}
	texts := make([]string, 0, len(all))
	for _, b := range all {
		if b.Kind == Text && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	out := make([]Block, 0, len(all))
	joined := false
	for _, b := range all {
		if b.Kind == Text {
			if joined {
				continue
			}
			joined = true
			b.Text = strings.Join(texts, "\n")
		}
		if b.Text != "" {
			out = append(out, b)
		}
	}
	return out
}
