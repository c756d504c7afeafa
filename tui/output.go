package tui

import (
	"bytes"
	"fmt"
	"io"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
)

// maxClipboard is how many bytes every terminal takes for its clipboard: the
// sequence that carries them, in base64, is 100,000 bytes at most.
const maxClipboard = 74_994

// output is something that can be copied or written.
type output struct {
	name string // "the window's text"
	file string // that is proposed for it
	help string
	// write writes it; it refers to immutable values only.
	write func(w io.Writer) error
	// least is a number of bytes that it writes or more, known without writing.
	least int
	note  string // what is not the same in it; "" if all is
}

func contents(rep *model.Report) output {
	return output{"the window's text", "window.txt", "the contents byte for byte, an empty line between them",
		func(w io.Writer) error { return export.Contents(w, rep) }, export.ContentsBytes(rep), ""}
}

// reportLeast is fewer bytes than a report in JSON has of an item.
const reportLeast = 100

func reportJSON(rep *model.Report, o export.ReportOptions) output {
	return output{"the report as JSON", "report.json", "the whole report as one JSON object",
		func(w io.Writer) error { return export.JSON(w, rep, o) }, reportLeast * rep.Items.Len(), ""}
}

// bounded is a buffer that takes no more than so many bytes.
type bounded struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over = b.over || b.Len()+len(p) > b.limit; b.over {
		return 0, io.ErrShortBuffer
	}
	return b.Buffer.Write(p)
}

// WriteString is Write.
func (b *bounded) WriteString(s string) (int, error) { return b.Write([]byte(s)) }

// fileMsg says that a file was written, or why not.
type fileMsg struct {
	name, path string
	note       string // what is not the same in it
	bytes      int
	err        error
}

// words say what came of it.
func (f fileMsg) words() string {
	if f.err != nil {
		return "not written: " + f.err.Error()
	}
	text := fmt.Sprintf("written to %s: %s, %v bytes", f.path, f.name, plain.Thousands(f.bytes))
	if f.note != "" {
		text += "; " + f.note
	}
	return text
}
