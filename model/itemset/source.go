package itemset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cupelscope/model"
)

// SizeError says that a source is larger than may be read.
type SizeError struct {
	Name  string
	Limit int64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s is larger than %v bytes, which is the most that is read of one source", e.Name, model.Tokens(e.Limit))
}

// FormatError says that a source holds nothing usable.
type FormatError struct {
	Name   string
	Taken  Format // what it was taken for; "": nothing
	Reason string // what was found instead
	Broken string // where the first record that is not JSON breaks, and how
}

func (e *FormatError) Error() string {
	reason := ""
	if e.Reason != "" {
		reason = ": " + e.Reason
	}
	if e.Broken != "" {
		reason += ": " + e.Broken
	}
	taken := ""
	if e.Taken != "" {
		taken = fmt.Sprintf("it was taken for the format %q; ", string(e.Taken))
	}
	return fmt.Sprintf("%s: no usable item%s; %sexpected %s; --format forces another: %s",
		e.Name, reason, taken, expected(e.Taken), strings.TrimPrefix(formatNames(), string(Auto)+", "))
}

// expected says what a format is made of, "" for any.
func expected(f Format) string {
	const items = "items (an array, {\"items\": [...]} or JSON lines, each with content)"
	switch f {
	case Items:
		return items
	case OpenAI, Anthropic:
		return "messages with a role and content (an array, {\"messages\": [...]} or JSON lines)"
	case ClaudeCode:
		return "rows of type user and assistant that have a message"
	case Documents:
		return "documents with page_content, text or content, or results around them (an array, an object or JSON lines)"
	case Codex:
		return "rows of type response_item that have a payload"
	}
	return items + ", a scenario, messages of OpenAI's or Anthropic's, a Claude Code session, " +
		"a Codex rollout, documents or retrieval results, or a conformance vector in TOML"
}

// RecordError says which record a strict reader refused.
type RecordError struct {
	Name, Unit string // Unit: "line" or "record"
	Place      int    // from 1
	Reason     string
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s: %s %d: %s", e.Name, e.Unit, e.Place, e.Reason)
}

// readSource reads a whole file, or opts.Stdin for "-", up to the bound: an
// input that never ends stops there.
func readSource(ctx context.Context, name string, opts Options) ([]byte, error) {
	limit := opts.maxBytes()
	if name == "-" {
		if opts.Stdin == nil {
			return nil, errors.New("there is no standard input to read")
		}
		return readAll(ctx, "standard input", opts.Stdin, 0, limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name the files in it", name)
	}
	if info.Mode().IsRegular() && info.Size() > limit {
		return nil, &SizeError{name, limit}
	}
	return readAll(ctx, name, f, info.Size(), limit)
}

func readAll(ctx context.Context, name string, r io.Reader, size, limit int64) ([]byte, error) {
	const piece = 1 << 20
	buf := make([]byte, 0, max(min(size, limit), 4096)+1)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+piece)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > limit:
			return nil, &SizeError{name, limit}
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
	}
}

// decode returns data as UTF-8 without a byte order mark, and says what it had
// to change. Bytes that are no UTF-8 are kept here; JSON strings cannot hold
// them, so they become U+FFFD, which is noted.
func decode(data []byte) (text []byte, note string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], 0), "text converted from UTF-16"
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], 1), "text converted from UTF-16"
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[3] == 0:
		return fromUTF16(data, 0), "text converted from UTF-16"
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0:
		return fromUTF16(data, 1), "text converted from UTF-16"
	}
	if !utf8.Valid(data) {
		note = "bytes that are no UTF-8 replaced by U+FFFD"
	}
	return data, note
}

// fromUTF16 decodes pairs of bytes; low is the index of the high byte's
// partner: 0 for little endian.
func fromUTF16(data []byte, low int) []byte {
	out := make([]byte, 0, len(data))
	unit := func(i int) rune { return rune(data[i+low]) | rune(data[i+1-low])<<8 }
	for i := 0; i+1 < len(data); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+3 < len(data) {
				pair = utf16.DecodeRune(r, unit(i+2))
			}
			if r = pair; r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
