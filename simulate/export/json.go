package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"cupelscope/model"
)

// JSON writes the report as one JSON object and a newline. It has what the
// report depends on, all that AppendReport writes, and for each item the
// budgets from which it is in, whether it is at risk if it is in, and the item
// itself. A score that is not finite is null, and so is what only a profile
// knows if there is none. Without Timings, equal reports give equal bytes. JSON
// writes in pieces, and ends at the first error of w, which it returns.
func JSON(w io.Writer, r *model.Report, o ReportOptions) error {
	text := []byte{'{'}
	for k, f := range o.Facts("report", r.Items, r.Budget) {
		text = append(appendQuoted(comma(text, k), f.Name), ':')
		text = f.Value.appendJSON(text)
	}
	text = appendInt(append(text, `,"slackTokens":`...), o.Slack)
	var ceiling model.Option[model.Tokens]
	if o.Profile != nil {
		ceiling = model.Some(o.Profile.Axis().End())
	}
	text = appendOption(append(text, `,"ceiling":`...), ceiling)
	if o.Quality != nil {
		text = o.Quality.appendMember(text, r.Items)
	}
	risk := o.risk(r.Items.Len())
	var item bytes.Buffer
	encoder := json.NewEncoder(&item)
	encoder.SetEscapeHTML(false)
	buffered := bufio.NewWriterSize(w, writeBytes)
	out := &indenter{to: &controlEscaper{to: buffered}}
	var failed error
	text = appendRun(text, r, o.Timings, func(text []byte, i int) []byte {
		if failed == nil && len(text) >= writeBytes {
			_, failed = out.Write(text)
			text = text[:0]
		}
		if failed != nil {
			return text[:0] // nothing of it will be written
		}
		text = o.appendItem(text, r, i, risk)
		item.Reset()
		of := r.Items.Item(i)
		whole := of.JSON()
		whole.Sizes = r.Items.SizesJSON(i)
		if o.NoContent {
			whole.Content = ""
		}
		failed = encoder.Encode(whole)
		return append(append(text, `,"item":`...), bytes.TrimSuffix(item.Bytes(), []byte("\n"))...)
	})
	if failed != nil {
		return failed
	}
	if _, err := out.Write(append(text, '}', '\n')); err != nil {
		return err
	}
	return buffered.Flush()
}

// appendItem appends what the report says of item i beside its outcome: the budgets from
// which it is in, whether it is at risk, its label, and what was recorded.
func (o *ReportOptions) appendItem(text []byte, r *model.Report, i int, risk []bool) []byte {
	var first, stays model.Option[model.Tokens]
	if o.Profile != nil {
		first.Value, first.Set = o.Profile.FirstIn(i)
		stays.Value, stays.Set = o.Profile.StaysFrom(i)
	}
	text = appendOption(append(text, `,"firstIn":`...), first)
	text = appendOption(append(text, `,"staysFrom":`...), stays)
	switch {
	case r.In(i) && o.RiskErr != nil:
		text = append(text, `,"atRisk":null`...)
	case r.In(i):
		text = strconv.AppendBool(append(text, `,"atRisk":`...), risk[i])
	}
	if o.Quality != nil {
		if grade, judged := o.Quality.Labels.Grades[i]; judged {
			text = appendInt(append(text, `,"relevance":`...), grade)
		}
	}
	if o.Recorded != nil {
		text = appendRecorded(text, o.Recorded, i)
	}
	return text
}

// controlEscaper is a writer that replaces the characters in JSON that a terminal
// obeys by escapes, and invalid UTF-8 by U+FFFD. Everything else passes unchanged.
type controlEscaper struct {
	to   *bufio.Writer
	held []byte // the beginning of a character whose end has not been written yet
}

// Write implements io.Writer. JSON has such characters in strings alone.
func (e *controlEscaper) Write(p []byte) (int, error) {
	n := len(p)
	if len(e.held) > 0 {
		p = append(e.held, p...)
	}
	start, i := 0, 0
	for i < len(p) {
		if p[i] < 0x7f {
			i++
			continue
		}
		if !utf8.FullRune(p[i:]) {
			break
		}
		r, size := utf8.DecodeRune(p[i:])
		if obeyed(r) || r == utf8.RuneError && size == 1 {
			e.to.Write(p[start:i]) // the last Write reports the error
			e.to.Write(appendEscape(e.to.AvailableBuffer(), r))
			start = i + size
		}
		i += size
	}
	if _, err := e.to.Write(p[start:i]); err != nil {
		return 0, err
	}
	e.held = append(e.held[:0], p[i:]...)
	return n, nil
}

// escaped returns JSON without characters that a terminal obeys.
func escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7f && obeyed(r) || r == utf8.RuneError }) {
		return text
	}
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	(&controlEscaper{to: out}).Write(text) // a buffer has no errors
	out.Flush()
	return b.Bytes()
}

// obeyed reports whether JSON and CSV write r as an escape, because a terminal or a
// program that reads lines obeys it, or because a person cannot see it and so takes
// the text for a different one. These are control characters, ends of lines,
// characters that reverse the direction of the text after them, characters without
// width that are not part of a letter, and tags. They include the joiners of emoji
// and of some scripts, which reading the escapes restores.
func obeyed(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return true
	case r < 0x61c:
		return false
	case r == 0x61c, r == 0xfeff:
		return true
	}
	return 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f || 0xe0000 <= r && r <= 0xe007f
}

// appendEscape appends r as JSON escapes it: \uXXXX, or two of them.
func appendEscape(dst []byte, r rune) []byte {
	for _, half := range utf16.AppendRune(nil, r) {
		dst = fmt.Appendf(dst, `\u%04x`, half)
	}
	return dst
}
