package itemset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// partKind says what a piece of a message is.
type partKind uint8

const (
	textPart     partKind = iota
	callPart              // a tool is called
	resultPart            // what a tool answered
	thinkingPart          // what the model thought
	opaquePart            // a payload that is no text: image, file, encrypted reasoning
	documentPart          // a text that was attached or found
)

// part is a piece of a message that becomes an item. The text parts of a
// message are joined into one.
type part struct {
	kind   partKind
	text   string
	callID string // calls, results and what belongs to a result
	tool   string // name of the tool
	failed bool   // a result that is an error
	title  string // of a document
	size   int    // opaque: bytes of the payload
}

// partReader remembers what was met while content is read.
type partReader struct {
	notes    []string
	depth    int               // of content within content
	attached map[string][]byte // what texts may refer to by name
}

// maxContentDepth is how deep content within content is read: a result holds
// blocks, and there it ends in practice. What is deeper is sized only.
const maxContentDepth = 16

func (in *partReader) note(what string) { in.notes = append(in.notes, what) }

// contentParts reads the content of a message, or of a tool's result: a
// string, an array of blocks, null, or an object. It notes what it meets that
// is no ordinary block.
func contentParts(raw []byte, in *partReader) []part {
	if in.depth >= maxContentDepth {
		in.note("contents nested too deep, sized only")
		return []part{opaque("content", "", raw)}
	}
	in.depth++
	defer func() { in.depth-- }()
	switch jsonwalk.Type(raw) {
	case '"':
		raw = in.resolve(raw)
		if isPayload(raw) {
			in.note("texts that are a payload in base64, sized only")
			return []part{opaque("base64", "text", raw)}
		}
		if s, ok := jsonwalk.String(raw); ok && s != "" {
			return []part{{text: s}}
		}
	case '[':
		var all []part
		for block := range jsonwalk.Elements(raw) {
			all = append(all, blockParts(block, in)...)
		}
		return all
	case '{':
		return blockParts(raw, in)
	case 0, 'n':
	default: // a number or boolean
		return []part{{text: string(bytes.TrimSpace(raw))}}
	}
	return nil
}

// blockParts reads one block of OpenAI or Anthropic content.
func blockParts(raw []byte, in *partReader) []part {
	if jsonwalk.Type(raw) != '{' {
		return contentParts(raw, in) // a bare string among blocks
	}
	var typ string
	members := map[string][]byte{}
	for key, value := range jsonwalk.Members(raw) {
		members[key] = value
		if key == "type" {
			typ, _ = jsonwalk.String(value)
		}
	}
	text := func(key string) string {
		s, _ := jsonwalk.String(members[key])
		return s
	}
	one := func(p part) []part { return []part{p} }
	switch typ {
	case "text", "input_text", "output_text", "summary_text", "reasoning_text":
		return contentParts(members["text"], in)
	case "refusal":
		return contentParts(members["refusal"], in)
	case "thinking", "reasoning", "reasoning.text", "reasoning.summary":
		for _, key := range [...]string{"thinking", "text", "reasoning", "summary"} {
			if s := text(key); s != "" {
				return one(part{kind: thinkingPart, text: s})
			}
		}
		if sig := text("signature"); sig != "" { // only its signature is left
			return one(opaque("thinking", "", members["signature"]))
		}
		return nil
	case "redacted_thinking", "reasoning.encrypted":
		return one(opaque("thinking", "encrypted", members["data"]))
	case "document", "search_result":
		if p, ok := documentOf(members, in); ok {
			return one(p)
		}
		return one(mediaPart(typ, members, raw))
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return one(part{kind: callPart, callID: text("id"), tool: text("name"), text: callText(text("name"), members["input"])})
	case "image", "image_url", "input_image", "computer_screenshot", "file", "input_file", "input_audio", "audio", "video":
		return one(mediaPart(typ, members, raw))
	case "web_search_result":
		found := part{text: strings.TrimSpace(text("title") + "\n" + text("url"))}
		return []part{found, opaque("page", "encrypted", members["encrypted_content"])}
	case "web_fetch_result":
		return contentParts(members["content"], in)
	case "code_execution_result", "bash_code_execution_result", "logs":
		return one(part{text: text("stdout") + text("stderr") + text("logs")})
	}
	if id := text("tool_use_id"); id != "" || typ == "tool_result" {
		failed := jsonwalk.Type(members["is_error"]) == 't'
		return resultParts(id, "", failed, members["content"], in)
	}
	if _, ok := members["type"]; !ok {
		in.note("contents that are objects, kept as JSON")
		return one(part{text: compact(raw)})
	}
	if s := text("text"); s != "" {
		return one(part{text: s})
	}
	in.note(fmt.Sprintf("parts of unknown type %.40q, sized only", typ))
	return one(opaque(typ, "", raw))
}

// resultParts makes one result of the text of a tool's answer, and an opaque
// part of each payload in it.
func resultParts(id, tool string, failed bool, raw []byte, in *partReader) []part {
	var texts []string
	var all []part
	for _, p := range contentParts(raw, in) {
		if p.size > 0 { // a payload, or the result that one is
			p.callID = id
			all = append(all, p)
			continue
		}
		texts = append(texts, p.text)
	}
	if s := strings.Join(texts, "\n"); s != "" {
		all = append([]part{{kind: resultPart, text: s, callID: id, tool: tool, failed: failed}}, all...)
	} else if len(all) > 0 { // the payload is the result
		all[0].kind, all[0].tool, all[0].failed = resultPart, tool, failed
	}
	return all
}

// mediaPart reads an image, document, file or sound of either provider.
func mediaPart(typ string, members map[string][]byte, raw []byte) part {
	what := strings.TrimSuffix(strings.TrimPrefix(typ, "input_"), "_url")
	if what == "computer_screenshot" {
		what = "image"
	}
	payload, media := []byte(nil), ""
	for _, key := range [...]string{"source", "image_url", "input_audio", "file", "file_data", "data", "audio"} {
		value, ok := members[key]
		if !ok {
			continue
		}
		if jsonwalk.Type(value) == '"' {
			payload = value
			continue
		}
		var text string
		for key, v := range jsonwalk.Members(value) {
			switch key {
			case "data", "url", "file_data", "file_id", "content":
				payload = v
			case "media_type", "format", "filename":
				media, _ = jsonwalk.String(v)
			case "type":
				text, _ = jsonwalk.String(v)
			}
		}
		if text == "text" { // a document given as text
			if s, ok := jsonwalk.String(payload); ok && s != "" {
				return part{text: s}
			}
		}
	}
	if payload == nil {
		payload = raw
	}
	if rest, ok := bytes.CutPrefix(payload, []byte(`"data:`)); ok {
		if i := bytes.IndexAny(rest[:min(len(rest), 100)], ";,"); i >= 0 {
			media = string(rest[:i])
		}
	}
	return opaque(what, media, payload)
}

// callText writes a call as its name and its arguments: JSON on one line, or
// the text itself when they are given as text.
func callText(name string, input []byte) string {
	args, ok := jsonwalk.String(input)
	if !ok {
		args = compact(input)
	}
	if args == "" || args == "null" {
		args = "{}"
	}
	if name == "" {
		return args
	}
	return name + " " + args
}

// compact writes a valid value without white space between its parts, as text:
// bytes that are no UTF-8 become U+FFFD, as in texts that are quoted.
func compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
