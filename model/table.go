package model

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

// table describes a JSON object, a row for each member. Reading, validating and
// writing walk the same rows, so they cannot disagree, and a new member is one
// more row.
type table struct {
	// Where an object has a type, its first row is "type", and the rows of one
	// type only are errors in all other types. is points to the type and what is how
	// errors call it: "scorer type".
	is   *string
	what string
	rows []member
}

// layout builds the tables of a type. Building a table allocates a dozen times
// and more, and a batch checks a policy at every line: so tables are kept, each
// over a value of its own, into which the values to read, check and write are
// copied. A layout is safe for concurrent use.
type layout[T any] struct {
	table func(*T, nesting) table
	kept  *sync.Pool // of *bound[T], outermost ones only
}

// bound is a table and the value that it describes.
type bound[T any] struct {
	table
	value T
	depth nesting
}

// bind returns a table of a copy of value. Give it back to unbind.
func (l layout[T]) bind(value *T, depth nesting) *bound[T] {
	if depth == 0 {
		if b, ok := l.kept.Get().(*bound[T]); ok {
			b.value = *value
			return b
		}
	}
	b := &bound[T]{value: *value, depth: depth}
	b.table = l.table(&b.value, depth)
	return b
}

// unbind keeps b for another bind.
func (l layout[T]) unbind(b *bound[T]) {
	if b.depth == 0 {
		b.value = *new(T)
		l.kept.Put(b)
	}
}

// nesting is the number of objects of the same kind around a value.
type nesting int

// maxNesting bounds scorers within scorers.
const maxNesting nesting = 32

func (n nesting) check(r reader, field string) error {
	if n > maxNesting {
		return r.fail(field, fmt.Sprintf("is nested more than %d deep", maxNesting))
	}
	return nil
}

// member is a row: the name of a member and the value behind it.
type member struct {
	name string
	value
	presence presence
	owners   []string // the types that have this member; nil: every type
	why      string   // follows "is required" in the error

	// For an editor: see Parameter. A member without help is not shown.
	label, help string
	step        float64
	begin       func() // sets the value with which a new object begins; nil: not given

	about string // for POLICY.md and the schema, where the help does not do

	// For an axis: what a Number of this member is called, and the values of its grid in 1.
	axis    string
	perUnit int64
}

// presence says when a member must be given and when it is written.
type presence uint8

const (
	optional presence = iota // may be missing; written when given
	always                   // may be missing; always written
	present                  // must be given; may be zero
	required                 // must be given, and not zero
)

// value is one field of a Go value and how its JSON looks.
type value interface {
	// read sets the field from JSON that is not null.
	read(r reader, field string, raw []byte) error
	// check reports what is wrong with the field; name is its path for errors.
	check(r reader, name string) error
	// given reports whether the field differs from its zero value.
	given() bool
	// write writes the field, which is valid.
	write(w *writer)
}

// path returns the name of a member as errors give it, such as "curve.type".
func path(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// has reports whether objects of this type have the member.
func (t table) has(m member) bool { return m.owners == nil || slices.Contains(m.owners, *t.is) }

func (t table) missing(r reader, at string, m member) error {
	reason := "is required"
	if m.owners != nil {
		reason += " for " + t.what + " " + *t.is
	}
	return r.fail(path(at, m.name), reason+m.why)
}

func (t table) foreign(r reader, at string, m member) error {
	return r.fail(path(at, m.name), "belongs to "+t.what+" "+strings.Join(m.owners, " or ")+", this is "+*t.is)
}

// table reads an object. The read of a value checks the bounds that cannot be
// checked afterwards, where the value equals one that was not given; check
// checks all other bounds.
func (r reader) table(at string, raw []byte, t table) error {
	if t.is != nil {
		// The type comes first: it explains an unknown member better than the
		// member does.
		for key, value := range jsonwalk.Members(raw) {
			if key == "type" && !jsonwalk.IsNull(value) {
				if err := t.rows[0].read(r, path(at, key), value); err != nil {
					return err
				}
			}
		}
	}
	known := plain.Texts(t.rows, func(m member) string { return m.name })
	given := make([]bool, len(t.rows))
	err := r.object(at, raw, known, func(field, key string, raw []byte) error {
		i := slices.Index(known, key)
		given[i] = true
		return t.rows[i].read(r, field, raw)
	})
	if err != nil {
		return err
	}
	for i, m := range t.rows {
		if given[i] && !t.has(m) { // a zero value too, which check takes for not given
			return t.foreign(r, at, m)
		}
		if !given[i] && t.has(m) && m.presence >= present {
			return t.missing(r, at, m)
		}
	}
	return nil
}

// check reports the first member of an object that is wrong.
func (r reader) check(at string, t table) error {
	for _, m := range t.rows {
		given := m.given()
		switch {
		case !t.has(m):
			if given {
				return t.foreign(r, at, m)
			}
		case !given && m.presence == required:
			return t.missing(r, at, m)
		case given || m.presence != optional:
			if err := m.check(r, path(at, m.name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// table writes an object that check accepts.
func (w *writer) table(t table) {
	w.WriteByte('{')
	for _, m := range t.rows {
		if t.has(m) && (m.presence != optional || m.given()) {
			w.key(m.name)
			m.write(w)
		}
	}
	w.WriteByte('}')
}
