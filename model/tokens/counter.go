// Package tokens counts and estimates the tokens of texts.
//
// Estimate answers at once and loads no encoding. A Counter counts exactly: it implements the
// byte pair encoding of tiktoken in time linear in the text. The ranks are part of the program,
// so nothing is ever downloaded. Tests compare its counts with github.com/pkoukk/tiktoken-go,
// and Counter.Verify does so for any text. The tables of tiktoken-go also say which encoding a
// model has.
//
// Texts are ordinary text: what looks like a special token is counted like any
// other characters.
package tokens

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"cupelscope/model"
)

// DefaultEncoding is the encoding where none is named.
const DefaultEncoding = "o200k_base"

// encodings are what can be counted with.
var encodings = [...]struct {
	name    string
	pattern string // the expression that split does without
	split   splitter
	load    func() *vocabulary // unpacks the ranks at the first call and keeps them
}{
	{"o200k_base", patternO200k, splitO200k, sync.OnceValue(func() *vocabulary { return unpack(ranksO200k, noRank) })},
	{"cl100k_base", patternCL100k, splitCL100k, sync.OnceValue(func() *vocabulary { return unpack(ranksCL100k, noRank) })},
	{"p50k_base", patternP50k, splitP50k, sync.OnceValue(func() *vocabulary { return unpack(ranksP50k, noRank) })},
	{"r50k_base", patternP50k, splitP50k, sync.OnceValue(func() *vocabulary { return unpack(ranksP50k, tokensR50k) })},
}

// Encodings returns the names of the encodings that are built in.
func Encodings() []string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return names
}

// EncodingError says that the encoding with this name is not known.
type EncodingError struct{ Name string }

func (e *EncodingError) Error() string {
	return fmt.Sprintf("encoding %.60q is not known; known are %s", e.Name, strings.Join(Encodings(), ", "))
}

// Counter counts the tokens of texts under one encoding. It is safe for
// concurrent use. Making one is cheap: the first count under an encoding loads
// its ranks, which takes some 10 ms and 5 MB. All counters share them until the
// program ends.
type Counter struct {
	encoding string
	split    splitter
	perToken int     // characters a token, where nothing is encoded; 0: the encoding counts
	standIn  bool    // for another encoding, that is not built in
	factor   float64 // of a stand-in
	load     func() *vocabulary
	memo     *memo
}

// NewCounter returns a counter for an encoding; "" is DefaultEncoding. The
// error is an *EncodingError. A counter remembers counts of texts, and
// two counters do not share them: keep one, or use Counters.
func NewCounter(encoding string) (*Counter, error) {
	encoding = cmp.Or(encoding, DefaultEncoding)
	for _, e := range encodings {
		if e.name == encoding {
			return &Counter{encoding: encoding, split: e.split, load: e.load, memo: newMemo()}, nil
		}
	}
	return nil, &EncodingError{encoding}
}

// PerCharacters returns a counter that estimates one token for every n
// characters of a text, rounded up: ceil(characters / n); n must be at least 1.
// Its counts have the provenance Estimated.
func PerCharacters(n int) *Counter {
	return &Counter{encoding: fmt.Sprintf("chars/%d", n), perToken: n, standIn: true, factor: 1, memo: newMemo()}
}

// StandIn returns a counter that multiplies the counts of c by factor, rounds
// them, and marks them as Estimated. It is for models whose encoding is not
// built in. It shares the ranks and the remembered counts of c.
func (c *Counter) StandIn(factor float64) *Counter {
	other := *c
	other.standIn, other.factor = true, factor
	return &other
}

// Counters holds one counter for each encoding asked for. The zero value is
// ready to use and safe for concurrent use.
type Counters struct {
	all sync.Map // *Counter by encoding
}

// Get returns the counter for an encoding, the same one on every call; "" is
// DefaultEncoding. The error is an *EncodingError.
func (c *Counters) Get(encoding string) (*Counter, error) {
	encoding = cmp.Or(encoding, DefaultEncoding)
	if one, ok := c.all.Load(encoding); ok {
		return one.(*Counter), nil
	}
	made, err := NewCounter(encoding)
	if err != nil {
		return nil, err
	}
	one, _ := c.all.LoadOrStore(encoding, made)
	return one.(*Counter), nil
}

// Encoding returns the name of the encoding, or "chars/n" for a counter of
// PerCharacters.
func (c *Counter) Encoding() string { return c.encoding }

// steps yields the parts of a text, each of some megabytes and cut between characters, until
// ctx ends.
func steps(ctx context.Context, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		const step = 4 << 20
		for len(text) > 0 && ctx.Err() == nil {
			end := min(step, len(text))
			for end > step-utf8.UTFMax && end < len(text) && !utf8.RuneStart(text[end]) {
				end--
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

// valid returns text with the replacement character for each byte that is not
// UTF-8, or text itself if all is. It checks now and then whether ctx was
// cancelled.
func valid(ctx context.Context, text string) (string, error) {
	var b strings.Builder
	read := 0
	for part := range steps(ctx, text) {
		ok := utf8.ValidString(part)
		if !ok && b.Len() == 0 {
			b.WriteString(text[:read])
		}
		read += len(part)
		switch {
		case !ok:
			b.WriteString(string([]rune(part)))
		case b.Len() > 0:
			b.WriteString(part)
		}
	}
	if b.Len() == 0 {
		return text, ctx.Err()
	}
	return b.String(), ctx.Err()
}

// characters returns the number of characters of text. It checks now and then
// whether ctx was cancelled.
func characters(ctx context.Context, text string) (n int, err error) {
	for part := range steps(ctx, text) {
		n += utf8.RuneCountInString(part)
	}
	return n, ctx.Err()
}

// pollBytes is the number of bytes after which Count checks ctx, about a
// millisecond of work.
const pollBytes = 8 << 10

// progressBytes is the number of bytes after which progress is reported: some
// hundred times a second.
const progressBytes = 1 << 20

// Count returns the number of tokens of text. Each byte that is not UTF-8 counts as the
// replacement character. The provenance is Exact, or Estimated for a counter of StandIn or
// PerCharacters. The error is ctx's; the count is then 0.
//
// The time grows linearly with the length of any text: Count takes tens of
// megabytes a second of prose and code, ten or more of Chinese and base64, some
// where no word ends for megabytes. Cancelling ctx ends it within 50 ms.
func (c *Counter) Count(ctx context.Context, text string) (model.Tokens, model.Provenance, error) {
	return c.countTelling(ctx, text, func(int) {})
}

// countTelling is Count, and calls tell now and then with the number of bytes
// counted since the last call.
func (c *Counter) countTelling(ctx context.Context, text string, tell func(bytes int)) (model.Tokens, model.Provenance, error) {
	n, err := c.remembered(ctx, text, tell)
	switch {
	case err != nil:
		return 0, model.Estimated, err
	case c.standIn:
		return model.Tokens(math.Round(float64(n) * c.factor)), model.Estimated, nil
	}
	return model.Tokens(n), model.Exact, nil
}

func (c *Counter) remembered(ctx context.Context, text string, tell func(bytes int)) (int, error) {
	if len(text) < minMemo || len(text) > maxMemo {
		return c.count(ctx, text, tell)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	key := c.memo.key(text)
	n, ok := c.memo.find(key)
	if ok {
		return n, nil
	}
	n, err := c.count(ctx, text, tell)
	if err == nil {
		c.memo.add(key, n)
	}
	return n, err
}

func (c *Counter) count(ctx context.Context, text string, tell func(bytes int)) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if c.perToken > 0 {
		n, err := characters(ctx, text)
		return (n + c.perToken - 1) / c.perToken, err
	}
	text, err := valid(ctx, text)
	if err != nil {
		return 0, err
	}
	v, table := c.load(), pieces{classes(), ctx}
	m := v.idle.Get().(*merger)
	defer m.rest()
	sum, poll, told, i := 0, pollBytes, 0, 0
	upTo := func(at int) {
		if at-told >= progressBytes {
			tell(at - told)
			told = at
		}
	}
	m.progress = func(bytes int) { upTo(i + bytes) }
	for i < len(text) {
		end := plainEnd(text, i)
		if end == 0 {
			end = c.split(table, text, i)
		}
		n, err := m.count(ctx, text, i, end)
		if err != nil {
			return 0, err
		}
		sum += n
		i = end
		if i >= poll {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			poll = i + pollBytes
			upTo(i)
		}
	}
	return sum, nil
}
