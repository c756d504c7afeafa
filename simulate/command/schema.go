package command

import (
	"io"

	"cupelscope/simulate/export"
)

// schema writes the JSON Schema of that name to w. It returns an error if there is none.
func schema(w io.Writer, name string) error {
	text, err := export.SchemaOf(name)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
