package command_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
)

// The schemas of answers are drawn: which fields there are, in what order, and which of them
// every answer has is seen in the answers. What a field means, and which values it may have,
// is a row of testdata/fields.json: by its name, or by its place where a name means several
// things. A place is the names from the verb to the field, with dots between. A name is one
// sort of JSON in all answers, unless fields.json says why not.

// meanings is the content of fields.json.
type meanings struct {
	Names  map[string]json.RawMessage `json:"names"`
	Places map[string]json.RawMessage `json:"places"`
	// Several says why a name is no one sort of JSON over all answers.
	Several map[string]string `json:"several"`
	used    map[string]bool
}

// of returns the definition of a field, and what it says besides words; nil if there is none.
func (m *meanings) of(place, name string) (text json.RawMessage, d definition) {
	key := place
	if text = m.Places[place]; text == nil {
		key, text = name, m.Names[name]
	}
	m.used[key] = true
	if err := json.Unmarshal(text, &d); text == nil || err != nil {
		return nil, d
	}
	return text, d
}

// definition is a part of a JSON Schema. With a type it is whole; else the type is drawn.
type definition struct {
	Type  any    `json:"type"`
	Ref   string `json:"$ref"`
	Items struct {
		Ref string `json:"$ref"`
	} `json:"items"`
}

// place is somewhere in answers, with the values that stand there.
type place struct {
	path        string
	objects     int      // how many objects stand there
	array, null bool     // they stand in an array; null stands there too
	names       []string // of their fields, in the order in which they come
	fields      map[string]*place
	found       map[string]int // how many of the objects have a field
}

func newPlace(path string) *place {
	return &place{path: path, fields: map[string]*place{}, found: map[string]int{}}
}

// drawer draws the schemas of answers.
type drawer struct {
	*testing.T
	meanings
	common map[string]*place          // by reference: what several answers have
	order  []string                   // of common
	folder string                     // of the schemas
	sorts  map[string]map[string]bool // by the name of a field: which sorts of JSON it is
}

func newDrawer(t *testing.T) *drawer {
	t.Helper()
	d := &drawer{T: t, common: map[string]*place{}, folder: musttest.Of(filepath.Abs("../export/schema"))(t), sorts: map[string]map[string]bool{}}
	musttest.Do(t, json.Unmarshal(musttest.Of(os.ReadFile("testdata/fields.json"))(t), &d.meanings))
	d.used = map[string]bool{}
	return d
}

// field returns the place of a field of the objects at p.
func (d *drawer) field(p *place, name string) *place {
	if p.fields[name] == nil {
		path := p.path + "." + name
		_, of := d.of(path, name)
		ref := cmp.Or(of.Ref, of.Items.Ref)
		if !strings.HasPrefix(ref, "common.json") {
			ref = "" // whole in another file
		}
		if ref != "" && d.common[ref] == nil {
			d.common[ref] = newPlace("common." + ref[strings.LastIndexByte(ref, '/')+1:])
			d.order = append(d.order, ref)
		}
		p.names = append(p.names, name)
		p.fields[name] = d.common[ref]
		if ref == "" {
			p.fields[name] = newPlace(path)
		}
	}
	return p.fields[name]
}

// note adds the next value of in to those at p.
func (d *drawer) note(p *place, in *json.Decoder) {
	switch musttest.Of(in.Token())(d) {
	case json.Delim('{'):
		p.objects++
		for in.More() {
			name := musttest.Of(in.Token())(d).(string)
			p.found[name]++
			d.note(d.field(p, name), in)
		}
		musttest.Of(in.Token())(d)
	case json.Delim('['):
		p.array = true
		for in.More() {
			d.note(p, in)
		}
		musttest.Of(in.Token())(d)
	case nil:
		p.null = true
	}
}

// object returns the members of a schema of the objects at p.
func (d *drawer) object(p *place) string {
	var fields, required []string
	for _, name := range p.names {
		text, of := d.of(p.path+"."+name, name)
		if text == nil {
			d.Errorf("testdata/fields.json does not say what %s.%s means", p.path, name)
			continue
		}
		d.noteSorts(name, p.fields[name], of)
		members := inside(text)
		if name == "schema" {
			verb, _, _ := strings.Cut(p.path, ".")
			members += fmt.Sprintf(`, "const": %q`, export.Schema(verb))
		} else if of.Ref == "" {
			members = joined(members, d.drawn(p.fields[name], of))
		}
		fields = append(fields, fmt.Sprintf("%q: {%s}", name, members))
		if p.found[name] == p.objects {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	return fmt.Sprintf(`"type": "object", "properties": {%s}, "required": [%s], "additionalProperties": false`, strings.Join(fields, ","), strings.Join(required, ","))
}

// noteSorts notes which sorts of JSON a field is; null is none.
func (d *drawer) noteSorts(name string, p *place, of definition) {
	if of.Ref != "" {
		_, of = d.of(p.path, "")
	}
	sorts := []any{of.Type}
	switch types, several := of.Type.([]any); {
	case several:
		sorts = types
	case of.Type == nil && p.array:
		sorts = []any{"array"}
	case of.Type == nil && p.objects > 0:
		sorts = []any{"object"}
	}
	if d.sorts[name] == nil {
		d.sorts[name] = map[string]bool{}
	}
	for _, sort := range sorts {
		if text, ok := sort.(string); ok && text != "null" {
			d.sorts[name][strings.Replace(text, "integer", "number", 1)] = true
		}
	}
}

// drawn returns the members of a schema of what is at p, "" where its definition is whole.
func (d *drawer) drawn(p *place, of definition) string {
	sort := `"array"`
	if p.null {
		sort = `["array", "null"]`
	}
	switch {
	case of.Type != nil || p.objects == 0:
		return ""
	case p.array:
		return fmt.Sprintf(`"type": %s, "items": {%s}`, sort, d.object(p))
	}
	return d.object(p)
}

// inside returns the members of an object.
func inside(object []byte) string {
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(string(object), "{"), "}"))
}

// joined returns members of an object, with commas between those that are not empty.
func joined(members ...string) string {
	return strings.Join(slices.DeleteFunc(members, func(s string) bool { return s == "" }), ", ")
}

// schema returns the schema of a verb's answers, which are at the places of all: one, or
// one for each form that they have.
func (d *drawer) schema(verb string, all []*place) string {
	text, _ := d.of(verb, "")
	id := strings.ReplaceAll(export.Schema(verb), "/", ":")
	of := d.object(all[0])
	if len(all) > 1 {
		var forms []string
		for _, p := range all {
			form, _ := d.of(p.path, "")
			forms = append(forms, "{"+joined(inside(form), d.object(p))+"}")
		}
		of = `"oneOf": [` + strings.Join(forms, ",") + "]"
	}
	return d.indented(joined(fmt.Sprintf(`"$id": "urn:%s"`, id), inside(text), of))
}

func (d *drawer) indented(members string) string {
	var b bytes.Buffer
	musttest.Do(d, json.Indent(&b, []byte(`{"$schema": "https://json-schema.org/draft/2020-12/schema", `+members+"}"), "", "  "))
	return b.String() + "\n"
}

// check holds the files of the schemas to the answers at places, by verb.
func (d *drawer) check(places map[string][]*place) {
	d.Helper()
	for verb, all := range places {
		goldentest.Check(d, filepath.Join(d.folder, verb+".json"), d.schema(verb, all))
	}
	var defs []string
	for _, ref := range d.order {
		p := d.common[ref]
		text, of := d.of(p.path, "")
		members := inside(text)
		if of.Type == nil {
			members = joined(members, d.object(p))
		}
		defs = append(defs, fmt.Sprintf("%q: {%s}", strings.TrimPrefix(p.path, "common."), members))
	}
	goldentest.Check(d, filepath.Join(d.folder, "common.json"), d.indented(`"title": "What several answers have in common", "$defs": {`+strings.Join(defs, ",")+"}"))
	for name, sorts := range d.sorts {
		if why := d.Several[name]; (len(sorts) > 1) != (why != "") {
			d.Errorf("%s is %v, and the reason for several sorts is %q", name, slices.Sorted(maps.Keys(sorts)), why)
		}
	}
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(d.Names)), slices.Sorted(maps.Keys(d.Places))) {
		if !d.used[key] {
			d.Errorf("no answer has the field %s", key)
		}
	}
}
