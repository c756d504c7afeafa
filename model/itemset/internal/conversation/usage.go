package conversation

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/tokens"
)

// The tokens that a provider gives for an answer are the tokens of the whole answer, thinking
// included. They are used as a token count only if the answer is a single item and the number
// is plausible for its text: answers are logged while they are written, with the count so far,
// and thinking may be counted but not logged. All other items are counted like any text, and
// nothing is counted twice.

// Usage holds the token counts that a provider gives for one answer.
type Usage struct {
	Output  model.Tokens                // tokens that the model wrote
	Hidden  model.Tokens                // the part of Output that is thinking, if the provider says so
	Context model.Tokens                // tokens of the prompt and the answer
	Prompt  model.Option[record.Prompt] // set if the provider says what its cache did
}

// ParseUsage reads the usage object of any provider that is supported. A value that
// is not a number of tokens counts as missing; for a value that is no object all
// counts are 0.
func ParseUsage(raw []byte) (u Usage) {
	for key, value := range jsonwalk.Members(raw) {
		n := tokenNumber(value)
		switch key {
		case "completion_tokens_details", "output_tokens_details", "output_token_details":
			u.Hidden = max(u.Hidden, tokenNumber(record.Open(value).Raw("reasoning_tokens", "reasoning")))
		case "thoughtsTokenCount", "thoughts_token_count", "thoughts": // beside the tokens of the answer
			u.Hidden = n
			u.Output += n
			u.Context += n
		case "output_tokens", "completion_tokens", "outputTokens", "candidatesTokenCount", "candidates_token_count", "eval_count", "output":
			u.Output += n
			u.Context += n
		case "input_tokens", "prompt_tokens", "cache_creation_input_tokens", "cache_read_input_tokens",
			"inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", "promptTokenCount", "prompt_token_count", "prompt_eval_count",
			"input", "cacheRead", "cacheWrite":
			u.Context += n
		}
	}
	u.Prompt = promptOf(record.Open(raw))
	return u
}

// promptOf returns what a usage says about the cache, unset if it says nothing. Some
// providers count the tokens read from and written to the cache as a part of the
// input, some beside it.
func promptOf(o record.Object) model.Option[record.Prompt] {
	p := record.Prompt{Plain: tokenNumber(o.Raw("input_tokens", "prompt_tokens", "inputTokens", "promptTokenCount", "prompt_token_count", "input"))}
	read, written := o.Raw("cache_read_input_tokens", "cacheReadInputTokens", "cacheRead"), o.Raw("cache_creation_input_tokens", "cacheWriteInputTokens", "cacheWrite")
	if read != nil || written != nil { // beside the input
		p.CacheRead, p.CacheWrite = tokenNumber(read), tokenNumber(written)
		return model.Some(p)
	}
	details := record.Open(o.Raw("input_tokens_details", "prompt_tokens_details", "input_token_details"))
	if read = details.Raw("cached_tokens", "cache_read"); read == nil {
		read = o.Raw("cached_input_tokens", "cachedContentTokenCount", "cached_content_token_count", "cached")
	}
	if read == nil {
		return model.Option[record.Prompt]{}
	}
	p.CacheRead, p.CacheWrite = tokenNumber(read), tokenNumber(details.Raw("cache_write_tokens", "cache_creation"))
	p.Plain = max(0, p.Plain-p.CacheRead-p.CacheWrite)
	return model.Some(p)
}

// tokenNumber returns a number of tokens, and 0 for a value that is none.
func tokenNumber(raw []byte) model.Tokens {
	if n, ok := record.Whole(raw); ok && n >= 0 && n <= model.MaxTokens {
		return n
	}
	return 0
}

// Count parses the usage of an answer, adds it to the usage in sink.Facts, and
// returns it. It returns nil, and adds nothing, if there is no usage or it has no
// tokens.
func Count(sink record.Sink, raw []byte) *Usage {
	if len(raw) == 0 {
		return nil
	}
	u := ParseUsage(raw)
	if u.Context == 0 {
		return nil
	}
	sum := &sink.Facts().Usage
	sum.Messages++
	sum.Output += u.Output
	sum.Context = u.Context
	return &u
}

// CountAnswer adds the usage of an answer of several messages as Count does. If
// exactly one of the messages is of the assistant and has blocks other than thinking
// and payloads, CountAnswer sets its Output, unless it is set already.
func CountAnswer(sink record.Sink, answer []Message, raw []byte) {
	u := Count(sink, raw)
	speaking := func(m Message) bool { return m.Role == "assistant" && len(withoutThinking(m.Parts())) > 0 }
	first := slices.IndexFunc(answer, speaking)
	if u == nil || first < 0 || slices.ContainsFunc(answer[first+1:], speaking) { // which of several it counts is not said
		return
	}
	if m := &answer[first]; m.Output == nil {
		m.Output = u
	}
}

func withoutThinking(all []blocks.Block) []blocks.Block {
	return slices.DeleteFunc(slices.Clone(all), func(b blocks.Block) bool { return b.Kind == blocks.Thinking || b.Kind == blocks.Opaque })
}

// counted returns the token count that the usage of a message gives for its only
// item, and false if the usage gives none.
func (m *Message) counted(sink record.Sink, parts []blocks.Block) (model.Tokens, bool) {
	if m.Output == nil || m.Role != "assistant" {
		return 0, false
	}
	n := m.Output.Output
	if hidden := m.Output.Hidden; hidden > 0 && hidden < n {
		n, parts = n-hidden, withoutThinking(parts)
	}
	if len(parts) != 1 || parts[0].Kind != blocks.Text && parts[0].Kind != blocks.Call {
		return 0, false
	}
	// Encodings differ by less than a factor of two, estimates by less than a
	// quarter, and a call comes with some tokens around it.
	const around = 64
	guess := tokens.Estimate(parts[0].Text)
	if n < guess/2 || n > 2*guess+around {
		sink.Tell(record.Changed, m.Place, "answers whose usage cannot be the count of their text, which is estimated instead")
		return 0, false
	}
	sink.Tell(record.Changed, m.Place, "answers of one item, counted by their usage")
	return n, true
}
