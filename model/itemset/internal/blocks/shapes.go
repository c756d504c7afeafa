package blocks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// shape is one way to write a block: how it is recognised, and which members hold its
// parts. If several members are listed for a part, the first that exists is used.
type shape struct {
	as      reading
	types   []string // values of the member "type"
	members []string // of a block without a type: members that tell it from other shapes
	wraps   []string // of a block without a type: members that tell it, and whose value holds its parts
	within  []string // the members that the block lies within, one in the other; its id is outside
	text    []string // what the block says; calls and results say it under inputs and outputs
	role    string   // who says it, if not the one who speaks
}

// reading is how a block is read once its shape is known.
type reading uint8

const (
	asText reading = iota
	asThinking
	asEncrypted
	asSummary
	asCall
	asResult
	asCallAndResult
	asDocument
	asMedia
	asTexts
	asJSON
	asBlock // the block is in a wrapper
	asShown // on a screen only
	asNothing
)

// The members that hold ids and names of tools, the input of a call, and a result.
var (
	ids     = []string{"tool_use_id", "toolUseId", "toolUseID", "toolCallId", "tool_call_id", "call_id", "callID", "source_call_id", "CallId", "Id", "id"}
	tools   = []string{"name", "toolName", "tool_name", "function_name", "FunctionName", "tool", "toolType", "toolId", "language"}
	inputs  = []string{"input", "args", "arguments", "Arguments", "parameters", "code", "toolSpecificData", "invocationMessage", "tool_kwargs"}
	outputs = []string{"result", "response", "output", "content", "Result", "value", "error", "text"}
)

// shapes is the table of the blocks of chat requests, of the Responses API, and of Anthropic,
// Bedrock's Converse, Gemini, OpenTelemetry, LangChain, the Vercel AI SDK, Goose and opencode.
var shapes = []shape{
	{as: asText, types: []string{"text", "input_text", "output_text", "summary_text", "reasoning_text", "user-prompt", "TextContent"}, text: []string{"text", "content", "value", "Text"}},
	{as: asText, types: []string{"system-prompt"}, role: "system", text: []string{"content"}},
	{as: asText, types: []string{"refusal"}, text: []string{"refusal"}},
	// What a tool of the Vercel AI SDK gave back.
	{as: asText, types: []string{"error-text", "content"}, text: []string{"value", "content"}},
	{as: asText, types: []string{"non_standard"}, text: []string{"value"}}, // a block of a provider, in LangChain
	{as: asText, types: []string{"execution-denied"}, text: []string{"reason"}},
	{as: asJSON, types: []string{"json", "error-json", "data"}, text: []string{"value", "json", "data"}},
	{as: asText, types: []string{"web_fetch_result", "text_editor_code_execution_view_result"}, text: []string{"content"}},
	{as: asText, types: []string{"text_editor_code_execution_str_replace_result"}, text: []string{"lines"}},
	{as: asText, types: []string{"tool_search_tool_search_result"}, text: []string{"tool_references"}},
	{as: asBlock, wraps: []string{"message_content"}}, // of OpenInference
	{as: asText, types: []string{"inlineReference"}, text: []string{"name"}},
	{as: asText, members: []string{"html"}, text: []string{"html"}},
	{as: asText, members: []string{"supportThemeIcons"}, text: []string{"value"}}, // Markdown of VS Code
	{as: asThinking, types: []string{"thinking", "think", "reasoning", "reasoning.text", "reasoning.summary"}, wraps: []string{"reasoningText"},
		text: []string{"thinking", "think", "text", "reasoning", "summary", "content", "value"}},
	{as: asText, members: []string{"reasoningContent"}, text: []string{"reasoningContent"}},
	{as: asEncrypted, types: []string{"redacted_thinking", "reasoning.encrypted"}, text: []string{"data"}},
	{as: asEncrypted, members: []string{"redactedContent"}, text: []string{"redactedContent"}},
	{as: asSummary, types: []string{"compaction"}, text: []string{"content"}},
	{as: asCall, types: []string{"tool_use", "server_tool_use", "mcp_tool_use", "server_tool_call", "tool_call", "tool-call", "toolCall", "builtin-tool-call", "function_call", "FunctionCallContent", "toolInvocationSerialized"},
		wraps: []string{"toolUse", "functionCall", "function_call", "toolCall", "tool_call", "executableCode", "executable_code"}},
	{as: asCall, types: []string{"toolRequest"}, within: []string{"toolCall", "value"}},
	{as: asResult, types: []string{"toolResponse"}, within: []string{"toolResult"}},
	{as: asResult, types: []string{"tool-result", "tool_call_response", "server_tool_result", "toolResult", "tool-return", "builtin-tool-return", "retry-prompt", "function_result", "FunctionResultContent"},
		wraps: []string{"toolResponse", "toolResult", "functionResponse", "function_response", "codeExecutionResult", "code_execution_result", "tool_call_result"}},
	{as: asCallAndResult, types: []string{"tool", "dynamic-tool", "tool-invocation", "tool_invocation"}},
	{as: asDocument, types: []string{"document", "search_result"}, wraps: []string{"document"}},
	{as: asMedia, types: []string{"image", "image_url", "input_image", "computer_screenshot", "file", "input_file", "input_audio", "audio", "video", "media", "image-data", "image-url", "file-data", "file-url", "file-id",
		"container_upload",
		"blob", "uri", "image_asset_pointer", "audio_asset_pointer"},
		members: []string{"asset_pointer"}, wraps: []string{"inlineData", "inline_data", "fileData", "file_data", "image", "video"}},
	{as: asTexts, types: []string{"web_search_result", "source-url", "source-document"}, text: []string{"title", "url", "filename"}},
	{as: asTexts, types: []string{"code_execution_result", "bash_code_execution_result", "logs"}, text: []string{"stdout", "stderr", "logs"}},
	{as: asTexts, types: []string{"tool_reference"}, text: []string{"tool_name"}},
	{as: asTexts, types: []string{"tool_result_error"}, text: []string{"error_code", "error_message"}},
	{as: asResult, types: []string{"tool_result"}, members: []string{"tool_use_id", "call_id"}},
	{as: asCall, members: []string{"arguments"}},
	{as: asNothing, types: []string{"step-start", "step-finish", "snapshot", "cache", "tool-approval-request", "tool-approval-response"}, members: []string{"cachePoint", "videoMetadata"}},
	{as: asJSON, types: []string{"text_editor_code_execution_create_result"}},
	// What Copilot shows of its work.
	{as: asShown, types: []string{"progressMessage", "progressTask", "progressTaskSerialized", "textEditGroup", "notebookEditGroup", "codeblockUri", "undoStop", "prepareToolInvocation",
		"mcpServersStarting", "command", "confirmation", "elicitation", "extensions", "hook"}},
}

// NoContent lists the members of blocks that hold no content and are not reported as
// unread.
var NoContent = []string{
	"type", "kind", "block_type", "id", "timestamp", "cache_control", "signature", "thoughtSignature", "thought_signature", "status", "state", "detail", "format", "providerMetadata",
	"callProviderMetadata", "providerExecuted", "approvalId", "toolCallId", "sourceId", "mediaType", "modality", "index", "caller", "time", "sessionID", "messageID",
}

// shapeOf returns the row of the table for a block, or nil if there is none.
func shapeOf(typ string, o record.Object) *shape {
	for i := range shapes {
		s := &shapes[i]
		if slices.Contains(s.types, typ) || typ == "" && (o.Has(s.members...) || o.Has(s.wraps...)) {
			return s
		}
	}
	switch {
	case o.Has("tool_use_id"): // of a tool of the provider, as the last
		return shapeOf("tool_result", nil)
	case strings.HasPrefix(typ, "tool-"):
		return shapeOf("dynamic-tool", nil)
	case strings.HasPrefix(typ, "data-"): // which a program shows
		return shapeOf("progressMessage", nil)
	case strings.HasSuffix(typ, "_tool_result_error"):
		return shapeOf("tool_result_error", nil)
	}
	return nil
}

func (r *Reader) block(raw []byte) []Block {
	o := record.Open(raw)
	typ := typeOf(o)
	s := shapeOf(typ, o)
	if s == nil {
		return r.unknown(typ, o, raw)
	}
	what, inner := typ, o
	wraps := -1
	if typ == "" {
		wraps = slices.IndexFunc(s.wraps, func(key string) bool { return o.Has(key) })
	}
	if wraps >= 0 {
		what = s.wraps[wraps]
		inner, raw = o.Open(what), o.Raw(what)
	}
	for _, key := range s.within {
		inner = inner.Open(key)
	}
	all := r.read(s, what, inner, raw)
	if s.within != nil {
		for i := range all {
			all[i].CallID = o.Text(ids...)
		}
	}
	if wraps >= 0 || s.within != nil {
		r.unread(inner)
	}
	r.unread(o)
	for i := range all {
		all[i].Role = s.role
	}
	return all
}

func typeOf(o record.Object) string {
	return o.Text("type", "part_kind", "content_type", "$type", "kind", "block_type")
}

// unread notes the members of a block that hold text and were not read.
func (r *Reader) unread(o record.Object) {
	r.Unread = slices.AppendSeq(r.Unread, o.Unread(NoContent))
}

// onlyText returns the member of a block that alone holds text, nil if none or several do.
func onlyText(o record.Object) (only *record.Member) {
	for i, m := range o {
		if !slices.Contains(NoContent, m.Key) && jsonwalk.HasText(m.Value) {
			if only != nil {
				return nil
			}
			only = &o[i]
		}
	}
	return only
}

// unknown reads a block of no shape in the table.
func (r *Reader) unknown(typ string, o record.Object, raw []byte) []Block {
	text, only := o.Text("text"), onlyText(o)
	switch {
	case text != "" && o.Is("thought"):
		r.unread(o)
		return []Block{{Kind: Thinking, Text: text}}
	case text != "":
		all := r.Content(o.Raw("text"))
		r.unread(o)
		return all
	case o.Type("text") == '"' && !o.Has("type"): // empty
		return nil
	case len(o) > 0 && !o.Has("type") && !slices.ContainsFunc(o, func(m record.Member) bool { return !slices.Contains(NoContent, m.Key) }): // nothing but a signature
		return []Block{Payload("thinking", "encrypted", o.Raw("thoughtSignature", "thought_signature", "signature"))}
	case typ == "" && only != nil && only.Key == "value" && jsonwalk.Type(only.Value) == '"':
		return r.Content(o.Raw("value"))
	case typ == "":
		if len(o) == 1 && slices.Contains([]string{"json", "output", "result"}, o[0].Key) { // a wrapper
			if c := jsonwalk.Type(o[0].Value); c != '{' && c != '[' {
				return r.Content(o[0].Value)
			}
			return []Block{{Text: record.Compact(o[0].Value)}}
		}
		r.Notes.Add("contents that are an object, kept as JSON")
		return []Block{{Text: record.Compact(raw)}}
	}
	if only != nil && jsonwalk.Type(only.Value) == '"' && !isPayload(only.Value) {
		r.Notes.Add(fmt.Sprintf("parts of unknown type %.40q, whose text is read", typ))
		return r.Content(only.Value)
	}
	r.Notes.Add(fmt.Sprintf("parts of unknown type %.40q, counted by their size", typ))
	return []Block{Payload(typ, "", raw)}
}

// read reads a block of a known shape; what is what its type, or the member that
// tells it, is called.
func (r *Reader) read(s *shape, what string, o record.Object, raw []byte) []Block {
	switch s.as {
	case asNothing:
		return nil
	case asJSON:
		if value := o.Raw(s.text...); value != nil {
			raw = value
		}
		return []Block{{Text: record.Compact(raw)}}
	case asThinking:
		if text := o.Text(s.text...); text != "" {
			return []Block{{Kind: Thinking, Text: text}}
		}
		if all := r.Thoughts(o.Raw(s.text...)); all != nil {
			return all
		}
		return []Block{Payload("thinking", "", o.Raw("signature"))} // only its signature is left
	case asEncrypted:
		return []Block{Payload("thinking", "encrypted", o.Raw(s.text...))}
	case asSummary:
		return []Block{{Kind: Summary, Text: o.Text(s.text...)}}
	case asCall:
		return []Block{callIn(o)}
	case asResult:
		return r.resultIn(o)
	case asCallAndResult:
		return r.callAndResult(what, o)
	case asBlock:
		return r.block(raw)
	case asShown:
		if jsonwalk.HasText(raw) {
			r.Unread = append(r.Unread, what)
		}
		return nil
	case asDocument:
		return r.document(what, o, raw)
	case asMedia:
		return []Block{media(what, o, raw)}
	case asTexts:
		var all []Block
		for _, key := range s.text {
			all = append(all, Block{Text: o.Text(key)})
		}
		return append(all, Payload("page", "encrypted", o.Raw("encrypted_content")))
	}
	return r.Content(o.Raw(s.text...))
}

// Failed reports whether a result, or the message or item that holds it, says that the
// call failed.
func Failed(o record.Object) bool {
	status := o.Text("status", "state")
	return o.Is("is_error") || o.Is("isError") || o.Type("success") == 'f' || status == "error" || status == "output-error" ||
		slices.Contains([]byte{'{', '"', 't'}, o.Type("error")) || o.Has("errorText", "error_text")
}

// callAndResult reads a call together with its result: {"type": "tool-NAME",
// "toolCallId", "input", "output"}, {"toolInvocation": {...}} (also with underscores) or
// {"state": {"input", "output"}}.
func (r *Reader) callAndResult(what string, o record.Object) []Block {
	in := o
	if inner := o.Open("toolInvocation", "tool_invocation"); inner != nil {
		o, in = inner, inner
	} else if inner := o.Open("state"); inner != nil {
		in = inner
	}
	id, name := o.Text(ids...), cmp.Or(o.Text(tools...), strings.TrimPrefix(what, "tool-"))
	all := []Block{CallOf(id, name, in.Raw("input", "args", "arguments"))}
	all = append(all, r.Result(id, name, Failed(in), in.Raw("output", "result", "errorText", "error_text", "error"))...)
	r.unread(in)
	return all
}

// document reads a document that is given as text, and a search result; any
// other is a payload.
func (r *Reader) document(what string, o record.Object, raw []byte) []Block {
	content := o.Raw("content")
	if source := o.Open("source"); source != nil {
		content = nil
		if typ := source.Text("type"); typ == "text" || typ == "content" {
			content = source.Raw("data", "content")
		} else if source.Has("text") {
			content = source.Raw("text")
		}
	}
	var texts []string
	for _, b := range r.Content(content) {
		if b.Size > 0 {
			return []Block{media(what, o, raw)}
		}
		texts = append(texts, b.Text)
	}
	text := strings.Join(texts, "\n")
	if text == "" {
		return []Block{media(what, o, raw)}
	}
	if about := o.Text("context"); about != "" { // what Anthropic's model reads beside the document
		text = about + "\n" + text
	}
	return []Block{{Kind: Document, Name: o.Text("title", "name", "source"), Text: text}}
}

func media(what string, o record.Object, raw []byte) Block {
	tiles, low := strings.HasSuffix(what, "_url") || what == "input_image", o.Text("detail") == "low"
	payload, kind := raw, o.Text("mimeType", "mime_type", "mediaType", "media_type", "image_mimetype", "document_mimetype", "modality", "format")
	for _, key := range [...]string{"source", "image_url", "input_audio", "file", "file_data", "image", "url", "uri", "fileUri", "file_uri", "content", "data", "audio", "value"} {
		value := o.Raw(key)
		if jsonwalk.Type(value) == '"' {
			payload = value
			continue
		}
		inner := record.Open(value)
		if data := inner.Raw("data", "url", "file_data", "file_id", "content", "bytes", "s3Location"); data != nil {
			payload = data
		}
		if s := inner.Text("media_type", "format", "filename"); s != "" {
			kind = s
		}
		low = low || inner.Text("detail") == "low"
		if inner.Text("type") == "text" { // a document given as text
			if text, _ := jsonwalk.String(payload); text != "" {
				return Block{Text: text}
			}
		}
	}
	b := Payload(mediaName(what, kind), kind, payload)
	if pointer := o.Raw("asset_pointer"); pointer != nil { // to a file beside an export of ChatGPT
		size, _ := record.Whole(o.Raw("size_bytes"))
		b = PayloadOf(mediaName(what, kind), kind, pointer, int(min(max(1, size), model.MaxTokens)))
	}
	if !strings.HasPrefix(b.Text, "[image") {
		return b
	}
	switch width, height := sizeOf(payload); {
	case tiles && low:
		b.guess = 85
	case width > 0 && height > 0:
		b.guess = imageTokens(width, height, tiles)
	}
	return b
}

// mediaName is what a payload is called by the type of its block, or by what it
// holds where that does not tell.
func mediaName(what, kind string) string {
	what = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(what, "input_"), "_url"), "_asset_pointer")
	switch what {
	case "computer_screenshot", "":
		return "image"
	case "inlineData", "inline_data", "fileData", "file_data", "blob", "uri", "media", "file":
		for _, medium := range [...]string{"image", "audio", "video"} {
			if strings.HasPrefix(kind, medium) {
				return medium
			}
		}
		return "file"
	}
	return what
}
