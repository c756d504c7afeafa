package itemset

import (
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Documents and retrieval results: LangChain's documents, LlamaIndex' nodes,
// answers of rerankers and vector stores. A file holds documents (an array of
// them, one a line, pairs of a document and its score), or result sets: an
// object around such an array, columns side by side, a set a line. See
// resultset.go for the sets and passage.go for a single document.
//
// A score becomes the hint of its document by its place between the least and
// the greatest of its set, since scales differ from tool to tool: cosines 0 to 1,
// rerankers 80 to 99, logits below 0. Of a distance the least is the best. Where
// all scores of a set are equal, all hints are 1. The score itself stays in the
// metadata, under the name that it had.

// scored is what one item of a set was given.
type scored struct {
	item    int
	score   float64 // larger is better
	negated bool    // of a distance
}

func (b *builder) readDocuments(doc document) error {
	if doc.truncated {
		b.note(1, "document ends early")
	}
	var sets []resultSet
	loose := resultSet{} // documents given one a record
	var places []int
	records := doc.elements()
	if doc.layout == whole && isPair(doc.data) { // one document, not an array of two records
		records = doc.all()
	}
	for place, record := range records {
		if err := b.tick(); err != nil {
			return err
		}
		if found := findResults(place, record); len(found) > 0 {
			sets = append(sets, found...)
			continue
		}
		loose.records, places = append(loose.records, record), append(places, place)
	}
	switch {
	case len(loose.records) == 0:
	case len(sets) == 0 || anyPassage(loose.records): // what they lack is told when they are read
		loose.place = places[0]
		sets = append(sets, loose)
	default:
		for i, record := range loose.records {
			var err error
			if jsonwalk.Check(record) != nil {
				err = b.skipBroken(places[i], record)
			} else {
				err = b.skip(places[i], "neither a document nor a result set")
			}
			if err != nil {
				return err
			}
		}
	}
	chosen, err := choose(b.name, b.opts.Select, sets)
	if err != nil || chosen == nil {
		return err
	}
	if chosen.records == nil {
		b.unit, places = "document", nil
	}
	if chosen.len() == 0 {
		return &FormatError{Name: b.name, Taken: Documents, Reason: "the result set holds no document"}
	}
	return b.readResults(chosen, places)
}

// anyPassage reports whether one of the first records is a document by its looks.
func anyPassage(records [][]byte) bool {
	for _, record := range records[:min(len(records), sampleRecords)] {
		if isPassage(record) || isPair(record) {
			return true
		}
	}
	return false
}

// readResults adds the documents of one set. places are theirs in the source;
// nil: they are numbered.
func (b *builder) readResults(set *resultSet, places []int) error {
	var scores []scored
	without := 0
	place := 0
	for in := range set.all() {
		at := place + 1
		if place++; places != nil {
			at = places[place-1]
		}
		if err := b.tick(); err != nil {
			return err
		}
		if len(b.items) >= model.MaxItems {
			if err := b.skip(at, fmt.Sprintf("beyond the %v items of a set", model.Tokens(model.MaxItems))); err != nil {
				return err
			}
			continue
		}
		if jsonwalk.Check(in.raw) != nil {
			if err := b.skipBroken(at, in.raw); err != nil {
				return err
			}
			continue
		}
		p := passage{}
		if problem := p.read(in); problem != "" {
			if err := b.skip(at, problem); err != nil {
				return err
			}
			continue
		}
		for _, n := range p.notes {
			b.note(at, n)
		}
		if p.scoreRank > 0 {
			scores = append(scores, scored{len(b.items), p.score, p.negated})
		} else {
			without++
		}
		b.add(model.Item{
			Content: p.text, Kind: model.Document, Source: model.Rag, Metadata: p.meta, Timestamp: p.time(),
		}, false)
	}
	if len(scores) > 0 && without > 0 {
		b.out.Report.addMany(Changed, "documents without a score among others that have one", without)
	}
	if rising(scores) {
		b.out.Report.add(Changed, "scores that rise from the first document to the last, read as larger is better: distances belong under the key distance", "")
	}
	if falling(scores) {
		b.out.Report.add(Changed, "distances that fall from the first document to the last, read as smaller is better: similarities belong under the key score", "")
	}
	b.relate(scores)
	return nil
}

// relate gives each scored item its place between the least and the greatest.
func (b *builder) relate(all []scored) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, s := range all {
		least, most = min(least, s.score), max(most, s.score)
	}
	for _, s := range all {
		b.items[s.item].FutureRelevanceHint = model.Some(between(s.score, least, most))
	}
}

// between is where x lies from least, 0, to most, 1; 1 if they are equal.
func between(x, least, most float64) float64 {
	if least == most {
		return 1
	}
	if math.IsInf(most-least, 0) { // halves never overflow
		x, least, most = x/2, least/2, most/2
	}
	return (x - least) / (most - least)
}

// rising reports whether scores get better from one document to the next,
// though results come best first: as distances do that are taken for scores.
func rising(all []scored) bool { return improves(all, false) }

// falling reports the same of distances: as similarities do that are called so.
func falling(all []scored) bool { return improves(all, true) }

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
