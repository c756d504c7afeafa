package chat

import (
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Gemini may stream the arguments of a call: {"name", "willContinue": true}, then
// {"partialArgs": [{"jsonPath": "$.a.b[0]", "stringValue", "willContinue"}],
// "willContinue": true} as often as needed, then {}.

// argument is the value at a path, as far as its pieces have come.
type argument struct {
	path  string
	text  strings.Builder // of a string
	value any             // of another value; nil for a string
}

// arguments reads a part of a message if it begins or continues a call whose arguments
// come in pieces, and reports whether it does.
func (a *answer) arguments(part record.Object) bool {
	if part.Type("functionCall") != '{' {
		return false
	}
	c := part.Open("functionCall")
	name := c.Text("name")
	switch {
	case name != "" && c.Is("willContinue"):
		a.calls = append(a.calls, &call{id: c.Text("id"), name: name, args: []*argument{}})
	case name != "" || !a.growing:
		return false
	}
	last := a.calls[len(a.calls)-1]
	for raw := range c.List("partialArgs") {
		piece := record.Open(raw)
		path := piece.Text("jsonPath")
		if n := len(last.args); n == 0 || last.args[n-1].path != path {
			last.args = append(last.args, &argument{path: path})
		}
		to := last.args[len(last.args)-1]
		to.text.WriteString(piece.Text("stringValue"))
		if value := piece.Raw("numberValue", "boolValue"); value != nil {
			to.value = jsonwalk.Any(value)
		}
	}
	a.growing = c.Is("willContinue")
	return true
}

// maxPath is the largest number of keys in the path of an argument; a longer path is
// kept as one key.
const maxPath = 50

// joined returns the arguments as the JSON object that they are pieces of.
func joined(args []*argument) []byte {
	o := map[string]any{}
	for _, arg := range args {
		path := strings.FieldsFunc(strings.TrimPrefix(arg.path, "$"), func(r rune) bool { return r == '.' || r == '[' || r == ']' })
		if len(path) == 0 || len(path) > maxPath {
			path = []string{arg.path}
		}
		value := arg.value
		if value == nil {
			value = arg.text.String()
		}
		record.Put(o, path, value)
	}
	return record.JSON(record.Listed(o))
}
