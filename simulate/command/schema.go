package command

import (
	"io"

	"cupelscope/simulate/export/schema"
)

// Schema prints the JSON Schema of a verb's answers.
func Schema(w io.Writer, verb string) error {
	text, err := schema.For(verb)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
