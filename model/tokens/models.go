package tokens

import (
	"cmp"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

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

//go:embed models.txt
var modelsText string

// families returns the rows of models.txt.
var families = sync.OnceValue(func() (all []Model) {
	for line := range strings.Lines(modelsText) {
		row, _, _ := strings.Cut(line, "#")
		if f := strings.Fields(row); len(f) > 0 {
			window, _ := strconv.ParseInt(f[1], 0, 64) // TestFamilies holds that it is a number
			all = append(all, Model{Name: f[0], Encoding: strings.Join(f[2:], " "), Window: model.Tokens(window)})
		}
	}
	return all
})

// ModelError says that the model with this name is not known.
type ModelError struct{ Name string }

func (e *ModelError) Error() string {
	return fmt.Sprintf("model %.60q is not known; the nearest are %s", e.Name, strings.Join(plain.Nearest(e.Name, Models(), 3), ", "))
}

// Models returns the beginnings of the names of known models, such as "gpt-4o".
func Models() []string {
	return plain.Texts(families(), func(m Model) string { return m.Name })
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
	for _, f := range families() {
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

// The tables of tiktoken-go: encodings by the names of models, and by the beginnings of names.
var tiktokenModels, tiktokenPrefixes = tiktoken.MODEL_TO_ENCODING, tiktoken.MODEL_PREFIX_TO_ENCODING

// tiktokenEncoding returns the encoding of a model in the tables of tiktoken-go, or "" if they
// do not have it. For an encoding that differs from a built-in one only in special tokens it
// returns the built-in one.
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
