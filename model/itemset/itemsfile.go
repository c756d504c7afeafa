package itemset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cupelscope/model/itemset/internal/record"
)

// The file that holds the items of a scenario lies in the scenario's folder, or below it. A
// scenario may come from elsewhere, and what its path leads to is shown and exported. So these
// are errors unless Options.TrustPaths is set: a path or a link that leads out of the folder,
// even if it comes back, and an absolute link. Standard input is never such a file, because the
// explorer reads the keyboard there.

func (b *builder) itemsOf(file string) error {
	fail := func(why string) error { return b.wrong("itemsFile", reason(why)) }
	local := filepath.Clean(filepath.FromSlash(file)) // x/../../y leads out even if there is no x
	switch {
	case !b.opts.files || b.name == "-":
		return fail("cannot be resolved: the scenario is not a file")
	case local == "-":
		return fail("is -, must be a file: the items of a scenario are not read from standard input")
	case filepath.IsAbs(local):
		return fail("must be a path relative to the scenario")
	}
	folder := filepath.Dir(b.name)
	path := filepath.Join(folder, local)
	open := openNamed
	if !b.opts.TrustPaths {
		root, err := os.OpenRoot(folder)
		if err == nil {
			_, err = root.Stat(local)
			root.Close() // only read
		}
		switch {
		case err == nil, errors.Is(err, fs.ErrNotExist): // opening it fails
		case isFileError(err):
			return b.wrong("itemsFile", naming(path, err))
		default:
			return fail(fmt.Sprintf("%.80q leads out of the folder of the scenario, or has an absolute link on its way: if the scenario is to be trusted, give --trust-paths", file))
		}
		open = func(string) (*os.File, error) { return os.OpenInRoot(folder, local) } // refuses a link that was put there meanwhile
	}
	var data []byte
	var note string
	err := CheckRegular(path)
	if err == nil {
		data, _, _, err = readFile(b.ctx, open, path, b.opts.maxBytes())
	}
	if err == nil {
		data, note, err = unpack(b.ctx, path, data, b.opts.maxBytes())
	}
	if note != "" { // edits name its items by their index
		err = &FormatError{Name: path, Reason: note}
	}
	if err != nil {
		return b.wrong("itemsFile", err)
	}
	b.opts.Format = Auto
	text, _ := decode(data)
	if f := detect(record.Split(path, text, record.Options{})); f == Scenario || f == Vectors {
		return fail(fmt.Sprintf("is a %s itself", f))
	}
	name := b.name
	if err := b.read(path, data, false); err != nil {
		return err
	}
	b.name = name
	b.out.Format, b.out.Report.Sources, b.sourceStarts = "", nil, nil
	return nil
}
