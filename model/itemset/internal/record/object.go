package record

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/internal/jsonwalk"
)

// Object holds the members of a JSON object in source order. If a key occurs
// twice, the methods use the last one. Looking up a key costs O(n) in the number of
// members.
//
// An Object remembers which members a reader has asked for (Raw, Text, List, Open),
// so that Unread can name the rest. It is therefore not safe for concurrent use.
type Object []Member

// Member is a key of an object with its value, which is raw JSON.
type Member struct {
	Key   string
	Value []byte
	read  bool
}

// Open returns the members of a valid JSON object. For any other value, also nil,
// it returns an empty Object. The values refer to raw.
func Open(raw []byte) Object { return Object(nil).Reopen(raw, nil) }

// Reopen is like the function Open but reuses the memory of o, which must not be used
// afterwards. ends is from Document.Ends, or nil.
func (o Object) Reopen(raw []byte, ends *jsonwalk.Ends) Object {
	o = o[:0]
	for key, value := range jsonwalk.MembersTo(raw, ends) {
		if cap(o) == 0 {
			o = make(Object, 0, 4)
		}
		o = append(o, Member{Key: key, Value: value})
	}
	return o
}

// Untouched returns a copy of which no member was read.
func (o Object) Untouched() Object {
	o = slices.Clone(o)
	for i := range o {
		o[i].read = false
	}
	return o
}

// value returns the value under a key, which may be null, or nil if the key is
// missing.
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

// read is like value but marks the member as read.
func (o Object) read(key string) []byte {
	if m := o.member(key); m != nil {
		m.read = true
		return m.Value
	}
	return nil
}

// Unread yields the keys of the members that hold a string which is not empty,
// at any depth, and whose value no reader has asked for. It leaves out the keys in
// noContent. Has, Is and Type do not count as asking for a value.
func (o Object) Unread(noContent []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range o {
			if m := &o[i]; !m.read && !slices.Contains(noContent, m.Key) && jsonwalk.HasText(m.Value) && !yield(m.Key) {
				return
			}
		}
	}
}

// Raw returns the value under the first of the keys that exists and is not null,
// or nil if there is none.
func (o Object) Raw(keys ...string) []byte {
	for _, key := range keys {
		if v := o.read(key); v != nil && !jsonwalk.IsNull(v) {
			return v
		}
	}
	return nil
}

// Text returns the first string under the keys that is not empty, or "" if there
// is none.
func (o Object) Text(keys ...string) string {
	for _, key := range keys {
		if s, _ := jsonwalk.String(o.read(key)); s != "" {
			return s
		}
	}
	return ""
}

// Type returns the first byte of the value under a key: '{', '[', '"', 't', 'f',
// 'n', '-' or a digit. It returns 0 if the key is missing.
func (o Object) Type(key string) byte { return jsonwalk.Type(o.value(key)) }

// Has reports whether at least one of the keys exists, even with the value null.
func (o Object) Has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return o.value(key) != nil })
}

// Is reports whether the value under a key is true.
func (o Object) Is(key string) bool { return o.Type(key) == 't' }

// List yields the elements of the array under a key, and nothing if the value is
// no array or missing.
func (o Object) List(key string) iter.Seq[[]byte] { return jsonwalk.Elements(o.read(key)) }

// Open returns the object under the first of the keys that exists and is not null.
// It returns an empty Object if there is none, or if that value is no object.
func (o Object) Open(keys ...string) Object { return Open(o.Raw(keys...)) }

// At returns the value at a path of keys with dots between them, and nil if there is none. A
// call of At does not count as asking for the value.
func (o Object) At(path string) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	if deeper {
		return Open(o.value(key)).At(rest)
	}
	return o.value(key)
}

// Holds reports whether the object has members at all of the paths. After "=" stand the texts
// that the member may be, with "|" between them; after ":" the first byte of its JSON. A call
// of Holds does not count as asking for the members.
func (o Object) Holds(paths ...string) bool {
	for _, want := range paths {
		path, texts, named := strings.Cut(want, "=")
		path, first, typed := strings.Cut(path, ":")
		raw := o.At(path)
		if raw == nil || typed && jsonwalk.Type(raw) != first[0] || named && !isOneOf(raw, texts) {
			return false
		}
	}
	return true
}

// isOneOf reports whether a value is one of the texts between the signs |.
func isOneOf(raw []byte, texts string) bool {
	s, ok := jsonwalk.String(raw)
	for text := range strings.SplitSeq(texts, "|") {
		if ok && s == text {
			return true
		}
	}
	return false
}

// Opened is an object with the objects in it, of which each remembers which of its members
// a reader has asked for.
type Opened struct{ at map[string]Object }

// Opened returns the object with the objects in it. The caller must not use o beside it.
func (o Object) Opened() *Opened { return &Opened{map[string]Object{"": o}} }

// In returns the object at a path, which is empty if there is none.
func (o *Opened) In(path string) Object {
	in, ok := o.at[path]
	if !ok {
		in = Open(o.Raw(path))
		o.at[path] = in
	}
	return in
}

// At returns the value at a path, and does not count as asking for it.
func (o *Opened) At(path string) []byte { return o.at[""].At(path) }

// Raw returns the value at a path. It returns nil if there is none, if it is null, and for the
// path "".
func (o *Opened) Raw(path string) []byte {
	if path == "" {
		return nil
	}
	i := strings.LastIndexByte(path, '.')
	return o.In(path[:max(0, i)]).Raw(path[i+1:])
}

// Text returns the first string at the paths that is not empty, or "" if there is none.
func (o *Opened) Text(paths ...string) string {
	for _, path := range paths {
		if s, _ := jsonwalk.String(o.Raw(path)); s != "" {
			return s
		}
	}
	return ""
}

// TellUnread is like the function TellUnread for the object and the objects in it.
func (o *Opened) TellUnread(sink Sink, at Place, prefix string, noContent []string) {
	for _, path := range slices.Sorted(maps.Keys(o.at)) {
		TellUnread(sink, at, strings.TrimRight(prefix+path, ".")+".", o.at[path], noContent)
	}
}

// JSON returns the object as JSON.
func (o Object) JSON() []byte {
	all := make([][]byte, len(o))
	for i, m := range o {
		all[i] = slices.Concat(JSON(m.Key), []byte(":"), m.Value)
	}
	return slices.Concat([]byte("{"), bytes.Join(all, []byte(",")), []byte("}"))
}

// TextSize returns the size of all strings in the object that are no keys, in JSON.
func (o Object) TextSize() (size int) {
	for _, m := range o {
		size += jsonwalk.TextSize(m.Value)
	}
	return size
}

// Put sets the value at a path of keys in an object. The path must not be empty. What
// is no object on the way to it is replaced by one.
func Put(o map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		inner, ok := o[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			o[key] = inner
		}
		o = inner
	}
	o[path[len(path)-1]] = value
}

// Listed returns a value with each object whose keys are all whole numbers replaced by
// the array of its members, in the order of the numbers. It changes the objects in
// place.
func Listed(value any) any {
	o, ok := value.(map[string]any)
	if !ok {
		return value
	}
	var numbers []int
	for key, inner := range o {
		o[key] = Listed(inner)
		if n, err := strconv.Atoi(key); err == nil && strconv.Itoa(n) == key {
			numbers = append(numbers, n)
		}
	}
	if len(o) == 0 || len(numbers) != len(o) {
		return o
	}
	slices.Sort(numbers)
	list := make([]any, len(numbers))
	for i, n := range numbers {
		list[i] = o[strconv.Itoa(n)]
	}
	return list
}
