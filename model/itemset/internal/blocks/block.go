// Package blocks reads the parts of messages: texts, calls of tools, their results,
// reasoning, images and files. Vendors write the same few parts with different
// members; the table in shapes.go has a row for each way.
package blocks

import (
	"bytes"
	"cmp"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Kind is the kind of a block.
type Kind uint8

const (
	Text     Kind = iota
	Call          // the call of a tool
	Result        // the result of a call
	Thinking      // reasoning of the model
	Opaque        // a payload that is not text: an image, a file, encrypted reasoning
	Document      // a text that was attached or found
	Summary       // a summary that replaces the messages before it
)

// Block is a part of a message. Each block becomes an item, except that Join makes
// one block of the texts of a message.
type Block struct {
	Kind   Kind
	Role   string       // who says it; "" if it is the one who speaks in the message
	Failed bool         // the result is an error
	Size   int          // size of the payload in bytes; 0 if the block is text
	Text   string       // the content of the item; for a payload a label. A block without text becomes no item.
	CallID string       // id of the call, in calls, results and payloads of a result
	guess  model.Tokens // of an image whose pixels are known; 0 if they are not
	Name   string       // name of the tool, in calls and results; title of a document or of a text that was attached
}

// IsTool reports whether the block is the call of a tool or its result.
func (b *Block) IsTool() bool { return b.Kind == Call || b.Kind == Result }

// Reader reads blocks. It collects in Notes and Unread what it changed and did not
// read; package conversation passes them on with Note. It is not safe for concurrent
// use.
type Reader struct {
	Notes    record.Notes
	Unread   []string          // keys of members that hold text and were not read
	Attached map[string][]byte // contents, as JSON strings, that texts refer to as attachment://NAME; nil is allowed
	depth    int               // nesting of contents at the moment
}

// maxDepth is the largest nesting of contents within contents that is read; in
// practice a result holds blocks, and no more. A deeper content becomes one payload.
const maxDepth = 16

// Content reads the content of a message, or of a tool's result: a string, an
// array of blocks, null, or an object, all valid JSON. For nil, null and "" it
// returns nil. A long string that is base64 or a data URL becomes a payload, which
// the reader notes.
func (r *Reader) Content(raw []byte) []Block {
	if r.depth >= maxDepth {
		r.Notes.Add("contents nested too deep, counted by their size")
		return []Block{Payload("content", "", raw)}
	}
	r.depth++
	defer func() { r.depth-- }()
	switch jsonwalk.Type(raw) {
	case '"':
		raw = r.resolve(raw)
		if isPayload(raw) {
			r.Notes.Add("texts that are base64, counted by their size")
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

// resolve returns the content that a text attachment://NAME refers to, and any other
// text as it is.
func (r *Reader) resolve(raw []byte) []byte {
	if name, ok := bytes.CutPrefix(raw, []byte(`"attachment://`)); ok && len(name) > 0 && len(name) < 200 {
		if text := r.Attached[string(name[:len(name)-1])]; text != nil {
			return text
		}
	}
	return raw
}

// Thoughts is like Content for several contents that hold reasoning. It joins their
// texts into one block of the kind Thinking, which comes first.
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

// Result reads the answer of a tool, as Content does. It joins the texts into one
// block of the kind Result, followed by an opaque block for each payload. If there is
// no text, the first payload becomes the result.
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
		all = append([]Block{{Kind: Result, Text: s, CallID: id, Name: tool, Failed: failed}}, all...)
	} else if len(all) > 0 { // the payload is the result
		all[0].Kind, all[0].Name, all[0].Failed = Result, tool, failed
	}
	return all
}

// HoldsResults reports whether the first block of a content is a result, so that the
// content holds results rather than being one.
func (r *Reader) HoldsResults(raw []byte) bool {
	for block := range jsonwalk.Elements(raw) {
		o := record.Open(block)
		s := shapeOf(typeOf(o), o)
		return s != nil && s.as == asResult
	}
	return false
}

// CallOf returns the call of a tool. Its text is the name and the arguments: input as
// compact JSON, or its text if it is a JSON string. Without arguments it is "{}".
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
	return Block{Kind: Call, CallID: id, Name: name, Text: args}
}

// Call reads the call of a tool, which may stand under the kind of tool.
func (r *Reader) Call(raw []byte) Block {
	o := record.Open(raw)
	if inner := o.Open("tool_call"); inner != nil { // as OpenInference wraps it
		o = inner
	}
	f := o
	if inner := o.Open("function", "custom"); inner != nil {
		f = inner
	}
	b := callIn(f)
	b.CallID = o.Text(ids...)
	if b.Name == "" {
		b = CallOf(b.CallID, o.Text("function", "custom"), f.Raw(inputs...))
	}
	if b.Name == "" && f.Raw(inputs...) == nil {
		b.Text = record.Compact(raw)
	}
	r.unread(f)
	return b
}

// callIn returns the call of a tool that an object is.
func callIn(o record.Object) Block { return CallOf(o.Text(ids...), o.Text(tools...), o.Raw(inputs...)) }

// ResultIn reads the result of a call that an object is.
func (r *Reader) ResultIn(raw []byte) []Block {
	o := record.Open(raw)
	all := r.resultIn(o)
	r.unread(o)
	return all
}

func (r *Reader) resultIn(o record.Object) []Block {
	id := cmp.Or(o.Text(ids...), record.Open(o.At("origin")).Text("id"))
	if run := o.Open("run"); run.Has("result", "error") { // of Amp
		return r.Result(id, o.Text(tools...), Failed(run), run.Raw("result", "error"))
	}
	failed := Failed(o) || strings.HasPrefix(o.Open("output").Text("type"), "error-")
	all := r.Result(id, o.Text(tools...), failed, o.Raw(outputs...))
	for _, b := range r.Content(o.Raw("parts")) { // pictures and files beside a response of Gemini
		b.CallID = id
		all = append(all, b)
	}
	return all
}

// Join joins the blocks of the kind Text into one, separated by newlines, in the
// place of the first of them, and drops blocks without text. It may return all
// itself.
func Join(all []Block) []Block {
	if len(all) == 1 && all[0].Text != "" {
		return all
	}
	texts := map[string][]string{} // by who says them
	for _, b := range all {
		if b.Kind == Text && b.Text != "" {
			texts[b.Role] = append(texts[b.Role], b.Text)
		}
	}
	out := make([]Block, 0, len(all))
	for _, b := range all {
		if b.Kind == Text {
			b.Text = strings.Join(texts[b.Role], "\n")
			delete(texts, b.Role)
		}
		if b.Text != "" {
			out = append(out, b)
		}
	}
	return out
}
