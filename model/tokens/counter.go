// Package tokens counts and estimates the tokens of texts.
//
// Estimate answers at once and knows no encoding. A Counter is exact: it uses
// tiktoken's byte pair encoding with ranks that are part of the program, so that
// nothing is ever downloaded. Texts are ordinary text: what looks like a special
// token is counted like any other characters.
package tokens

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"

	"cupelscope/model"
)

// DefaultEncoding is used where nothing else is asked for.
const DefaultEncoding = "o200k_base"

// Encodings lists the encodings that can be counted with.
func Encodings() []string { return []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"} }

// EncodingError says that an encoding, or the encoding of a model, is not known.
type EncodingError struct{ Name string }

func (e *EncodingError) Error() string {
	return fmt.Sprintf("encoding %.60q is not known; known are %s", e.Name, strings.Join(Encodings(), ", "))
}

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

// useEmbeddedRanks sets tiktoken's loader, which is global there, once.
var useEmbeddedRanks = sync.OnceFunc(func() { tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader()) })

// Counter counts the tokens of texts under one encoding. It may be used by
// several goroutines. Making one costs nothing: the first count loads the ranks,
// which takes about 0.3 s and 50 MB.
type Counter struct {
	encoding string
	newlines bool // text may be cut after a newline, see cutBetween
	load     func() (*tiktoken.Tiktoken, error)
}

// NewCounter returns a counter for an encoding; "" is DefaultEncoding. The
// error is an *EncodingError. Counters of one encoding do not share their
// ranks: keep one, or use Counters.
func NewCounter(encoding string) (*Counter, error) {
	if encoding == "" {
		encoding = DefaultEncoding
	}
	if !slices.Contains(Encodings(), encoding) {
		return nil, &EncodingError{encoding}
	}
	return &Counter{
		encoding: encoding,
		newlines: encoding == "o200k_base" || encoding == "cl100k_base",
		load: sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
			useEmbeddedRanks()
			t, err := tiktoken.GetEncoding(encoding)
			if err != nil {
				return nil, fmt.Errorf("loading the ranks of %s: %w", encoding, err)
			}
			return t, nil
		}),
	}, nil
}

// Counters holds a counter for each encoding asked for. The zero value is
// ready, and may be used by several goroutines.
type Counters struct {
	mu  sync.Mutex
	all map[string]*Counter
}

// Get returns the counter for an encoding, always the same; "" is
// DefaultEncoding. The error is an *EncodingError.
func (c *Counters) Get(encoding string) (*Counter, error) {
	if encoding == "" {
		encoding = DefaultEncoding
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.all[encoding]; ok {
		return one, nil
	}
	one, err := NewCounter(encoding)
	if err != nil {
		return nil, err
	}
	if c.all == nil {
		c.all = make(map[string]*Counter)
	}
	c.all[encoding] = one
	return one, nil
}

// Encoding names the encoding.
func (c *Counter) Encoding() string { return c.encoding }

// Count counts text, a megabyte or two a second. The count is Exact, unless
// text holds a run of more than maxPiece bytes without any place to cut (see
// cutBetween): such a run is estimated, for its exact count would take time
// quadratic in its length. Canceling ctx ends it
// within 50 ms, but for the loading of the ranks.
func (c *Counter) Count(ctx context.Context, text string) (model.Tokens, model.Provenance, error) {
	if err := ctx.Err(); err != nil {
		return 0, model.Estimated, err
	}
	t, err := c.load()
	if err != nil {
		return 0, model.Estimated, err
	}
	sum, count := model.Tokens(0), model.Exact
	for len(text) > 0 {
		if err := ctx.Err(); err != nil {
			return 0, model.Estimated, err
		}
		n := c.pieceEnd(text)
		if n > maxPiece {
			sum, count = sum+Estimate(text[:n]), model.Estimated
		} else {
			sum += model.Tokens(len(t.EncodeOrdinary(text[:n])))
		}
		text = text[n:]
	}
	return sum, count, nil
}
