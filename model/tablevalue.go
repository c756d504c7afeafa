package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupelscope/model/internal/jsonwalk"
)

// text is any string.
type text[T ~string] struct{ to *T }

func (v text[T]) read(r reader, field string, raw []byte) error {
	var s string
	err := r.text(field, raw, &s)
	*v.to = T(s)
	return err
}
func (v text[T]) check(reader, string) error { return nil }
func (v text[T]) given() bool                { return *v.to != "" }
func (v text[T]) write(w *writer)            { w.quote(string(*v.to)) }

// word is one of a few known strings.
type word[T ~string] struct {
	to     *T
	known  []T
	become func(T) // changes the value and what depends on it; nil: nothing does
}

func (v word[T]) read(r reader, field string, raw []byte) error {
	if err := (text[T]{v.to}).read(r, field, raw); err != nil {
		return err
	}
	return v.check(r, field)
}

func (v word[T]) check(r reader, field string) error {
	if slices.Contains(v.known, *v.to) {
		return nil
	}
	return r.fail(field, fmt.Sprintf("%q is not known; known are %s", string(*v.to), strings.Join(Names(v.known), ", ")))
}

func (v word[T]) given() bool     { return *v.to != "" }
func (v word[T]) write(w *writer) { w.quote(string(*v.to)) }

// bounds say what a number must be, in the words of the error.
type bounds string

const (
	anyFinite     bounds = "a finite number"
	aboveZero     bounds = "a finite number above 0"
	secondsAbove0 bounds = "a finite number of seconds above 0"
	atLeastZero   bounds = "a finite number, at least 0"
	zeroToOne     bounds = "0 to 1"
	zeroToHundred bounds = "0 to 100"
)

func (b bounds) check(r reader, field string, v float64) error {
	ok := finite(v)
	switch b {
	case aboveZero, secondsAbove0:
		ok = ok && v > 0
	case atLeastZero:
		ok = ok && v >= 0
	case zeroToOne:
		ok = 0 <= v && v <= 1
	case zeroToHundred:
		ok = 0 <= v && v <= 100
	}
	if !ok {
		return r.fail(field, fmt.Sprintf("is %v, must be %s", v, b))
	}
	return nil
}

// real is a float64.
type real struct {
	to *float64
	bounds
}

func (v real) read(r reader, field string, raw []byte) (err error) {
	*v.to, err = r.float(field, raw)
	return err
}
func (v real) check(r reader, field string) error { return v.bounds.check(r, field, *v.to) }
func (v real) given() bool                        { return *v.to != 0 }
func (v real) write(w *writer)                    { w.float(*v.to) }

// optionalReal is a float64 that may be missing.
type optionalReal struct {
	to *Option[float64]
	bounds
	otherwise float64 // what stands for a missing one
}

func (v optionalReal) read(r reader, field string, raw []byte) error {
	v.to.Set = true
	return real{&v.to.Value, v.bounds}.read(r, field, raw)
}
func (v optionalReal) check(r reader, field string) error {
	return v.bounds.check(r, field, v.to.Value)
}
func (v optionalReal) given() bool     { return v.to.Set }
func (v optionalReal) write(w *writer) { w.float(v.to.Value) }

// whole is a whole number from least to most.
type whole[T ~int | ~int64] struct {
	to       *T
	min, max Tokens
}

func (v whole[T]) read(r reader, field string, raw []byte) error {
	n, err := r.tokens(field, raw)
	if err != nil {
		return err
	}
	*v.to = T(n)
	return v.check(r, field)
}

func (v whole[T]) check(r reader, field string) error {
	if n := Tokens(*v.to); n < v.min || n > v.max {
		return r.fail(field, fmt.Sprintf("is %d, must be %d to %v", int64(n), int64(v.min), v.max))
	}
	return nil
}

func (v whole[T]) given() bool     { return *v.to != 0 }
func (v whole[T]) write(w *writer) { w.number(Tokens(*v.to)) }

// truth is true or false. To it false is the same as "not given".
type truth struct{ to *bool }

func (v truth) read(r reader, field string, raw []byte) error {
	c := jsonwalk.Type(raw)
	if c != 't' && c != 'f' {
		return r.fail(field, "is "+jsonwalk.TypeName(raw)+", must be true or false")
	}
	*v.to = c == 't'
	return nil
}
func (v truth) check(reader, string) error { return nil }
func (v truth) given() bool                { return *v.to }
func (v truth) write(w *writer)            { w.WriteString(strconv.FormatBool(*v.to)) }

// instant is a time in the forms that the timestamp of an item may have: RFC
// 3339, of which the seconds, the zone or the time of day may be missing. Without
// a zone it is in UTC, and so is what is read and written.
type instant struct{ to *Option[time.Time] }

func (v instant) read(r reader, field string, raw []byte) error {
	var text string
	if err := r.text(field, raw, &text); err != nil {
		return err
	}
	at, err := parseInstant(text)
	if err != nil {
		return r.fail(field, err.Error())
	}
	*v.to = Some(at)
	return nil
}

// parseInstant reads a time in one of the forms of instant. The error continues
// a sentence that begins with the name of the field.
func parseInstant(text string) (time.Time, error) {
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("is %.40q, must be a time like 2025-01-31T12:00:00Z", text)
}

func (v instant) check(r reader, field string) error {
	if y := v.to.Value.UTC().Year(); y < 0 || y > 9999 { // what RFC 3339 can write
		return r.fail(field, fmt.Sprintf("is in the year %d, must be 0 to 9999", y))
	}
	return nil
}
func (v instant) given() bool     { return v.to.Set }
func (v instant) write(w *writer) { w.quote(v.to.Value.UTC().Format(time.RFC3339Nano)) }

// entries is an object with free names, in the order of the source: weights by
// kind, say.
type entries[E any] struct {
	to       *[]E
	parts    func(*E) (name *string, v value)
	folded   bool                                        // names are kinds: not blank, and the same in upper and lower case
	usual    func() []E                                  // what no entries stand for; nil: nothing
	together func(r reader, field string, all []E) error // checks what no entry can alone; may be nil
}

func (v entries[E]) read(r reader, field string, raw []byte) error {
	*v.to = []E{}
	return r.object(field, raw, nil, func(field, key string, raw []byte) error {
		var one E
		name, value := v.parts(&one)
		*name = key
		err := value.read(r, field, raw)
		*v.to = append(*v.to, one)
		return err
	})
}

func (v entries[E]) check(r reader, field string) error {
	seen := map[string]bool{}
	for i := range *v.to {
		name, value := v.parts(&(*v.to)[i])
		key, twice := *name, "appears twice"
		if v.folded {
			key, twice = FoldASCII(key), "appears twice; upper and lower case are the same"
		}
		switch {
		case v.folded && Kind(key).IsBlank():
			return r.fail(field, "a kind is blank")
		case seen[key]:
			return r.fail(path(field, *name), twice)
		}
		seen[key] = true
		if err := value.check(r, path(field, *name)); err != nil {
			return err
		}
	}
	if v.together == nil {
		return nil
	}
	return v.together(r, field, *v.to)
}

func (v entries[E]) given() bool { return *v.to != nil }

func (v entries[E]) write(w *writer) {
	w.WriteByte('{')
	for i := range *v.to {
		name, value := v.parts(&(*v.to)[i])
		w.key(*name)
		value.write(w)
	}
	w.WriteByte('}')
}

// object is an object behind a pointer.
type object[T any] struct {
	to **T
	layout[T]
	nesting
}

func (v object[T]) read(r reader, field string, raw []byte) error {
	if err := v.nesting.check(r, field); err != nil {
		return err
	}
	b := v.bind(new(T), v.nesting)
	defer v.unbind(b)
	err := r.table(field, raw, b.table)
	*v.to = new(b.value)
	return err
}

func (v object[T]) check(r reader, field string) error {
	if err := v.nesting.check(r, field); err != nil {
		return err
	}
	b := v.bind(*v.to, v.nesting)
	defer v.unbind(b)
	return r.check(field, b.table)
}
func (v object[T]) given() bool { return *v.to != nil }
func (v object[T]) write(w *writer) {
	b := v.bind(*v.to, v.nesting)
	defer v.unbind(b)
	w.table(b.table)
}

// list is an array of objects; an empty one is the same as none.
type list[T any] struct {
	to *[]T
	layout[T]
	nesting
	together func(r reader, field string, all []T) error // checks what no object can alone; may be nil
	of       string                                      // " of scorers", for the error of what is no array
}

func (v list[T]) read(r reader, field string, raw []byte) error {
	if err := v.nesting.check(r, field); err != nil {
		return err
	}
	if jsonwalk.Type(raw) != '[' {
		return r.fail(field, "is "+jsonwalk.TypeName(raw)+", must be an array"+v.of)
	}
	*v.to = nil
	b := v.bind(new(T), v.nesting)
	defer v.unbind(b)
	for element := range jsonwalk.Elements(raw) {
		b.value = *new(T)
		if err := r.table(fmt.Sprintf("%s[%d]", field, len(*v.to)), element, b.table); err != nil {
			return err
		}
		*v.to = append(*v.to, b.value)
	}
	return nil
}

func (v list[T]) check(r reader, field string) error {
	if err := v.nesting.check(r, field); err != nil {
		return err
	}
	b := v.bind(new(T), v.nesting)
	defer v.unbind(b)
	for i, one := range *v.to {
		b.value = one
		if err := r.check(fmt.Sprintf("%s[%d]", field, i), b.table); err != nil {
			return err
		}
	}
	if v.together == nil {
		return nil
	}
	return v.together(r, field, *v.to)
}

func (v list[T]) given() bool { return len(*v.to) > 0 }

func (v list[T]) write(w *writer) {
	b := v.bind(new(T), v.nesting)
	defer v.unbind(b)
	w.WriteByte('[')
	for i, one := range *v.to {
		if i > 0 {
			w.WriteByte(',')
		}
		b.value = one
		w.table(b.table)
	}
	w.WriteByte(']')
}
