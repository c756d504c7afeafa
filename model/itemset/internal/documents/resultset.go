package documents

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
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
	// Columns beside list, an element a document; nil: none. Those of columnKeys, and titles.
	columns [len(columnKeys)][][]byte
	titles  [][]byte
	// texts are the documents that were ranked: a result without a text refers to one by
	// its index.
	texts [][]byte
	gold
	unread []string // keys of members beside the documents that hold text
	ends   *jsonwalk.Ends
}

// found is one document of a set with its values in the columns, nil where a column
// has none.
type found struct {
	raw, title []byte
	columns    [len(columnKeys)][]byte
	texts      [][]byte
}

// at returns document i of the set, whose text is raw.
func (s *resultSet) at(i int, raw []byte) found {
	at := func(column [][]byte) []byte {
		if i < len(column) {
			return column[i]
		}
		return nil
	}
	f := found{raw: raw, title: at(s.titles), texts: s.texts}
	for c, column := range s.columns {
		f.columns[c] = at(column)
	}
	return f
}

// all yields the documents with their places.
func (s *resultSet) all() iter.Seq2[record.Place, []byte] {
	return func(yield func(record.Place, []byte) bool) {
		i := 0
		one := func(raw []byte) bool {
			i++
			at := record.Place{N: i}
			if s.places != nil {
				at = s.places[i-1]
			}
			return yield(at, raw)
		}
		for _, raw := range s.records {
			if !one(raw) {
				return
			}
		}
		for raw := range jsonwalk.ElementsTo(s.list, s.ends) {
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

func (s *resultSet) some() bool {
	for range s.all() {
		return true
	}
	return false
}

func (s *resultSet) len() int {
	n := 0
	for range s.all() {
		n++
	}
	return n
}

// maxSetDepth is the depth of objects around result sets down to which sets are
// searched.
const maxSetDepth = 4

// maxInner is the number of objects around result sets that are searched at each depth.
const maxInner = 16

// listOf returns the result set that an array is, and nil for any other value, which need not
// be valid JSON.
func listOf(array []byte) []resultSet {
	if first := jsonwalk.First(array); first != nil && listsPassages(first) && !isPair(array) {
		return []resultSet{{list: array}}
	}
	return nil
}

// The keys of lists that stand beside the documents, an element a document.
var columnKeys = [...]string{"scores", "distances", "ids", "metadatas"}

// rank says how surely an array in an object is the list of its documents.
type rank uint8

const (
	none      rank = iota
	around         // its elements hold the documents
	listed         // documents by their looks, or texts under a key that says so
	ranked         // the same with scores
	retrieved      // the key says it
)

// isRetrieved reports whether a key says that documents were retrieved, so that a text
// beside them is an answer.
func isRetrieved(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "retriev") || strings.HasPrefix(key, "source_")
}

// namesTexts reports whether a list of bare texts under a key is one of documents, rather
// than of their ids.
func namesTexts(key string) bool {
	return isRetrieved(key) && !strings.HasSuffix(strings.ToLower(key), "ids") ||
		slices.Contains([]string{"documents", "docs", "passages", "chunks", "contexts", "context", "ctxs", "results"}, key)
}

// rankOf returns what the array under a key of an object is; question says whether a
// question stands beside it.
func rankOf(o record.Object, key string, list []byte, question bool, depth int) rank {
	first := jsonwalk.First(list)
	if inner := jsonwalk.First(first); inner != nil && !isPair(first) && !isTitled(first) { // a list for each query
		first = inner
	}
	element := record.Open(first)
	scored := slices.ContainsFunc(element, func(m record.Member) bool { return meanings.of(m.Key).score > 0 })
	pair := isPair(first) && (namesTexts(key) || jsonwalk.Type(jsonwalk.First(first)) == '{')
	switch c := jsonwalk.Type(first); {
	case first == nil || slices.Contains(columnKeys[:], key) || slices.Contains(record.Questions, key):
		return none
	case c == '"' && !namesTexts(key), c != '"' && c != '{' && c != '[':
		return none
	case isRetrieved(key) && listsPassages(first):
		return retrieved
	case string(first) == "[]" && namesTexts(key): // nothing for the first query
		return listed
	case pair || isIndexed(first) || scored && isPassage(element):
		return ranked
	case c == '{' && !isPassage(element):
		if len(findIn(element, depth+1)) > 0 {
			return around
		}
		return none
	case (pair || c != '[' || isTitled(first)) && listsPassages(first) && (c != '{' || namesTexts(key) || question && Refers(list) || !question && 2*jsonwalk.TextSize(list) >= o.TextSize()):
		return listed
	}
	return none
}

// findIn returns the result sets in an object, and nil if it is a document itself or holds
// none. depth is the number of objects around it that have been searched.
func findIn(o record.Object, depth int) []resultSet {
	passage := isPassage(o)
	message := o.Type("role") == '"' && o.Type("blocks") == '[' // of LlamaIndex
	if depth > maxSetDepth || message || passage && !slices.ContainsFunc(o, mayHoldSets) {
		return nil
	}
	if store := o.At("docstore/data"); jsonwalk.Type(store) == '{' { // of LlamaIndex
		return []resultSet{{list: store}}
	}
	set := resultSet{}
	var queries []byte
	for _, m := range o {
		if !slices.Contains(record.Questions, m.Key) {
			continue
		}
		if s, ok := jsonwalk.String(m.Value); ok && set.query == "" {
			set.query = s
		} else if jsonwalk.Type(m.Value) == '[' {
			queries = m.Value
		}
	}
	if set, ok := columns(set.query, o.At("context")); ok {
		set.readSiblings(o, "context")
		return []resultSet{set}
	}
	least, empty := none, o.Type("documents") == 'n' && o.Has("ids")
	if passage {
		least = ranked
	}
	best := -1
	for i, m := range o {
		if jsonwalk.Type(m.Value) != '[' {
			continue
		}
		if jsonwalk.First(m.Value) == nil {
			empty = empty || isRetrieved(m.Key) || !passage && slices.Contains([]string{"documents", "results", "matches"}, m.Key)
		} else if r := rankOf(o, m.Key, m.Value, set.query != "", depth); r > least {
			best, least = i, r
		}
	}
	if context := o.At("context"); best < 0 && set.query != "" && jsonwalk.Type(context) == '"' && jsonwalk.HasText(context) { // all that was found, in one text
		set.records = [][]byte{context}
		set.readSiblings(o, "context")
		return []resultSet{set}
	}
	if best < 0 {
		return findAround(o, depth, passage, empty, set.query)
	}
	set.list = o[best].Value
	first := jsonwalk.First(set.list)
	switch c := jsonwalk.Type(first); {
	case c == '[' && !isPair(first) && !isTitled(first):
		return perQuery(set.list, queries, o)
	case least == around:
		var all []resultSet
		for inner := range jsonwalk.Elements(set.list) {
			all = append(append(all, listOf(inner)...), findIn(record.Open(inner), depth+1)...)
		}
		return all
	}
	for c, key := range columnKeys {
		set.columns[c] = elements(o.At(key))
	}
	for i, m := range o {
		if i != best && (m.Key == "documents" || m.Key == "docs") {
			set.texts = append(set.texts, elements(m.Value)...)
		}
	}
	set.readSiblings(o, o[best].Key)
	return []resultSet{set}
}

// mayHoldSets reports whether result sets may be in or beside a member of an object that is a
// document by its keys. Most documents have no such member, and need no other look.
func mayHoldSets(m record.Member) bool {
	switch m.Key {
	case "docstore/data", "context", "documents":
		return true
	}
	c := jsonwalk.Type(m.Value)
	return c == '[' || c == '{' && isRetrieved(m.Key)
}

// findAround finds result sets in the objects within an object that has no list of
// documents: {"retriever": {"documents": [...]}}.
func findAround(o record.Object, depth int, passage, empty bool, query string) []resultSet {
	n := 0
	for _, m := range o {
		if jsonwalk.Type(m.Value) != '{' || passage && !isRetrieved(m.Key) {
			continue
		}
		if n++; n > maxInner {
			break
		}
		if inner := record.Open(m.Value); !isPassage(inner) {
			all := findIn(inner, depth+1)
			// Beside longer other text of a record they may be anything.
			sure := depth > 0 || query != "" || isRetrieved(m.Key) || 2*jsonwalk.TextSize(m.Value) >= o.TextSize()
			if len(all) > 0 && sure {
				return named(all, query)
			}
		}
	}
	if empty {
		return []resultSet{{query: query}}
	}
	return nil
}

// readSiblings reads what stands beside the documents in the object around them.
func (s *resultSet) readSiblings(o record.Object, read ...string) {
	o = o.Untouched()
	o.Raw(read...)
	s.gold = goldOf(o)
	for key := range o.Unread(NoContent) {
		if key != "documents" && key != "docs" || s.texts == nil {
			s.unread = append(s.unread, key)
		}
	}
}

// perQuery returns a set for each of the lists, with its part of the columns in the object
// around them.
func perQuery(lists, queries []byte, o record.Object) []resultSet {
	var all []resultSet
	texts := elements(queries)
	for list := range jsonwalk.Elements(lists) {
		set := resultSet{list: list}
		i := len(all)
		if i < len(texts) {
			set.query, _ = jsonwalk.String(texts[i])
		}
		for c, key := range columnKeys {
			if column := elements(o.At(key)); i < len(column) {
				set.columns[c] = elements(column[i])
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
func elements(array []byte) [][]byte { return slices.Collect(jsonwalk.Elements(array)) }

// listsPassages reports whether an array that begins with first lists documents:
// objects, pairs or bare texts.
func listsPassages(first []byte) bool {
	return jsonwalk.Type(first) == '"' || isPassage(record.Open(first)) || isPair(first) || isTitled(first)
}

// isIndexed reports whether raw is the answer of a reranker that names a document by index.
func isIndexed(raw []byte) bool {
	index, score := false, false
	for key, value := range jsonwalk.Members(raw) {
		index = index || key == "index" && jsonwalk.IsNumber(value)
		score = score || meanings.of(key).score > 0
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

func (s *resultSet) label() string {
	size := plain.Count(s.len(), "document")
	if s.query == "" {
		return size
	}
	return fmt.Sprintf("%.50q, %s", s.query, size)
}
