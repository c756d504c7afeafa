package itemset

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

// sample is a small file of a format, written by hand, and what is to come of it.
type sample struct {
	name   string
	format Format
	in     string
	want   string
}

// rule is what gitingest puts around the name of a file.
var rule = strings.Repeat("=", 48)

// formatSamples has a sample for each shape of each format. Every test that walks
// the formats walks them.
var formatSamples = []sample{
	{"a request of Converse", "bedrock", `{"modelId":"some.model","system":[{"text":"be brief"},{"cachePoint":{"type":"default"}}],
		"toolConfig":{"tools":[{"toolSpec":{"name":"grep","inputSchema":{"json":{}}}}]},
		"messages":[
			{"role":"user","content":[{"text":"look"},{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}},{"document":{"format":"txt","name":"notes","source":{"text":"a note"}}}]},
			{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}},{"text":"I look"},{"toolUse":{"toolUseId":"t1","name":"grep","input":{"p":"x"}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"found"},{"json":{"n":1}}],"status":"success"}}]}]}`,
		`SystemPrompt!/toolDefinition: {"name":"grep","inputSchema":{"json":{}}}
SystemPrompt!: be brief
Message: look
Message/opaque: [image png, 9 bytes, #]
Document/document: a note
Message/thinking: hm
Message: I look
Message/toolCall: grep {"p":"x"}
ToolOutput/toolResult: found
{"n":1}`},
	{"an answer of Converse", "bedrock", `{"output":{"message":{"role":"assistant","content":[{"text":"hi there"}]}},"stopReason":"end_turn","usage":{"inputTokens":9,"outputTokens":2,"totalTokens":11}}`, "Message: hi there"},
	{"a message of Converse a line", "bedrock", `{"role":"user","content":[{"text":"hi"}]}` + "\n" + `{"role":"assistant","content":[{"text":"ho"}]}`, "Message: hi\nMessage: ho"},
	{"LangChain messages", "langchain", `[{"type":"system","content":"be brief"},{"type":"human","content":"look","id":"h1"},
		{"type":"ai","content":[{"type":"text","text":"I look"}],"tool_calls":[{"name":"grep","args":{"p":"x"},"id":"t1","type":"tool_call"}],"response_metadata":{"model_name":"some-model"}},
		{"type":"tool","content":"found","tool_call_id":"t1","name":"grep","status":"success"}]`,
		"SystemPrompt!: be brief\nMessage: look\nMessage: I look\nMessage/toolCall: grep {\"p\":\"x\"}\nToolOutput/toolResult: found"},
	{"LangChain messages under data", "langchain", `[{"type":"human","data":{"content":"hi","additional_kwargs":{}}},{"type":"ai","data":{"content":"ho"}}]`, "Message: hi\nMessage: ho"},
	{"LangChain constructors", "langchain", `[{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"hi"}},
		{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{"content":"","additional_kwargs":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}}}]`, "Message: hi\nMessage/toolCall: f {}"},
	{"a state of LangGraph", "langchain", `{"values":{"messages":[{"type":"human","content":"hi"},{"type":"ai","content":"ho"}]},"next":[]}`, "Message: hi\nMessage: ho"},
	{"a request of Gemini", "gemini", `{"systemInstruction":{"parts":[{"text":"be brief"}]},"tools":[{"functionDeclarations":[{"name":"grep"},{"name":"ls"}]}],
		"contents":[{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]},
		{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look"},{"functionCall":{"name":"grep","args":{"p":"x"}},"thoughtSignature":"c2ln"}]},
		{"role":"user","parts":[{"functionResponse":{"name":"grep","response":{"output":"found"}}}]}]}`,
		`SystemPrompt!/toolDefinition: {"name":"grep"}
SystemPrompt!/toolDefinition: {"name":"ls"}
SystemPrompt!: be brief
Message: look
Message/opaque: [image image/png, 9 bytes, #]
Message/thinking: hm
Message: I look
Message/toolCall: grep {"p":"x"}
ToolOutput/toolResult: found`},
	{"an answer of Gemini", "gemini", `{"candidates":[{"content":{"role":"model","parts":[{"text":"hi there"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2},"modelVersion":"gemini-x"}`, "Message: hi there"},
	{"a turn of Gemini without a role", "gemini", `{"contents":[{"parts":[{"text":"hi"}]}],"candidates":[{"content":{"parts":[{"text":"ho"}]},"finishReason":"STOP"}]}`, "Message: hi\nMessage: ho"},
	{"a file of an agent of Letta", "anthropic", `{"agents":[{"name":"a","system":"be brief","messages":[{"type":"message","role":"system","content":[{"type":"text","text":"be brief\nand kind"}]},{"type":"message","role":"user","content":[{"type":"text","text":"hi"}]}]}],
		"tools":[{"name":"f","source_code":"def f(): pass","json_schema":{"name":"f"}}],"blocks":[{"label":"human","value":"her name"}]}`, "SystemPrompt!/toolDefinition: {\"name\":\"f\"}\nSystemPrompt!: be brief\nand kind\nMessage: hi"},
	{"turns with tools as a text", OpenAI, `[{"conversations":[{"from":"human","value":"hi"},{"from":"gpt","value":"ho"}],"tools":"[{\"name\":\"f\"}]"}]`, "SystemPrompt!/toolDefinition: {\"name\":\"f\"}\nMessage: hi\nMessage: ho"},
	{"an export of ChatGPT whose nodes name no parent", OpenAI, `[{"title":"t","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":["hi"]}}},"b":{"message":null},"c":{"message":{"author":{"role":"assistant"},"content":{"parts":["ho"]}}}}}]`, "Message: hi\nMessage: ho"},
	{"an export of Claude with blocks alone", OpenAI, `[{"uuid":"u","name":"n","chat_messages":[{"uuid":"1","sender":"human","content":[{"type":"text","text":"hi"}]},{"uuid":"2","sender":"assistant","content":[{"type":"text","text":"ho"}]}]}]`, "Message: hi\nMessage: ho"},
	{"messages that are wrapped and nothing else", OpenAI, `{"title":"t","history":[{"message":{"role":"user","content":"hi"}},{"message":{"role":"assistant","content":"ho"}}]}`, "Message: hi\nMessage: ho"},
	{"runs of which one has messages", OpenAI, `{"runs":[{"inputs":{"question":"what"},"outputs":{"answer":"that"}},{"inputs":{"messages":[{"role":"user","content":"hi"}]}}]}`, "Message: hi"},
	{"an answer of a server of Hugging Face", OpenAI, `{"object":"text_completion","choices":[{"index":0,"message":{"role":"assistant","content":"ho"},"finish_reason":"eos_token"}]}`, "Message: ho"},
	{"a document of Pyserini alone", Documents, `{"id":"d1","contents":"the text"}`, "Document: the text"},
	{"an answer of Gemini 1.0 in pieces of a list", "gemini", `[{"candidates":[{"content":{"role":"model","parts":[{"text":"a "}]},"finishReason":"STOP"}]},{"candidates":[{"content":{"role":"model","parts":[{"text":"piece"}]},"finishReason":"STOP"}]}]`, "Message: a piece"},
	{"a result of MCP without its envelope", OpenAI, `{"content":[{"type":"text","text":"found"}],"isError":true}`, "ToolOutput/toolResult: found"},
	{"an answer of several messages", OpenAI, `{"object":"chat.completion","choices":[{"index":0,"messages":[{"role":"tool","content":"found"},{"role":"assistant","content":"ho"}]}]}`, "ToolOutput/toolResult: found\nMessage: ho"},
	{"events that OpenHands gives to a client", OpenAI, `{"url":"u","json":[{"id":"1","type":"action","action":"run","args":{"command":"ls"}},{"id":"2","type":"observation","observation":"run","content":"a.go"},{"id":"3","type":"action","action":"finish","args":{"message":"done"}}]}`,
		"Message/toolCall: run {\"command\":\"ls\"}\nToolOutput/toolResult: a.go\nMessage/toolCall: finish {\"message\":\"done\"}"},
	{"a span with the text of its answer", "otel", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"chat","attributes":[{"key":"gen_ai.response.output_text","value":{"stringValue":"ho"}}]}]}]}]}`, "Message: ho"},
	{"documents with their chunks", Documents, `[{"doc_id":"d","original_uuid":"u","content":"one two","chunks":[{"chunk_id":"c1","original_index":0,"content":"one"},{"chunk_id":"c2","original_index":1,"content":"two"}]}]`, "Document: one\nDocument: two"},
	{"events of OpenHands in the answer of a server", OpenAI, `{"request":{"method":"GET"},"response":{"status_code":200,"json":{"trajectory":[{"source":"user","action":"message","args":{"content":"hi"}},{"source":"agent","action":"message","args":{"content":"ho"}}]}}}`, "Message: hi\nMessage: ho"},
	{"a session of Codex before it had rows", OpenAI, `{"session":{"id":"s","instructions":"be brief"},"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ho"}]}]}`, "Message: hi\nMessage/thinking: hm\nMessage: ho"},
	{"a result of promptfoo", OpenAI, `{"evalId":"e","results":{"version":3,"results":[{"prompt":{"raw":"[{\"role\":\"system\",\"content\":\"be brief\"},{\"role\":\"user\",\"content\":\"hi\"}]","label":"say {{what}}"},"vars":{"what":"hi"},"response":{"output":"ho"}}]}}`, "SystemPrompt!: be brief\nMessage: hi\nMessage: ho"},
	{"turns of a user and an assistant by their type", OpenAI, `{"type":"user","content":"hi there","timestamp":"2026-01-01T00:00:00Z"}` + "\n" + `{"type":"assistant","content":"ho","timestamp":"2026-01-01T00:00:01Z"}`, "Message: hi there\nMessage: ho"},
	{"an answer of Gemini in pieces of a list", "stream", `[{"candidates":[{"content":{"role":"model","parts":[{"text":"a "}]}}]},{"candidates":[{"content":{"role":"model","parts":[{"text":"piece"}]},"finishReason":"STOP"}]}]`, "Message: a piece"},
	{"a request of the library of Gemini", "gemini", `{"model":"gemini-x","config":{"system_instruction":"be brief","tools":[{"function_declarations":[{"name":"f"}]}],"response_mime_type":"text/plain"},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`,
		"SystemPrompt!/toolDefinition: {\"name\":\"f\"}\nSystemPrompt!: be brief\nMessage: hi"},
	{"contents of Gemini as a text", "gemini", `{"model":"gemini-x","contents":"hi"}`, "Message: hi"},
	{"events of OpenAI", "stream", "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"hi \"}}]}\n\n" +
		"data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"there\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}]}}]}\n\n" +
		"data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}}]}\n\ndata: [DONE]\n\n",
		"Message: hi there\nMessage/toolCall: f {\"a\":1}"},
	{"events of Anthropic", "stream", "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"claude-x\",\"usage\":{\"input_tokens\":9}}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hi\"}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
		"Message: hi\nMessage/toolCall: f {}"},
	{"calls of OpenAI side by side", "stream", `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":"{\"a\""}},{"index":1,"id":"u","function":{"name":"g","arguments":"{}"}}]}}]}` + "\n" + `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}`,
		"Message/toolCall: f {\"a\":1}\nMessage/toolCall: g {}"},
	{"a call of OpenAI before there were tools", "stream", `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"function_call":{"name":"f","arguments":"{"}}}]}` + "\n" + `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"function_call":{"arguments":"}"}}}]}`, "Message/toolCall: f {}"},
	{"events of the Responses API", "stream", `{"type":"response.output_item.done","item":{"id":"rs","type":"reasoning","summary":[],"encrypted_content":"QUJD"}}` + "\n" + `{"type":"response.output_item.done","item":{"id":"ci","type":"code_interpreter_call","status":"completed","code":"1+1","outputs":[{"type":"logs","logs":"2"}]}}` + "\n" +
		`{"type":"response.output_text.delta","delta":"two"}` + "\n" + `{"type":"response.output_item.done","item":{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}` + "\n" + `{"type":"response.completed","response":{"usage":{"output_tokens":1}}}`,
		"Message: two\nMessage/opaque: [thinking encrypted, 3 bytes, #]\nMessage/toolCall: code_interpreter 1+1\nToolOutput/toolResult: 2"},
	{"a compaction of Anthropic while it is written", "stream", `{"type":"message_start","message":{"id":"m","model":"claude-x"}}` + "\n" + `{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":null}}` + "\n" + `{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"so far"}}` + "\n" +
		`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"on"}}` + "\n" + `{"type":"message_stop"}`, "Memory/summary: so far\nMessage: on"},
	{"a call of Gemini in pieces", "stream", `{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"cook","willContinue":true}}]}}]}` + "\n" + `{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.list[0].name","stringValue":"e","willContinue":true}],"willContinue":true}}]}}]}` + "\n" +
		`{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.list[0].name","stringValue":"gg"},{"jsonPath":"$.list[0].n","numberValue":2}],"willContinue":true}}]}}]}` + "\n" + `{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{}}]}}]}` + "\n" +
		`{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"serve","willContinue":true}}]}}]}` + "\n" + `{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"functionCall":{}}]}}]}`,
		"Message/toolCall: cook {\"list\":[{\"n\":2,\"name\":\"egg\"}]}\nMessage/toolCall: serve {}"},
	{"lines of Mistral that think", "stream", `{"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]}}]}` + "\n" + `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}]}]}}]}` + "\n" + `{"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"two"}}]}`,
		"Message/thinking: hm\nMessage: two"},
	{"a completion of OpenAI before there was chat", "stream", `{"id":"1","object":"text_completion","model":"m","choices":[{"text":"hi ","index":0}]}` + "\n" + `{"id":"1","object":"text_completion","model":"m","choices":[{"text":"there","index":0}]}`, "Message: hi there"},
	{"results of the tools that Anthropic runs", "stream", `{"type":"message_start","message":{"id":"m","model":"claude-x"}}` + "\n" + `{"type":"content_block_start","index":0,"content_block":{"type":"text_editor_code_execution_tool_result","tool_use_id":"a","content":{"type":"text_editor_code_execution_view_result","file_type":"text","content":"a file"}}}` + "\n" +
		`{"type":"content_block_start","index":1,"content_block":{"type":"text_editor_code_execution_tool_result","tool_use_id":"b","content":{"type":"text_editor_code_execution_str_replace_result","lines":["-a","+b"]}}}` + "\n" + `{"type":"content_block_start","index":2,"content_block":{"type":"text_editor_code_execution_tool_result","tool_use_id":"c","content":{"type":"text_editor_code_execution_create_result","is_file_update":false}}}` + "\n" +
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_search_tool_result","tool_use_id":"d","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"f"},{"type":"tool_reference","tool_name":"g"}]}}}` + "\n" + `{"type":"content_block_start","index":4,"content_block":{"type":"web_fetch_tool_result","tool_use_id":"e","content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}}}`,
		"ToolOutput/toolResult: a file\nToolOutput/toolResult: -a\n+b\nToolOutput/toolResult: {\"type\":\"text_editor_code_execution_create_result\",\"is_file_update\":false}\nToolOutput/toolResult: f\ng\nToolOutput/toolResult: unavailable"},
	{"lines of Ollama", "stream", `{"model":"llama3","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":"hi "},"done":false}` + "\n" +
		`{"model":"llama3","created_at":"2025-01-01T00:00:01Z","message":{"role":"assistant","content":"there"},"done":true,"prompt_eval_count":5,"eval_count":2}`, "Message: hi there"},
	{"lines of Kimi", "stream", `{"id":"1","created":1,"model":"kimi-x","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"hm"},"finish_reason":null}]}` + "\n" +
		`{"id":"1","created":1,"model":"kimi-x","choices":[{"index":0,"delta":{"content":"he"},"finish_reason":null}]}` + "\n" + `{"id":"1","created":1,"model":"kimi-x","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":"stop"}]}`,
		"Message/thinking: hm\nMessage: hello"},
	{"lines of Gemini", "stream", `{"candidates":[{"content":{"parts":[{"text":"he"}],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r"}` + "\n" +
		`{"candidates":[{"content":{"parts":[{"text":"llo"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"candidatesTokenCount":1},"modelVersion":"gemini-x","responseId":"r"}`, "Message: hello"},
	{"lines of Converse", "stream", `{"messageStart":{"role":"assistant"}}` + "\n" + `{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"he"}}}` + "\n" + `{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"llo"}}}` + "\n" +
		`{"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}}` + "\n" + `{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"a\":1}"}}}}` + "\n" +
		`{"messageStop":{"stopReason":"tool_use"}}` + "\n" + `{"metadata":{"usage":{"inputTokens":3,"outputTokens":2}}}`, "Message: hello\nMessage/toolCall: f {\"a\":1}"},
	{"lines of Anthropic", "stream", `{"type":"message_start","message":{"model":"claude-x","id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}` + "\n" +
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n" + `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}` + "\n" + `{"type":"message_stop"}`, "Message: hello"},
	{"lines of Cohere", "stream", `{"is_finished":false,"event_type":"stream-start","generation_id":"g"}` + "\n" + `{"is_finished":false,"event_type":"text-generation","text":"hi "}` + "\n" +
		`{"is_finished":false,"event_type":"text-generation","text":"there"}` + "\n" + `{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"hi there"}}`, "Message: hi there"},
	{"a session of a sub-agent alone", ClaudeCode, `{"type":"user","uuid":"1","isSidechain":true,"sessionId":"s","message":{"role":"user","content":"x"}}` + "\n" + `{"type":"user","uuid":"1","isSidechain":true,"sessionId":"s","message":{"role":"user","content":"x"}}`, "Message: x"},
	{"a session of the web", ClaudeCode, `{"loglines":[{"type":"user","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"hi"}},{"type":"assistant","timestamp":"2025-01-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"text","text":"ho"}]}}]}`, "Message: hi\nMessage: ho"},
	{"rows of Droid", "agent-rows", `{"type":"session_start","id":"s","title":"t"}` + "\n" + `{"type":"message","id":"1","timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}` + "\n" +
		`{"type":"message","id":"2","timestamp":"2025-01-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}}` + "\n" +
		`{"type":"message","id":"3","timestamp":"2025-01-01T00:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]}}`, "Message: hi\nMessage/toolCall: f {}\nToolOutput/toolResult: done"},
	{"rows of pi", "agent-rows", `{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00Z","cwd":"/x"}` + "\n" + `{"type":"message","id":"1","parentId":null,"timestamp":"2025-01-01T00:00:00Z","message":{"role":"user","content":"old"}}` + "\n" +
		`{"type":"compaction","id":"c","timestamp":"2025-01-01T00:00:01Z","summary":"so far","firstKeptEntryId":"9"}` + "\n" +
		`{"type":"message","id":"2","parentId":"1","timestamp":"2025-01-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"t","name":"f","arguments":{}}],"model":"m"}}` + "\n" +
		`{"type":"message","id":"3","parentId":"2","timestamp":"2025-01-01T00:00:02Z","message":{"role":"toolResult","toolCallId":"t","toolName":"f","content":[{"type":"text","text":"done"}],"isError":true}}`, "Memory: so far\nMessage/thinking: hm\nMessage/toolCall: f {}\nToolOutput/toolResult: done"},
	{"rows of Cursor", "agent-rows", `{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}` + "\n" + `{"role":"assistant","message":{"content":[{"type":"text","text":"ho"}]}}`, "Message: hi\nMessage: ho"},
	{"a session of Gemini CLI", "gemini-cli", `{"sessionId":"s","projectHash":"h","startTime":"2025-01-01T00:00:00Z","messages":[{"id":"1","timestamp":"2025-01-01T00:00:00Z","type":"user","content":"hi"},
		{"id":"2","timestamp":"2025-01-01T00:00:01Z","type":"gemini","content":"ho","thoughts":[{"subject":"hm","description":"so"}],"toolCalls":[{"id":"t","name":"f","args":{"p":1},"result":[{"functionResponse":{"id":"t","name":"f","response":{"output":"done"}}}],"status":"success"}],"tokens":{"input":9,"output":1},"model":"gemini-x"},
		{"id":"3","timestamp":"2025-01-01T00:00:02Z","type":"info","content":"bye"}]}`, "Message: hi\nMessage/thinking: hm\nso\nMessage: ho\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: done"},
	{"lines of Gemini CLI", "gemini-cli", `{"sessionId":"s","projectHash":"h","startTime":"2025-01-01T00:00:00Z","kind":"main"}` + "\n" + `{"id":"1","timestamp":"2025-01-01T00:00:00Z","type":"user","content":[{"text":"hi"}]}` + "\n" + `{"$set":{"lastUpdated":"2025-01-01T00:00:01Z"}}` + "\n" + `{"id":"2","timestamp":"2025-01-01T00:00:01Z","type":"gemini","content":"ho"}`, "Message: hi\nMessage: ho"},
	{"rows of Qwen Code", "qwen-code", `{"uuid":"1","parentUuid":null,"sessionId":"s","timestamp":"2025-01-01T00:00:00Z","type":"user","message":{"role":"user","parts":[{"text":"hi"}]}}` + "\n" +
		`{"uuid":"2","parentUuid":"1","sessionId":"s","timestamp":"2025-01-01T00:00:01Z","type":"assistant","model":"qwen-x","message":{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"t","name":"f","args":{}}}]}}` + "\n" +
		`{"uuid":"3","parentUuid":"2","sessionId":"s","timestamp":"2025-01-01T00:00:02Z","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t","name":"f","response":{"output":"done"}}}]}}`, "Message: hi\nMessage/thinking: hm\nMessage/toolCall: f {}\nToolOutput/toolResult: done"},
	{"a pack of repomix", "repo-pack", "This file is a merged representation of a codebase.\n\n<file_summary>\nsummary\n</file_summary>\n\n<files>\nThis section has the files.\n\n<file path=\"a.go\">\npackage a\n</file>\n\n<file path=\"d/b.md\">\n# b\n\n</file>\n\n</files>\n",
		"Document: This file is a merged representation of a codebase.\n\n<file_summary>\nsummary\n</file_summary>\n\n<files>\nThis section has the files.\nDocument: package a\nDocument: # b\nDocument: </files>"},
	{"a pack of repomix in Markdown", "repo-pack", "# File Summary\n\nx\n\n# Files\n\n## File: a.go\n```go\npackage a\n```\n\n## File: b.go\n````\n```\n````\n", "Document: # File Summary\n\nx\n\n# Files\nDocument: package a\nDocument: ```"},
	{"a digest of gitingest", "repo-pack", "Directory structure:\n└── x/\n    └── a.go\n\n" + rule + "\nFILE: a.go\n" + rule + "\npackage a\n\n\n" + rule + "\nFILE: b.go\n" + rule + "\npackage b\n", "Document: Directory structure:\n└── x/\n    └── a.go\nDocument: package a\nDocument: package b"},
	{"a prompt of code2prompt", "repo-pack", "Project Path: x\n\nSource Tree:\n\n```\nx\n└── a.go\n```\n\n`/x/a.go`:\n\n```go\npackage a\n```\n\n`/x/b.go`:\n\n```go\npackage b\n```\n", "Document: Project Path: x\n\nSource Tree:\n\n```\nx\n└── a.go\n```\nDocument: package a\nDocument: package b"},
	{"a prompt of code2prompt for Python", "repo-pack", "# Table of Contents\n- a.py\n- b.py\n\n## File: a.py\n\n- Extension: .py\n- Language: python\n- Size: 9 bytes\n\n### Code\n\n```python\na = 1\n\n```\n\n## File: b.py\n\n- Extension: .py\n- Language: python\n\n### Code\n\n```python\nb = 2\n```\n",
		"Document: # Table of Contents\n- a.py\n- b.py\nDocument: a = 1\nDocument: b = 2"},
	{"a pack of repomix in JSON", "repo-pack", `{"fileSummary":{"purpose":"a pack"},"directoryStructure":"a.go\nd/b.md","files":{"a.go":"package a\n","d/b.md":"# b\n","empty":""}}`, "Document: a pack\n\na.go\nd/b.md\nDocument: package a\nDocument: # b"},
	{"a history of aider", "chat-log", "\n# aider chat started at 2025-01-01 10:00:00\n\n> Aider v1  \n> Model: x  \n\n#### fix it  \n#### please  \n\nI fix it.\n\n> Applied edit to a.go  \n", "ToolOutput/toolResult: Aider v1\nModel: x\nMessage: fix it  \nplease  \nMessage: I fix it.\nToolOutput/toolResult: Applied edit to a.go"},
	{"a log of SpecStory with thinking", "chat-log", "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n_**User (2025-01-01 10:00:05Z)**_\n\none\n\n---\n\ntwo\n\n---\n\n_**Agent (x 2025-01-01 10:00:07Z)**_\n\n<think><details><summary>Thought Process</summary>\nhm\n</details></think>\n\n_**Agent (x 2025-01-01 12:00:09+0200)**_\n\n<tool-use data-tool-type=\"read\" data-tool-name=\"Read\"><details>\n_**User (2025-01-01 10:00:05Z)**_\n</details></tool-use>\nso it is\n",
		"Message: one\n\n---\n\ntwo\nMessage/thinking: hm\nToolOutput/toolResult: <tool-use data-tool-type=\"read\" data-tool-name=\"Read\"><details>\n_**User (2025-01-01 10:00:05Z)**_\n</details></tool-use>\nMessage: so it is"},
	{"a log of SpecStory", "chat-log", "<!-- Generated by SpecStory -->\n\n# A title\n\n_**User (2025-01-01T10:00:00Z)**_\n\nhi\n\n---\n\n_**Agent (model x)**_\n\nI look\n\n<tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\nls\n</details></tool-use>\n", "Message: hi\nMessage: I look\nToolOutput/toolResult: <tool-use data-tool-type=\"shell\" data-tool-name=\"Bash\"><details>\nls\n</details></tool-use>"},
	{"a snapshot of .NET", "cupel-report", `{"events":[{"stage":"classify","duration":"00:00:00.001","itemCount":3}],"included":[{"item":{"content":"a","tokens":3,"kind":"Document","source":"Rag","tags":[],"metadata":{},"pinned":false},"score":0.75,"reason":"scored"}],
		"excluded":[{"item":{"content":"b","tokens":9,"kind":"Message","source":"Chat","tags":[],"metadata":{},"pinned":false},"score":0.5,"reason":"budgetExceeded"},{"item":{"content":"a","tokens":3,"kind":"Document","source":"Rag","tags":[],"metadata":{}},"score":0,"reason":"deduplicated","deduplicatedAgainst":{"content":"a","tokens":3}}],"totalCandidates":3,"totalTokensConsidered":15}`, "Document: a\nMessage: b\nDocument: a"},
	{"a report of Rust", "cupel-report", `{"events":[],"included":[{"item":{"content":"a","tokens":3,"kind":"Document","source":"Rag"},"score":0.75,"reason":"Scored"}],
		"excluded":[{"item":{"content":"b","tokens":9,"kind":"Message","future_relevance_hint":null},"score":0.5,"reason":{"BudgetExceeded":{"item_tokens":9,"available_tokens":2}}}],"total_candidates":2,"total_tokens_considered":12}`, "Document: a\nMessage: b"},
	{"a span of OpenTelemetry", "otel", `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"spans":[{"name":"chat m","attributes":[{"key":"gen_ai.request.model","value":{"stringValue":"m"}},
		{"key":"gen_ai.system_instructions","value":{"stringValue":"[{\"type\":\"text\",\"content\":\"be brief\"}]"}},
		{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"look\"}]},{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"t\",\"name\":\"f\",\"arguments\":{\"p\":1}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"t\",\"response\":\"found\"}]}]"}},
		{"key":"gen_ai.output.messages","value":{"stringValue":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"done\"}],\"finish_reason\":\"stop\"}]"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"1"}}]}]}]}]}`,
		"SystemPrompt!: be brief\nMessage: look\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: found\nMessage: done"},
	{"a span of OpenInference", "otel", `{"name":"llm","attributes":{"llm.model_name":"m","llm.input_messages.0.message.role":"system","llm.input_messages.0.message.content":"be brief","llm.input_messages.1.message.role":"user","llm.input_messages.1.message.contents.0.message_content.type":"text","llm.input_messages.1.message.contents.0.message_content.text":"look",
		"llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.tool_calls.0.tool_call.id":"t","llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"f","llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments":"{\"p\":1}","llm.tools.0.tool.json_schema":"{\"name\":\"f\"}"}}`,
		"SystemPrompt!/toolDefinition: {\"name\":\"f\"}\nSystemPrompt!: be brief\nMessage: look\nMessage/toolCall: f {\"p\":1}"},
	{"messages of OpenTelemetry", OpenAI, `[{"role":"user","parts":[{"type":"text","content":"hi"}]},{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"ho"}],"finish_reason":"stop"}]`, "Message: hi\nMessage/thinking: hm\nMessage: ho"},
	{"a session of ADK", "gemini", `{"id":"s","appName":"a","userId":"u","state":{},"events":[{"id":"1","author":"user","timestamp":1757000000.5,"content":{"role":"user","parts":[{"text":"hi"}]}},{"id":"2","author":"agent","timestamp":1757000001,"content":{"role":"model","parts":[{"functionCall":{"id":"t","name":"f","args":{}}}]}},
		{"id":"3","author":"agent","timestamp":1757000002,"content":{"role":"user","parts":[{"functionResponse":{"id":"t","name":"f","response":{"result":"done"}}}]}}]}`, "Message: hi\nMessage/toolCall: f {}\nToolOutput/toolResult: done"},
	{"a trace of Langfuse", "langfuse", `{"trace":{"id":"t"},"observations":[{"id":"1","type":"SPAN","name":"agent","input":"x","output":"y"},{"id":"2","type":"GENERATION","name":"call","model":"m","input":"[{\"role\":\"user\",\"content\":\"hi\"}]","output":"{\"role\":\"assistant\",\"content\":\"ho\"}","usageDetails":{"input":5,"output":1}}]}`, "Message: hi\nMessage: ho"},
	{"a trace of the Responses API in Langfuse", "langfuse", `{"trace":{"id":"t"},"observations":[{"id":"1","type":"GENERATION","name":"response","model":"m","input":[{"role":"user","content":"hi"}],"output":{"object":"response","instructions":"be brief","tools":[{"type":"function","name":"f"}],"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ho"}]}]}}]}`,
		"SystemPrompt!/toolDefinition: {\"type\":\"function\",\"name\":\"f\"}\nSystemPrompt!: be brief\nMessage: hi\nMessage: ho"},
	{"attributes of a span alone", "otel", `{"gen_ai.request.model":"m","gen_ai.prompt":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"hi\"}]}]","gen_ai.completion":"{\"text\":\"ho\",\"finish_reason\":\"stop\"}"}`, "Message: hi\nMessage: ho"},
	{"a session of Goose", OpenAI, `{"working_dir":"/x","description":"d"}` + "\n" + `{"role":"user","created":1757000000,"content":[{"type":"text","text":"hi"}]}` + "\n" + `{"role":"assistant","created":1757000001,"content":[{"type":"toolRequest","id":"t","toolCall":{"status":"success","value":{"name":"f","arguments":{"p":1}}}}]}` + "\n" +
		`{"role":"user","created":1757000002,"content":[{"type":"toolResponse","id":"t","toolResult":{"status":"success","value":[{"type":"text","text":"done"}]}}]}`, "Message: hi\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: done"},
	{"the first OpenHands", OpenAI, `{"instruction":"fix it","history":[{"action":"message","content":"fix it","wait_for_response":false},{"action":"run","thought":"look","command":"ls"},{"observation":"run","content":"a.go"},{"observation":"null","content":""},{"action":"run_ipython","thought":"","code":"open('a')"},{"observation":"run_ipython","content":"x"},{"action":"message","content":"done?","wait_for_response":true}]}`,
		"Message: fix it\nMessage: look\nMessage/toolCall: run ls\nToolOutput/toolResult: a.go\nMessage/toolCall: run_ipython open('a')\nToolOutput/toolResult: x\nMessage: done?"},
	{"a context of one text", Documents, `[{"question":"what is it?","answer":"a thing","context":"It is a thing. It was found."}]`, "Document: It is a thing. It was found."},
	{"an export of opencode", OpenAI, `{"info":{"id":"s","title":"t"},"messages":[{"info":{"id":"1","role":"user","time":{"created":1757000000000}},"parts":[{"type":"text","text":"hi"}]},{"info":{"id":"2","role":"assistant","time":{"created":1757000001000}},"parts":[{"type":"step-start"},{"type":"tool","callID":"t","tool":"f","state":{"status":"completed","input":{"p":1},"output":"done"}},{"type":"text","text":"ho"}]}]}`,
		"Message: hi\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: done\nMessage: ho"},
	{"a session of Continue", OpenAI, `{"sessionId":"s","title":"t","history":[{"message":{"role":"user","content":"hi"},"contextItems":[{"name":"a.go","description":"a","content":"package a"}]},{"message":{"role":"assistant","content":"ho","toolCalls":[{"id":"t","type":"function","function":{"name":"ls","arguments":"{}"}}]},"contextItems":[],"toolCallStates":[{"toolCallId":"t","output":[{"content":"a.go"}]}]}]}`, "Message: hi\nDocument/document: package a\nMessage: ho\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"a question of LoCoMo", "memory-qa", `[{"sample_id":"c","conversation":{"speaker_a":"Ann","speaker_b":"Bob","session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"hi"},{"speaker":"Bob","dia_id":"D1:2","text":"I moved to Rome"}]},"qa":[{"question":"Where does Bob live?","answer":"Rome","evidence":["D1:2"],"category":4}]}]`, "Message: Ann: hi\nMessage: Bob: I moved to Rome"},
	{"a question of LongMemEval", "memory-qa", `[{"question_id":"1","question_type":"t","question":"Where?","answer":"Rome","haystack_dates":["2023/05/20 (Sat) 02:21"],"haystack_session_ids":["s1"],"answer_session_ids":["s1"],"haystack_sessions":[[{"role":"user","content":"I moved to Rome","has_answer":true},{"role":"assistant","content":"nice"}]]}]`, "Message: I moved to Rome\nMessage: nice"},
	{"results of Pinecone", Documents, `{"results":[],"matches":[{"id":"1","score":0.9,"values":[0.1],"metadata":{"text":"a"}},{"id":"2","score":0.1,"metadata":{"text":"b"}}],"namespace":""}`, "Document: a\nDocument: b"},
	{"a case of DeepEval", Documents, `{"input":"q","actual_output":"x","expected_output":"y","retrieval_context":["a","b"],"context":["b","c"]}`, "Document: a\nDocument: b"},
	{"a run of DeepEval", Documents, `{"testCases":[{"name":"t","input":"q","actualOutput":"x","retrievalContext":["a","b"],"context":["b"],"success":true}],"testPassed":1}`, "Document: a\nDocument: b"},
	{"a question of HotpotQA", Documents, `{"_id":"1","question":"q","answer":"yes","supporting_facts":[["T2",0]],"context":[["T1",["One. "," Two."]],["T2",["Three."]]]}`, "Document: T1 One.  Two.\nDocument: T2 Three."},
	{"chunks of LangChain", Documents, `[{"content":"a","metadata":{"source":"f.md"}},{"content":"b","metadata":{"source":"g.md"}}]`, "Document: a\nDocument: b"},
	{"texts alone", Documents, `["a","b"]`, "Document: a\nDocument: b"},
	{"a compacted request", "anthropic", `{"model":"claude-x","system":"s","messages":[{"role":"user","content":"old"},{"role":"assistant","content":[{"type":"compaction","content":"so far"},{"type":"text","text":"I go on"}]},{"role":"user","content":"new"}]}`,
		"SystemPrompt!: s\nMemory/summary: so far\nMessage: I go on\nMessage: new"},
	{"parts of the Vercel AI SDK", OpenAI, `[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"tool-grep","toolCallId":"t","state":"output-available","input":{"p":1},"output":"found"},{"type":"text","text":"done"}]}]`,
		"Message: hi\nMessage/thinking: hm\nMessage/toolCall: grep {\"p\":1}\nToolOutput/toolResult: found\nMessage: done"},
	{"parts of the Vercel AI SDK 4", OpenAI, `[{"role":"assistant","content":"","parts":[{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"t","toolName":"grep","args":{"p":1},"result":{"n":1}}},{"type":"text","text":"done"}]}]`,
		"Message/toolCall: grep {\"p\":1}\nToolOutput/toolResult: {\"n\":1}\nMessage: done"},
	{"an invocation with underscores", OpenAI, `[{"role":"assistant","parts":[{"type":"tool_invocation","tool_call_id":"t","tool_name":"grep","args":{"p":1},"result":"found"}]},{"role":"assistant","parts":[{"type":"tool_invocation","tool_invocation":{"state":"result","tool_call_id":"u","tool_name":"ls","args":{},"result":"a.go"}}]}]`,
		"Message/toolCall: grep {\"p\":1}\nToolOutput/toolResult: found\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"a span of the Vercel AI SDK around its calls", "otel", `[{"name":"ai.generateText","spanContext":{"traceId":"1"},"attributes":{"ai.model.id":"m","ai.prompt":"{\"system\":\"be brief\",\"prompt\":\"look\"}","ai.response.text":"found"}}]`, "SystemPrompt!: be brief\nMessage: look\nMessage: found"},
	{"a call of the Vercel AI SDK in the span around it", "otel", `[{"name":"ai.generateText","spanContext":{"traceId":"1"},"attributes":{"ai.prompt":"{\"prompt\":\"look\"}","ai.response.text":"found"}},
		{"name":"ai.generateText.doGenerate","spanContext":{"traceId":"1"},"attributes":{"ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"look\"}]}]","ai.response.text":"found"}}]`, "Message: look\nMessage: found"},
	{"a span of the Vercel AI SDK", "otel", `[{"name":"ai.generateText.doGenerate","spanContext":{"traceId":"1"},"attributes":{"ai.model.id":"m","ai.prompt.messages":"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"look\"}]}]","ai.prompt.tools":["{\"type\":\"function\",\"name\":\"f\"}"],
		"ai.response.text":"I look","ai.response.toolCalls":"[{\"toolCallId\":\"t\",\"toolName\":\"f\",\"input\":{\"p\":1}}]","gen_ai.usage.output_tokens":3}}]`,
		"SystemPrompt!/toolDefinition: {\"type\":\"function\",\"name\":\"f\"}\nMessage: look\nMessage: I look\nMessage/toolCall: f {\"p\":1}"},
	{"a trace of LlamaIndex in Langfuse", "langfuse", `{"trace":{"id":"t"},"observations":[{"id":"1","type":"GENERATION","name":"complete","model":"m","input":{"args":["hi"]},"output":"ho"}]}`, "Message: hi\nMessage: ho"},
	{"a message of another agent in a rollout", Codex, `{"timestamp":"2025-10-01T09:00:00Z","type":"world_state","payload":{"full":true}}` + "\n" + `{"timestamp":"2025-10-01T09:00:01Z","type":"response_item","payload":{"type":"agent_message","author":"reviewer","recipient":"main","content":[{"type":"input_text","text":"done"}]}}`, "Message: done"},
	{"an answer of Mistral that thinks", OpenAI, `{"model":"m","choices":[{"message":{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"two"}]}}]}`, "Message/thinking: hm\nMessage: two"},
	{"a call that waits for approval", OpenAI, `{"object":"response","model":"m","output":[{"id":"a","type":"mcp_approval_request","name":"f","server_label":"s","arguments":"{}"}]}`, "Message/toolCall: f {}"},
	{"a row of the log of a proxy", OpenAI, `{"request_id":"1","model":"m","messages":[{"role":"user","content":"hi"}],"response":{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"ho"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}}`, "Message: hi\nMessage: ho"},
	{"messages with a text", OpenAI, `{"id":"t","messages":[{"role":"user","text":"hi"},{"role":"assistant","text":"ho"}]}`, "Message: hi\nMessage: ho"},
	{"a conversation of ChatGPT without a current node", OpenAI, `{"title":"t","mapping":{"a":{"parent":null,"message":{"author":{"role":"user"},"content":{"parts":["hi"]}}},"b":{"parent":"a","message":{"author":{"role":"assistant"},"content":{"parts":["ho"]}}}}}`, "Message: hi\nMessage: ho"},
	{"a history of Cline", "anthropic", `[{"role":"user","content":[{"type":"text","text":"look"}],"ts":1757000000000},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}],"ts":1757000001000}]`, "Message: look\nMessage/toolCall: ls {}"},
	{"blocks of LLaMA-Factory", OpenAI, `[{"messages":[{"role":"user","content":[{"type":"text","value":"hi"}]},{"role":"assistant","content":[{"type":"text","value":"ho"}]}]}]`, "Message: hi\nMessage: ho"},
	{"texts of OpenInference", "otel", `{"name":"llm","attributes":{"openinference.span.kind":"LLM","input.value":"look","output.value":"I see"}}`, "Message: look\nMessage: I see"},
	{"batches of LangChain in OpenInference", "otel", `{"name":"ChatOpenAI","attributes":{"openinference.span.kind":"LLM","input.value":"{\"messages\":[[{\"lc\":1,\"type\":\"constructor\",\"id\":[\"langchain\",\"schema\",\"HumanMessage\"],\"kwargs\":{\"content\":\"hi\"}}]]}","output.value":"{\"generations\":[[{\"text\":\"ho\",\"message\":{\"lc\":1,\"type\":\"constructor\",\"id\":[\"AIMessage\"],\"kwargs\":{\"content\":\"ho\"}}}]]}"}}`, "Message: hi\nMessage: ho"},
	{"messages as text in Langfuse", "langfuse", `{"trace":{"id":"t"},"observations":[{"id":"1","type":"GENERATION","name":"c","model":"m","input":{"messages":"system: be brief\nuser: hi"},"output":{"content":"ho"}}]}`, "Message: system: be brief\nuser: hi\nMessage: ho"},
	{"rows of Cline's screen", OpenAI, `[{"ts":1757000000000,"type":"say","say":"text","text":"look"},{"ts":1757000001000,"type":"say","say":"api_req_started","text":"{\"cost\":1}"},{"ts":1757000002000,"type":"say","say":"reasoning","text":"hm"},{"ts":1757000003000,"type":"ask","ask":"tool","text":"{\"tool\":\"ls\"}"},{"ts":1757000004000,"type":"say","say":"user_feedback","text":"go on"}]`,
		"Message: look\nMessage/thinking: hm\nMessage/toolCall: {\"tool\":\"ls\"}\nMessage: go on"},
	{"a chat under another key", OpenAI, `{"session":{"name":"s","turns":[{"speaker":"Ann","utterance":"hi"},{"speaker":"Bob","utterance":"ho"}]}}`, "Message: hi\nMessage: ho"},
	{"an export of a workspace", OpenAI, `[{"user":"U1","type":"message","ts":"1757000000.000100","text":"hi"},{"user":"U2","type":"message","ts":"1757000001.000100","text":"ho"}]`, "Message: hi\nMessage: ho"},
	{"a conversation of LibreChat", OpenAI, `{"conversationId":"c","title":"t","messages":[{"messageId":"1","sender":"User","text":"hi","isCreatedByUser":true,"createdAt":"2025-09-04T15:33:20Z"},{"messageId":"2","sender":"GPT-4","text":"ho","isCreatedByUser":false,"createdAt":"2025-09-04T15:33:21Z"}]}`, "Message: hi\nMessage: ho"},
	{"documents under another key", Documents, `{"run":{"retrieved_docs":[{"body":"one","title":"t"},{"body":"two","title":"u"}]}}`, "Document: one\nDocument: two"},
	{"messages and documents of one request", OpenAI, `{"transcript":[{"speaker":"Ann","text":"hi"}],"retrieved_docs":[{"body":"one","title":"t"}]}`, "Message: hi\nDocument: one"},
	{"an example of Alpaca", OpenAI, `[{"instruction":"sort","input":"b a","output":"a b"}]`, "Message: sort\nb a\nMessage: a b"},
	{"an example of messages", OpenAI, `{"prompt":[{"role":"user","content":"hi"}],"completion":[{"role":"assistant","content":"ho"}]}`, "Message: hi\nMessage: ho"},
	{"documents of Pyserini", Documents, `{"id":"1","contents":"one"}` + "\n" + `{"id":"2","contents":"two"}`, "Document: one\nDocument: two"},
	{"a result of Weaviate", Documents, `{"data":{"Get":{"Doc":[{"content":"one","_additional":{"distance":0.1}},{"content":"two","_additional":{"distance":0.3}}]}}}`, "Document: one\nDocument: two"},
	{"points of Qdrant", Documents, `{"result":{"points":[{"id":1,"payload":{"text":"one","f":"a.md"}},{"id":2,"payload":{"text":"two","f":"b.md"}}],"next_page_offset":null}}`, "Document: one\nDocument: two"},
	{"vectors that Pinecone fetched", Documents, `{"vectors":{"a":{"id":"a","values":[0.1],"metadata":{"text":"one"}},"b":{"id":"b","values":[0.2],"metadata":{"text":"two"}}},"namespace":""}`, "Document: one\nDocument: two"},
	{"a docstore of LangChain.js", Documents, `[[["a",{"pageContent":"one","metadata":{}}],["b",{"pageContent":"two","metadata":{}}]],{"0":"a","1":"b"}]`, "Document: one\nDocument: two"},
	{"rows of a site", Documents, `[{"title":"t","url":"u","content":"one"},{"title":"v","url":"w","content":"two"}]`, "Document: one\nDocument: two"},
	{"a corpus of BEIR", Documents, `{"_id":"1","title":"T","text":"one","metadata":{}}`, "Document: T one"},
	{"documents that were retrieved for a question", Documents, `{"results":[{"query_id":"1","query":"where?","response":"a long answer","retrieved_context":[{"doc_id":"a","text":"one"},{"doc_id":"b","text":"two"}],"response_claims":[["a","claim","that is long"]]}]}`, "Document: one\nDocument: two"},
	{"files of repomix alone", "repo-pack", "<files>\nThis section contains the contents of the repository's files.\n\n<file path=\"a.go\">\npackage a\n</file>\n</files>\n", "Document: <files>\nThis section contains the contents of the repository's files.\nDocument: package a\nDocument: </files>"},
	{"a chat of Copilot", OpenAI, `{"responderUsername":"GitHub Copilot","requests":[{"requestId":"r","message":{"text":"hi"},"response":[{"kind":"thinking","value":"hm"},{"kind":"toolInvocationSerialized","toolId":"read","toolCallId":"c","invocationMessage":"a.go"},{"value":"ho","supportThemeIcons":false,"baseUri":{"path":"/p"}},{"kind":"inlineReference","name":"a.go"}],"timestamp":1757000000000}]}`,
		"Message: hi\nMessage/thinking: hm\nMessage/toolCall: read a.go\nMessage: ho\na.go"},
	{"images of Ollama", OpenAI, `{"model":"llava","messages":[{"role":"user","content":"what is it?","images":["iVBORw0KGgo="]}]}`, "Message: what is it?\nMessage/opaque: [image, 9 bytes, #]"},
	{"a session of the Copilot CLI", OpenAI, `{"type":"session.start","data":{"sessionId":"s"},"id":"1","timestamp":"2025-10-01T09:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"look","attachments":[]},"id":"2","timestamp":"2025-10-01T09:00:01Z","parentId":"1"}
{"type":"assistant.message","data":{"messageId":"m","content":"I look","reasoningText":"hm","toolRequests":[{"toolCallId":"t","name":"view","arguments":{"path":"a.go"}}]},"id":"3","timestamp":"2025-10-01T09:00:02Z","parentId":"2"}
{"type":"tool.execution_start","data":{"toolCallId":"t","toolName":"view","arguments":{"path":"a.go"}},"id":"4","timestamp":"2025-10-01T09:00:03Z","parentId":"3"}
{"type":"assistant.message","data":{"parentToolCallId":"t","messageId":"n","content":"said by a sub-agent"},"id":"6","timestamp":"2025-10-01T09:00:03Z","parentId":"4","agentId":"t"}
{"type":"tool.execution_complete","data":{"toolCallId":"t","success":true,"result":{"content":"package a"}},"id":"5","timestamp":"2025-10-01T09:00:04Z","parentId":"4"}`,
		"Message: look\nMessage/thinking: hm\nMessage: I look\nMessage/toolCall: view {\"path\":\"a.go\"}\nToolOutput/toolResult: package a"},
	{"events of OpenHands", OpenAI, `[{"id":0,"timestamp":"2025-01-01T00:00:00","source":"agent","action":"system","args":{"content":"be brief","tools":[{"type":"function","function":{"name":"run"}}]}},
		{"id":1,"timestamp":"2025-01-01T00:00:01","source":"user","action":"message","args":{"content":"look"}},
		{"id":2,"timestamp":"2025-01-01T00:00:02","source":"agent","action":"run","args":{"command":"ls","thought":"I look"},"tool_call_metadata":{"tool_call_id":"t","function_name":"run"}},
		{"id":3,"timestamp":"2025-01-01T00:00:03","source":"agent","observation":"run","content":"a.go","extras":{"command":"ls"},"tool_call_metadata":{"tool_call_id":"t","function_name":"run"}},
		{"id":4,"timestamp":"2025-01-01T00:00:04","source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"finished"}}]`,
		"SystemPrompt!/toolDefinition: {\"type\":\"function\",\"function\":{\"name\":\"run\"}}\nSystemPrompt!: be brief\nMessage: look\nMessage/toolCall: run {\"command\":\"ls\",\"thought\":\"I look\"}\nToolOutput/toolResult: a.go"},
	{"events of the kit of OpenHands", OpenAI, `{"kind":"SystemPromptEvent","id":"1","timestamp":"2026-01-01T00:00:00","source":"agent","system_prompt":{"type":"text","text":"be brief"},"tools":[{"title":"terminal"}]}
{"kind":"MessageEvent","id":"2","timestamp":"2026-01-01T00:00:01","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"look"}]}}
{"kind":"ActionEvent","id":"3","timestamp":"2026-01-01T00:00:02","source":"agent","thought":[{"type":"text","text":"I look"}],"reasoning_content":"hm","action":{"command":"ls","kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"t","tool_call":{"id":"t","name":"terminal","arguments":"{\"command\":\"ls\"}"}}
{"kind":"ObservationEvent","id":"4","timestamp":"2026-01-01T00:00:03","source":"environment","tool_name":"terminal","tool_call_id":"t","observation":{"content":[{"type":"text","text":"a.go"}],"is_error":false,"kind":"TerminalObservation"},"action_id":"3"}
{"kind":"ConversationStateUpdateEvent","id":"5","timestamp":"2026-01-01T00:00:04","source":"environment","key":"status","value":"idle"}`,
		"SystemPrompt!/toolDefinition: {\"title\":\"terminal\"}\nSystemPrompt!: be brief\nMessage: look\nMessage/thinking: hm\nMessage: I look\nMessage/toolCall: terminal {\"command\":\"ls\"}\nToolOutput/toolResult: a.go"},
	{"events of AutoGen", OpenAI, `[{"source":"user","models_usage":null,"metadata":{},"content":"look","type":"TextMessage"},
		{"source":"helper","models_usage":{"prompt_tokens":1,"completion_tokens":1},"content":[{"id":"t","arguments":"{\"p\":1}","name":"ls"}],"type":"ToolCallRequestEvent"},
		{"source":"helper","models_usage":null,"content":[{"content":"a.go","name":"ls","call_id":"t","is_error":false}],"type":"ToolCallExecutionEvent"}]`,
		"Message: look\nMessage/toolCall: ls {\"p\":1}\nToolOutput/toolResult: a.go"},
	{"a context of AutoGen", OpenAI, `{"type":"AssistantAgentState","version":"1.0.0","llm_context":{"messages":[{"content":"look","source":"user","type":"UserMessage"},{"content":[{"id":"t","arguments":"{}","name":"ls"}],"thought":"hm","source":"helper","type":"AssistantMessage"},{"content":[{"content":"a.go","name":"ls","call_id":"t"}],"type":"FunctionExecutionResultMessage"}]}}`,
		"Message: look\nMessage/thinking: hm\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"messages of Pydantic AI", OpenAI, `[{"kind":"request","parts":[{"part_kind":"system-prompt","content":"be brief","timestamp":"2025-01-01T00:00:00Z"},{"part_kind":"user-prompt","content":"look","timestamp":"2025-01-01T00:00:01Z"}]},
		{"kind":"response","parts":[{"part_kind":"thinking","content":"hm"},{"part_kind":"text","content":"I look"},{"part_kind":"tool-call","tool_name":"ls","args":"{}","tool_call_id":"t"}],"model_name":"m","timestamp":"2025-01-01T00:00:02Z"},
		{"kind":"request","parts":[{"part_kind":"tool-return","tool_name":"ls","content":"a.go","tool_call_id":"t"}]}]`,
		"SystemPrompt!: be brief\nMessage: look\nMessage/thinking: hm\nMessage: I look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"a history of Semantic Kernel", OpenAI, `[{"Role":{"Label":"system"},"Items":[{"$type":"TextContent","Text":"be brief"}]},{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"look"}]},
		{"Role":{"Label":"assistant"},"Items":[{"$type":"FunctionCallContent","Id":"t","FunctionName":"ls","Arguments":{}}]},{"Role":{"Label":"tool"},"Items":[{"$type":"FunctionResultContent","CallId":"t","FunctionName":"ls","Result":"a.go"}]}]`,
		"SystemPrompt!: be brief\nMessage: look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"a history of Semantic Kernel in Python", OpenAI, `{"messages":[{"role":"user","items":[{"content_type":"text","text":"look"}]},{"role":"assistant","items":[{"content_type":"function_call","id":"t","name":"ls","arguments":"{}"}]},{"role":"tool","items":[{"content_type":"function_result","id":"t","name":"ls","result":"a.go"}]}]}`,
		"Message: look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"messages of Haystack", OpenAI, `[{"_role":"user","_content":[{"text":"look"}],"_name":null,"_meta":{}},{"_role":"assistant","_content":[{"tool_call":{"tool_name":"ls","arguments":{},"id":"t"}}],"_meta":{}},{"_role":"tool","_content":[{"tool_call_result":{"result":"a.go","origin":{"tool_name":"ls","arguments":{},"id":"t"},"error":false}}],"_meta":{}}]`,
		"Message: look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"steps of smolagents", OpenAI, `[{"step_number":1,"model_output":"I look","tool_calls":[{"id":"t","type":"function","function":{"name":"ls","arguments":{}}}],"observations":"a.go"}]`, "Message: I look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"a trajectory of ATIF", OpenAI, `{"schema_version":"ATIF-v1.4","agent":{"name":"a","model_name":"m"},"steps":[{"step_id":1,"source":"user","message":"look"},{"step_id":2,"source":"agent","message":"I look","reasoning_content":"hm","tool_calls":[{"tool_call_id":"t","function_name":"ls","arguments":{}}],"observation":{"results":[{"source_call_id":"t","content":"a.go"}]}}]}`,
		"Message: look\nMessage/thinking: hm\nMessage: I look\nMessage/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"an export of Grok", OpenAI, `{"conversations":[{"conversation":{"id":"c","title":"t"},"responses":[{"response":{"_id":"1","message":"look","sender":"human","create_time":{"$date":{"$numberLong":"1757000000000"}}}},{"response":{"_id":"2","message":"I look","sender":"ASSISTANT","create_time":{"$date":{"$numberLong":"1757000001000"}}}}]}]}`, "Message: look\nMessage: I look"},
	{"Gemini in a Takeout", OpenAI, `[{"header":"Gemini Apps","title":"Used Gemini Apps","time":"2025-01-01T00:00:00Z","products":["Gemini Apps"]},{"header":"Gemini Apps","title":"Prompted look","time":"2025-01-01T00:00:00Z","products":["Gemini Apps"],"safeHtmlItem":[{"html":"<p>I look</p>"}]}]`, "Message: look\nMessage: <p>I look</p>"},
	{"pieces and code of AI Studio", "gemini", `{"chunkedPrompt":{"chunks":[{"text":"look","role":"user"},{"text":"I look","role":"model","parts":[{"text":"I "},{"text":"look"}]},{"role":"model","executableCode":{"language":"PYTHON","code":"print(42)"}},{"role":"model","codeExecutionResult":{"output":"42"}}]}}`,
		"Message: look\nMessage: I look\nMessage/toolCall: PYTHON print(42)\nToolOutput/toolResult: 42"},
	{"thoughts in an export of Grok", OpenAI, `{"conversations":[{"conversation":{"id":"c"},"responses":[{"response":{"message":"look","sender":"human"}},{"response":{"message":"I look","sender":"ASSISTANT","thinking_trace":"hm"}}]}]}`,
		"Message: look\nMessage/thinking: hm\nMessage: I look"},
	{"a run of LangSmith as it begins and as it ends", OpenAI, `{"post":[{"id":"1","run_type":"llm","dotted_order":"d","session_name":"s","inputs":{"messages":[{"role":"user","content":"look"}]}}],"patch":[{"dotted_order":"d","outputs":{"choices":[{"message":{"role":"assistant","content":"I look"}}]}}]}`, "Message: look\nMessage: I look"},
	{"a run of LangSmith that ends with its request", OpenAI, `{"post":[{"id":"1","dotted_order":"d","inputs":{"messages":[{"role":"user","content":"look"}]}}],"patch":[{"dotted_order":"d","inputs":{"messages":[{"role":"user","content":"look"}]},"outputs":{"choices":[{"message":{"role":"assistant","content":"I look"}}]}}]}`, "Message: look\nMessage: I look"},
	{"text in a trace of MLflow", "otel", `{"data":{"spans":[{"name":"c","attributes":{"mlflow.spanType":"\"LLM\"","mlflow.traceRequestId":"\"tr\"","mlflow.spanInputs":"{\"prompt\":\"look\"}","mlflow.spanOutputs":"\"I look\""}}]}}`, "Message: look\nMessage: I look"},
	{"a table of spans of Phoenix", "otel", `{"name":"c","span_kind":"LLM","context.span_id":"b","status_code":"OK","attributes.llm.input_messages":[{"message.role":"user","message.content":"look"}],"attributes.llm.output_messages":[{"message.role":"assistant","message.content":"I look"}]}`, "Message: look\nMessage: I look"},
	{"a span of Phoenix with texts alone", "otel", `[{"name":"c","span_kind":"LLM","attributes":{"input.value":"look","output.value":"I look"}}]`, "Message: look\nMessage: I look"},
	{"a task of Self-Instruct", OpenAI, `{"id":"seed_task_0","name":"n","instruction":"look","instances":[{"input":"here","output":"I look"}],"is_classification":false}`, "Message: look\nhere\nMessage: I look"},
	{"a chat of AI Studio", "gemini", `{"runSettings":{"model":"models/m"},"systemInstruction":{"parts":[{"text":"be brief"}]},"chunkedPrompt":{"chunks":[{"text":"look","role":"user","tokenCount":1},{"text":"hm","role":"model","isThought":true},{"text":"I look","role":"model","finishReason":"STOP"}],"pendingInputs":[]}}`, "SystemPrompt!: be brief\nMessage: look\nMessage/thinking: hm\nMessage: I look"},
	{"a chat of AI Studio without a system prompt", "gemini", `{"id":"s","title":"t","createTime":"2025-01-01T00:00:00Z","chunkedPrompt":{"chunks":[{"id":"1","role":"user","text":"look","createTime":"2025-01-01T00:00:01Z"},{"id":"2","role":"model","text":"I look","createTime":"2025-01-01T00:00:02Z"}]}}`, "Message: look\nMessage: I look"},
	{"an export of ChatGPT with a picture", OpenAI, `{"title":"t","current_node":"a","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"multimodal_text","parts":["look",{"content_type":"image_asset_pointer","asset_pointer":"file-service://p","size_bytes":9}]}}}}}`, "Message: look\nMessage/opaque: [image, 9 bytes, #]"},
	{"a request in a log of a proxy, as a text", OpenAI, `{"requestId":"1","method":"POST","path":"/v1/responses","body":"{\"instructions\":\"be brief\",\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":\"look\"}]}"}`, "SystemPrompt!: be brief\nMessage: look"},
	{"requests of agents, with tools", OpenAI, `{"agents":[{"id":"a","payload":{"messages":[{"role":"user","content":"look"}],"tools":[{"type":"function","function":{"name":"f"}}]}}]}`, "SystemPrompt!/toolDefinition: {\"type\":\"function\",\"function\":{\"name\":\"f\"}}\nMessage: look"},
	{"a result of a tool with its text", "anthropic", `{"messages":[{"role":"user","content":"look"},{"role":"tool","content":[{"type":"tool_result","text":"found"}]}]}`, "Message: look\nToolOutput/toolResult: found"},
	{"a request in Helicone", OpenAI, `{"request_id":"1","request_body":{"model":"m","messages":[{"role":"user","content":"look"}]},"response_body":{"choices":[{"message":{"role":"assistant","content":"I look"}}]}}`, "Message: look\nMessage: I look"},
	{"a run of LangSmith with batches", "langchain", `{"id":"1","run_type":"llm","inputs":{"messages":[[{"lc":1,"type":"constructor","id":["langchain","HumanMessage"],"kwargs":{"content":"look"}}]]},"outputs":{"generations":[[{"text":"I look","message":{"lc":1,"type":"constructor","id":["AIMessage"],"kwargs":{"content":"I look"}}}]]}}`, "Message: look\nMessage: I look"},
	{"a trace of MLflow", "otel", `{"info":{"trace_id":"tr"},"data":{"spans":[{"name":"c","attributes":{"mlflow.spanType":"\"CHAT_MODEL\"","mlflow.spanInputs":"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"look\"}]}","mlflow.spanOutputs":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"I look\"}}]}"}}]}}`, "Message: look\nMessage: I look"},
	{"a span of Phoenix", "otel", `{"name":"c","context":{"trace_id":"a","span_id":"b"},"span_kind":"LLM","attributes":{"llm":{"model_name":"m","input_messages":[{"message":{"role":"user","content":"look"}}],"output_messages":[{"message":{"role":"assistant","content":"I look"}}]},"openinference":{"span":{"kind":"LLM"}}}}`, "Message: look\nMessage: I look"},
	{"tools of MCP", OpenAI, `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"ls","description":"lists","inputSchema":{"type":"object"}}]}}`, "SystemPrompt!/toolDefinition: {\"name\":\"ls\",\"description\":\"lists\",\"inputSchema\":{\"type\":\"object\"}}"},
	{"a call of MCP", OpenAI, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ls","arguments":{}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a.go"}]}}`, "Message/toolCall: ls {}\nToolOutput/toolResult: a.go"},
	{"spans of Cupel", "cupel-report", `{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"name":"cupel.stage.slice","spanId":"b","parentSpanId":"a","attributes":[{"key":"cupel.stage.name","value":{"stringValue":"slice"}}],"events":[{"name":"cupel.exclusion","attributes":[{"key":"cupel.exclusion.reason","value":{"stringValue":"BudgetExceeded"}},{"key":"cupel.exclusion.item_kind","value":{"stringValue":"Document"}},{"key":"cupel.exclusion.item_tokens","value":{"intValue":"300"}}]}]},
		{"name":"cupel.stage.place","spanId":"c","parentSpanId":"a","attributes":[],"events":[{"name":"cupel.item.included","attributes":[{"key":"cupel.item.kind","value":{"stringValue":"Message"}},{"key":"cupel.item.tokens","value":{"intValue":"120"}},{"key":"cupel.item.score","value":{"doubleValue":0.5}}]}]},
		{"name":"cupel.pipeline","spanId":"a","attributes":[{"key":"cupel.verbosity","value":{"stringValue":"Full"}}]}]}]}]}`,
		"Message: item 2 of the trace, Message\nDocument: item 1 of the trace, Document"},
	{"results of the Vercel AI SDK", OpenAI, `[{"role":"user","content":"look"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-approval-request","approvalId":"p","toolCallId":"b"}]},
		{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"json","value":{"n":1}}},{"type":"tool-result","toolCallId":"b","toolName":"f","output":{"type":"content","value":[{"type":"text","text":"found"},{"type":"media","data":"iVBORw0KGgo=","mediaType":"image/png"}]}},
		{"type":"tool-result","toolCallId":"c","toolName":"f","output":{"type":"error-text","value":"it broke"}},{"type":"tool-result","toolCallId":"d","toolName":"f","output":{"type":"execution-denied","reason":"no"}},{"type":"tool-approval-response","approvalId":"p","approved":true}]}]`,
		"Message: look\nMessage/toolCall: f {}\nToolOutput/toolResult: {\"n\":1}\nToolOutput/toolResult: found\nToolOutput/opaque: [image image/png, 9 bytes, #]\nToolOutput/toolResult: it broke\nToolOutput/toolResult: no"},
	{"parts of the screen of the Vercel AI SDK", OpenAI, `{"messages":[{"role":"assistant","parts":[{"type":"data-weather","data":{"city":"Rome"}},{"type":"source-document","sourceId":"s","mediaType":"application/pdf","title":"a paper"},{"type":"text","text":"warm"}]}]}`,
		"Message: a paper\nwarm"},
	{"tools of a provider in LangChain", "langchain", `[{"type":"human","content":"look"},{"type":"ai","content":[{"type":"server_tool_call","id":"t","name":"search","args":{"q":"x"}},{"type":"server_tool_result","tool_call_id":"t","status":"success","output":"found"},{"type":"non_standard","value":{"type":"text","text":"so"}}]}]`,
		"Message: look\nMessage/toolCall: search {\"q\":\"x\"}\nToolOutput/toolResult: found\nMessage: so"},
	{"a picture beside a response of Gemini", "gemini", `{"contents":[{"role":"model","parts":[{"functionCall":{"id":"t","name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"t","name":"f","response":{"output":"found"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}}]}]}`,
		"Message/toolCall: f {}\nToolOutput/toolResult: found\nToolOutput/opaque: [image image/png, 9 bytes, #]"},
	{"tools that were searched for, and an approval", OpenAI, `{"model":"m","input":[{"type":"tool_search_call","call_id":"t","arguments":{"query":"x"}},{"type":"tool_search_output","call_id":"t","tools":[{"type":"function","name":"f","description":"does"}]},{"type":"mcp_approval_response","approval_request_id":"r","approve":true},{"role":"user","content":"look"}]}`,
		"Message/toolCall: tool_search {\"query\":\"x\"}\nToolOutput/toolResult: {\"type\":\"function\",\"name\":\"f\",\"description\":\"does\"}\nMessage: look"},
	{"a document with its context", "anthropic", `{"model":"claude-x","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a note"},"title":"t","context":"of today"},{"type":"text","text":"look"}]}]}`,
		"Document/document: of today\na note\nMessage: look"},
	{"a chat store of LlamaIndex", OpenAI, `{"store":{"u":[{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"look"},{"block_type":"image","image":"iVBORw0KGgo=","image_mimetype":"image/png"}]},{"role":"assistant","additional_kwargs":{},"blocks":[{"block_type":"thinking","content":"hm"},{"block_type":"tool_call","tool_call_id":"t","tool_name":"f","tool_kwargs":{"q":"x"}}]},
		{"role":"tool","additional_kwargs":{"tool_call_id":"t"},"blocks":[{"block_type":"text","text":"found"}]}]},"class_name":"SimpleChatStore"}`,
		"Message: look\nMessage/opaque: [image image/png, 9 bytes, #]\nMessage/thinking: hm\nMessage/toolCall: f {\"q\":\"x\"}\nToolOutput/toolResult: found"},
	{"an event of OpenTelemetry, whose messages are values", "otel", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"gen_ai.client.inference.operation.details","attributes":[
		{"key":"gen_ai.input.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"user"}},{"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"look"}}]}}]}}}]}}]}}},
		{"key":"gen_ai.output.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"assistant"}},{"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"I look"}}]}}]}}}]}}]}}}]}]}]}]}`,
		"Message: look\nMessage: I look"},
	{"a thread of Amp", "anthropic", `{"v":3,"id":"T","messages":[{"role":"user","content":[{"type":"text","text":"look"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"cmd":"ls"}}]},{"role":"user","content":[{"type":"tool_result","toolUseID":"t","run":{"status":"done","result":"a.go"}}]}]}`,
		"Message: look\nMessage/toolCall: Bash {\"cmd\":\"ls\"}\nToolOutput/toolResult: a.go"},
	{"thoughts of Kimi, and data of A2A", OpenAI, `{"messages":[{"role":"user","parts":[{"kind":"text","text":"look"},{"kind":"data","data":{"n":1}}]},{"role":"assistant","content":[{"type":"think","think":"hm"},{"type":"text","text":"so"}]}]}`,
		"Message: look\n{\"n\":1}\nMessage/thinking: hm\nMessage: so"},
	{"what codex exec prints", OpenAI, `{"type":"thread.started","thread_id":"t"}
{"type":"item.completed","item":{"id":"0","type":"reasoning","text":"hm"}}
{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"ls","aggregated_output":"a.go","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"2","type":"mcp_tool_call","server":"s","tool":"f","arguments":{"q":"x"},"result":{"content":[{"type":"text","text":"found"}]},"error":null,"status":"completed"}}
{"type":"item.completed","item":{"id":"3","type":"agent_message","text":"so"}}
{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":2}}`, "Message/thinking: hm\nMessage/toolCall: command_execution ls\nToolOutput/toolResult: a.go\nMessage/toolCall: f {\"q\":\"x\"}\nToolOutput/toolResult: found\nMessage: so"},
	{"events of the Vercel AI SDK", "stream", "data: {\"type\":\"start\",\"messageId\":\"m\"}\n\ndata: {\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"I \"}\n\ndata: {\"type\":\"text-delta\",\"id\":\"0\",\"delta\":\"look\"}\n\ndata: {\"type\":\"tool-input-available\",\"toolCallId\":\"t\",\"toolName\":\"f\",\"input\":{\"q\":\"x\"}}\n\ndata: {\"type\":\"finish\"}\n\n", "Message: I look\nMessage/toolCall: f {\"q\":\"x\"}"},
	{"an observation with the object that was sent", OpenAI, `[{"id":"o","type":"GENERATION","model":"m","input":{"messages":[{"role":"user","content":"look"}]},"output":{"role":"assistant","content":"I look"}}]`, "Message: look\nMessage: I look"},
	{"a span with the choices that came back", OpenAI, `{"span_attributes":{"type":"llm"},"input":[{"role":"user","content":"look"}],"output":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"I look"}}]}`, "Message: look\nMessage: I look"},
	{"an event of PostHog", OpenAI, `{"event":"$ai_generation","properties":{"$ai_model":"m","$ai_input":[{"role":"user","content":"look"}],"$ai_output_choices":[{"role":"assistant","content":"I look"}]}}`, "Message: look\nMessage: I look"},
	{"a block of an unknown type", OpenAI, `{"messages":[{"role":"user","content":[{"type":"remark","remark":"hi"}]}]}`, "Message: hi"},
}

var hashes = regexp.MustCompile(`bytes, [0-9a-f]{8}\]`) // which are only there to tell payloads apart

// Each sample of each format opens as that format, and as what it says.
func TestSamples(t *testing.T) {
	seen := map[Format]bool{}
	for _, s := range formatSamples {
		seen[s.format] = true
		l, err := Read(context.Background(), "f", []byte(s.in), Options{})
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if got := hashes.ReplaceAllString(outline(l), "bytes, #]"); l.Format != s.format || got != s.want {
			t.Errorf("%s: %s\n%s\nwant %s\n%s\n%s", s.name, l.Format, got, s.format, s.want, strings.Join(l.Report.Lines(), "\n"))
		}
	}
}
