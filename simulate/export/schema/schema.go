// Package schema holds a JSON Schema for the answers of each verb, next to the
// code that writes them. Tests hold every answer of every verb to it; no field
// may be missing or unknown.
package schema

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed *.json
var files embed.FS

// common is the file of what several schemas refer to.
const common = "common"

// Verbs lists the verbs that have a schema, ascending.
func Verbs() []string {
	entries, err := files.ReadDir(".")
	if err != nil { // it is part of the program
		return nil
	}
	var all []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".json"); name != common {
			all = append(all, name)
		}
	}
	return all
}

// For returns the schema of a verb's answers as indented JSON that refers to no
// other file. The error lists the verbs that have one.
func For(verb string) ([]byte, error) {
	text, err := files.ReadFile(verb + ".json")
	if err != nil || verb == common {
		return nil, fmt.Errorf("%.40q has no schema; these have one: %s", verb, strings.Join(Verbs(), ", "))
	}
	shared, err := files.ReadFile(common + ".json")
	if err != nil {
		return nil, err
	}
	var defs struct {
		Defs json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(shared, &defs); err != nil {
		return nil, fmt.Errorf("%s.json: %w", common, err)
	}
	text = bytes.ReplaceAll(bytes.TrimSpace(text), []byte(common+".json#"), []byte("#"))
	if !bytes.Contains(text, []byte("#/$defs/")) {
		return append(text, '\n'), nil
	}
	text = append(bytes.TrimSuffix(text, []byte("\n}")), ",\n  \"$defs\": "...)
	return append(append(text, defs.Defs...), "\n}\n"...), nil
}
