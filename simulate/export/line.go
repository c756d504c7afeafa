package export

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Answers of a batch are one line of JSON each: an object that begins with the
// id of the question. They are appended to bytes that the caller uses again, so
// that answering allocates nothing for them. An id must be one JSON value
// without a newline; it is written as it is.

// AppendReport appends what JSON writes of a report, on one line, with an id
// and without the items. If timings is true, that includes the durations of
// the stages.
func AppendReport(dst []byte, id json.RawMessage, r *model.Report, timings bool) []byte {
	dst = appendEstimates(open(dst, id), r.Items)
	dst = appendBudget(append(dst, `,"budget":`...), r.Budget)
	return shut(appendRun(dst, r, timings, func(dst []byte, _ int) []byte { return dst }))
}

// appendRun appends the members that every report in JSON has: effective,
// included in placed order, excluded in report order, totals, utilization, value,
// filled, stages, shortfalls and, if there was one, overflow. more appends further
// members of item i.
func appendRun(dst []byte, r *model.Report, timings bool, more func(dst []byte, i int) []byte) []byte {
	dst = appendInt(append(dst, `,"effective":{"maxTokens":`...), r.Effective.Max)
	dst = appendInt(append(dst, `,"targetTokens":`...), r.Effective.Target)
	dst = append(dst, `},"included":[`...)
	for k, i := range r.Included {
		dst = appendItem(comma(dst, k), r, i)
		if r.Sizes != nil {
			dst = appendInt(append(dst, `,"tokens":`...), r.Taken(int(i)))
			dst = appendInt(append(dst, `,"size":`...), r.Size(int(i)))
		}
		dst = append(more(dst, int(i)), '}')
	}
	dst = append(dst, `],"excluded":[`...)
	for k, i := range r.Excluded {
		dst = appendItem(comma(dst, k), r, i)
		dst = appendReason(dst, r.Reason(int(i)))
		if r.Noted(int(i)) {
			dst = appendInt(append(dst, `,"noteTokens":`...), r.Taken(int(i)))
		}
		dst = append(more(dst, int(i)), '}')
	}
	dst = appendInt(append(dst, `],"totalTokens":`...), r.Kept)
	dst = appendInt(append(dst, `,"totalCandidates":`...), r.Items.Len())
	dst = appendInt(append(dst, `,"totalTokensConsidered":`...), r.Considered)
	dst = appendNumber(append(dst, `,"utilization":`...), r.Utilization())
	dst = appendNumber(append(dst, `,"value":`...), r.Value)
	dst = appendNumber(append(dst, `,"filled":`...), r.Filled())
	dst = append(dst, `,"stages":[`...)
	for k, s := range r.Stages {
		dst = appendQuoted(append(comma(dst, k), `{"stage":`...), string(s.Stage))
		if timings {
			dst = appendNumber(append(dst, `,"durationMs":`...), float64(s.Duration)/float64(time.Millisecond))
		}
		dst = appendInt(append(dst, `,"itemsIn":`...), s.In)
		dst = append(appendInt(append(dst, `,"itemsOut":`...), s.Out), '}')
	}
	dst = append(dst, `],"shortfalls":[`...)
	for k, s := range r.Shortfalls {
		dst = appendQuoted(append(comma(dst, k), `{"kind":`...), string(s.Kind))
		dst = appendInt(append(dst, `,"requiredCount":`...), s.Required)
		dst = append(appendInt(append(dst, `,"satisfiedCount":`...), s.Satisfied), '}')
	}
	dst = append(dst, ']')
	if r.Overflow != nil {
		dst = appendInt(append(dst, `,"overflow":{"tokensOverBudget":`...), r.Overflow.TokensOver)
		dst = append(appendInts(append(dst, `,"indexes":`...), r.Overflow.Items), '}')
	}
	return dst
}

// AppendMarginal appends the answer with the items at risk, as one line of
// JSON.
func AppendMarginal(dst []byte, id json.RawMessage, set *model.Set, items []int32) []byte {
	return shut(appendInts(append(appendEstimates(open(dst, id), set), `,"marginal":`...), items))
}

// MinBudget holds the budgets from which an item is in. A number that is not
// set is written as null.
type MinBudget struct {
	simulate.Summary
	BinarySearch model.Option[model.Tokens] // the answer of simulate.FindMinBudgetFor
	Sized        bool                       // FirstWhole is written
	Bands        []simulate.Band
}

// AppendMinBudget appends the answer about the budgets of one item, as one
// line of JSON.
func AppendMinBudget(dst []byte, id json.RawMessage, set *model.Set, m MinBudget) []byte {
	dst = appendOption(append(appendEstimates(open(dst, id), set), `,"binarySearch":`...), m.BinarySearch)
	dst = appendOption(append(dst, `,"firstIn":`...), m.FirstIn)
	dst = appendOption(append(dst, `,"staysFrom":`...), m.StaysFrom)
	if m.Sized {
		dst = appendOption(append(dst, `,"firstWhole":`...), m.FirstWhole)
	}
	return shut(appendBands(append(dst, `,"bands":`...), m.Bands))
}

// AppendProfile appends the bands of every item of a profile, as one line of
// JSON.
func AppendProfile(dst []byte, id json.RawMessage, p *simulate.Profile) []byte {
	dst = append(appendEstimates(open(dst, id), p.Ranking().Items()), `,"bands":[`...)
	var bands []simulate.Band
	for i := range p.Ranking().Items().Len() {
		bands = p.Bands(bands[:0], i)
		dst = appendBands(comma(dst, i), bands)
	}
	if set := p.Ranking().Items(); set.HasSizes() {
		dst = append(dst, `],"sizeBands":[`...)
		for i := range set.Len() {
			dst = comma(dst, i)
			if set.Sizes(i) == nil {
				dst = append(dst, "null"...)
				continue
			}
			dst = append(dst, '[')
			for size := range len(set.Sizes(i)) + 1 {
				bands = p.SizeBands(bands[:0], i, size)
				dst = appendBands(comma(dst, size), bands)
			}
			dst = append(dst, ']')
		}
	}
	return shut(append(dst, ']'))
}

// Sizes returns a cell with the sizes of item i, the whole first: the tokens and the bands
// of each; none for an item that is whole or out.
func Sizes(p *simulate.Profile, i int) Cell {
	set := p.Ranking().Items()
	if set.Sizes(i) == nil {
		return None
	}
	text, shown := []byte{'['}, []byte(nil)
	for size := range len(set.Sizes(i)) + 1 {
		bands := p.SizeBands(nil, i, size)
		text = appendInt(append(comma(text, size), `{"size":`...), size)
		text = appendInt(append(text, `,"tokens":`...), set.SizeTokens(i, size))
		if size > 0 && set.Sizes(i)[size-1].Note {
			text = append(text, `,"note":true`...)
		}
		text = append(appendBands(append(text, `,"bands":`...), bands), '}')
		if len(bands) > 0 {
			shown = fmt.Appendf(shown, "  %s from %v", SizeName(set, i, size), bands[0].From)
		}
	}
	return Raw(append(text, ']')).But(strings.TrimSpace(string(shown)))
}

// SizeName returns what a size of item i is called: "whole", "cut to 500", "as a note".
func SizeName(set *model.Set, i, size int) string {
	switch {
	case size == 0:
		return "whole"
	case set.Sizes(i)[size-1].Note:
		return "as a note"
	}
	return "cut to " + set.SizeTokens(i, size).String()
}

// AppendComparison appends, as one line of JSON, what two reports over the
// same items have in common and where they differ, with the tokens and values
// of both. Its valueBByA is the value of the items of B by the scores of A.
func AppendComparison(dst []byte, id json.RawMessage, a, b *model.Report) []byte {
	c := simulate.Compare(a, b)
	dst = appendInts(append(appendEstimates(open(dst, id), a.Items), `,"both":`...), c.Both)
	dst = appendInts(append(dst, `,"onlyA":`...), c.OnlyA)
	dst = appendInts(append(dst, `,"onlyB":`...), c.OnlyB)
	if a.Items.HasSizes() {
		dst = appendInts(append(dst, `,"resized":`...), c.Sized)
	}
	dst = appendInt(append(dst, `,"tokensA":`...), a.Kept)
	dst = appendInt(append(dst, `,"tokensB":`...), b.Kept)
	dst = appendNumber(append(dst, `,"valueA":`...), a.Value)
	dst = appendNumber(append(dst, `,"valueB":`...), b.Value)
	return shut(appendNumber(append(dst, `,"valueBByA":`...), c.ValueBByA))
}

// AppendError appends an answer with an error, as one line of JSON. line is
// the number, from 1, of the line with the question.
func AppendError(dst []byte, id json.RawMessage, line int, code, message string) []byte {
	dst = appendQuoted(append(open(dst, id), `,"error":{"code":`...), code)
	dst = appendQuoted(append(dst, `,"message":`...), message)
	return shut(append(appendInt(append(dst, `,"line":`...), line), '}'))
}

// batchSchema is the name of the form of all answers of a batch.
var batchSchema = Schema("batch")

func open(dst []byte, id json.RawMessage) []byte {
	dst = append(append(append(dst, `{"id":`...), escaped(id)...), `,"schema":"`...)
	return append(append(dst, batchSchema...), '"')
}

// appendEstimates appends the number of token counts that are estimates. The budget
// of a line is never guessed.
func appendEstimates(dst []byte, set *model.Set) []byte {
	return appendInt(append(dst, `,"estimatedCounts":`...), set.Estimates())
}

func shut(dst []byte) []byte { return append(dst, '}', '\n') }

// comma separates element k of an array from the one before it.
func comma(dst []byte, k int) []byte {
	if k > 0 {
		dst = append(dst, ',')
	}
	return dst
}

// appendItem appends what included and excluded items have in common, and no
// closing brace.
func appendItem(dst []byte, r *model.Report, item int32) []byte {
	dst = appendInt(append(dst, `{"index":`...), item)
	dst = appendNumber(append(dst, `,"score":`...), r.Scores[item])
	dst = append(append(dst, `,"reason":"`...), r.Codes[item].String()...)
	return append(dst, '"')
}

func appendReason(dst []byte, r model.Reason) []byte {
	switch r.Code {
	case model.NegativeTokens:
		return appendInt(append(dst, `,"tokens":`...), r.Tokens)
	case model.Deduplicated:
		return appendInt(append(dst, `,"deduplicatedAgainst":`...), r.By)
	case model.BudgetExceeded:
		dst = appendInt(append(dst, `,"itemTokens":`...), r.Tokens)
		return appendInt(append(dst, `,"availableTokens":`...), r.Available)
	case model.PinnedOverride:
		return appendInt(append(dst, `,"displacedBy":`...), r.By)
	case model.CountCapExceeded:
		dst = appendQuoted(append(dst, `,"kind":`...), string(r.Kind))
		dst = appendInt(append(dst, `,"cap":`...), r.Cap)
		return appendInt(append(dst, `,"count":`...), r.Taken)
	case model.Filtered:
		return appendQuoted(append(dst, `,"filterName":`...), r.Filter)
	}
	return dst
}

func appendBudget(dst []byte, b model.Budget) []byte {
	text, err := b.MarshalJSON()
	if err != nil { // does not happen: a Budget is valid
		return append(dst, "null"...)
	}
	return append(dst, escaped(text)...)
}

func appendBands(dst []byte, bands []simulate.Band) []byte {
	dst = append(dst, '[')
	for k, b := range bands {
		dst = appendInt(append(comma(dst, k), '['), b.From)
		dst = append(appendInt(append(dst, ','), b.To), ']')
	}
	return append(dst, ']')
}

func appendInts(dst []byte, all []int32) []byte {
	dst = append(dst, '[')
	for k, n := range all {
		dst = appendInt(comma(dst, k), n)
	}
	return append(dst, ']')
}

func appendOption(dst []byte, o model.Option[model.Tokens]) []byte {
	if !o.Set {
		return append(dst, "null"...)
	}
	return appendInt(dst, o.Value)
}

func appendInt[T int | int32 | model.Tokens](dst []byte, n T) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendNumber appends a number as encoding/json writes it: the shortest that
// reads back as f; null for one that is not finite.
func appendNumber(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		if n := len(dst); n > 3 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // e-09
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// asItIs returns how many bytes at the beginning of a text JSON writes as they are, all
// of them ASCII: most texts are made of little else.
func asItIs(s string) int {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b >= 0x7f || b == '"' || b == '\\' {
			return i
		}
	}
	return len(s)
}

// appendQuoted appends a JSON string, with escapes for what is obeyed: a line
// that is shown on a terminal does nothing there.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for s != "" {
		if n := asItIs(s); n > 0 {
			dst, s = append(dst, s[:n]...), s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s) // a byte that is no UTF-8 comes as U+FFFD
		s = s[n:]
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case obeyed(r):
			dst = appendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
