package itemset

import (
	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/tokens"
)

// What a provider says of the tokens of an answer is about all of it, thinking
// included. So it is taken as a count only where a single item makes up the
// answer, and where it can be that of its text: answers are logged while they
// are written, with the count so far, and thinking may be counted but not given.
// Everything else is counted like any text, and nothing is counted twice.

// usage is what a provider says of one answer.
type usage struct {
	output  model.Tokens // that the model wrote
	hidden  model.Tokens // of them: thinking, where that is told apart
	context model.Tokens // that it was given and wrote
}

// parseUsage reads the usage of either provider. What is no token number counts
// as missing.
func parseUsage(raw []byte) (u usage) {
	for key, value := range jsonwalk.Members(raw) {
		if key == "completion_tokens_details" || key == "output_tokens_details" {
			for key, value := range jsonwalk.Members(value) {
				if n, ok := whole64(value); ok && key == "reasoning_tokens" && n >= 0 && n <= model.MaxTokens {
					u.hidden = n
				}
			}
			continue
		}
		n, ok := whole64(value)
		if !ok || n < 0 || n > model.MaxTokens {
			continue
		}
		switch key {
		case "output_tokens", "completion_tokens":
			u.output = n
			u.context += n
		case "input_tokens", "prompt_tokens", "cache_creation_input_tokens", "cache_read_input_tokens":
			u.context += n
		}
	}
	return u
}

// count adds the usage of an answer to that of the source and returns it, if
// there is one.
func (b *builder) count(raw []byte) model.Option[usage] {
	if jsonwalk.Type(raw) != '{' {
		return model.Option[usage]{}
	}
	u := parseUsage(raw)
	if u.context == 0 {
		return model.Option[usage]{}
	}
	b.out.Usage.Messages++
	b.out.Usage.Output += u.output
	b.out.Usage.Context = u.context
	return model.Some(u)
}

// answered gives the usage of a whole answer to its message, if there is one
// message of the assistant that has parts other than thinking.
func (b *builder) answered(all []message, raw []byte) {
	u := b.count(raw)
	if !u.Set {
		return
	}
	last := -1
	for i := range all {
		if all[i].role != "assistant" || len(withoutThinking(all[i].parts)) == 0 {
			continue
		}
		if last >= 0 {
			return // which of them it counts is not said
		}
		last = i
	}
	if last >= 0 && !all[last].output.Set {
		all[last].output = u
	}
}

func withoutThinking(parts []part) []part {
	var rest []part
	for _, p := range parts {
		if p.kind != thinkingPart && p.kind != opaquePart {
			rest = append(rest, p)
		}
	}
	return rest
}

const doubtfulUsage = "answers whose usage cannot be the count of their text, which is estimated instead"

// spoken is the count that a message's usage gives its one item; false if it
// gives none.
func (b *builder) spoken(m *message, parts []part) (model.Tokens, bool) {
	if !m.output.Set || m.role != "assistant" {
		return 0, false
	}
	n := m.output.Value.output
	if hidden := m.output.Value.hidden; hidden > 0 && hidden < n {
		n, parts = n-hidden, withoutThinking(parts)
	}
	if len(parts) != 1 || parts[0].kind != textPart && parts[0].kind != callPart {
		return 0, false
	}
	// Encodings differ by less than a factor of two, estimates by less than a
	// quarter, and a call comes with some tokens around it.
	const around = 64
	guess := tokens.Estimate(parts[0].text)
	if n < guess/2 || n > 2*guess+around {
		b.note(m.place, doubtfulUsage)
		return 0, false
	}
	return n, true
}
