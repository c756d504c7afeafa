package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"cupelscope/model/musttest"
)

// one is a sheet with a single text in it, in every place that a file's text
// comes to.
func one(text string) *Sheet {
	return &Sheet{
		Title: text, Notes: []string{text}, Closing: []string{text}, Name: "rows",
		Columns: []head{{Name: "text", Heading: "text"}, {Name: "n", Heading: "n", Right: true}},
		Rows:    func(yield func([]Cell) bool) { yield([]Cell{Text(text, 30), Index(1)}) },
	}
}

func written(t *testing.T, s *Sheet, f Form) string {
	t.Helper()
	var out bytes.Buffer
	musttest.Do(t, Write(t.Context(), &out, f, s))
	return out.String()
}

// unguarded reads a cell of CSV back, as the comment of Sheet.CSV says.
func unguarded(t *testing.T, cell string) string {
	t.Helper()
	cell = strings.TrimPrefix(cell, "'")
	var b strings.Builder
	for len(cell) > 0 {
		escape, rest, _ := strings.Cut(cell, `\`)
		b.WriteString(escape)
		cell = rest
		if rest == "" {
			break
		}
		switch rest[0] {
		case '\\':
			b.WriteByte('\\')
			cell = rest[1:]
		case 'n', 'r', 't':
			b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[rest[0]])
			cell = rest[1:]
		case 'u':
			n := musttest.Of(strconv.ParseUint(rest[1:5], 16, 16))(t)
			cell = rest[5:]
			if r := rune(n); utf16.IsSurrogate(r) { // the first of two
				low := musttest.Of(strconv.ParseUint(strings.TrimPrefix(cell, `\u`)[:4], 16, 16))(t)
				b.WriteRune(utf16.DecodeRune(r, rune(low)))
				cell = cell[6:]
			} else {
				b.WriteRune(r)
			}
		default:
			t.Fatalf("an escape of our own that is none: %q", rest)
		}
	}
	return b.String()
}

// hostile reports whether a terminal obeys something in s, or a reader does not
// see it.
func hostile(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\n' || 0x7f <= r && r < 0xa0 || 0x200b <= r && r <= 0x200f || 0x2060 <= r && r <= 0x206f || 0xe0000 <= r && r <= 0xe007f
	})
}

func checkText(t *testing.T, text string) {
	if !utf8.ValidString(text) { // a content is
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	s := one(text)
	for _, f := range Forms() {
		if out := written(t, s, f); hostile(out) || !utf8.ValidString(out) {
			t.Fatalf("%s of %q: %q", f, text, out)
		}
	}
	records, err := csv.NewReader(strings.NewReader(written(t, s, AsCSV))).ReadAll()
	if err != nil || len(records) != 2 {
		t.Fatalf("%q: %q, %v", text, records, err)
	}
	cell := records[1][0]
	if strings.ContainsAny(cell, "\n\r") || cell != "" && strings.ContainsRune("=+-@\t＝＋－＠", []rune(cell)[0]) {
		t.Fatalf("%q: the cell %q", text, cell)
	}
	if regexp.MustCompile(`;"*[=+\-@＝＋－＠]`).MatchString(cell) {
		t.Fatalf("%q: the cell %q begins a formula after a semicolon", text, cell)
	}
	if back := unguarded(t, cell); back != text {
		t.Fatalf("%q comes back as %q from %q", text, back, cell)
	}
	var answer struct {
		Rows []struct {
			Text string
			N    int
		}
	}
	if out := written(t, s, AsJSON); json.Unmarshal([]byte(out), &answer) != nil || len(answer.Rows) != 1 || answer.Rows[0].Text != text {
		t.Fatalf("%q: %s", text, out)
	}
	lines := strings.Split(written(t, s, AsMarkdown), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "| ") || !strings.HasSuffix(line, "| 1 |") {
			continue
		}
		// A row has as many bars as columns, and one more.
		musttest.Is(t, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), 3, text, "the row", line)
	}
}

func TestTextInEveryForm(t *testing.T) {
	for _, text := range []string{
		"", "plain", "=1+1", "+1", "-1", "@SUM(A1)", "'quoted", "＝1", "\t=1", "\r=1", `C:\new\u0041`, "a,b\"c\"", "two\nlines\r\n",
		"a;=1+1;\"@b;x=1;;-2", "a; -b", ";＝1",
		"\x1b[31mred\x07\u009b2J\x7f", "\u2028\u2029", "a|b\\|c", "*bold* _it_ `code` <b>&amp;[x](http://x) @you www.x.org",
		"# heading", "1. item", "12) item", "- item", "日本語 🎉", "\ufffd", "\ufeffmark",
		"a\u200bb\u200f\u2060c\u206f", "\U000e0001\U000e0041\U000e007f", "👩\u200d👩\u200d👧 a" + strings.Repeat("\u0301", 100),
	} {
		checkText(t, text)
	}
}

func FuzzText(f *testing.F) {
	for _, text := range []string{"=1", "\\u001b", "a\x1b|b", "'", "\u00a0", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(checkText)
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, text, line, cell string }{
		{"a name is no call", "@you and a@b.c", `@<!-- -->you and a@<!-- -->b.c`, ""},
		{"an address is no link", "see http://x.org or WWW.x.org", "see http:<!-- -->//x.org or WWW<!-- -->.x.org", ""},
		{"no HTML", "<b>&lt;", `\<b\>\&lt;`, ""},
		{"no heading", "# it", `\# it`, "# it"},
		{"no list", "- it", `\- it`, "- it"},
		{"no numbered list", "12. it", `12\. it`, "12. it"},
		{"a number", "0.5 of 1.", "0.5 of 1.", ""},
		{"a bar", "a|b", `a\|b`, ""},
	} {
		if c.cell == "" {
			c.cell = c.line
		}
		musttest.Is(t, unmarkedLine(c.text), c.line, c.name)
		musttest.Is(t, unmarked(c.text), c.cell, c.name, "the cell")
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		name             string
		cell             Cell
		shown, csv, json string
	}{
		{"tokens", Tokens(1234567), "1,234,567", "1234567", "1234567"},
		{"about", About(17911, "≈"), "≈17.9k", "17911", "17911"},
		{"no estimates", About(17911, ""), "17,911", "17911", "17911"},
		{"a number", Number(1.0/3, 3), "0.333", "0.3333333333333333", "0.3333333333333333"},
		{"a p", Probability(0.0123), "0.0123", "0.0123", "0.0123"},
		{"a small p", Probability(0.00002), "< 0.0001", "0.00002", "0.00002"},
		{"a share", Share(.27), "27 %", "0.27", "0.27"},
		{"hardly any", Share(.0001), "<0.1 %", "0.0001", "0.0001"},
		{"nearly all", Share(.9999), "99.9 %", "0.9999", "0.9999"},
		{"all", Share(1), "100 %", "1", "1"},
		{"nothing", None, "", "", "null"},
		{"true", Truth(true), "yes", "true", "true"},
		{"false", Truth(false), "", "false", "false"},
		{"indexes", Indexes(nil), "[]", "[]", "[]"},
	} {
		musttest.Is(t, c.cell, (Cell{shown: c.shown, csv: c.csv, json: c.json}), c.name)
	}
}
