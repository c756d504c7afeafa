package chat

import (
	"cmp"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/conversation"
	"cupelscope/model/itemset/internal/record"
)

// form is how a program writes a message: what tells it, who speaks, and where it keeps
// what is said. A message with a role and a content needs none.
//
// A path is keys with dots between them, from the object that is the message.
type form struct {
	has   []string // what the object holds, see record.Object.Holds
	lacks []string // keys that it has not
	also  func(record.Object) bool
	// of says what the row is about where it holds nothing that was said; such rows are
	// left out.
	of string
	// inner is the path of the object that is a message of the usual form but for its role.
	inner string
	role  string // path of the role, or "=" and the role; of a list the last text is it
	name  string // path of the name of who speaks
	tools string // path of definitions of tools
	parts []part
	// langChain tells the messages of LangChain from those of others.
	langChain bool
}

type part struct {
	as       blocks.Kind
	at       string // path; with brackets at its end each element of a list is a part
	id, tool string // paths of the id and the name of a call, where they are not in the part
	role     string // who says it, if not the one who speaks
	after    string // what stands before the text, and is no part of it
	shown    string // path of a text that it may hold, as the screen shows it
}

// prompted begins the titles of prompts in what Google Takeout holds of Gemini.
const prompted = "Prompted "

var forms = []form{
	// LangChain and LangGraph: {"type": "human", "content"}, the same under data, or what
	// their serialisation makes of it.
	{has: []string{"lc", "kwargs:{", "kwargs.content"}, langChain: true, inner: "kwargs", role: "id", also: func(o record.Object) bool { return langChainRole(lastText(o.At("id"))) }},
	{has: []string{"type:\"", "data:{", "data.content"}, lacks: []string{"role"}, langChain: true, inner: "data", role: "type", also: func(o record.Object) bool { return len(o) == 2 && langChainRole(lastText(o.At("type"))) }},
	{has: []string{"type:\"", "content"}, lacks: []string{"role", "source"}, langChain: true, role: "type", also: func(o record.Object) bool { return langChainRole(lastText(o.At("type"))) }},
	{has: []string{"text", "message.kwargs.content", "message.id"}, inner: "message.kwargs", role: "message.id", langChain: true},
	{has: []string{"text", "message.type:\"", "message.content"}, inner: "message", role: "message.type", langChain: true},
	// Wrappers of opencode, of Continue, of Kiro and of Grok.
	{has: []string{"info.role", "parts:["}, lacks: []string{"role"}, role: "info.role", parts: []part{{as: blocks.Text, at: "parts"}}},
	{has: []string{"message.role", "message.content"}, lacks: []string{"role"}, inner: "message", role: "message.role", also: func(o record.Object) bool { return len(o) == 1 || o.Has("contextItems") }},
	{has: []string{"response.sender:\"", "response.message"}, inner: "response", role: "response.sender",
		parts: []part{{as: blocks.Thinking, at: "response.thinking_trace"}, {as: blocks.Text, at: "response.message"}}},
	// Events of Google's ADK hold a message of Gemini's.
	{has: []string{"content.parts:["}, lacks: []string{"role"}, also: func(o record.Object) bool { return o.Type("author") != '{' },
		role: "content.role", name: "author", parts: []part{{as: blocks.Text, at: "content.parts"}}},
	{has: []string{"from:\"", "value"}, role: "from", parts: []part{{as: blocks.Text, at: "value", tool: "name"}}},
	// The Copilot CLI. What the model was sent of a message of the user is its transformed
	// content; its content is what the screen shows.
	{has: []string{"type=user.message", "data.transformedContent:\""}, role: "=user", also: func(o record.Object) bool { return lastText(o.At("data.transformedContent")) != "" },
		parts: []part{{as: blocks.Text, at: "data.transformedContent", shown: "data.content"}}},
	{has: []string{"type=user.message", "data.content"}, role: "=user", parts: []part{{as: blocks.Text, at: "data.content"}}},
	{has: []string{"type=system.message", "data.content"}, role: "=system", parts: []part{{as: blocks.Text, at: "data.content"}}},
	{has: []string{"type=assistant.message", "data:{"}, role: "=assistant",
		parts: []part{{as: blocks.Thinking, at: "data.reasoningText"}, {as: blocks.Text, at: "data.content"}, {as: blocks.Call, at: "data.toolRequests[]"}}},
	{has: []string{"type=tool.execution_complete", "data:{"}, role: "=tool", parts: []part{{as: blocks.Result, at: "data.result.content", id: "data.toolCallId"}, {as: blocks.Result, at: "data.output", id: "data.toolCallId"},
		{as: blocks.Result, at: "data.error", id: "data.toolCallId"}}},
	{has: []string{"type:\"", "data:{", "timestamp"}, of: "type", also: func(o record.Object) bool { return strings.Contains(lastText(o.At("type")), ".") }},
	// Chats of Copilot in VS Code: a request with its answer.
	{has: []string{"message.text:\"", "response:["}, role: "=user", parts: []part{{as: blocks.Text, at: "message.text"}, {as: blocks.Text, at: "response", role: "assistant"}}},
	// OpenHands: its events, also the events of its newer kit.
	{has: []string{"source", "action=change_agent_state|null|recall", "args"}, of: "action"},
	{has: []string{"source", "observation=agent_state_changed|null", "extras"}, of: "observation"},
	{has: []string{"source", "action=message", "args.content"}, role: "source", parts: []part{{as: blocks.Text, at: "args.content"}}},
	{has: []string{"source", "action=system", "args.content"}, role: "=system", tools: "args.tools", parts: []part{{as: blocks.Text, at: "args.content"}}},
	{has: []string{"source", "action:\"", "args:{"}, role: "source", parts: []part{{as: blocks.Call, at: "args", id: "tool_call_metadata.tool_call_id", tool: "action"}}},
	{has: []string{"source", "observation:\"", "extras"}, role: "source", parts: []part{{as: blocks.Result, at: "content", id: "tool_call_metadata.tool_call_id", tool: "observation"}}},
	// Events of its first versions, which name no source, and events that its server gives to a
	// client.
	{has: []string{"type=action", "action:\"", "args:{"}, lacks: []string{"source", "role"}, role: "=assistant", parts: []part{{as: blocks.Call, at: "args", tool: "action"}}},
	{has: []string{"action=message", "content:\"", "wait_for_response:t"}, lacks: []string{"source"}, role: "=assistant", parts: []part{{as: blocks.Text, at: "content"}}},
	{has: []string{"action=message", "content:\"", "wait_for_response"}, lacks: []string{"source"}, role: "=user", parts: []part{{as: blocks.Text, at: "content"}}},
	{has: []string{"action=run|run_ipython|read|write|edit|browse|browse_interactive|delegate|finish|reject|think", "thought"}, lacks: []string{"source", "observation"}, role: "=assistant",
		parts: []part{{as: blocks.Text, at: "thought"}, {as: blocks.Call, at: "command", tool: "action"}, {as: blocks.Call, at: "code", tool: "action"},
			{as: blocks.Call, at: "path", tool: "action"}, {as: blocks.Call, at: "url", tool: "action"}, {as: blocks.Call, at: "browser_actions", tool: "action"}}},
	{has: []string{"observation=null|agent_state_changed", "content"}, lacks: []string{"source", "action", "role"}, of: "observation"},
	{has: []string{"observation=run|run_ipython|read|write|edit|browse|delegate|error", "content:\""}, lacks: []string{"source", "action", "role"}, role: "=tool",
		parts: []part{{as: blocks.Result, at: "content", tool: "observation"}}},
	{has: []string{"llm_message:{"}, inner: "llm_message", role: "source"},
	{has: []string{"kind=ActionEvent", "tool_call:{"}, role: "source",
		parts: []part{{as: blocks.Thinking, at: "reasoning_content"}, {as: blocks.Text, at: "thought"}, {as: blocks.Call, at: "tool_call"}}},
	{has: []string{"kind=ActionEvent", "action"}, role: "source",
		parts: []part{{as: blocks.Thinking, at: "reasoning_content"}, {as: blocks.Text, at: "thought"}, {as: blocks.Call, at: "action", id: "tool_call_id", tool: "tool_name"}}},
	{has: []string{"kind=ObservationEvent", "observation:{"}, role: "source", parts: []part{{as: blocks.Result, at: "observation.content", id: "tool_call_id", tool: "tool_name"}}},
	{has: []string{"kind=AgentErrorEvent", "error:\""}, role: "source", parts: []part{{as: blocks.Result, at: "error", id: "tool_call_id", tool: "tool_name"}}},
	{has: []string{"kind=SystemPromptEvent"}, role: "=system", tools: "tools", parts: []part{{as: blocks.Text, at: "system_prompt"}, {as: blocks.Text, at: "dynamic_context"}}},
	{has: []string{"kind:\"", "source:\"", "id:\"", "timestamp:\""}, lacks: []string{"content", "role"}, of: "kind"},
	// AutoGen: its events, and what its models are given.
	{has: []string{"source:\"", "models_usage", "content"}, role: "source", name: "source", parts: []part{{as: blocks.Text, at: "content"}}},
	{has: []string{"type=UserMessage|AssistantMessage|SystemMessage|FunctionExecutionResultMessage", "content"}, role: "type", name: "source",
		parts: []part{{as: blocks.Thinking, at: "thought"}, {as: blocks.Text, at: "content"}}},
	// Pydantic AI, Semantic Kernel and Haystack.
	{has: []string{"kind=request", "parts:["}, role: "=user", parts: []part{{as: blocks.Text, at: "instructions", role: "system"}, {as: blocks.Text, at: "parts"}}},
	{has: []string{"kind=response", "parts:["}, role: "=assistant", parts: []part{{as: blocks.Text, at: "parts"}}},
	{has: []string{"Role.Label", "Items:["}, role: "Role.Label", name: "AuthorName", parts: []part{{as: blocks.Text, at: "Items"}}},
	{has: []string{"role:\"", "items:["}, lacks: []string{"content"}, role: "role", parts: []part{{as: blocks.Text, at: "items"}}},
	{has: []string{"role:\"", "blocks:["}, lacks: []string{"content"}, role: "role", parts: []part{{as: blocks.Text, at: "blocks", id: "additional_kwargs.tool_call_id"}}}, // LlamaIndex
	{has: []string{"_role:\"", "_content:["}, role: "_role", name: "_name", parts: []part{{as: blocks.Text, at: "_content"}}},
	// Steps of smolagents and of ATIF.
	{has: []string{"step_number", "model_output"}, role: "=assistant", parts: []part{{as: blocks.Text, at: "model_output"}, {as: blocks.Call, at: "tool_calls[]"}, {as: blocks.Result, at: "observations"}}},
	{has: []string{"step_id", "source:\"", "message"}, role: "source",
		parts: []part{{as: blocks.Thinking, at: "reasoning_content"}, {as: blocks.Text, at: "message"}, {as: blocks.Call, at: "tool_calls[]"}, {as: blocks.Result, at: "observation.results[]"}}},
	// What Google Takeout holds of Gemini: what was asked, and the answer in HTML. Other rows
	// say what else was done.
	{has: []string{"header", "products:[", "title:\""}, role: "=user", also: func(o record.Object) bool {
		return o.Has("safeHtmlItem") || strings.HasPrefix(lastText(o.At("title")), prompted)
	},
		parts: []part{{as: blocks.Text, at: "title", after: prompted}, {as: blocks.Text, at: "safeHtmlItem", role: "assistant"}}},
	{has: []string{"header", "products:[", "title:\""}, of: "title"},
	// What codex exec prints with --json.
	{has: []string{"type=item.completed", "item.type=agent_message"}, role: "=assistant", parts: []part{{as: blocks.Text, at: "item.text"}}},
	{has: []string{"type=item.completed", "item.type=reasoning"}, role: "=assistant", parts: []part{{as: blocks.Thinking, at: "item.text"}}},
	{has: []string{"type=item.completed", "item.type=command_execution"}, role: "=assistant",
		parts: []part{{as: blocks.Call, at: "item.command", id: "item.id", tool: "item.type"}, {as: blocks.Result, at: "item.aggregated_output", id: "item.id", tool: "item.type"}}},
	{has: []string{"type=item.completed", "item.type=mcp_tool_call"}, role: "=assistant",
		parts: []part{{as: blocks.Call, at: "item.arguments", id: "item.id", tool: "item.tool"}, {as: blocks.Result, at: "item.result.content", id: "item.id", tool: "item.tool"}, {as: blocks.Result, at: "item.error", id: "item.id", tool: "item.tool"}}},
	{has: []string{"type=item.completed", "item.type=file_change"}, role: "=assistant", parts: []part{{as: blocks.Call, at: "item.changes", id: "item.id", tool: "item.type"}}},
	{has: []string{"type=item.completed", "item.type=web_search"}, role: "=assistant", parts: []part{{as: blocks.Call, at: "item.query", id: "item.id", tool: "item.type"}}},
	{has: []string{"type=thread.started|turn.started|turn.completed|turn.failed|item.started|item.updated|item.completed"}, of: "type"},
	// Calls and results of MCP.
	{has: []string{"jsonrpc", "method=tools/call", "params.name"}, role: "=assistant", parts: []part{{as: blocks.Call, at: "params.arguments", id: "id", tool: "params.name"}}},
	{has: []string{"jsonrpc", "result.content:["}, role: "=tool", parts: []part{{as: blocks.Result, at: "result.content", id: "id"}}},
	{has: []string{"content:["}, lacks: []string{"role", "type"}, role: "=tool", parts: []part{{as: blocks.Result, at: "content"}}, also: func(o record.Object) bool { return o.Has("isError", "structuredContent", "resultType") }},
	{has: []string{"jsonrpc"}, of: "method", lacks: []string{"result"}},
}

// langChainRole reports whether a text is the type of a message of LangChain, or the name
// of its class.
func langChainRole(typ string) bool {
	typ = strings.TrimSuffix(strings.TrimSuffix(typ, "Chunk"), "Message")
	return slices.Contains([]string{"human", "ai", "system", "tool", "function"}, strings.ToLower(typ))
}

func isLangChain(o record.Object) bool {
	f := formOf(o)
	return f != nil && f.langChain
}

// formOf returns the form of an object, nil if it is none.
func formOf(o record.Object) *form {
	if o.Type("role") == '"' && !o.Has("items", "blocks") { // the usual message, at less cost
		return nil
	}
	for i := range forms {
		if forms[i].is(o) {
			return &forms[i]
		}
	}
	return nil
}

func (f *form) is(o record.Object) bool {
	return o.Holds(f.has...) && !o.Has(f.lacks...) && (f.also == nil || f.also(o))
}

// lastText returns a text, or the last one of a list of them.
func lastText(raw []byte) string {
	s, _ := jsonwalk.String(raw)
	for one := range jsonwalk.Elements(raw) {
		s, _ = jsonwalk.String(one)
	}
	return s
}

func (f *form) speaker(o *record.Opened) string {
	if role, fixed := strings.CutPrefix(f.role, "="); fixed {
		return role
	}
	return Role(lastText(o.Raw(f.role)))
}

func (f *form) read(m *conversation.Message, o *record.Opened, in *blocks.Reader) {
	for _, has := range f.has { // a member that can be nothing else is read
		if path, _, named := strings.Cut(has, "="); named {
			o.Raw(path)
		}
	}
	if name := lastText(o.Raw(f.name)); name != "" {
		m.Meta = map[string]any{"name": name}
	}
	for _, p := range f.parts {
		path, list := strings.CutSuffix(p.at, "[]")
		values := [][]byte{o.Raw(path)}
		if list {
			values = slices.Collect(jsonwalk.Elements(values[0]))
		}
		for _, raw := range values {
			all := p.read(m.Role, raw, o, in)
			for i := range all {
				all[i].Role = cmp.Or(all[i].Role, p.role)
			}
			m.Blocks = append(m.Blocks, all...)
		}
	}
}

func (p *part) read(role string, raw []byte, o *record.Opened, in *blocks.Reader) []blocks.Block {
	id, tool := lastText(o.Raw(p.id)), lastText(o.Raw(p.tool))
	if n := o.Raw(p.id); id == "" && jsonwalk.IsNumber(n) {
		id = string(n)
	}
	switch {
	case raw == nil || jsonwalk.IsNull(raw):
		return nil
	case p.as == blocks.Thinking:
		return in.Thoughts(raw)
	case p.as == blocks.Call && p.tool != "":
		return []blocks.Block{blocks.CallOf(id, tool, raw)}
	case p.as == blocks.Call:
		return []blocks.Block{in.Call(raw)}
	case p.as == blocks.Result && p.id == "" && jsonwalk.Type(raw) == '{':
		return in.ResultIn(raw)
	case p.as == blocks.Result, role == "tool" && !in.HoldsResults(raw):
		return in.Result(id, tool, failedAt(o, p.at) || failedAt(o, p.id), raw)
	case role == "function_call":
		return []blocks.Block{{Kind: blocks.Call, Text: lastText(raw)}}
	}
	all := in.Content(raw)
	if len(all) > 0 {
		all[0].Text = strings.TrimPrefix(all[0].Text, p.after)
	}
	if p.shown != "" && repeats(all, lastText(o.At(p.shown))) {
		o.Raw(p.shown)
	}
	return all
}

// failedAt reports whether the object in which a path ends says that a call failed.
func failedAt(o *record.Opened, path string) bool {
	return blocks.Failed(o.In(path[:max(0, strings.LastIndexByte(path, '.'))]))
}
