// Package documents reads documents and retrieval results: LangChain's documents,
// LlamaIndex' nodes, answers of rerankers and vector stores. A file holds
// documents (an array of them, one a line, pairs of a document and its score), or
// result sets: an object around such an array, columns side by side, a set a line.
// See resultset.go for the sets and passage.go for a single document.
//
// A score becomes the hint of its document by its place between the least and
// the greatest of its set, since scales differ from tool to tool: cosines 0 to 1,
// rerankers 80 to 99, logits below 0. Of a distance the least is the best. Where
// all scores of a set are equal, all hints are 1. The score itself stays in the
// metadata, under the name that it had.
package documents

import (
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// ErrEmpty says that the result set to be read holds no document.
var ErrEmpty = errors.New("the result set holds no document")

type scored struct {
	item    int     // index among all items; -1: it is none
	score   float64 // larger is better
	negated bool    // of a distance
}

// NoContent lists the members of result sets that hold no text of a document and are
// not reported as unread. Answers of the model are not listed, so they are reported.
var NoContent = slices.Concat(record.Questions, []string{"namespace", "id", "_id", "type", "level", "object", "model", "usage", "took",
	"metadatas", "distances", "scores", "ids", "included", "uris"})

// Is reports whether an object is a document, or holds result sets.
func Is(o record.Object) bool { return isPassage(o) || HoldsSets(o) }

// ResultSets returns the number of result sets that an object holds. It is 0 if the
// object is a document itself, or neither.
func ResultSets(o record.Object) int { return len(findIn(o, 0)) }

// HoldsSets reports whether an object holds result sets.
func HoldsSets(o record.Object) bool { return ResultSets(o) > 0 }

// IsList reports whether an array lists documents: objects, pairs or bare texts. Words
// with a digit in each are ids, and so are the names of versions.
func IsList(array []byte) bool {
	const looked, fewest = 20, 3
	n, ids := 0, 0
	for raw := range record.Firsts(jsonwalk.Elements(array), looked) {
		n++
		text, ok := jsonwalk.String(raw)
		if ok && strings.ContainsAny(text, "0123456789") && !strings.ContainsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r > unicode.MaxASCII }) {
			ids++
		}
	}
	return (n < fewest || ids < n) && len(listOf(array)) > 0
}

// Read adds the documents of one result set, chosen by doc.Choose, to the sink. The
// error is ErrEmpty or a *record.SelectError.
func Read(doc record.Document, sink record.Sink) error {
	var sets []resultSet
	var loose resultSet // documents given one a record
	var o record.Object // reused
	records := doc.Records()
	if doc.IsArray() && isPair(doc.Data) { // one document, not an array of two records
		records = doc.Values()
	}
	for at, raw := range records {
		if !sink.Next() {
			return nil
		}
		if doc.IsObject() {
			o = doc.Object()
		} else {
			o = o.Reopen(raw, doc.Ends())
		}
		found := append(findIn(o, 0), listOf(raw)...)
		if found == nil && doc.IsLists() {
			found = []resultSet{{list: raw}}
		}
		if len(found) > 0 {
			sets = append(sets, named(found, doc.Question(at))...)
			continue
		}
		chunks := chunksOf(doc, sink, at, raw, o)
		if chunks == nil {
			chunks = [][]byte{raw}
		}
		for _, chunk := range chunks {
			n, offset, size := len(loose.records), at.Offset, len(doc.Data)
			loose.records = append(record.Grow(loose.records, n, offset, size), chunk)
			loose.places = append(record.Grow(loose.places, n, offset, size), at)
		}
	}
	if len(loose.records) > 0 && (len(sets) == 0 || anyPassage(loose.records)) { // reading them reports what they lack
		sets, loose = append(sets, loose), resultSet{}
	}
	for i, raw := range loose.records {
		if doc.HoldsObject(sink, loose.places[i], raw, "a document or a result set") {
			sink.Tell(record.Skipped, loose.places[i], "records that are neither a document nor a result set")
		}
	}
	full := slices.DeleteFunc(slices.Clone(sets), func(s resultSet) bool { return !s.some() })
	if len(full) == 0 && len(sets) > 1 {
		return ErrEmpty
	}
	if len(full) > 0 { // of which one can be opened
		for range len(sets) - len(full) {
			sink.Tell(record.LeftOut, record.Place{}, "result sets without a document")
		}
		sets = full
	}
	label := func(i int) string { return sets[i].label() }
	return doc.Choose(sink, "result set", len(sets), label, func(k int) error {
		if !sets[k].some() {
			return ErrEmpty
		}
		for _, key := range sets[k].unread {
			sink.Tell(record.Unread, record.Place{}, key)
		}
		sink.Facts().Question = sets[k].query
		readSet(doc, sink, &sets[k])
		return nil
	})
}

// chunksOf returns the chunks of a document that lists them, each with the other members of
// the document but its text, and nil for any other.
func chunksOf(doc record.Document, sink record.Sink, at record.Place, raw []byte, o record.Object) (all [][]byte) {
	chunks := o.At("chunks")
	if jsonwalk.Type(chunks) != '[' || !hasText(jsonwalk.First(chunks)) || !doc.Checks(raw) {
		return nil
	}
	sink.Tell(record.Changed, at, "documents given as their chunks, in place of their texts")
	var others record.Object
	for _, m := range o {
		if meanings.of(m.Key).text > 0 {
			sink.Tell(record.Unread, at, "document."+m.Key)
		} else if m.Key != "chunks" {
			others = append(others, m)
		}
	}
	for chunk := range jsonwalk.Elements(chunks) {
		all = append(all, append(record.Open(chunk), others...).JSON())
	}
	return all
}

// maxLooked is how many records are examined to find out what they are.
const maxLooked = 100

// anyPassage reports whether one of the first records is a document by its looks.
func anyPassage(records [][]byte) bool {
	return slices.ContainsFunc(records[:min(len(records), maxLooked)], func(raw []byte) bool { return isPassage(record.Open(raw)) || isPair(raw) })
}

// readSet adds the documents of one set. Each goes to the sink soon after
// it is read, so that few are held twice; its hint follows when all scores are known.
func readSet(doc record.Document, sink record.Sink, set *resultSet) {
	if set.records == nil {
		sink.Unit("document")
	}
	set.ends = doc.Ends()
	var scores []scored
	read := 0
	type reading struct {
		passage
		problem string
	}
	record.InOrder(doc.Valid, set.ends, set.all(), func(n int, raw []byte, ends *jsonwalk.Ends) any {
		r := reading{passage: passage{ends: ends}}
		r.problem = r.read(set.at(n, raw))
		return &r
	}, func(at record.Place, raw []byte, valid bool, as any) bool {
		if !sink.Next() {
			return false
		}
		if !valid {
			sink.Broken(at, raw)
			return true
		}
		p := as.(*reading)
		if p.problem != "" {
			sink.Tell(record.Skipped, at, p.problem)
			return true
		}
		p.notes.Tell(sink, at)
		it := model.Item{Content: p.text, Kind: model.Document, Source: model.Rag, Metadata: p.meta, Timestamp: p.time}
		if at.Offset == 0 {
			at.Offset = doc.OffsetOf(raw) + 1
		}
		index := sink.Add(at, it, false)
		if p.scoreRank > 0 {
			scores = append(scores, scored{index, p.score, p.negated})
		}
		set.judge(sink, index, &it, p.grade)
		read++
		return true
	})
	if len(scores) > 0 {
		for range read - len(scores) {
			sink.Tell(record.Changed, record.Place{}, "documents without a score among others that have one")
		}
	}
	if improves(scores, false) { // though results come best first
		sink.Tell(record.Changed, record.Place{}, "scores that rise from the first document to the last, read as larger is better: distances belong under the key distance")
	}
	if improves(scores, true) {
		sink.Tell(record.Changed, record.Place{}, "distances that fall from the first document to the last, read as smaller is better: similarities belong under the key score")
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range scores {
		least, most = min(least, s.score), max(most, s.score)
	}
	for _, s := range scores {
		if s.item >= 0 {
			sink.Hint(s.item, between(s.score, least, most))
		}
	}
	set.finish(sink)
}

// between returns the position of x between least (0) and most (1). If these are equal,
// it returns 1.
func between(x, least, most float64) float64 {
	if least == most {
		return 1
	}
	if math.IsInf(most-least, 0) { // halves never overflow
		x, least, most = x/2, least/2, most/2
	}
	return (x - least) / (most - least)
}

// improves reports whether there are at least three scores, distances or not,
// that never get worse and do get better.
func improves(all []scored, negated bool) bool {
	if len(all) < 3 || all[0].negated != negated {
		return false
	}
	for i := 1; i < len(all); i++ {
		if all[i].score < all[i-1].score || all[i].negated != negated {
			return false
		}
	}
	return all[0].score < all[len(all)-1].score
}
