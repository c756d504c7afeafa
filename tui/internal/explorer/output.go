package explorer

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
)

// maxClipboard is the number of bytes that every terminal accepts for its clipboard. The
// sequence that carries them, in base64, has at most 100,000 bytes.
const maxClipboard = 74_994

// output is a text that can be copied or written to a file.
type output struct {
	name string // "the window's text"
	file string // the proposed file name
	help string
	// write writes the text, or a part once ctx is done. It uses immutable values only, so it
	// may run in the background.
	write func(ctx context.Context, w io.Writer) error
	// minBytes is a lower bound of the bytes that write writes.
	minBytes int
	note     string // what the text loses or changes; "" if nothing
}

func contents(rep *model.Report, sizer experiment.Sizer) output {
	least := 0
	if rep.Sizes == nil { // else it is known once the cuts are made
		for _, i := range rep.Included {
			least += len(rep.Items.Loaded(int(i)).Content)
		}
	}
	return output{"the window's text", "window.txt", "what the model reads, byte for byte" + cutNote(rep),
		func(_ context.Context, w io.Writer) error { return export.Contents(w, asSent(rep, sizer)) }, least, ""}
}

// asSent returns a report with the texts as they are sent.
func asSent(rep *model.Report, sizer experiment.Sizer) *model.Report {
	return rep.AsSent(func(i int) string { return sizer.Sent(rep, i) })
}

// cutNote says that an output has items cut as the model reads them; "" where none is.
func cutNote(rep *model.Report) string {
	if cut, noted := rep.CountShrunk(); cut+noted == 0 {
		return ""
	}
	return ", cut as the model reads them (not Cupel's)"
}

// minReportBytes is a lower bound of the bytes that a JSON report has for each item.
const minReportBytes = 100

// bounded is a buffer that takes the first bytes up to a limit.
type bounded struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.limit-b.Len())
	b.Buffer.Write(p[:n])
	if b.over = b.over || n < len(p); b.over {
		return n, io.ErrShortBuffer
	}
	return n, nil
}

// WriteString is Write for a string, because WriteString of bytes.Buffer has no limit.
func (b *bounded) WriteString(s string) (int, error) { return b.Write([]byte(s)) }

// maxPreview is how many bytes are shown of a text before it is written or opened.
const maxPreview = 20_000

// first returns the beginning of what is written.
func (w output) first(ctx context.Context) string {
	text := bounded{limit: maxPreview}
	switch err := w.write(ctx, &text); {
	case ctx.Err() != nil:
		return "not shown: it takes long to make"
	case err != nil && !text.over:
		return "not written: " + err.Error()
	}
	return text.String()
}

// written says that an output was written to a file.
func (w output) written(path string, bytes int) string {
	text := fmt.Sprintf("written to %s: %s, %v bytes", path, w.name, plain.Thousands(bytes))
	if w.note != "" {
		text += "; i says what differs"
	}
	return text
}
