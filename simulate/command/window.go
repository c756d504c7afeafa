package command

import (
	"strings"

	"cupelscope/model"
)

// windows are the context windows of models by how their names begin, as their
// vendors state them. Of several that fit, the longest counts.
var windows = [...]struct {
	prefix string
	tokens model.Tokens
}{
	{"gpt-3.5-turbo", 16_385},
	{"gpt-4", 8_192},
	{"gpt-4-32k", 32_768},
	{"gpt-4-turbo", 128_000},
	{"gpt-4-1106", 128_000},
	{"gpt-4-0125", 128_000},
	{"gpt-4o", 128_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-5", 400_000},
	{"o1", 200_000},
	{"o1-mini", 128_000},
	{"o1-preview", 128_000},
	{"o3", 200_000},
	{"o4-mini", 200_000},
	{"claude-", 200_000},
	{"claude-2.0", 100_000},
	{"claude-instant", 100_000},
	{"gemini-1.5-pro", 2_097_152},
	{"gemini-", 1_048_576},
}

// Window is the context window of a model by its name, which may begin with
// its provider ("openai/gpt-4o"); 0 if it is not known.
func Window(name string) model.Tokens {
	name = model.FoldASCII(name[strings.LastIndexByte(name, '/')+1:])
	var tokens model.Tokens
	longest := 0
	for _, w := range windows {
		if len(w.prefix) > longest && strings.HasPrefix(name, w.prefix) {
			longest, tokens = len(w.prefix), w.tokens
		}
	}
	return tokens
}
