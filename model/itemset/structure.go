package itemset

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/documents"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// What no format is recognised in is read by its structure: an array of objects, under
// any key, whose first elements are messages or documents by the table of fields
// (record.Texts and its neighbours) is that list. Options.Fields says where the list is,
// and what its fields are called, where that is not enough.

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

const (
	// maxSearchDepth is the depth of objects and arrays down to which lists are searched.
	maxSearchDepth = 8
	// judged is how many elements of a list say what it holds.
	judged = 4
)

// list is a list of messages or of documents in a source.
type list struct {
	path   string // as --at-path takes it
	format Format // OpenAI for messages, Documents for documents
	text   int    // size of its texts, in bytes of JSON
	record.Part
}

// search looks for lists in a source.
type search struct {
	fields      Fields
	want        Format // the only format that is taken; Auto takes either
	lists       []list
	unread      []string // paths of texts outside of the lists, one for each text
	longestList list     // of the lists of objects that hold neither messages nor documents
	size        int      // number of its elements
}

// value searches a value that begins at an offset in the source; question is the text
// that stands beside it.
func (s *search) value(raw []byte, path string, offset, depth int, question string) {
	if path != "" && s.fields.AtPath == path && s.take(raw, path, offset, question) {
		return
	}
	if depth > maxSearchDepth {
		if jsonwalk.HasText(raw) {
			s.unread = append(s.unread, path)
		}
		return
	}
	switch jsonwalk.Type(raw) {
	case '[':
		if s.take(raw, path+"[]", offset, question) {
			return
		}
		for at, one := range jsonwalk.ElementsAt(raw, nil) {
			s.value(one, path+"[]", offset+at, depth+1, "")
		}
	case '{':
		if path != "" && s.fields.AtPath == "" && s.judge(elementsOf(raw)) == Documents && s.take(raw, path, offset, question) {
			return
		}
		for _, key := range record.Questions {
			if text := record.Open(raw).Text(key); text != "" {
				question = text
				break
			}
		}
		at := 0
		for key, value := range jsonwalk.MembersAt(raw, &at) {
			if isText := jsonwalk.Type(value) == '"'; !isText || !slices.Contains(chat.RequestNoContent, key) && !slices.Contains(record.Questions, key) {
				s.value(value, path+"."+key, offset+at, depth+1, question)
			}
		}
	case '"':
		if jsonwalk.HasText(raw) {
			s.unread = append(s.unread, path)
		}
	}
}

// take adds a value to the lists if it is one, and returns whether it is.
func (s *search) take(raw []byte, path string, offset int, question string) bool {
	l := list{path: path, Part: record.Part{Value: raw, Offset: offset, Question: question}}
	if at := s.fields.AtPath; at != "" {
		if at != path {
			return false
		}
		switch l.format = s.judge(elementsOf(raw)); {
		case s.want != Auto:
			l.format = s.want
		case l.format == Auto:
			l.format = Documents
		}
	} else if l.format = s.judge(elementsOf(raw)); l.format == Auto {
		n := 0
		for one := range jsonwalk.Elements(raw) {
			if jsonwalk.Type(one) == '{' {
				n++
			}
		}
		if n > s.size {
			s.longestList, s.size = l, n
		}
		return false
	}
	l.text = jsonwalk.TextSize(raw)
	if l.format == Documents {
		l.text = 0
		for one := range elementsOf(raw) {
			size, _ := documents.IsText(s.fields.renamed(record.Open(one)))
			l.text += size
		}
	}
	s.lists = append(s.lists, l)
	return true
}

// elementsOf yields the elements of a list, or the values of an object whose keys are
// the names of its documents; of a pair of a name and a document the document.
func elementsOf(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for one := range jsonwalk.Elements(raw) {
			if _, document, ok := documents.Named(one); ok {
				one = document
			}
			if !yield(one) {
				return
			}
		}
		for _, one := range jsonwalk.Members(raw) {
			if !yield(one) {
				return
			}
		}
	}
}

// judge returns what the first elements of a list are, but for one of them: messages,
// documents, or neither, which is Auto.
func (s *search) judge(elements iter.Seq[[]byte]) Format {
	n, spoken, written := 0, 0, 0
	for raw := range record.Firsts(elements, judged) {
		n++
		if jsonwalk.Type(raw) != '{' {
			continue
		}
		o := s.fields.renamed(record.Open(raw))
		if chat.IsSpoken(o) || chat.HasRuns(raw) {
			spoken++
		} else if _, ok := documents.IsText(o); ok || documents.ResultSets(o) > 0 {
			written++
		}
	}
	least := max(1, n-1)
	if s.fields.Text != "" { // which the others have not, as is told
		least = 1
	}
	switch {
	case spoken >= least:
		return OpenAI
	case written >= least:
		return Documents
	}
	return Auto
}

// structured returns the format and the document that the structure of a source tells,
// with the lists of documents that stand beside its messages; or Auto.
func (s *search) structured(doc record.Document) (found Format, taken record.Document, further []record.Part) {
	all := 0
	if !doc.IsArray() && !doc.IsObject() && s.fields.AtPath == "" { // a row a line
		if format := s.judge(values(doc)); format != Auto {
			s.lists = []list{{format: format}}
			return format, doc, nil
		}
	}
	for at, raw := range doc.Values() {
		if c := jsonwalk.Type(raw); c != '{' && c != '[' || !doc.Checks(raw) {
			continue
		}
		all += jsonwalk.TextSize(raw)
		s.value(raw, "", at.Offset-1, 0, "")
	}
	of := map[Format]int{}
	// An answer, and what was thought of it, may be longer than documents beside a question,
	// which have a name or a score, as the choices of a test have not.
	sum, beside := 0, len(s.lists) > 0
	for _, l := range s.lists {
		of[l.format] += l.text
		sum += l.text
		beside = beside && l.Question != "" && l.format == Documents && documents.Refers(l.Value)
	}
	if len(s.lists) == 0 || s.fields == (Fields{}) && s.want == Auto && 2*sum < all && !beside {
		return Auto, doc, nil
	}
	found = Documents
	if of[OpenAI] > 0 && s.want != Documents {
		found = OpenAI
	}
	var parts []record.Part
	for _, l := range s.lists {
		if l.format == found {
			parts = append(parts, l.Part)
		} else if found == OpenAI {
			further = append(further, l.Part)
		} else {
			s.unread = append(s.unread, l.path)
		}
	}
	return found, doc.Of(parts, true), further
}

// tell says where the lists were found, and what stands outside of them.
func (s *search) tell(sink record.Sink) {
	var paths []string
	for _, l := range s.lists {
		if path := l.format.noun() + " at " + orRoot(l.path); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if len(paths) > 3 {
		paths = append(paths[:3], "...")
	}
	sink.Tell(record.Changed, record.Place{}, "no format recognised, read by its structure: "+strings.Join(paths, ", "))
	for _, path := range s.unread {
		sink.Tell(record.Unread, record.Place{}, orRoot(path))
	}
}

func (f Format) noun() string {
	if f == Documents {
		return "documents"
	}
	return "messages"
}

func orRoot(path string) string {
	if path == "" || path[0] == '[' {
		return "." + path
	}
	return path
}

// values yields the values of a document.
func values(doc record.Document) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, raw := range doc.Values() {
			if !yield(raw) {
				return
			}
		}
	}
}

// instead says what was found where no list can be taken, and the flag that takes it.
func (s *search) instead() string {
	if at := s.fields.AtPath; at != "" {
		return "--at-path " + quoted(at) + " names no list in it"
	}
	const flags = "--at-path %s reads it, with --text, --role, --time, --score and --id for its fields"
	switch {
	case len(s.lists) > 0:
		l := s.lists[0]
		return fmt.Sprintf("a list of %s at %s holds less than half of its text: "+flags, l.format.noun(), orRoot(l.path), quoted(l.path))
	case s.size > 0:
		keys := ""
		if first := jsonwalk.First(s.longestList.Value); first != nil {
			keys = ", " + keysOf(first)
		}
		return fmt.Sprintf("the longest list is %s (%s%s): "+flags, orRoot(s.longestList.path), plain.Count(s.size, "object"), keys, quoted(s.longestList.path))
	}
	return ""
}

func quoted(path string) string { return "'" + orRoot(path) + "'" }

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
	to := map[string]*string{"atPath": &f.AtPath, "text": &f.Text, "role": &f.Role, "time": &f.Time, "score": &f.Score, "id": &f.ID}
	key, err := eachField(raw, nil, []string{"atPath", "text", "role", "time", "score", "id"}, func(key string, value []byte) (err error) {
		var ok bool
		if *to[key], ok = jsonwalk.String(value); !ok {
			err = errors.New("is " + jsonwalk.TypeName(value) + ", must be a path of keys")
		}
		return err
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

// names are the fields.
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

// keysOfPath returns the keys of the path of a field.
func keysOfPath(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// cut returns the value at a path of keys in an object, and the object without it; what
// has no further member is left out. The value is nil if there is none.
func cut(o record.Object, path []string) (value []byte, rest record.Object) {
	at := slices.IndexFunc(o, func(m record.Member) bool { return m.Key == path[0] })
	if at < 0 {
		return nil, o
	}
	value, rest = o[at].Value, slices.Delete(slices.Clone(o), at, at+1)
	if len(path) > 1 {
		var inner record.Object
		if value, inner = cut(record.Open(value), path[1:]); value == nil {
			return nil, o
		}
		if len(inner) > 0 {
			rest = slices.Insert(rest, at, record.Member{Key: path[0], Value: inner.JSON()})
		}
	}
	return value, rest
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
	check := fieldCheck{Fields: f, sink: sink, met: map[string]bool{}, ids: map[string]bool{}}
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
		if n.path != "" && !check.met[n.flag] {
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
	met   map[string]bool // flags whose field an element has
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
		c.met[n.flag] = true
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
