package itemset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// Where the list of a source is, and what its fields are called, as the user says it.

// Fields say what a source of no known format calls things. Each is a path of keys, as
// in "author.name"; "" leaves it to be found.
type Fields struct {
	AtPath string // where the list is, as in ".data.items[]"
	Text   string
	Role   string
	Time   string
	Score  string
	ID     string
}

// normal is the path of a list as the search writes it: with a dot before a key and
// brackets after a list.
func (f Fields) normal() Fields {
	if f.AtPath = strings.TrimPrefix(f.AtPath, "."); f.AtPath != "" && f.AtPath[0] != '[' {
		f.AtPath = "." + f.AtPath
	}
	return f
}

// parse reads the fields from JSON, as in {"atPath": ".data[]", "text": "body"}.
func (f *Fields) parse(raw []byte) error {
	keys := []string{"atPath", "text", "role", "time", "score", "id"}
	to := []*string{&f.AtPath, &f.Text, &f.Role, &f.Time, &f.Score, &f.ID}
	key, err := jsonwalk.Fields(raw, nil, keys, func(key string, value []byte) error {
		path, ok := jsonwalk.String(value)
		if !ok {
			return errors.New("is " + jsonwalk.TypeName(value) + ", must be a path of keys")
		}
		*to[slices.Index(keys, key)] = path
		return nil
	})
	if key != "" {
		return fmt.Errorf("%.40q %w", key, err)
	}
	return err
}

// field is a named field: its path and flag, the key under which readers look for it, and
// what its value must be.
type field struct {
	path, flag, key, want string
	fits                  func(raw []byte) bool
}

func (f Fields) names() [5]field {
	text := "content"
	if f.Role == "" {
		text = record.Texts[0]
	}
	return [...]field{
		{f.Role, "role", "role", "a text", isText}, {f.Text, "text", text, "a text", isTextOrBlocks}, {f.Time, "time", record.Times[0], "a time", isTime},
		{f.Score, "score", "score", "a number", isScore}, {f.ID, "id", "id", "a name or number", isID},
	}
}

// named reports whether a field other than the path of the list is given.
func (f Fields) named() bool { return f != Fields{AtPath: f.AtPath} }

func keysOfPath(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// cut returns the value at a path of keys in an object, and the object without it; what
// has no further member is left out. The value is nil if there is none.
func cut(o record.Object, path []string) (value []byte, rest record.Object) {
	at := slices.IndexFunc(o, func(m record.Member) bool { return m.Key == path[0] })
	if at < 0 {
		return nil, o
	}
	value, rest = o[at].Value, slices.Clone(o)
	if len(path) > 1 {
		var inner record.Object
		if value, inner = cut(record.Open(value), path[1:]); value == nil {
			return nil, o
		}
		if len(inner) > 0 {
			rest[at] = record.Member{Key: path[0], Value: inner.JSON()}
			return value, rest
		}
	}
	return value, slices.Delete(rest, at, at+1)
}

// renamed returns an object with the named fields under the keys that readers know. What
// stood under these keys is kept with an underscore after its name.
func (f Fields) renamed(o record.Object) record.Object {
	if !f.named() {
		return o
	}
	var out record.Object
	var taken []string
	for _, n := range f.names() {
		if n.path == "" {
			continue
		}
		taken = append(taken, n.key)
		var value []byte
		if value, o = cut(o, keysOfPath(n.path)); value != nil {
			out = append(out, record.Member{Key: n.key, Value: value})
		}
	}
	for _, m := range o {
		if slices.Contains(taken, m.Key) {
			m.Key += "_"
		}
		out = append(out, m)
	}
	return out
}

// rewritten returns a document whose elements have the fields that readers know, and tells
// the sink which elements have a named field not as it must be. It returns an error if no
// element has one of the named fields.
func (f Fields) rewritten(doc record.Document, sink record.Sink) (record.Document, error) {
	if !f.named() {
		return doc, nil
	}
	if doc.IsLists() {
		sink.Unit("record")
	}
	check := fieldCheck{Fields: f, sink: sink, found: map[string]bool{}, ids: map[string]bool{}}
	var parts []record.Part
	n := 0
	for at, raw := range doc.Values() {
		rewritten := raw
		if jsonwalk.Type(raw) == '[' {
			var all [][]byte
			for one := range jsonwalk.Elements(raw) {
				n++
				all = append(all, check.element(record.Place{N: n}, one))
			}
			rewritten = record.Array(all)
		} else {
			rewritten = check.element(at, raw)
		}
		parts = append(parts, record.Part{Value: rewritten, Offset: at.Offset - 1, Question: doc.Question(at)})
	}
	for _, n := range f.names() {
		if n.path != "" && !check.found[n.flag] {
			return doc, &FormatError{Name: doc.Name, Reason: fmt.Sprintf("no element of the list has a field %.60q, which --%s names: the first is an object %s", n.path, n.flag, keysOf(check.first)), Known: true}
		}
	}
	return doc.Of(parts, doc.IsLists() || doc.IsArray()), nil
}

// fieldCheck looks at the named fields of the elements of a list.
type fieldCheck struct {
	Fields
	sink  record.Sink
	first []byte          // the first object
	found map[string]bool // flags whose field an element has
	ids   map[string]bool // ids of the elements so far
}

// element returns an element with the fields that readers know.
func (c *fieldCheck) element(at record.Place, raw []byte) []byte {
	if jsonwalk.Type(raw) != '{' {
		return raw
	}
	if c.first == nil {
		c.first = raw
	}
	o := record.Open(raw)
	for _, n := range c.names() {
		if n.path == "" {
			continue
		}
		value, _ := cut(o, keysOfPath(n.path))
		named := fmt.Sprintf("%.60q (--%s)", n.path, n.flag)
		if value == nil || jsonwalk.IsNull(value) {
			c.sink.Tell(Changed, at, "rows without "+named)
			continue
		}
		c.found[n.flag] = true
		if !n.fits(value) {
			c.sink.Tell(Changed, at, fmt.Sprintf("rows in which %s is %s, not %s", named, jsonwalk.TypeName(value), n.want))
		}
		if n.flag == "id" && c.ids[string(value)] {
			c.sink.Tell(Changed, at, "rows with the "+named+" of an earlier one")
		}
		if n.flag == "id" {
			c.ids[string(value)] = true
		}
	}
	return c.renamed(o).JSON()
}

func isText(raw []byte) bool { return jsonwalk.Type(raw) == '"' }

func isTextOrBlocks(raw []byte) bool { return isText(raw) || jsonwalk.Type(raw) == '[' }

func isID(raw []byte) bool { return isText(raw) || jsonwalk.IsNumber(raw) }

func isTime(raw []byte) bool {
	_, isText := record.Time(raw)
	_, isUnix := record.UnixTime(raw)
	return isText || isUnix
}

// isScore reports whether a value is a number, which may stand in a string.
func isScore(raw []byte) bool {
	_, ok := record.Number(raw)
	return ok
}
