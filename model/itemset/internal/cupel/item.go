// Package cupel reads what Cupel itself reads and writes: items in its wire format, its
// selection reports and its conformance vectors.
package cupel

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// Cupel's wire format is an array of items, an object with "items", or an item a line. Keys are
// camelCase as the .NET library writes them; the Rust spellings future_relevance_hint and
// original_tokens are read too. The key relevance says how much the item was needed, the key
// count how its tokens were found. Any other key goes to the metadata of its item.

// Read adds the items of a document to the sink.
func Read(doc record.Document, sink record.Sink) error {
	type parsed struct {
		item    Item
		problem string
	}
	record.InOrder(doc.Valid, doc.Ends(), doc.Records("items"), func(_ int, raw []byte, ends *jsonwalk.Ends) any {
		var p parsed
		if jsonwalk.Type(raw) == '{' {
			p.item, p.problem = Parse(raw, ends)
		}
		return &p
	}, func(at record.Place, raw []byte, valid bool, as any) bool {
		if !sink.Next() {
			return false
		}
		if !valid || jsonwalk.Type(raw) != '{' {
			doc.HoldsObject(sink, at, raw, "an item")
			return true
		}
		switch p := as.(*parsed); {
		case p.problem == "":
			p.item.Give(sink, at)
		case strings.HasPrefix(p.problem, "without "):
			sink.Tell(record.Skipped, at, "items "+p.problem)
		default:
			sink.Tell(record.Skipped, at, "items whose "+p.problem)
		}
		return true
	})
	if o := doc.Object(); o.Type("items") == '[' { // what stands beside the items
		record.TellUnread(sink, record.Place{}, "", o, []string{"items"})
	}
	return nil
}

// IsItem reports whether an object is an item by its keys.
func IsItem(o record.Object) bool {
	return o.Type("content") == '"' && (o.Type("kind") == '"' || o.Has("tokens"))
}

const keyTwice = "items with a key twice: the last one counts"

// itemKey is a key that is read, as documents are to spell it and as Rust does, and what is
// said of a value that cannot be.
type itemKey struct{ name, rust, problem string }

var itemKeys = [...]itemKey{
	{name: "content"},
	{name: "tokens", problem: "tokens are not a whole number"},
	{name: "kind", problem: "kind is no text, or blank"},
	{name: "source", problem: "source is no text, or blank"},
	{name: "priority", problem: "priority is not a whole number of 64 bits"},
	{name: "tags", problem: "tags are not an array of strings"},
	{name: "metadata", problem: "metadata is not an object"},
	{name: "timestamp"},
	{name: "futureRelevanceHint", rust: "future_relevance_hint"},
	{name: "pinned", problem: "pinned is neither true nor false"},
	{name: "originalTokens", rust: "original_tokens"},
	{name: "count"},
	{name: "sizes"},
}

// Item is an item as a record has it.
type Item struct {
	model.Item
	Counted bool // it has a token count
	Grade   int  // how much it was needed, see record.Grade; -1: it is not said
	Notes   record.Notes
	Sizes   []model.Size
}

// Give adds the item to a sink, tells it the notes, labels the item with its grade,
// and returns its index, or -1 if the set is full.
func (it *Item) Give(sink record.Sink, at record.Place) int {
	it.Notes.Tell(sink, at)
	index := sink.Add(at, it.Item, it.Counted)
	if it.Grade >= 0 && index >= 0 {
		sink.Facts().Grade(index, it.Grade)
	}
	if len(it.Sizes) > 0 && index >= 0 {
		sink.Facts().Size(index, it.Sizes)
	}
	return index
}

// Parse reads an item from a valid JSON object. ends is from the check of a text that contains
// raw, or nil. If the object is no item, problem says why, and it is not meaningful; else
// problem is "".
func Parse(raw []byte, ends *jsonwalk.Ends) (it Item, problem string) {
	it.Grade = -1
	room := record.Room()
	var seen uint
	var few [32]field
	more := few[:0] // members that go to the metadata: for 32 of them it takes no memory
	for key, raw := range jsonwalk.MembersTo(raw, ends) {
		id := slices.IndexFunc(itemKeys[:], func(k itemKey) bool { return key == k.name || k.rust != "" && key == k.rust })
		if id >= 0 {
			if seen&(1<<id) != 0 {
				it.Notes.Add(keyTwice)
			}
			seen |= 1 << id
			if jsonwalk.IsNull(raw) && itemKeys[id].name != "content" {
				continue // as if it were not there
			}
			known, problem := it.set(&itemKeys[id], raw, room)
			if problem != "" {
				return it, problem
			}
			if known {
				continue
			}
		}
		if key == "relevance" {
			if grade, ok := record.Grade(raw); ok {
				it.Grade = grade
				continue
			}
		}
		if meant := nearestKey(key); meant != "" {
			it.Notes.Add(fmt.Sprintf("items with the key %.40q, kept as metadata: did you mean %s?", key, meant))
		}
		value, problem := record.Metadata(raw, room)
		if problem != "" {
			it.Notes.LeftOut(problem)
			continue
		}
		more = append(more, field{key, value})
	}
	if it.Content == "" {
		return it, "without content"
	}
	if !it.Counted && it.Count != model.FromFile {
		it.Count = model.FromFile // says how the tokens were found, but there are none
	}
	it.adopt(more)
	return it, ""
}

// set sets the field of a key. known is false for a value of another meaning, which belongs
// into the metadata; problem says why the object is no item.
func (it *Item) set(k *itemKey, raw []byte, room *int) (known bool, problem string) {
	ok := true
	switch k.name {
	case "content":
		it.Content, ok = jsonwalk.String(raw)
		if !ok {
			return true, "content is " + jsonwalk.TypeName(raw) + " instead of a string"
		}
	case "tokens":
		it.Tokens, ok = record.Whole(raw)
		it.Counted = true
		if ok && (it.Tokens > model.MaxTokens || it.Tokens < -model.MaxTokens) {
			return true, fmt.Sprintf("tokens are beyond %v", model.MaxTokens)
		}
	case "kind":
		it.Kind, ok = kindOfJSON(raw)
		ok = ok && !it.Kind.IsBlank()
	case "source":
		var s string
		s, ok = jsonwalk.String(raw)
		it.Source = model.Source(s)
		ok = ok && !it.Source.IsBlank()
	case "priority":
		var n int64
		if n, ok = record.Integer(raw); ok {
			it.Priority = model.Some(n)
		}
	case "tags":
		it.Tags, ok = record.Strings(raw)
	case "metadata":
		if ok = jsonwalk.Type(raw) == '{'; ok {
			var left string
			if it.Metadata, left = record.WholeMetadata(raw, room); left != "" {
				it.Notes.LeftOut(left)
			}
		}
	case "timestamp":
		if at, ok := record.Time(raw); ok {
			it.Timestamp = model.Some(at)
		} else {
			it.Notes.Add("timestamps not understood, left out")
		}
	case "futureRelevanceHint":
		if h, finite := record.Finite(raw); finite {
			it.FutureRelevanceHint = model.Some(h)
		} else {
			it.Notes.Add("future relevance hints that are not finite numbers, left out")
		}
	case "pinned":
		it.Pinned, ok = record.Bool(raw)
	case "originalTokens":
		if n, whole := record.Whole(raw); whole && n >= -model.MaxTokens && n <= model.MaxTokens {
			it.OriginalTokens = model.Some(n)
		} else {
			it.Notes.Add("original token numbers not understood, left out")
		}
	case "sizes":
		it.Sizes, problem = sizesOf(raw)
		return true, problem
	case "count":
		s, _ := jsonwalk.String(raw)
		counts := []model.Provenance{model.Estimated, model.Opaque, model.FromUsage}
		i := slices.IndexFunc(counts, func(p model.Provenance) bool { return p.String() == s })
		if i < 0 {
			return false, ""
		}
		it.Count = counts[i]
	}
	if !ok {
		return true, k.problem
	}
	return true, ""
}

type field struct {
	key   string
	value any
}

// adopt puts members of the item into its metadata. Of those with the same key the last
// counts; where the metadata has the key already, it is the metadata that counts.
func (it *Item) adopt(more []field) {
	if len(more) > 0 && it.Metadata == nil {
		it.Metadata = make(map[string]any, len(more))
	}
	own := more[:0]
	for _, m := range more {
		if _, taken := it.Metadata[m.key]; taken {
			it.Notes.Add("fields that the metadata of their item has too, left out")
		} else {
			own = append(own, m)
		}
	}
	for _, m := range own {
		if _, twice := it.Metadata[m.key]; twice {
			it.Notes.Add(keyTwice)
		}
		it.Metadata[m.key] = m.value
	}
}

// kindOfJSON reads a kind; those that Cupel knows are not allocated.
func kindOfJSON(raw []byte) (model.Kind, bool) {
	for _, k := range model.KnownKinds() {
		if len(raw) == len(k)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == string(k) {
			return k, true
		}
	}
	s, ok := jsonwalk.String(raw)
	return model.Kind(s), ok
}

// nearestKey is the key that is read of which the given one is a misspelling: upper
// for lower case, an underscore, or one slip of the fingers; "" if there is none.
// It costs a look at each character for the few keys of about the same length.
func nearestKey(key string) string {
	bare := strings.ReplaceAll(key, "_", "")
	if len(bare) < 4 { // tag or kin may well be meant
		return ""
	}
	lower := strings.ToLower(bare)
	for id := range itemKeys {
		name := itemKeys[id].name
		if d := len(name) - len(bare); -1 <= d && d <= 1 && plain.OneSlip(lower, strings.ToLower(name)) {
			return name
		}
	}
	return ""
}
