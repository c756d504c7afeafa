package tokens

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pkoukk/tiktoken-go"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Model describes a family of models.
type Model struct {
	Name string // the beginning of the names of its models
	// Encoding is the name of its encoding, or "" if that is not built in and
	// DefaultEncoding can only stand in for it.
	Encoding string
	Window   model.Tokens // size of the context window; 0: not known
}

// families are the models by how their names begin, each with its exceptions
// below it. Of several that fit a name, the longest counts.
//
// An encoding stands here only where tiktoken-go, which FindModel asks first, has
// none: from github.com/openai/tiktoken, model.py as of 2026-08-16. Of gpt-oss it
// says o200k_harmony, which has the ordinary tokens of o200k_base.
//
// Windows: the catalogues of github.com/charmbracelet/catwalk as of 2026-08-21, for
// Claude also what platform.claude.com says of context windows: a million from Opus 4.6
// and Sonnet 4.6 on. Those of models before 2025, which these do not list any more,
// are as announced then, and were not looked up again. Where providers offer a model with several windows, it is the
// default of the vendor's own service.
var families = [...]Model{
	{"gpt-5", "o200k_base", 400_000},
	{"gpt-5-chat", "o200k_base", 128_000},
	{"gpt-5.2-chat", "o200k_base", 128_000},
	{"gpt-5.4", "o200k_base", 1_050_000},
	{"gpt-5.4-mini", "o200k_base", 400_000},
	{"gpt-5.4-nano", "o200k_base", 400_000},
	{"gpt-5.5", "o200k_base", 1_050_000},
	{"gpt-5.6", "o200k_base", 1_050_000},
	{"gpt-4.5", "", 128_000},
	{"gpt-4.1", "", 1_047_576},
	{"gpt-4o", "", 128_000},
	{"chatgpt-4o", "o200k_base", 128_000},
	{"gpt-oss", "o200k_base", 131_072},
	{"codex-mini", "o200k_base", 200_000},
	{"o1", "o200k_base", 200_000},
	{"o1-mini", "o200k_base", 128_000},
	{"o1-preview", "o200k_base", 128_000},
	{"o3", "o200k_base", 200_000},
	{"o4", "o200k_base", 200_000},
	{"gpt-4", "", 8_192},
	{"gpt-4-32k", "", 32_768},
	{"gpt-4-turbo", "", 128_000},
	{"gpt-4-1106", "", 128_000},
	{"gpt-4-0125", "", 128_000},
	{"gpt-4-vision", "", 128_000},
	{"gpt-3.5", "cl100k_base", 16_385},
	{"gpt-35", "cl100k_base", 16_385}, // as Azure names it
	{"text-embedding", "cl100k_base", 8_191},
	{"davinci-002", "cl100k_base", 16_384},
	{"babbage-002", "cl100k_base", 16_384},
	{"text-davinci", "p50k_base", 4_097},
	{"text-davinci-001", "", 2_049},
	{"text-davinci-edit", "p50k_base", 0},
	{"code-davinci", "p50k_base", 8_001},
	{"code-cushman", "p50k_base", 2_048},
	{"davinci-codex", "", 0},
	{"cushman-codex", "", 0},
	{"davinci", "", 2_049},
	{"curie", "", 2_049},
	{"babbage", "", 2_049},
	{"ada", "", 2_049},
	{"text-curie", "r50k_base", 2_049},
	{"text-babbage", "r50k_base", 2_049},
	{"text-ada", "r50k_base", 2_049},
	{"text-similarity", "r50k_base", 0},
	{"text-search", "r50k_base", 0},
	{"code-search", "r50k_base", 0},
	{"gpt2", "", 1_024},
	{"gpt-2", "r50k_base", 1_024},

	{"claude", "", 200_000},
	{"claude-2", "", 200_000},
	{"claude-2-0", "", 100_000},
	{"claude-instant", "", 100_000},
	{"claude-opus-4-6", "", 1_000_000},
	{"claude-opus-4-7", "", 1_000_000},
	{"claude-opus-4-8", "", 1_000_000},
	{"claude-opus-5", "", 1_000_000},
	{"claude-sonnet-4-6", "", 1_000_000},
	{"claude-sonnet-5", "", 1_000_000},
	{"claude-fable-5", "", 1_000_000},
	{"claude-mythos-5", "", 1_000_000},
	{"gemini", "", 1_048_576},
	{"gemini-1.0", "", 32_760},
	{"gemini-1.5-pro", "", 2_097_152},
	{"gemma", "", 8_192},
	{"gemma-3", "", 131_072},
	{"gemma-4", "", 262_144},
	{"llama", "", 0}, // 3.1 and 3.3 begin with "llama-3.": below
	{"llama-2", "", 4_096},
	{"llama-3", "", 8_192},
	{"llama-3.1", "", 131_072},
	{"llama-3.2", "", 131_072},
	{"llama-3.3", "", 131_072},
	{"meta-llama", "", 0},
	{"mistral", "", 0},
	{"mistral-large", "", 131_072},
	{"mistral-large-2512", "", 262_144},
	{"mistral-medium", "", 131_072},
	{"mixtral", "", 0},
	{"mixtral-8x22b", "", 65_536},
	{"mixtral-8x7b", "", 32_768},
	{"ministral", "", 0},
	{"codestral", "", 256_000},
	{"devstral", "", 0},
	{"magistral", "", 0},
	{"qwen", "", 0},
	{"qwen3-max", "", 262_144},
	{"qwen3-coder", "", 262_144},
	{"qwen3.7", "", 1_000_000},
	{"qwq", "", 0},
	{"deepseek", "", 0},
	{"deepseek-chat", "", 128_000},
	{"deepseek-v4", "", 1_000_000},
	{"grok", "", 0},
	{"kimi", "", 262_144},
	{"glm", "", 0},
	{"command", "", 0},
	{"phi", "", 0},
}

// ModelError says that the model with this name is not known.
type ModelError struct{ Name string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("model %.60q is not known; the nearest are %s", e.Name, strings.Join(plain.Nearest(e.Name, Models(), 3), ", "))
}

// Models returns the beginnings of the names of known models, such as "gpt-4o".
func Models() []string {
	var names []string
	for _, f := range families {
		names = append(names, f.Name)
	}
	return names
}

// FindModel returns the family of the model with the given name, or false if it
// is not known. It ignores the case of letters, the provider ("openai/gpt-4o",
// "us.anthropic.claude-...") and the prefix of a fine-tuned model
// ("ft:gpt-4o:org::id"). The suffix "[1m]" of a Claude model means a window of
// a million tokens.
func FindModel(name string) (Model, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return Model{}, false
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimPrefix(name, "ft:")
	if _, after, ok := strings.Cut(name, "anthropic."); ok {
		name = after
	}
	million := strings.HasPrefix(name, "claude") && strings.HasSuffix(name, "[1m]")
	if strings.HasPrefix(name, "claude") { // 4.5 and 4-5 are the same
		name = strings.ReplaceAll(name, ".", "-")
	}
	best := Model{}
	for _, f := range families {
		if len(f.Name) > len(best.Name) && begins(name, f.Name) {
			best = f
		}
	}
	if encoding := cmp.Or(tiktokenEncoding(name), tiktokenEncoding(best.Name)); encoding != "" {
		best.Name, best.Encoding = cmp.Or(best.Name, name), encoding
	}
	if million { // how a session says that it asked for it
		best.Window = 1_000_000
	}
	return best, best.Name != ""
}

// The tables of tiktoken-go: encodings by the names of models, and by how those
// begin.
var tiktokenModels, tiktokenPrefixes = tiktoken.MODEL_TO_ENCODING, tiktoken.MODEL_PREFIX_TO_ENCODING

// tiktokenEncoding returns the encoding of a model in the tables of
// tiktoken-go, or "" if they do not have it. Encodings that differ only in
// special tokens have the name of the one that is built in.
func tiktokenEncoding(name string) string {
	encoding, ok := tiktokenModels[name]
	longest := ""
	for prefix, of := range tiktokenPrefixes {
		if !ok && strings.HasPrefix(name, prefix) && len(prefix) > len(longest) {
			encoding, longest = of, prefix
		}
	}
	switch encoding {
	case tiktoken.MODEL_P50K_EDIT:
		return tiktoken.MODEL_P50K_BASE
	case "gpt2":
		return tiktoken.MODEL_R50K_BASE
	}
	return encoding
}

// begins reports whether a name begins with a prefix that ends where a word or
// a number of the name ends: "gpt-4-turbo" begins with "gpt-4", "gpt-4o" does
// not; "qwen3" begins with "qwen".
func begins(name, prefix string) bool {
	if !strings.HasPrefix(name, prefix) || len(name) == len(prefix) {
		return name == prefix
	}
	last, next := prefix[len(prefix)-1], name[len(prefix)]
	return !isLetter(next) && !isDigit(next) || isLetter(last) && isDigit(next)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
