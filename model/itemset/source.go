package itemset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cupelscope/model"
)

// SizeError says that a source is larger than may be read.
type SizeError struct {
	Name   string
	Limit  int64 // bytes
	Folder bool  // all files of a folder together
	// Unpacked: the source is compressed, and that large once unpacked.
	Unpacked bool
}

func (e *SizeError) limit() model.Tokens { return model.Tokens(e.Limit) }

func (e *SizeError) Error() string {
	if e.Unpacked {
		return fmt.Sprintf("%s grows to more than %v bytes when it is unpacked, which is the most that is read of it: unpack it first", e.Name, e.limit())
	}
	if e.Folder {
		return fmt.Sprintf("%s holds more than %v bytes, which is the most that is read of one folder", e.Name, e.limit())
	}
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
		data, err := readAll(ctx, "standard input", opts.Stdin, 0, limit)
		if err != nil {
			return nil, err
		}
		return unpack(ctx, "standard input", data, limit)
	}
	data, _, err := readFile(ctx, name, limit)
	return data, err
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
			return nil, &SizeError{Name: name, Limit: limit}
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
	}
}
