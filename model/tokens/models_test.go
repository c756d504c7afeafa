package tokens

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestFindModel(t *testing.T) {
	for _, c := range []struct {
		name, encoding string
		window         model.Tokens
		reason         string
	}{
		{"gpt-4", "cl100k_base", 8_192, "exact"},
		{"gpt-4-0613", "cl100k_base", 8_192, "by prefix"},
		{"GPT-4-turbo-2024-04-09", "cl100k_base", 128_000, "a longer prefix, capitals"},
		{"gpt-4o", "o200k_base", 128_000, "does not begin with gpt-4"},
		{"gpt-4o-mini-2024-07-18", "o200k_base", 128_000, ""},
		{"openai/gpt-4.1", "o200k_base", 1_047_576, "with a provider"},
		{"openrouter/openai/gpt-5-mini", "o200k_base", 400_000, "with two"},
		{"gpt-5.2", "o200k_base", 400_000, "a later version"},
		{"gpt-5.6-sol", "o200k_base", 1_050_000, ""},
		{"ft:gpt-4o:org::id", "o200k_base", 128_000, "fine-tuned"},
		{"ft:gpt-3.5-turbo-0613:org:name:id", "cl100k_base", 16_385, ""},
		{"ft:davinci-002:org::id", "cl100k_base", 16_384, "not the davinci of before"},
		{"davinci:ft-org", "r50k_base", 2_049, ""},
		{"chatgpt-4o-latest", "o200k_base", 128_000, ""},
		{"gpt-4.5-preview", "o200k_base", 128_000, ""},
		{"gpt-oss-120b", "o200k_base", 131_072, ""},
		{"o1-mini", "o200k_base", 128_000, ""},
		{"o1-2024-12-17", "o200k_base", 200_000, ""},
		{"o3-pro", "o200k_base", 200_000, ""},
		{"o4-mini", "o200k_base", 200_000, ""},
		{"text-embedding-ada-002", "cl100k_base", 8_191, ""},
		{"text-embedding-3-large", "cl100k_base", 8_191, ""},
		{"text-davinci-003", "p50k_base", 4_097, ""},
		{"text-davinci-001", "r50k_base", 2_049, ""},
		{"claude-sonnet-4-5-20250929", "", 200_000, ""},
		{"claude-sonnet-4-5[1m]", "", 1_000_000, "the window that a session asked for"},
		{"anthropic/claude-opus-4.6", "", 1_000_000, "a dot for a dash"},
		{"us.anthropic.claude-haiku-4-5-20251001-v1:0", "", 200_000, "as Bedrock names it"},
		{"claude-2.0", "", 100_000, ""},
		{"gemini-2.5-pro", "", 1_048_576, ""},
		{"models/gemini-1.5-pro-002", "", 2_097_152, ""},
		{"meta-llama/llama-3.3-70b-instruct", "", 131_072, ""},
		{"llama3:8b", "", 0, "no dash, no window"},
		{"qwen3-32b", "", 0, ""},
		{"deepseek-chat", "", 128_000, ""},
		{"mistral-large-latest", "", 131_072, ""},
	} {
		m, ok := FindModel(c.name)
		if !ok || m.Encoding != c.encoding || m.Window != c.window {
			t.Errorf("%s: %+v, %v, want %q and %v %s", c.name, m, ok, c.encoding, c.window, c.reason)
		}
	}
	for _, name := range []string{"", "m-1", "o10", "adaptive", "gpt-4x", "gpt", "o", "ft:", "openai/", "a model of our own"} {
		if m, ok := FindModel(name); ok {
			t.Errorf("%q is taken for %s", name, m.Name)
		}
	}
}

func TestModelErrorNamesTheNearest(t *testing.T) {
	err := (&ModelError{Name: "gtp-4"}).Error()
	musttest.Is(t, err, `model "gtp-4" is not known; the nearest are gpt-4, gpt-5, gpt-4o`)
}

// A family that is an exception of another must differ from it, and no name
// stands twice.
func TestFamilies(t *testing.T) {
	for i, line := range strings.Split(modelsText, "\n") {
		row, _, _ := strings.Cut(line, "#")
		fields := strings.Fields(row)
		if len(fields) == 0 {
			continue
		}
		if window, err := strconv.ParseInt(strings.Join(fields[1:min(2, len(fields))], ""), 0, 64); err != nil || window < 0 || len(fields) > 3 {
			t.Fatalf("line %d is no name, window and encoding: %q", i+1, line)
		}
	}
	names := Models()
	slices.Sort(names)
	musttest.Is(t, len(slices.Compact(names)), len(families()))
	for _, f := range families() {
		if f.Encoding != "" && !slices.Contains(Encodings(), f.Encoding) || f.Name != strings.ToLower(f.Name) {
			t.Errorf("%+v", f)
		}
		if m, ok := FindModel(f.Name); !ok || m.Name != f.Name || m.Window != f.Window || m.Encoding != cmp.Or(f.Encoding, m.Encoding) {
			t.Errorf("%s is found as %+v", f.Name, m)
		}
	}
}
