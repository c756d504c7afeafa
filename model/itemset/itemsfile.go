package itemset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cupelscope/model/itemset/internal/record"
)

// The file that holds the items of a scenario lies in the scenario's folder, or below it.
// A scenario may come from elsewhere, and what its path leads to is shown and exported:
// a path or a link that leads out of the folder is an error, unless Options.TrustPaths
// is set. Standard input is never such a file, because the explorer's is the keyboard.

// itemsOf reads the items of a scenario from its itemsFile.
func (b *builder) itemsOf(file string) error {
	fail := func(reason string) error { return &ScenarioError{Name: b.name, Field: "itemsFile", Reason: reason} }
	local := filepath.FromSlash(file)
	switch {
	case b.opts.open == nil || b.name == "-":
		return fail("cannot be resolved: the scenario is not a file")
	case filepath.Clean(local) == "-":
		return fail("is -, must be a file: the items of a scenario are not read from standard input")
	case filepath.IsAbs(local):
		return fail("must be a path relative to the scenario")
	}
	path := filepath.Join(filepath.Dir(b.name), local)
	if !b.opts.TrustPaths {
		inside, err := within(filepath.Dir(b.name), path)
		if err != nil {
			return &ScenarioError{Name: b.name, Field: "itemsFile", Err: fmt.Errorf("%s: %w", path, cause(err))}
		}
		if !inside {
			return fail(fmt.Sprintf("%.80q leads out of the folder of the scenario: if the scenario is to be trusted, give --trust-paths", file))
		}
	}
	b.opts.Format = Auto
	data, err := b.opts.open(b.ctx, path)
	if special, ok := errors.AsType[*SpecialError](err); ok {
		special.File = true
	}
	if err != nil {
		return &ScenarioError{Name: b.name, Field: "itemsFile", Err: err}
	}
	text, _ := decode(data)
	if f := detect(record.Split(path, text, record.Options{})); f == Scenario || f == Vectors {
		return fail(fmt.Sprintf("is a %s itself", f))
	}
	name := b.name
	if err := b.read(path, data, false); err != nil {
		return err
	}
	b.name = name
	b.out.Format, b.out.Report.Sources, b.firsts = "", nil, nil
	return nil
}

// within reports whether path lies below folder where the links of both lead. The error is
// that of the file system; that there is no file is none.
func within(folder, path string) (bool, error) {
	for _, name := range [...]*string{&folder, &path} {
		absolute, err := filepath.Abs(*name)
		if err == nil {
			*name, err = leadsTo(absolute)
		}
		if err != nil {
			return false, err
		}
	}
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below), nil
}

// leadsTo is filepath.EvalSymlinks also where there is no file: what is refused must not
// tell whether it exists.
func leadsTo(path string) (string, error) {
	leads, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return leads, err
	}
	folder, err := leadsTo(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, filepath.Base(path))
	to, err := os.Readlink(path)
	switch {
	case err != nil: // no link
		return path, nil
	case !filepath.IsAbs(to):
		to = filepath.Join(folder, to)
	}
	return leadsTo(to)
}
