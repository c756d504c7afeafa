package query

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
)

// Error says what is wrong with a query, and where. Messages quote the query's
// own text with %q, so they are safe to print.
type Error struct {
	At     int // the position in the query, in characters from 1
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("character %d: %s", e.At, e.Reason) }

// Parse parses a query. Blank text gives the query that holds for every item.
// The error is an *Error that names the position.
func Parse(source string) (Query, error) {
	p := parser{source: source}
	var terms []term
	numbers := -1 // the term of item numbers that are joined
	for {
		p.at = len(source) - len(strings.TrimLeftFunc(p.rest(), unicode.IsSpace))
		if p.at == len(source) {
			break
		}
		t, err := p.term()
		if err != nil {
			return Query{}, err
		}
		if t.field == index && !t.negated {
			if numbers >= 0 {
				terms[numbers].ranges = append(terms[numbers].ranges, t.ranges...)
				continue
			}
			numbers = len(terms)
		}
		terms = append(terms, t)
	}
	for k := range terms {
		terms[k].ranges = joined(terms[k].ranges)
	}
	sort.SliceStable(terms, func(i, j int) bool { return terms[i].field < terms[j].field })
	return Query{source: source, terms: terms}, nil
}

// joined sorts ranges, and joins those that overlap.
func joined(ranges []interval) []interval {
	sort.Slice(ranges, func(i, j int) bool { return ranges[i].first < ranges[j].first })
	all := ranges[:0]
	for _, r := range ranges {
		if k := len(all) - 1; k >= 0 && r.first <= all[k].last {
			all[k].last = max(all[k].last, r.last)
		} else {
			all = append(all, r)
		}
	}
	return all
}

// fields lists what may stand before a comparison.
var fields = [...]struct {
	name  string
	field field
}{{"tok", tokens}, {"tokens", tokens}, {"score", score}, {"firstIn", first}, {"staysFrom", stays}}

// operators lists the comparisons, longer ones first.
var operators = [...]struct {
	name    string
	compare operator
}{{"<=", lessOrEqual}, {">=", greaterOrEqual}, {"<", less}, {">", greater}, {"=", equal}}

// knownFields ends the message about an unknown field.
const knownFields = "known are kind: is: file: tok score firstIn staysFrom 12 12-20; put text that looks so in quotes"

type parser struct {
	source string
	at     int // byte
}

func (p *parser) fail(at int, format string, args ...any) error {
	return &Error{At: utf8.RuneCountInString(p.source[:at]) + 1, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) rest() string { return p.source[p.at:] }

// term reads one term; the parser stands at its first character.
func (p *parser) term() (term, error) {
	start := p.at
	negated := false
	for strings.HasPrefix(p.rest(), "-") || strings.HasPrefix(p.rest(), "!") {
		negated = !negated
		p.at++
	}
	if r, _ := utf8.DecodeRuneInString(p.rest()); p.at == len(p.source) || unicode.IsSpace(r) {
		return term{}, p.fail(start, "%q stands alone; put the term that it negates right after it, or quote it to search for it in the text", p.source[start:p.at])
	}
	t, err := p.condition()
	t.negated = negated
	return t, err
}

func (p *parser) condition() (term, error) {
	start := p.at
	switch p.source[p.at] {
	case '"':
		s, err := p.quoted()
		if err == nil && s == "" {
			err = p.fail(start, `"" is empty: there is no text to search for`)
		}
		return term{field: text, pattern: newPattern(s)}, err
	case '#':
		return p.index()
	}
	name := p.letters()
	switch {
	case name == "":
	case strings.HasPrefix(p.rest(), ":"):
		p.at++
		return p.named(start, model.FoldASCII(name))
	case p.at < len(p.source) && strings.IndexByte("<>=", p.source[p.at]) >= 0:
		return p.comparison(start, model.FoldASCII(name))
	}
	p.at = start
	word := p.word()
	if ranges, ok := parseRanges(word); ok {
		return term{field: index, ranges: ranges}, nil
	}
	return term{field: text, named: named(word), pattern: newPattern(word)}, nil
}

// named returns the kinds that a word may name, by the name or the short name, in the plural too.
func named(word string) []model.Kind {
	kinds := []model.Kind{model.Kind(word), model.Kind(singular(word))}
	for _, k := range model.KnownKinds() {
		if slices.ContainsFunc(kinds[:2], model.Kind(k.Short()).Is) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// singular returns a word without the ending of a plural.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(word, "s")
}

// parseRanges reads 12-20 and 13,28,54; false: it is neither, or a number such as 1,200.
func parseRanges(word string) ([]interval, bool) {
	var all []interval
	parts := strings.Split(word, ",")
	if len(parts) > 1 && !slices.ContainsFunc(parts[1:], func(part string) bool { return len(part) != 3 || part[0] == '#' }) {
		return nil, false
	}
	for _, part := range parts {
		first, last, ok := parseRange(strings.TrimPrefix(part, "#"))
		if !ok {
			return nil, false
		}
		all = append(all, interval{first, last})
	}
	return all, true
}

// parseRange reads 12 and 12-20; false: it is neither.
func parseRange(word string) (first, last int, ok bool) {
	from, to, several := strings.Cut(word, "-")
	if !several {
		to = from
	}
	a, err := strconv.ParseUint(from, 10, 31)
	if err != nil {
		return 0, 0, false
	}
	b, err := strconv.ParseUint(strings.TrimPrefix(to, "#"), 10, 31)
	return int(a), int(b), err == nil && a <= b
}

// index reads #12 and #12-20.
func (p *parser) index() (term, error) {
	start := p.at
	word := p.word()
	ranges, ok := parseRanges(word)
	if !ok {
		return term{}, p.fail(start, "%.40q is no item number; items are 0, 1 and so on, 12-20 and 13,28 are several; put text that looks so in quotes", word)
	}
	return term{field: index, ranges: ranges}, nil
}

// named reads what follows kind:, file: or is:.
func (p *parser) named(start int, name string) (term, error) {
	at := p.at
	switch name {
	case "kind":
		value, err := p.value()
		if err == nil && value == "" {
			err = p.fail(at, "kind: needs a kind or its beginning; short names are %s", strings.Join(model.ShortKinds(), ", "))
		}
		return term{field: kind, kind: fullKind(model.FoldASCII(value))}, err
	case "file":
		value, err := p.value()
		if err == nil && value == "" {
			err = p.fail(at, "file: needs a part of a file's or source's name")
		}
		return term{field: origin, pattern: newPattern(value)}, err
	case "is":
		value, err := p.value()
		if err != nil {
			return term{}, err
		}
		name := model.FoldASCII(value)
		k := slices.IndexFunc(states[:], func(s state) bool { return s.name == name })
		if k < 0 {
			return term{}, p.fail(at, "%.40q is not known after is:; known are %s", value, strings.Join(stateNames(), ", "))
		}
		return term{field: isState, state: &states[k]}, nil
	}
	return term{}, p.fail(start, "%.40q is not known; %s", name+":", knownFields)
}

// comparison reads the operator and the number that follow a field.
func (p *parser) comparison(start int, name string) (term, error) {
	t := term{}
	known := false
	for _, f := range fields {
		if model.FoldASCII(f.name) == name {
			t.field, known = f.field, true
		}
	}
	if !known {
		return t, p.fail(start, "%.40q is not known; %s", name, knownFields)
	}
	for _, op := range operators {
		if strings.HasPrefix(p.rest(), op.name) {
			t.compare = op.compare
			p.at += len(op.name)
			break
		}
	}
	at := p.at
	number := p.word()
	if t.field == score {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || math.IsNaN(v) {
			return t, p.fail(at, "%.40q is not a score (use .5 or 0.75)", number)
		}
		t.score = v
		return t, nil
	}
	digits, negative := strings.CutPrefix(number, "-")
	v, err := model.ParseTokens(digits)
	if err != nil {
		return t, p.fail(at, "%v", err)
	}
	t.tokens = v
	if negative {
		t.tokens = -v
	}
	return t, nil
}

// letters reads ASCII letters.
func (p *parser) letters() string {
	rest := p.rest()
	n := 0
	for n < len(rest) && ('a' <= rest[n]|0x20 && rest[n]|0x20 <= 'z') {
		n++
	}
	p.at += n
	return rest[:n]
}

// word reads up to the next white space.
func (p *parser) word() string {
	rest := p.rest()
	if n := strings.IndexFunc(rest, unicode.IsSpace); n >= 0 {
		rest = rest[:n]
	}
	p.at += len(rest)
	return rest
}

// value reads a word or a quoted text.
func (p *parser) value() (string, error) {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.quoted()
	}
	return p.word(), nil
}

// Quote returns a value in quotes: Parse reads it as it is, whatever it has.
func Quote(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// quoted reads a text in quotes; \" and \\ stand for a quote and a backslash
// in it, any other backslash for itself.
func (p *parser) quoted() (string, error) {
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.source); p.at++ {
		c := p.source[p.at]
		switch {
		case c == '"':
			p.at++
			return b.String(), nil
		case c == '\\' && p.at+1 < len(p.source) && strings.IndexByte(`"\`, p.source[p.at+1]) >= 0:
			p.at++
			c = p.source[p.at]
		}
		b.WriteByte(c)
	}
	return "", p.fail(start, "the quote is never closed")
}

// fullKind resolves a short name that is no beginning of its kind.
func fullKind(folded string) string {
	if folded == "msg" {
		return string(model.Message.Fold())
	}
	return folded
}
