package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
)

// readLabels reads the file that --labels names. The error names the flag.
func readLabels(ctx context.Context, path string) (*quality.LabelFile, error) {
	data, err := itemset.ReadNamed(ctx, path, itemset.DefaultMaxBytes)
	if err != nil {
		return nil, fmt.Errorf("--labels: %w", err)
	}
	f, err := quality.ReadLabelFile(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("--labels %s: %w", path, err)
	}
	return f, nil
}

// sourceNames returns the names by which a label file may refer to a whole
// source: its path, its base name, and its base name without the extension.
func sourceNames(source string) []string {
	base := filepath.Base(source)
	return []string{source, base, strings.TrimSuffix(base, filepath.Ext(base))}
}

// label puts the labels of a file in place of the labels of the source: the labels of the
// file's only case or, if there are several or with byName, of the case with its name.
func (o *Opened) label(f *quality.LabelFile, byName bool) error {
	of := f.Cases()
	if byName || len(of) > 1 || o.names != nil {
		names := o.names
		if names == nil {
			names = sourceNames(o.Name())
		}
		of = f.Named(names...)
	}
	if len(of) == 0 {
		return fmt.Errorf("--labels: it labels %s, and none is called %.40q as the source is, or as its file", plain.Count(len(f.Cases()), "case"), o.Name())
	}
	if !o.labelled {
		labels, err := f.Labels(of[0], o.Set, nil)
		if err != nil {
			return fmt.Errorf("--labels: %w", err)
		}
		labels.Answers = o.Labels.Answers
		o.Labels = labels
	}
	if n := o.Labels.Unreachable; n > 0 {
		o.Warnings = append(o.Warnings, "--labels: "+plain.Count(n, "label")+" without an item, left out of recall")
	}
	return nil
}
