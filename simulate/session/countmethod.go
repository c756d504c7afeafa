package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
)

// method is how to count the tokens of texts for which the source has no
// counts.
type method struct {
	Encoding string
	// StandIn says that Encoding is not the model's, or that counts are
	// scaled: they are multiplied by Factor and remain estimates.
	StandIn  bool
	Factor   float64
	Overhead model.Tokens // tokens added for each message, at most 1000

	measure  bool // find the factor in the source, see measured
	perToken int  // characters a token, in place of an encoding; 0: none
	// because is why counts are estimates, in the words before the name of the encoding. hint, behind
	// it, is the flag to use or how the factor was measured. Both are "" where counts are exact.
	because, hint string
}

// measureFactor is what --token-factor may be in place of a number.
const measureFactor = "auto"

const (
	// The bounds of --token-factor, which is 1 unless given: no vendor publishes how its
	// counts compare with o200k_base, and published measurements differ by
	// model and sort of text.
	minFactor, maxFactor = 0.1, 10
	// maxPerToken bounds --estimate: a token of no encoding is that long on average.
	maxPerToken = 100
	// maxOverhead bounds --message-overhead: beyond it, it is no framing.
	maxOverhead model.Tokens = 1000
)

// method parses the flags that say how to count. named is the model that the
// source names, or "". If no encoding is given, it is the encoding of the model in the
// flags, or else of the model named. If the encoding of the model is not built
// in, or the model is not known, tokens.DefaultEncoding stands in. The error
// names the flag.
func (o Options) method(named string) (method, error) {
	m := method{Encoding: o.Encoding, Factor: 1}
	if _, err := tokens.NewCounter(o.Encoding); err != nil {
		return m, fmt.Errorf("--encoding: %w", err)
	}
	known, ok := tokens.FindModel(named)
	if o.Model != "" {
		named = o.Model
		if known, ok = tokens.FindModel(o.Model); !ok {
			return m, fmt.Errorf("--model: %w", &tokens.ModelError{Name: o.Model})
		}
	}
	if m.measure = strings.EqualFold(o.TokenFactor, measureFactor); o.TokenFactor != "" && !m.measure {
		f, err := strconv.ParseFloat(o.TokenFactor, 64)
		if err != nil || !(f >= minFactor && f <= maxFactor) {
			return m, fmt.Errorf("--token-factor: %.40q must be a number from %v to %v, as in 1.15, or auto", o.TokenFactor, minFactor, maxFactor)
		}
		m.Factor, m.StandIn = f, true
	}
	if o.Estimate != "" {
		if o.Encoding != "" || o.TokenFactor != "" {
			return m, errors.New("--estimate counts characters: it cannot be combined with --encoding or --token-factor")
		}
		per, ok := strings.CutPrefix(o.Estimate, "chars/")
		n, err := strconv.Atoi(per)
		if !ok || err != nil || n < 1 || n > maxPerToken {
			return m, fmt.Errorf("--estimate: %.40q must be chars/N with N from 1 to %d, as in chars/4", o.Estimate, maxPerToken)
		}
		m.Encoding, m.perToken, m.StandIn = o.Estimate, n, true
	}
	if o.MessageOverhead != "" {
		n, err := model.ParseTokens(o.MessageOverhead)
		if err != nil {
			return m, fmt.Errorf("--message-overhead: %w", err)
		}
		if n > maxOverhead {
			return m, fmt.Errorf("--message-overhead: %v must be at most %v", n, maxOverhead)
		}
		m.Overhead = n
	}
	if m.Encoding == "" {
		m.Encoding = known.Encoding
		if m.Encoding == "" {
			m.Encoding = tokens.DefaultEncoding
			m.StandIn = m.StandIn || named != ""
		}
	}
	switch {
	case !m.StandIn:
	case m.perToken > 0:
		m.because, m.hint = fmt.Sprintf("a token for each %d characters, ", m.perToken), "--estimate"
	case named == "" || known.Encoding != "" || o.Encoding != "":
		m.because, m.hint = "", "--token-factor"
	case ok:
		m.because, m.hint = fmt.Sprintf("the encoding of %s is not built in, so they are those of ", named), "--token-factor scales them"
	default:
		m.because, m.hint = fmt.Sprintf("the model %s is not known, so they are those of ", named), "--encoding makes them exact"
	}
	return m, nil
}

// note says in a line what may mislead about the counts; "" if nothing does.
func (m method) note() string {
	if !m.StandIn {
		return ""
	}
	times := ""
	if m.Factor != 1 || m.because == "" {
		times = fmt.Sprintf(" times %v", m.Factor)
	}
	return fmt.Sprintf("tokens are estimates: %s%s%s (%s)", m.because, m.Encoding, times, m.hint)
}

const (
	// minAnswer is how many tokens an answer must have to measure by: in a
	// short one, what the provider counts beside the text weighs too much.
	minAnswer = 20
	// minMeasure is how many tokens there must be in all.
	minMeasure = 500
	// maxMeasure bounds the text that is counted to measure, in bytes.
	maxMeasure = 4 << 20
)

// measured returns m with the factor that the source itself gives: the tokens
// that the provider counted for answers, over the count of their texts under the
// encoding. Where the factor cannot be measured, or is not needed, it returns m.
func (m method) measured(ctx context.Context, set *model.Set, all *tokens.Counters) (method, error) {
	if !m.measure || !m.StandIn {
		return m, nil
	}
	counter, err := all.Get(m.Encoding)
	if err != nil {
		return m, err
	}
	var given, counted model.Tokens
	answers, read := 0, 0
	for i := 0; i < set.Len() && read < maxMeasure; i++ {
		it := set.Loaded(i)
		own, count := set.LoadedTokens(i)
		if count != model.FromFile && count != model.FromUsage || it.Metadata["role"] != "assistant" || it.Metadata["part"] != nil {
			continue
		}
		n, _, err := counter.Count(ctx, it.Content)
		if err != nil {
			return m, err
		}
		read += len(it.Content)
		if n >= minAnswer {
			answers, given, counted = answers+1, given+own, counted+n
		}
	}
	factor := 0.0
	if counted >= minMeasure {
		factor = math.Round(1000*float64(given)/float64(counted)) / 1000
	}
	if factor < minFactor || factor > maxFactor {
		m.hint = fmt.Sprintf("no factor could be measured: only %s with a count of their own, %v tokens", plain.Count(answers, "answer"), counted)
		if answers == 0 {
			m.hint = "no factor could be measured: no answer has a count of its own and is long enough"
		}
		return m, nil
	}
	m.Factor = factor
	m.hint = fmt.Sprintf("measured on %s with a count of their own, %v tokens", plain.Count(answers, "answer"), counted)
	return m, nil
}

// counter returns the counter of this method.
func (m method) counter(all *tokens.Counters) (*tokens.Counter, error) {
	if m.perToken > 0 {
		return tokens.PerCharacters(m.perToken), nil
	}
	c, err := all.Get(m.Encoding)
	if err == nil && m.StandIn {
		c = c.StandIn(m.Factor)
	}
	return c, err
}

// texts returns what is to be counted in a set, with the overhead of messages.
func (m method) texts(set *model.Set) []tokens.Text {
	texts := tokens.Pending(set)
	if m.Overhead > 0 {
		for k := range texts {
			if beginsMessage(set, texts[k].Index) {
				texts[k].Extra = m.Overhead
			}
		}
	}
	return texts
}

// beginsMessage reports whether an item is the first of a message: its text,
// calls and thinking are items that follow each other. Of items that no chat
// format gives, each with a kind that messages have is a message.
func beginsMessage(set *model.Set, i int) bool {
	it := set.Loaded(i)
	role, _ := it.Metadata["role"].(string)
	if role == "" {
		return it.Metadata["part"] != "toolDefinition" &&
			(it.Kind.Is(model.Message) || it.Kind.Is(model.SystemPrompt) || it.Kind.Is(model.ToolOutput))
	}
	if i == 0 {
		return true
	}
	before := set.Loaded(i - 1)
	if before.Metadata["role"] != role {
		return true
	}
	if id := it.Metadata["messageId"]; id != nil || before.Metadata["messageId"] != nil {
		return id != before.Metadata["messageId"]
	}
	return it.Timestamp.Set != before.Timestamp.Set || !it.Timestamp.Value.Equal(before.Timestamp.Value)
}
