package cupel

import (
	"fmt"
	"sort"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// sizesOf reads the shorter forms of an item, in any order. An array in which one is not
// understood is no array of sizes: problem says why.
func sizesOf(raw []byte) (sizes []model.Size, problem string) {
	if jsonwalk.Type(raw) != '[' {
		return nil, "sizes are not an array"
	}
	for raw := range jsonwalk.Elements(raw) {
		if len(sizes) == model.MaxSizes {
			return nil, fmt.Sprintf("sizes are more than %d", model.MaxSizes)
		}
		size, problem := sizeOf(raw)
		if problem != "" {
			return nil, problem
		}
		sizes = append(sizes, size)
	}
	rank := func(size model.Size) model.Tokens {
		if size.Note { // it stands for the item: it is no size among others
			return 0
		}
		return size.Tokens
	}
	sort.SliceStable(sizes, func(i, j int) bool { return rank(sizes[i]) > rank(sizes[j]) })
	if n := len(sizes); n > 1 && sizes[n-2].Note {
		return nil, "sizes have two notes"
	}
	return sizes, ""
}

func sizeOf(raw []byte) (size model.Size, problem string) {
	if jsonwalk.Type(raw) != '{' {
		return size, "sizes are not objects"
	}
	counted := false
	for key, raw := range jsonwalk.Members(raw) {
		if jsonwalk.IsNull(raw) {
			continue
		}
		ok := true
		switch key {
		case "tokens":
			size.Tokens, ok = record.Whole(raw)
			ok = ok && size.Tokens >= 1 && size.Tokens <= model.MaxTokens
			counted = true
		case "content":
			size.Content, ok = jsonwalk.String(raw)
		case "label":
			size.Label, ok = jsonwalk.String(raw)
		case "worth":
			size.Worth.Value, ok = record.Finite(raw)
			size.Worth.Set = true
			ok = ok && size.Worth.Value >= 0 && size.Worth.Value <= 1
		case "note":
			size.Note, ok = record.Bool(raw)
		default:
			return size, fmt.Sprintf("sizes have %.40q, which is not known; known are tokens, content, label, worth, note", key)
		}
		if !ok {
			return size, "sizes have " + key + " that is not understood: " + sizeBounds[key]
		}
	}
	switch {
	case !counted:
		return size, "sizes have no tokens"
	case size.Note && size.Worth.Value > 0:
		return size, "sizes have a note with a worth, which must be 0"
	}
	return size, ""
}

var sizeBounds = map[string]string{
	"tokens": fmt.Sprintf("a whole number from 1 to %v", model.MaxTokens), "content": "a string", "label": "a string",
	"worth": "a number from 0 to 1", "note": "true or false",
}
