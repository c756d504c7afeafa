package itemset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// applyEdits returns the set with the edits of a scenario, in the form {"pinned": {"12": true},
// "excluded": [31], "tokens": {"7": 90}, "hints": {"7": 0.9}, "query": {"text": "...", "hints":
// {"3": 0.5}}, "hash": "sha256:..."}.
func (b *builder) applyEdits(set *model.Set, raw []byte) (*model.Set, error) {
	var e model.Edits
	key, err := jsonwalk.Fields(raw, nil, []string{"pinned", "excluded", "tokens", "hints", "query", "hash"}, func(key string, value []byte) (err error) {
		switch key {
		case "pinned":
			e.Pinned, err = editMap(value, record.Bool)
		case "tokens":
			e.Tokens, err = editMap(value, record.Whole)
		case "hints":
			e.Hints, err = editMap(value, record.Finite)
		case "query":
			e.Query, err = editQuery(value, set.Len())
		case "excluded":
			e.Excluded = map[int]bool{}
			if jsonwalk.Type(value) != '[' {
				err = errors.New("must be an array of item indexes")
			}
			for v := range jsonwalk.Elements(value) {
				i, ok := record.Whole(v)
				if !ok {
					err = fmt.Errorf("holds %.40s, must be item indexes", v)
				}
				e.Excluded[int(i)] = true
			}
		case "hash":
			if want, _ := jsonwalk.String(value); contentHash(set) != want {
				err = errors.New("does not match: the items are not the ones that were edited")
			}
		}
		return err
	})
	if err != nil {
		return nil, b.wrong(strings.TrimRight("edits."+key, "."), reason(err.Error()))
	}
	next, err := set.With(e)
	if err != nil {
		return nil, b.wrong("edits", err)
	}
	return next, nil
}

// shrink returns the set with the rules by which its items may be cut.
func (b *builder) shrink(set *model.Set, fields map[string][]byte) (*model.Set, error) {
	var s model.Shrink
	if raw := fields["shrink"]; raw != nil {
		var err error
		if s, err = model.ParseShrinkJSON(raw); err != nil {
			field, why, _ := strings.Cut(err.Error(), " ") // it names the field
			return nil, b.wrong(field, reason(why))
		}
	}
	err := b.readFields(fields, fieldReader{"shrinkPinned", into(&s.Pinned, record.Bool, "true or false")})
	if err != nil || s.IsZero() {
		return set, err
	}
	return set.With(set.Edits().WithShrink(s))
}

// editQuery reads {"text": "...", "hints": {"3": 0.5}}. Items that are not named
// have the hint 0.
func editQuery(raw []byte, items int) (q model.Query, err error) {
	parts := map[string][]byte{}
	key, err := jsonwalk.Fields(raw, nil, []string{"text", "hints"}, func(key string, value []byte) error {
		parts[key] = value
		return nil
	})
	q.Text, _ = jsonwalk.String(parts["text"])
	switch {
	case key != "":
		return q, fmt.Errorf("has %.40q, which %w", key, err)
	case err != nil:
		return q, err
	case len(parts) < 2:
		return q, errors.New("must have text and hints")
	case strings.TrimSpace(q.Text) == "":
		return q, errors.New("has no text")
	}
	hints, err := editMap(parts["hints"], record.Finite)
	q.Hints = make([]float64, items)
	for i, hint := range hints {
		if i < 0 || i >= items {
			return q, fmt.Errorf("has a hint for item %d: %s", i, plain.ThereAre(items))
		}
		q.Hints[i] = hint
	}
	return q, err
}

// editMap reads an object with item indexes as keys.
func editMap[T any](raw []byte, value func([]byte) (T, bool)) (map[int]T, error) {
	all := map[int]T{}
	return all, eachEdit(raw, func(i int, v []byte) bool {
		x, ok := value(v)
		all[i] = x
		return ok
	})
}

func eachEdit(raw []byte, take func(item int, value []byte) bool) error {
	if jsonwalk.Type(raw) != '{' {
		return errors.New("must be an object with item indexes as keys")
	}
	seen := map[int]bool{}
	for key, v := range jsonwalk.Members(raw) {
		i, err := strconv.Atoi(key)
		switch {
		case err != nil:
			return fmt.Errorf("has the key %.40q, must be an item index", key)
		case seen[i]:
			return fmt.Errorf("has item %d twice", i)
		case !take(i, v):
			return fmt.Errorf("has the value %.40s for item %d", v, i)
		}
		seen[i] = true
	}
	return nil
}

// contentHash returns a SHA-256 hash of the contents of all items of a set in index
// order, as "sha256:" and hexadecimal digits. It tells whether edits still refer to
// the items that they were made for.
func contentHash(set *model.Set) string {
	h := sha256.New()
	var size [8]byte
	for i := range set.Len() {
		content := set.Loaded(i).Content
		binary.LittleEndian.PutUint64(size[:], uint64(len(content)))
		h.Write(size[:])
		h.Write([]byte(content))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
