package itemset

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"cupelscope/model/itemset/internal/record"
)

// Reads reports whether a file, which is there, is read for a source: it is the source, one of
// the files of a folder or a pattern, or the itemsFile of a scenario. It walks folders and
// opens no file but a source of at most MaxSmallBytes, which may be a scenario.
func Reads(ctx context.Context, source string, file fs.FileInfo) bool {
	found := errors.New("found")
	look := func(path, _ string) error {
		if info, err := os.Stat(path); err == nil && os.SameFile(info, file) {
			return found
		}
		return nil
	}
	source = expandHome(source)
	info, err := os.Stat(source)
	var files []string
	switch {
	case source == "-":
		return false
	case err != nil:
		files, _, _ = globFiles(ctx, source, func(string, error) error { return nil }) // none if it is no pattern
	case info.IsDir():
		none := func(string, string, leftReason, error) error { return nil }
		return tree{ctx: ctx, hidden: func(string) bool { return false }, file: look, leftOut: none}.walk(source) == found
	default:
		files = []string{source}
	}
	return slices.ContainsFunc(files, func(path string) bool { return look(path, "") == found || itemsFileIs(ctx, path, look) })
}

// itemsFileIs reports whether look finds the itemsFile of the scenario, or of one of the lines
// with scenarios, that a file holds.
func itemsFileIs(ctx context.Context, path string, look func(path, name string) error) bool {
	if CheckRegular(path) != nil {
		return false // what a shell's pipe says is heard once
	}
	data, _, _, err := readFile(quiet(ctx), openNamed, path, MaxSmallBytes)
	if err == nil {
		data, _, err = unpack(quiet(ctx), path, data, MaxSmallBytes)
	}
	if err != nil {
		return false // reading it as a source says why
	}
	is := func(text []byte) bool {
		name := record.Open(text).Text("itemsFile")
		return name != "" && look(filepath.Join(filepath.Dir(path), filepath.FromSlash(name)), "") != nil
	}
	for _, value := range record.Split(path, data, record.Options{}).Values() {
		if is(value) {
			return true
		}
	}
	return false
}
