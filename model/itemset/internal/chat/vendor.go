package chat

import (
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Is reports whether an object is a message, or holds conversations.
func Is(o record.Object) bool {
	if o.Type("role") == '"' && !o.Has("kind", "tokens") && (hasSaid(o) || o.Has("parts")) {
		return true
	}
	return formOf(o) != nil || (!o.Has("content") || o.Type("author") == '{') && (IsMessage(o) || len(runsIn(o, o, 0)) > 0)
}

// vendor tells the requests and messages of one vendor from other ones. Messages are read
// alike; the table of blocks holds the blocks of all.
type vendor struct {
	around  func(o record.Object) bool // an object around messages
	message func(o record.Object) bool
}

// IsAnthropic reports whether an object is a request, an answer or a message of
// Anthropic's, or a line of a batch of them.
func IsAnthropic(o record.Object) bool {
	return Is(o) && vendor{
		around: func(o record.Object) bool {
			return record.Open(jsonwalk.First(o.Raw("tools"))).Has("input_schema") || o.Has("anthropic_version") || o.Has("system") && o.Has("messages") || o.Text("type") == "message" && o.Has("stop_reason") ||
				strings.HasPrefix(o.Text("model"), "claude-") && o.Has("messages") && !o.Has("choices") &&
					!anyBlock(o.Raw("messages"), func(m record.Object) bool { return m.Has("tool_calls", "tool_call_id") || m.Text("role") == "system" }) // OpenAI's, for a gateway
		},
		message: func(o record.Object) bool {
			return anyBlock(o.Raw("content"), func(b record.Object) bool {
				return slices.Contains([]string{"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "compaction"}, b.Text("type"))
			})
		},
	}.speaks(o, 0)
}

// IsBedrock reports whether an object is a request, an answer or a message of
// Bedrock's Converse, or a line of a batch of them. Blocks of Converse have no type.
func IsBedrock(o record.Object) bool {
	return Is(o) && vendor{
		around: func(o record.Object) bool {
			return o.Has("toolConfig") || o.Has("inferenceConfig") || o.Has("modelId") && o.Has("messages") ||
				o.Type("output") == '{' && o.Open("output").Type("message") == '{' && o.Has("stopReason")
		},
		message: func(o record.Object) bool {
			return o.Has("role") && anyBlock(o.Raw("content"), func(b record.Object) bool {
				return !b.Has("type") && len(b) > 0 && (b.Type("text") == '"' || b.Has("toolUse", "toolResult", "reasoningContent", "cachePoint") ||
					(b.Type("image") == '{' || b.Type("document") == '{' || b.Type("video") == '{'))
			})
		},
	}.speaks(o, 0)
}

// IsGemini reports whether an object is a request, an answer or a message of Gemini,
// or a line of a batch of them. Messages of Gemini have parts without a type.
func IsGemini(o record.Object) bool {
	return Is(o) && vendor{
		around: func(o record.Object) bool {
			return o.Type("chunkedPrompt") == '{' || o.Type("contents") == '[' || o.Type("contents") == '{' || o.Type("contents") == '"' && o.Has("model", "config") || o.Type("candidates") == '['
		},
		message: func(o record.Object) bool {
			for _, path := range [...]string{"parts", "content.parts"} {
				if anyBlock(o.At(path), func(b record.Object) bool { return !b.Has("type", "part_kind", "kind", "content_type") }) {
					return true
				}
			}
			return false
		},
	}.speaks(o, 0)
}

// IsLangChain reports whether an object is, or holds, a message as LangChain and
// LangGraph store it.
func IsLangChain(o record.Object) bool {
	return Is(o) && vendor{around: func(record.Object) bool { return false }, message: isLangChain}.speaks(o, 0)
}

// anyBlock reports whether is holds for one of the first 20 blocks of a content.
func anyBlock(content []byte, is func(record.Object) bool) bool {
	for block := range record.Firsts(jsonwalk.Elements(content), 20) {
		if jsonwalk.Type(block) == '{' && is(record.Open(block)) {
			return true
		}
	}
	return false
}

// speaks looks at an object, at what is in it as in a line of a batch, and at the
// first of its messages.
func (v vendor) speaks(o record.Object, depth int) bool {
	const deepest = 4 // a message in a result, and room to spare
	if v.around(o) || v.message(o) {
		return true
	}
	if depth == deepest || o.Has("role") {
		return false
	}
	for _, m := range o {
		switch jsonwalk.Type(m.Value) {
		case '{':
			if v.speaks(record.Open(m.Value), depth+1) {
				return true
			}
		case '[':
			if slices.Contains(answerLists, m.Key) {
				continue
			}
			if first := jsonwalk.First(m.Value); anyBlock(m.Value, v.message) || anyBlock(first, v.message) || v.speaks(record.Open(first), depth+1) {
				return true
			}
		}
	}
	return false
}
