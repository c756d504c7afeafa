package quality

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// LabelFile is labels from a file of their own, by case and item, both under
// the names that the file uses. A LabelFile is immutable and safe for
// concurrent use.
type LabelFile struct {
	cases map[string]map[string]int
}

// ReadLabelFile reads labels in one of these forms, which it recognizes by the
// content:
//
//	qid 0 docid 1                                  TREC qrels
//	query-id  corpus-id  score                     BEIR, with this header
//	{"case": "q1", "item": "d7", "relevance": 1}   JSON lines
//	{"q1": {"d7": 1, "d9": 2}, ...}                qrels of ranx, one object
//
// A grade is a whole number. A grade below 0, which TREC gives to spam, counts
// as 0. Blank lines are skipped. It is an error if a label cannot be read, if
// a second one gives an item another grade, or if there is none; the error
// names the line, from 1, or for ranx the case and the item.
func ReadLabelFile(ctx context.Context, data []byte) (*LabelFile, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f, err := ranx(ctx, data)
	_, wrong := errors.AsType[*ranxError](err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case wrong:
		return nil, err
	case err == nil:
		return f, nil
	}
	f = &LabelFile{cases: map[string]map[string]int{}}
	var read func(line []byte) (label, error)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if read == nil {
			header := strings.Fields(string(line))
			switch {
			case line[0] == '{':
				read = labelOfJSON
			case slices.Equal(header, []string{"query-id", "corpus-id", "score"}):
				read = labelOfColumns(3, "query-id corpus-id score")
				continue
			default:
				read = labelOfColumns(4, "qid 0 docid grade (or JSON lines, or the header query-id corpus-id score before 3)")
			}
		}
		l, err := read(line)
		if err == nil {
			err = f.add(l)
		}
		if err != nil {
			return nil, fmt.Errorf("line %v: %w", plain.Thousands(number), err)
		}
	}
	if len(f.cases) == 0 {
		return nil, errNoLabel
	}
	return f, nil
}

var errNoLabel = errors.New("it has no labels")

// ranxError says what is wrong with a label in an object of ranx.
type ranxError struct{ error }

// ranx reads one object of objects of numbers, number by number, so that it can be
// cancelled. If the data is such an object and a label is wrong, the error is a
// *ranxError.
func ranx(ctx context.Context, data []byte) (*LabelFile, error) {
	in, f := json.NewDecoder(bytes.NewReader(data)), &LabelFile{cases: map[string]map[string]int{}}
	var wrong error
	err := members(in, func(of string) error {
		return members(in, func(item string) error {
			var grade json.RawMessage
			if err := cmp.Or(in.Decode(&grade), ctx.Err()); err != nil {
				return err
			}
			l, err := labelOf(of, item, strings.Trim(string(grade), `"`))
			if err == nil {
				err = f.add(l)
			}
			if err != nil && wrong == nil {
				wrong = &ranxError{fmt.Errorf("the item %.40q of the case %.40q: %w", item, of, err)}
			}
			return nil
		})
	})
	if _, end := in.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("more than one object")
	}
	if err == nil && wrong == nil && len(f.cases) == 0 {
		wrong = &ranxError{errNoLabel}
	}
	return f, cmp.Or(err, wrong)
}

// members calls value for the key of each member of the object that comes next; value
// decodes the member's value.
func members(in *json.Decoder, value func(key string) error) error {
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return cmp.Or(err, errors.New("no object"))
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		if err := value(key.(string)); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}

// label is the label on one line.
type label struct {
	of, item string
	grade    int64
}

func (f *LabelFile) add(l label) error {
	switch {
	case l.of == "" || l.item == "":
		return errors.New("the case and the item must have a name")
	case l.grade > model.MaxGrade:
		return fmt.Errorf("the grade is %v, must be at most %v", l.grade, model.Tokens(model.MaxGrade))
	}
	grade := int(max(0, l.grade))
	if f.cases[l.of] == nil {
		f.cases[l.of] = map[string]int{}
	}
	if was, twice := f.cases[l.of][l.item]; twice && was != grade {
		return fmt.Errorf("the grade is %d, and was %d before", grade, was)
	}
	f.cases[l.of][l.item] = grade
	return nil
}

// labelOfColumns reads the label in so many columns: the case is in the first of them, the item
// and the grade are in the last two.
func labelOfColumns(n int, form string) func(line []byte) (label, error) {
	return func(line []byte) (label, error) {
		fields := strings.Split(string(line), "\t")
		for k := range fields {
			fields[k] = strings.TrimSpace(fields[k])
		}
		if len(fields) != n || slices.Contains(fields, "") { // no tabs alone: names have no blanks
			fields = strings.Fields(string(line))
		}
		if len(fields) != n {
			return label{}, fmt.Errorf("%s in place of %d: %s", plain.Count(len(fields), "field"), n, form)
		}
		return labelOf(fields[0], fields[n-2], fields[n-1])
	}
}

func labelOf(of, item, grade string) (label, error) {
	n, err := strconv.ParseInt(grade, 10, 64)
	if err != nil {
		return label{}, fmt.Errorf("the grade %.40q is not a whole number", grade)
	}
	return label{of, item, n}, nil
}

func labelOfJSON(line []byte) (label, error) {
	var fields struct {
		Case, Item name
		Relevance  json.RawMessage // a number, or one in quotes; labelOf says so in plain words
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&fields); err != nil {
		return label{}, fmt.Errorf("not a label like {\"case\": \"q1\", \"item\": \"d7\", \"relevance\": 1}: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return label{}, errors.New("there is more after the label: write one per line")
	}
	if fields.Relevance == nil {
		return label{}, errors.New("there is no relevance")
	}
	return labelOf(string(fields.Case), string(fields.Item), strings.Trim(string(fields.Relevance), `"`))
}

// name is a name that JSON gives as a text or as a number, whose digits it keeps.
type name string

func (n *name) UnmarshalJSON(raw []byte) error {
	var number json.Number
	if raw[0] != '"' {
		err := json.Unmarshal(raw, &number)
		*n = name(number)
		return err
	}
	return json.Unmarshal(raw, (*string)(n))
}

// Cases returns the names of the cases, sorted.
func (f *LabelFile) Cases() []string { return slices.Sorted(maps.Keys(f.cases)) }

// Named returns the given names that are cases of the file.
func (f *LabelFile) Named(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return f.cases[name] == nil })
}

// Labels returns the labels of the case with the given name for the items of
// its set. A label names an item by id, docid, _id or node_id in its metadata,
// by its source, or by its index, as in #12. A needed item that is not in the set is
// missed if exists, which may be nil, reports true for its name, and otherwise
// unreachable. It is an error if a label names several items, or if two labels give
// one item different grades.
func (f *LabelFile) Labels(of string, s *model.Set, exists func(name string) bool) (model.Labels, error) {
	grades := f.cases[of]
	l := model.Labels{Grades: map[int]int{}}
	met := map[string]int{}
	for i := range s.Len() {
		for _, name := range itemNames(s.Loaded(i), i) {
			grade, labelled := grades[name]
			if !labelled {
				continue
			}
			if first, twice := met[name]; twice && first != i {
				return l, fmt.Errorf("the label %.40q names #%d and #%d: it must be the name of one item", name, first, i)
			}
			if was, twice := l.Grades[i]; twice && was != grade {
				return l, fmt.Errorf("two labels name #%d, with the grades %d and %d", i, was, grade)
			}
			met[name], l.Grades[i] = i, grade
		}
	}
	for _, name := range slices.Sorted(maps.Keys(grades)) {
		_, found := met[name]
		switch {
		case found || grades[name] == 0:
		case exists != nil && exists(name):
			l.Missed = append(l.Missed, grades[name])
		default:
			l.Unreachable++
		}
	}
	return l, nil
}

// itemNames returns the names by which a label may refer to item i.
func itemNames(it *model.Item, i int) []string {
	names := []string{"#" + strconv.Itoa(i), string(it.Source)}
	for _, key := range []string{"id", "docid", "_id", "node_id"} {
		switch v := it.Metadata[key].(type) {
		case string:
			names = append(names, v)
		case json.Number:
			names = append(names, v.String())
		case float64:
			names = append(names, strconv.FormatFloat(v, 'f', -1, 64))
		case int64:
			names = append(names, strconv.FormatInt(v, 10))
		}
	}
	return names
}
