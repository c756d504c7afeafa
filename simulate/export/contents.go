package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// between separates two contents in Contents: an empty line.
const between = "\n\n"

// Contents writes what the model will read: the contents of the included items
// in placed order, byte for byte as they were loaded, with an empty line between
// two of them and nothing after the last. The error is w's.
func Contents(w io.Writer, r *model.Report) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	for place, i := range r.Included {
		if place > 0 {
			_, _ = buffered.WriteString(between) // Flush returns the error of any
		}
		if _, err := buffered.WriteString(r.Items.Loaded(int(i)).Content); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// Headed is like Contents, but writes a line before each content with its
// place, index, kind, source and tokens, such as "=== 2 of 31  #7 ToolOutput
// Tool 120 tokens ===", and a newline after each in place of the empty line.
func Headed(w io.Writer, r *model.Report) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	for place, i := range r.Included {
		it := r.Items.Loaded(int(i))
		_, _ = fmt.Fprintf(buffered, "=== %d of %d  #%d %s %s %s ===\n", place+1, len(r.Included), i,
			plain.Line(string(it.Kind), nameCells), plain.Line(string(it.Source), nameCells), plain.Count(r.Items.Tokens(int(i)), "token"))
		_, _ = buffered.WriteString(it.Content)
		if err := buffered.WriteByte('\n'); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// role returns the role of an item in a chat.
func role(it *model.Item) string {
	said, _ := it.Metadata["role"].(string)
	switch {
	case it.Kind.Is(model.SystemPrompt), said == "system", said == "developer":
		return "system"
	case said == "assistant" && !it.Kind.Is(model.ToolOutput):
		return "assistant"
	}
	return "user"
}

// Item writes one item, with edits applied, in the JSON of item set files. The
// error is w's.
func Item(w io.Writer, s *model.Set, i int) error {
	it := s.Item(i)
	return writeJSON(w, it.JSON())
}

// writeJSON writes indented JSON without characters that a terminal obeys, and a
// newline.
func writeJSON(w io.Writer, v any) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	encoder := json.NewEncoder(&indenter{to: &controlEscaper{to: buffered}})
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	return buffered.Flush()
}
