package itemset

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupelscope/model/itemset/internal/record"
)

// Reads reports whether an existing file is read for a source: it is the source, one of the
// files of a folder or a pattern, or the itemsFile of a scenario. Reads walks folders and opens
// no file except a source of at most MaxSmallBytes, which may be a scenario.
func Reads(ctx context.Context, source string, file fs.FileInfo) bool {
	is := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && os.SameFile(info, file)
	}
	source = expandHome(source)
	info, err := os.Stat(source)
	var files []string
	switch {
	case source == "-":
		return false
	case err != nil:
		files, _ = globFiles(ctx, source, func(string, error) error { return nil }) // none if it is no pattern
	case info.IsDir():
		collect := func(path, _ string) error { files = append(files, path); return nil }
		pass := func(string, string, leftReason, error) error { return nil }
		_ = tree{ctx: ctx, hidden: func(string) bool { return false }, file: collect, leftOut: pass}.walk(source)
		return slices.ContainsFunc(files, is)
	default:
		files = []string{source}
	}
	return slices.ContainsFunc(files, func(path string) bool { return is(path) || itemsFileIs(ctx, path, is) })
}

// itemsFileIs reports whether is returns true for the itemsFile of a scenario in the file at
// path. The file may have one scenario or one on each line.
func itemsFileIs(ctx context.Context, path string, is func(path string) bool) bool {
	if CheckRegular(path) != nil {
		return false // the pipe of a shell can be read only once
	}
	data, _, _, err := readFile(quiet(ctx), openNamed, path, MaxSmallBytes)
	if err == nil {
		data, _, err = unpack(quiet(ctx), path, data, MaxSmallBytes)
	}
	if err != nil {
		return false // reading it as a source reports why
	}
	for _, value := range record.Split(path, data, record.Options{}).Values() {
		name := record.Open(value).Text("itemsFile")
		if name != "" && is(filepath.Join(filepath.Dir(path), filepath.FromSlash(name))) {
			return true
		}
	}
	return false
}
