package export

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// schemas holds a JSON Schema for the answers of each verb, and for what is read: a policy,
// items, a scenario, a line of a batch. A test of package command draws the schemas of
// answers from all answers, and says what each field means; a test of package model draws the
// schema of a policy.
//
//go:embed schema/*.json
var schemas embed.FS

// commonSchema is the file of what the answers of several verbs refer to.
const commonSchema = "common"

// SchemaNames lists what has a schema, ascending.
func SchemaNames() []string {
	entries, err := schemas.ReadDir("schema")
	if err != nil { // it is part of the program
		return nil
	}
	var all []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".json"); name != commonSchema {
			all = append(all, name)
		}
	}
	return all
}

// otherFile finds the file in a reference to a definition of another schema.
var otherFile = regexp.MustCompile(`([a-z-]+)\.json#`)

// SchemaOf returns the schema of that name as indented JSON that refers to no other file.
// The error lists the names.
func SchemaOf(name string) ([]byte, error) {
	if !slices.Contains(SchemaNames(), name) {
		return nil, fmt.Errorf("%.40q has no schema; these have one: %s", name, strings.Join(SchemaNames(), ", "))
	}
	var text []byte
	var defs []string // the members of $defs, which is the last member of a file
	files := []string{name}
	for k := 0; k < len(files); k++ {
		file, err := schemas.ReadFile("schema/" + files[k] + ".json")
		if err != nil {
			return nil, err
		}
		own, of, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(string(file)), "\n}"), ",\n  \"$defs\": {")
		if of != "" {
			defs = append(defs, strings.TrimSuffix(of, "\n  }"))
		}
		if k == 0 {
			text = []byte(own)
		}
		for _, ref := range otherFile.FindAllStringSubmatch(string(file), -1) {
			if !slices.Contains(files, ref[1]) {
				files = append(files, ref[1])
			}
		}
	}
	if defs != nil {
		text = append(text, ",\n  \"$defs\": {"+strings.Join(defs, ",")+"\n  }"...)
	}
	return append(otherFile.ReplaceAll(text, []byte("#")), "\n}\n"...), nil
}
