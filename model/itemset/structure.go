package itemset

import (
	"cmp"
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

const (
	// maxSearchDepth is the depth of objects and arrays down to which lists are searched.
	maxSearchDepth = 8
	// judged is how many elements of a list judge looks at.
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
		question = cmp.Or(record.Open(raw).Text(record.Questions...), question)
		at := 0
		for key, value := range jsonwalk.MembersAt(raw, &at, nil) {
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

// judge returns what the first elements of a list are: messages, documents, or neither, which
// is Auto. One element may differ.
func (s *search) judge(elements iter.Seq[[]byte]) Format {
	n, spoken, written := 0, 0, 0
	for raw := range record.Firsts(elements, judged) {
		n++
		if jsonwalk.Type(raw) != '{' {
			continue
		}
		o := s.fields.renamed(record.Open(raw))
		if chat.IsSpoken(o) || chat.HasRuns(record.Open(raw)) {
			spoken++
		} else if _, ok := documents.IsText(o); ok || documents.HoldsSets(o) {
			written++
		}
	}
	least := max(1, n-1)
	if s.fields.Text != "" { // other elements lack that field, and rewritten reports them
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

// structured finds the format of a source by its structure. It returns the format, the document
// to read and the lists of documents beside its messages; or Auto.
func (s *search) structured(doc record.Document) (found Format, taken record.Document, further []record.Part) {
	all := 0
	if !doc.IsArray() && !doc.IsObject() && s.fields.AtPath == "" { // a row a line
		if format := s.judge(jsonwalk.Values(doc.Values())); format != Auto {
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
	// Documents may be less than half of the text, because an answer beside them may be longer.
	// They must then stand beside a question and have a name or a score, which the choices of a
	// test have not.
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

// tell reports where the lists were found, and which texts stand outside of them.
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

// instead returns what was found where no list can be taken, and the flag that takes it.
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
