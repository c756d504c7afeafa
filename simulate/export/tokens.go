package export

import (
	"strconv"

	"cupelscope/model"
)

// Tally is the number of items and tokens that have a name in common, for
// example a kind or a provenance.
type Tally struct {
	Name   string
	Items  int
	Tokens model.Tokens
}

// Tallies returns a cell with an array of objects for a program: each has the
// name of a tally under the key name, and its "items" and "tokens". It is
// blank for a person.
func Tallies(name string, all []Tally) Cell {
	text := []byte{'['}
	for k, t := range all {
		if k > 0 {
			text = append(text, ", "...)
		}
		text = append(appendQuoted(append(text, '{'), name), ": "...)
		text = append(appendQuoted(text, t.Name), `, "items": `...)
		text = append(strconv.AppendInt(text, int64(t.Items), 10), `, "tokens": `...)
		text = append(strconv.AppendInt(text, int64(t.Tokens), 10), '}')
	}
	text = append(text, ']')
	return Cell{csv: string(text), json: string(text)}
}
