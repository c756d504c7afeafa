package explorer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/work"
)

const (
	// maxLooked is the largest file that is read only to say what it holds.
	maxLooked = 4 << 20
	// maxListed is how many items, or entries of a folder, are looked at for that.
	maxListed = 200
)

// look returns what a file or folder gives that is opened, or why it cannot be opened: a title and
// lines.
func (m *Model) look(ctx context.Context, path string) string {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		names, err := overlay.Names(path, likely)
		if err != nil {
			return closed(path, err)
		}
		return strings.Join(append([]string{"a folder: enter, then ctrl+o opens all texts in it"}, names[:min(len(names), maxListed)]...), "\n")
	}
	loaded, err := itemset.Load(ctx, []string{path}, itemset.Options{MaxBytes: maxLooked})
	_, large := errors.AsType[*itemset.SizeError](err)
	_, runs := errors.AsType[*itemset.SelectError](err)
	switch {
	case large, work.TooLong(err):
		return "too large to look into; enter opens it"
	case runs:
		return "several runs; enter lists them"
	case err != nil:
		return closed(path, err)
	}
	set := loaded.Set
	text := fmt.Sprintf("%s, %s, %s%s", loaded.Format, plain.Count(set.Len(), "item"), export.Mark(set, m.opts.ASCII), plain.Count(set.Total(), "token"))
	if set.Len() == 1 { // a text
		content := set.Loaded(0).Content
		return text + "\n" + content[:min(len(content), maxPreview)]
	}
	for i := range min(set.Len(), maxListed) {
		text += fmt.Sprintf("\n#%-3d %s", i, overlay.Line(set, i))
	}
	return text
}

// closed returns why a path cannot be opened.
func closed(path string, err error) string {
	return "cannot be opened\n" + strings.Join(plain.Wrap(strings.TrimPrefix(err.Error(), path+": "), 56, 5), "\n")
}
