package documents

import (
	"fmt"
	"iter"
	"slices"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
	"cupelscope/model/plain"
)

// resultSet holds the results of one query. Its documents are not read yet.
type resultSet struct {
	query string
	// One of these holds the documents: an array, or an object whose values
	// they are; or the records themselves.
	list    []byte
	records [][]byte
	places  []record.Place // of records
	// Columns beside list, an element a document; nil: none.
	metadatas, distances, scores, ids, titles [][]byte
	// texts are the documents that were ranked: a result without a text refers to one by
	// its index.
	texts [][]byte
	gold
	unread []string // keys of members beside the documents that hold text
}

// found is one document of a set with its values in the columns, nil where a column
// has none.
type found struct {
	raw                                  []byte
	metadata, distance, score, id, title []byte
	texts                                [][]byte
}

// all yields the documents of the set.
func (s *resultSet) all() iter.Seq[found] {
	at := func(column [][]byte, i int) []byte {
		if i < len(column) {
			return column[i]
		}
		return nil
	}
	return func(yield func(found) bool) {
		i := 0
		one := func(raw []byte) bool {
			f := found{raw, at(s.metadatas, i), at(s.distances, i), at(s.scores, i), at(s.ids, i), at(s.titles, i), s.texts}
			i++
			return yield(f)
		}
		for _, raw := range s.records {
			if !one(raw) {
				return
			}
		}
		for raw := range jsonwalk.Elements(s.list) {
			if !one(raw) {
				return
			}
		}
		for _, raw := range jsonwalk.Members(s.list) {
			if !one(raw) {
				return
			}
		}
	}
}

// first returns the first document of the set.
func (s *resultSet) first() (found, bool) {
	for first := range s.all() {
		return first, true
	}
	return found{}, false
}

func (s *resultSet) len() int {
	n := 0
	for range s.all() {
		n++
	}
	return n
}

// listKeys are the keys of arrays of documents, the most certain ones first.
var listKeys = [...]string{
	"source_documents", "source_nodes", "retrieved_documents", "retrieved_contexts", "retrieval_context", "retrievalContext", "retrievalResults", // beside an answer
	"results", "matches", "nodes", "hits", "points", "documents", "docs", "passages", "chunks", "contexts", "context", "ctxs", "data", "result", "value", "testCases",
}

// besideAnswer is how many of the first listKeys hold a set even if the object has a
// text of its own, which then is the model's answer.
const besideAnswer = 7

// maxSetDepth is the depth of objects around result sets down to which sets are
// searched.
const maxSetDepth = 4

// maxInner is the number of objects around result sets that are searched at each depth.
const maxInner = 16

// findResults returns the result sets in a record, and nil if the record is a document
// itself or holds none. raw need not be valid JSON. depth is the number of objects around
// it that have been searched.
func findResults(raw []byte, depth int) []resultSet {
	if jsonwalk.Type(raw) == '[' {
		return listOf(raw)
	}
	return findIn(record.Open(raw), depth)
}

// listOf is findResults for an array.
func listOf(array []byte) []resultSet {
	if first, some := firstElement(array); some && listsPassages(first) && !isPair(array) {
		return []resultSet{{list: array}}
	}
	return nil
}

// findIn is findResults for an object.
func findIn(o record.Object, depth int) []resultSet {
	if depth > maxSetDepth {
		return nil
	}
	var lists [len(listKeys)][]byte
	var query string
	noTexts := false   // columns without that of the documents
	var inner [][]byte // objects under any other key
	var queries, metadatas, distances, scores, ids []byte
	for _, m := range o {
		key, value, c := m.Key, m.Value, jsonwalk.Type(m.Value)
		if s, ok := jsonwalk.String(value); slices.Contains(record.Questions, key) && ok && query == "" {
			query = s
		} else if slices.Contains(record.Questions, key) && c == '[' {
			queries = value
		}
		switch key {
		case "docstore/data": // a LlamaIndex store
			if c == '{' {
				return []resultSet{{list: value}}
			}
		case "metadatas":
			metadatas = value
		case "distances":
			distances = value
		case "scores":
			scores = value
		case "ids":
			ids = value
		default:
			if c == '{' && len(inner) < maxInner {
				inner = append(inner, value)
			}
		}
		noTexts = noTexts || key == "documents" && c == 'n'
		if i := slices.Index(listKeys[:], key); i >= 0 && (c == '[' || c == '{') {
			lists[i] = value
		}
	}
	if set, ok := columns(query, lists[slices.Index(listKeys[:], "context")]); ok {
		set.readSiblings(o)
		return []resultSet{set}
	}
	passage, empty := isPassage(o), false
	for i, list := range lists {
		if list == nil || passage && i >= besideAnswer {
			continue
		}
		if jsonwalk.Type(list) == '{' { // {"hits": {"hits": [...]}}
			if all := findResults(list, depth+1); len(all) > 0 {
				return named(all, query)
			}
			continue
		}
		first, some := firstElement(list)
		switch {
		case !some:
			if i >= besideAnswer && listKeys[i] != "documents" && listKeys[i] != "results" && listKeys[i] != "matches" {
				continue // an empty array under a name that may mean anything
			}
			empty = true // but another list may not be
			continue
		case jsonwalk.Type(first) == '[' && !isPair(first) && !isTitled(first): // a list for each query
			return perQuery(list, queries, [4][]byte{metadatas, distances, scores, ids})
		case jsonwalk.Type(first) == '{' && !isPassage(record.Open(first)) && len(findResults(first, depth+1)) > 0:
			var all []resultSet
			for inner := range jsonwalk.Elements(list) {
				all = append(all, findResults(inner, depth+1)...)
			}
			return all
		case !listsPassages(first):
			if listKeys[i] != "results" && listKeys[i] != "data" || !isIndexed(first) {
				continue
			}
		}
		set := resultSet{
			query: query, list: list,
			metadatas: elements(metadatas), distances: elements(distances), scores: elements(scores), ids: elements(ids),
		}
		for k, key := range listKeys {
			if k != i && (key == "documents" || key == "docs") {
				set.texts = append(set.texts, elements(lists[k])...)
			}
		}
		set.readSiblings(o)
		return []resultSet{set}
	}
	if empty || noTexts && ids != nil {
		return []resultSet{{query: query}}
	}
	if passage {
		return nil
	}
	for _, object := range inner { // {"retriever": {"documents": [...]}}
		if o := record.Open(object); !isPassage(o) {
			if all := findIn(o, depth+1); len(all) > 0 {
				return named(all, query)
			}
		}
	}
	return nil
}

// readSiblings reads what stands beside the documents in the object around them.
func (s *resultSet) readSiblings(o record.Object) {
	o = o.Untouched()
	s.gold = goldOf(o)
	for key := range o.Unread(NoContent) {
		if !slices.Contains(listKeys[:], key) {
			s.unread = append(s.unread, key)
		}
	}
}

// perQuery returns a set for each of the lists, with its part of the columns:
// metadatas, distances, scores, ids.
func perQuery(lists, queries []byte, columns [4][]byte) []resultSet {
	var all []resultSet
	texts := elements(queries)
	var split [4][][]byte
	for c, column := range columns {
		split[c] = elements(column)
	}
	for list := range jsonwalk.Elements(lists) {
		set := resultSet{list: list}
		i := len(all)
		if i < len(texts) {
			set.query, _ = jsonwalk.String(texts[i])
		}
		for c, to := range [...]*[][]byte{&set.metadatas, &set.distances, &set.scores, &set.ids} {
			if i < len(split[c]) {
				*to = elements(split[c][i])
			}
		}
		all = append(all, set)
	}
	return all
}

// named gives the query to the only one of the sets, if that has none.
func named(all []resultSet, query string) []resultSet {
	if len(all) == 1 && all[0].query == "" {
		all[0].query = query
	}
	return all
}

// elements returns the elements of an array, and nil for any other value.
func elements(array []byte) [][]byte {
	var all [][]byte
	for e := range jsonwalk.Elements(array) {
		all = append(all, e)
	}
	return all
}

func firstElement(array []byte) (first []byte, some bool) {
	for first := range jsonwalk.Elements(array) {
		return first, true
	}
	return nil, false
}

// listsPassages reports whether an array that begins with first lists documents:
// objects, pairs or bare texts.
func listsPassages(first []byte) bool {
	return jsonwalk.Type(first) == '"' || isPassage(record.Open(first)) || isPair(first) || isTitled(first)
}

// isIndexed reports whether raw is the answer of a reranker that names a document by index.
func isIndexed(raw []byte) bool {
	index, score := false, false
	for key, value := range jsonwalk.Members(raw) {
		rank, _ := scoreKey(key)
		index = index || key == "index" && jsonwalk.IsNumber(value)
		score = score || rank > 0
	}
	return index && score
}

// isPair reports whether raw is [document, score].
func isPair(raw []byte) bool {
	if jsonwalk.Type(raw) != '[' {
		return false
	}
	n, passage, number := 0, false, false
	for e := range jsonwalk.Elements(raw) {
		switch n {
		case 0:
			passage = jsonwalk.Type(e) == '{' && isPassage(record.Open(e)) || jsonwalk.Type(e) == '"'
		case 1:
			number = jsonwalk.IsNumber(e) || jsonwalk.IsNull(e)
		}
		if n++; n > 2 {
			return false
		}
	}
	return n == 2 && passage && number
}

// label describes a set: its query and its size.
func (s *resultSet) label() string {
	size := plain.Count(s.len(), "document")
	if s.query == "" {
		return size
	}
	return fmt.Sprintf("%.50q, %s", s.query, size)
}
