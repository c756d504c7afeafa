package itemset

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// In a folder every text file is a Document, whatever it holds. A folder that holds
// only files of records (sessions, result sets) is an error that asks for one of the
// files, because as texts they make no sense and the loader cannot know which of them
// is meant. If Options.Format forces a format, every file is read in that format.

// maxFolderFile is the largest size of a file in a folder, in bytes: a million tokens
// of text are no document for a context.
const maxFolderFile = 4 << 20

// FolderError says why a folder gives no items.
type FolderError struct{ Name, Reason string }

func (e *FolderError) Error() string { return e.Name + ": the folder " + e.Reason }

type folderRead struct {
	*builder
	data   int    // number of files of records among the texts
	newest string // the newest of them
	at     time.Time
}

// folder adds the text files below a folder or, if a format is forced, the items that
// each file holds in that format.
func (b *builder) folder(name string) error {
	f := folderRead{builder: b}
	before, total := len(b.items), int64(0)
	root := resolved(name)
	forced := b.opts.Format != Auto && b.opts.Format != Text
	walk := tree{
		ctx:    b.ctx,
		hidden: func(string) bool { return false },
		file: func(path, rel string) error {
			if b.twiceAt(path, filepath.Join(root, filepath.FromSlash(rel))) {
				return nil
			}
			data, at, err := b.readFile(quiet(b.ctx), openRegular, path, maxFolderFile)
			if err == nil {
				if total += int64(len(data)); total > b.opts.maxBytes() {
					err = &SizeError{Name: name, Limit: b.opts.maxBytes(), Folder: true}
				}
			}
			if err == nil {
				b.modified = at
				if forced {
					err = b.try(func() error { return b.read(path, data, true) })
				} else {
					err = f.text(path, rel, data)
				}
				b.modified.Set = false
			}
			if err = b.skip(path, err); err != nil {
				return err
			}
			b.readSome(int64(len(data)))
			return nil
		},
		leftOut: func(path, _ string, reason leftReason, err error) error {
			if reason != leftUnreadable {
				b.out.Report.addFile(LeftOut, string(reason), path)
				return nil
			}
			err = naming(path, err)
			if path == name {
				return err
			}
			return b.skip(path, err)
		},
	}
	if err := walk.walk(name); err != nil {
		return err
	}
	if forced {
		if len(b.items) == before {
			return &FolderError{name, fmt.Sprintf("holds no file with anything of the format %q", string(b.opts.Format))}
		}
		return nil
	}
	texts := len(b.items) - before
	switch {
	case texts > 0 && texts == f.data && b.opts.Format == Auto:
		others := ""
		if why := b.out.Report.reasons(); why != "" {
			others = " (and " + why + ")"
		}
		return &FolderError{name, fmt.Sprintf("holds nothing but %s of records%s: name one to open it, as %s, the newest; --format text reads them as they are",
			plain.Count(f.data, "file"), others, f.newest)}
	case texts == 0:
		reason := "holds no text file"
		if why := b.out.Report.reasons(); why != "" {
			reason += ": " + why
		}
		return &FolderError{name, reason}
	case f.data > 0:
		b.out.Report.put(Entry{Outcome: Changed, Reason: "files of records in a folder, read as text: name one to open it", Count: f.data})
	}
	b.recordOrigin(name, Text, before)
	return nil
}

// text adds a file of the folder as a text. The error is a *FormatError.
func (f *folderRead) text(path, rel string, data []byte) error {
	if why := notText(data); why != "" {
		return &FormatError{Name: path, Reason: why}
	}
	text, _ := decode(data)
	if len(bytes.TrimSpace(text)) == 0 {
		f.out.Report.addFile(LeftOut, "empty files", path)
		return nil
	}
	if len(f.items) >= model.MaxItems {
		return &FormatError{Name: path, Reason: fmt.Sprintf("beyond the %v items of a set", plain.Thousands(model.MaxItems)), Known: true}
	}
	if isData(path) && detect(record.Split(path, text, record.Options{})) != Auto {
		f.data++
		if f.newest == "" || f.modified.Value.After(f.at) {
			f.newest, f.at = path, f.modified.Value
		}
	}
	f.readText(path, rel, text)
	return nil
}
