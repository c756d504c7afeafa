package record

import (
	"iter"
	"slices"

	"cupelscope/model/internal/jsonwalk"
)

// Object is the members of a JSON object in source order. Of a key that is there
// twice the last one counts.
type Object []Member

// Member is a key of an object with its value, and whether that was read.
type Member struct {
	Key   string
	Value []byte
	read  bool
}

// Open reads the members of a valid object; it has none for any other value.
func Open(raw []byte) Object { return Object(nil).Reopen(raw) }

// Reopen is Open in the memory of an object that is not needed any more.
func (o Object) Reopen(raw []byte) Object {
	o = o[:0]
	for key, value := range jsonwalk.Members(raw) {
		if cap(o) == 0 {
			o = make(Object, 0, 4)
		}
		o = append(o, Member{Key: key, Value: value})
	}
	return o
}

// value is what is under a key, be it null; nil if the key is not there.
func (o Object) value(key string) []byte {
	if m := o.member(key); m != nil {
		return m.Value
	}
	return nil
}

func (o Object) member(key string) *Member {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return &o[i]
		}
	}
	return nil
}

// read is value, which is then no longer unread.
func (o Object) read(key string) []byte {
	if m := o.member(key); m != nil {
		m.read = true
		return m.Value
	}
	return nil
}

// Unread yields the keys of members that hold a text and that nothing asked for
// the value of, but for those of no content.
func (o Object) Unread(noContent []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range o {
			if m := &o[i]; !m.read && !slices.Contains(noContent, m.Key) && jsonwalk.HasText(m.Value) && !yield(m.Key) {
				return
			}
		}
	}
}

// Raw is the value under the first of the keys that is there and is not null;
// nil if none is.
func (o Object) Raw(keys ...string) []byte {
	for _, key := range keys {
		if v := o.read(key); v != nil && !jsonwalk.IsNull(v) {
			return v
		}
	}
	return nil
}

// Text is the first text under the keys that is not empty.
func (o Object) Text(keys ...string) string {
	for _, key := range keys {
		if s, _ := jsonwalk.String(o.read(key)); s != "" {
			return s
		}
	}
	return ""
}

// Type is the first byte of the value under a key, see jsonwalk.Type; 0 if the
// key is not there.
func (o Object) Type(key string) byte { return jsonwalk.Type(o.value(key)) }

// Has reports whether one of the keys is there, be its value null.
func (o Object) Has(keys ...string) bool {
	for _, key := range keys {
		if o.value(key) != nil {
			return true
		}
	}
	return false
}

// Is reports whether the value under a key is true.
func (o Object) Is(key string) bool { return o.Type(key) == 't' }

// List yields the elements of the array under a key.
func (o Object) List(key string) iter.Seq[[]byte] { return jsonwalk.Elements(o.read(key)) }

// Open is the object under the first of the keys that is there and is not null.
func (o Object) Open(keys ...string) Object { return Open(o.Raw(keys...)) }
