package tokens

import "strings"

// EncodingForModel names the encoding of a model of OpenAI. For other models,
// whose tokenizers are not public, it answers false: DefaultEncoding is a fair
// stand-in there.
func EncodingForModel(name string) (string, bool) {
	name = strings.ToLower(name)
	if i := strings.LastIndexByte(name, '/'); i >= 0 { // "openai/gpt-4o"
		name = name[i+1:]
	}
	for _, m := range [...]struct{ prefix, encoding string }{
		{"gpt-4o", "o200k_base"}, {"gpt-4.1", "o200k_base"}, {"gpt-4.5", "o200k_base"}, {"chatgpt-4o", "o200k_base"},
		{"gpt-5", "o200k_base"}, {"o1", "o200k_base"}, {"o3", "o200k_base"}, {"o4", "o200k_base"}, {"codex-mini", "o200k_base"},
		{"gpt-4", "cl100k_base"}, {"gpt-3.5", "cl100k_base"}, {"text-embedding", "cl100k_base"},
		{"text-davinci-003", "p50k_base"}, {"text-davinci-002", "p50k_base"}, {"code-", "p50k_base"},
		{"text-davinci-001", "r50k_base"}, {"davinci", "r50k_base"}, {"curie", "r50k_base"}, {"babbage", "r50k_base"}, {"ada", "r50k_base"},
	} {
		if strings.HasPrefix(name, m.prefix) {
			return m.encoding, true
		}
	}
	return "", false
}
