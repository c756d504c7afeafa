package export

import (
	"strconv"

	"cupelscope/model"
)

// Tally is how many items and tokens share a name: a kind, or a provenance.
type Tally struct {
	Name   string
	Items  int
	Tokens model.Tokens
}

// Tallies are [{name, "items", "tokens"}, ...] for a program, where name is
// what their names are of.
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
