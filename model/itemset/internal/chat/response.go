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

// Items of OpenAI's Responses API, which requests hold under "input", answers
// under "output", and Codex writes a row each: messages, calls and results by
// themselves, linked by call_id.

// responseItems are the types of items that are no calls and no results of them.
var responseItems = []string{"reasoning", "item_reference", "ghost_snapshot", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "agent_message",
	"compaction", "compaction_summary", "context_compaction", "tool_search_output"}

// IsResponseItem reports whether typ is the type of an item of the Responses API that
// is not a message. Messages are recognised by their role.
func IsResponseItem(typ string) bool {
	return slices.Contains(responseItems, typ) || strings.HasSuffix(typ, "_call") || strings.HasSuffix(typ, "_call_output")
}

// ResponseItem reads one item of the Responses API as a message of one block, or of a
// call and its result if the item holds both. It returns false if the item was skipped
// or left out, which it tells the sink. An object must be valid.
func ResponseItem(sink record.Sink, at record.Place, raw []byte) (m conversation.Message, ok bool) {
	if jsonwalk.Type(raw) != '{' && !record.IsObject(sink, at, raw, "an item") {
		return m, false
	}
	o := record.Open(raw)
	m = conversation.Message{Place: at, Role: "assistant", ID: o.Text("id")}
	var in blocks.Reader
	encrypted := o.Raw("encrypted_content")
	switch typ := o.Text("type"); typ {
	case "message", "":
		if m.Role = o.Text("role"); m.Role == "" {
			sink.Tell(record.Skipped, at, "messages without a role")
			return m, false
		}
		m.Blocks = in.Content(o.Raw("content"))
	case "agent_message": // from another agent
		m.Role, m.Blocks = "user", in.Content(o.Raw("content"))
		if author := o.Text("author"); author != "" {
			m.Meta = map[string]any{"name": author}
		}
	case "reasoning":
		m.Blocks = append(in.Thoughts(o.Raw("summary"), o.Raw("content")), blocks.Payload("thinking", "encrypted", encrypted))
	case "compaction", "compaction_summary", "context_compaction":
		m.Summary, m.Blocks = true, []blocks.Block{blocks.Payload("memory", "encrypted", encrypted)}
	case "mcp_list_tools":
		for _, tool := range definitions(o) {
			m.Blocks = append(m.Blocks, blocks.Block{Kind: blocks.Result, Name: o.Text("server_label"), Text: tool})
		}
	case "item_reference", "ghost_snapshot", "mcp_approval_response":
		sink.Tell(record.LeftOut, at, typ+" items")
		return m, false
	default:
		if !IsResponseItem(typ) {
			sink.Tell(record.Skipped, at, fmt.Sprintf("items of unknown type %.40q", typ))
			return m, false
		}
		m.Blocks = callOrOutput(typ, o, &in)
	}
	conversation.Note(sink, at, in)
	record.TellUnread(sink, at, "item.", o, NoContent)
	return m, true
}

// definitions returns the tools that an item lists, each as its JSON.
func definitions(o record.Object) (all []string) {
	for tool := range o.List("tools") {
		all = append(all, record.Compact(tool))
	}
	return all
}

// callOrOutput reads a call or what came of it. The type names the tool where
// nothing else does.
func callOrOutput(typ string, o record.Object, in *blocks.Reader) []blocks.Block {
	id, name := o.Text("call_id", "id"), o.Text("name")
	if typ == "tool_search_output" { // the definitions that were found
		return in.Result(id, name, false, record.JSON(definitions(o)))
	}
	if strings.HasSuffix(typ, "_output") {
		output, failed := outputOf(o.Raw("output", "tools", "content", "result"))
		return in.Result(id, name, failed, output)
	}
	if name == "" && typ != "function_call" && typ != "custom_tool_call" {
		name = strings.TrimSuffix(typ, "_call")
	}
	if typ == "image_generation_call" {
		image := blocks.Payload("image", "", o.Raw("result"))
		image.Kind, image.CallID = blocks.Result, id
		return []blocks.Block{blocks.CallOf(id, name, o.Raw("revised_prompt")), image}
	}
	output, _ := outputOf(o.Raw("output", "outputs", "results", "error"))
	return append([]blocks.Block{blocks.CallOf(id, name, o.Raw("arguments", "input", "action", "operation", "code", "queries"))},
		in.Result(id, name, blocks.Failed(o), output)...)
}

// outputOf returns the content of an output, which is text, blocks or an object that
// holds either, and whether the output says that the call failed.
func outputOf(raw []byte) (content []byte, failed bool) {
	o := record.Open(raw)
	failed = o.Type("success") == 'f'
	if inner := o.Raw("content", "output", "body"); inner != nil && jsonwalk.Type(raw) == '{' && !o.Has("type") {
		return inner, failed
	}
	return raw, failed
}
