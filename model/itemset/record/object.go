package record

import (
	"iter"

	"cupelscope/model/internal/jsonwalk"
)

// Object is the members of a JSON object in source order. Of a key that is there
// twice the last one counts.
type Object []Member

// Member is a key of an object with its value.
type Member struct {
	Key   string
	Value []byte
}

// Open reads the members of a valid object; it has none for any other value.
func Open(raw []byte) Object {
	var o Object
	for key, value := range jsonwalk.Members(raw) {
		if o == nil {
			o = make(Object, 0, 8)
		}
		o = append(o, Member{key, value})
	}
	return o
}

// value is what is under a key, be it null; nil if the key is not there.
func (o Object) value(key string) []byte {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return o[i].Value
		}
	}
	return nil
}

// Raw is the value under the first of the keys that is there and is not null;
// nil if none is.
func (o Object) Raw(keys ...string) []byte {
	for _, key := range keys {
		if v := o.value(key); v != nil && !jsonwalk.IsNull(v) {
			return v
		}
	}
	return nil
}

// Text is the first text under the keys that is not empty.
func (o Object) Text(keys ...string) string {
	for _, key := range keys {
		if s, _ := jsonwalk.String(o.value(key)); s != "" {
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
func (o Object) List(key string) iter.Seq[[]byte] { return jsonwalk.Elements(o.value(key)) }

// Open is the object under the first of the keys that is there and is not null.
func (o Object) Open(keys ...string) Object { return Open(o.Raw(keys...)) }
