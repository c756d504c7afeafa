package command

import (
	"errors"
	"fmt"
	"os"

	"cupelscope/fixtures"
)

// Check finds what is wrong with the flags and sources without reading the
// sources: so that a screen is not opened only to say that a file is missing.
func Check(o Options) error {
	if _, err := o.Asked(); err != nil {
		return err
	}
	if _, err := o.method(""); err != nil {
		return err
	}
	if _, err := o.reading(Streams{}); err != nil {
		return err
	}
	if _, ok := fixtures.Find(o.Fixture); o.Fixture != "" && !ok {
		return unknownFixture(o.Fixture)
	}
	for _, source := range o.Sources {
		if source == "-" {
			continue
		}
		info, err := os.Stat(source)
		if err != nil {
			var path *os.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return fmt.Errorf("%s: %w", source, err)
		}
		if info.IsDir() {
			return fmt.Errorf("%s: is a folder; give a file", source)
		}
	}
	return nil
}

// SourceName names what will be opened, for a person who waits for it.
func SourceName(o Options) string {
	switch {
	case len(o.Sources) == 1 && o.Sources[0] == "-":
		return "standard input"
	case len(o.Sources) == 1:
		return o.Sources[0]
	case len(o.Sources) > 1:
		return fmt.Sprintf("%s and %d more", o.Sources[0], len(o.Sources)-1)
	case o.Fixture != "":
		return "fixture " + o.Fixture
	}
	return "fixture " + fixtures.All()[0].Name
}
