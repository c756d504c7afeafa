package documents

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// gold says which documents a set of questions and answers needed. HotpotQA names them
// by their titles, DeepEval by their texts, lost-in-the-middle by a mark on each, which
// passage.go reads.
type gold struct {
	titles, contents []string
	answers          []string
	met              map[string]bool // titles and texts that a document has
}

// unlabelled is said of labels that name nothing that was read.
const unlabelled = "labels that name no document"

func goldOf(o record.Object) gold {
	g := gold{met: map[string]bool{}}
	facts := o.Raw("supporting_facts")
	for fact := range jsonwalk.Elements(facts) { // pairs of a title and the number of a sentence
		if title, ok := jsonwalk.String(jsonwalk.First(fact)); ok && !slices.Contains(g.titles, title) {
			g.titles = append(g.titles, title)
		}
	}
	titles, _ := record.Strings(record.Open(facts).Raw("title"))
	slices.Sort(titles)
	g.titles = append(g.titles, slices.Compact(titles)...)
	if o.Has("retrieval_context", "retrievalContext") {
		g.contents, _ = record.Strings(o.Raw("context"))
	} else if o.Has("retrieved_contexts") {
		g.contents, _ = record.Strings(o.Raw("reference_contexts"))
	}
	g.answers, _ = record.Strings(o.Raw("answers"))
	if facts != nil && o.Type("answer") == '"' {
		g.answers = append(g.answers, o.Text("answer"))
	}
	return g
}

// judge labels the document with an index, unless that is negative. grade is what the
// document says itself; see passage.grade.
func (l *gold) judge(sink record.Sink, index int, it *model.Item, grade int) {
	if judged := len(l.titles)+len(l.contents) > 0; judged {
		title, _ := it.Metadata["title"].(string)
		text := strings.TrimSpace(it.Content)
		switch {
		case slices.Contains(l.titles, title):
			grade, l.met["title "+title] = 1, true
		case slices.ContainsFunc(l.contents, func(s string) bool { return strings.TrimSpace(s) == text }):
			grade, l.met["text "+text] = 1, true
		case grade < 0:
			grade = 0
		}
	}
	if grade >= 0 && index >= 0 {
		sink.Facts().Grade(index, grade)
	}
}

// finish gives the sink the answers, and tells it which labels named no document.
func (l *gold) finish(sink record.Sink) {
	facts := sink.Facts()
	facts.Labels.Answers = append(facts.Labels.Answers, l.answers...)
	unmet := func(name string) {
		if !l.met[name] {
			facts.Labels.Unreachable++
			sink.Tell(record.Changed, record.Place{}, unlabelled)
		}
	}
	for _, title := range l.titles {
		unmet("title " + title)
	}
	for _, text := range l.contents {
		unmet("text " + strings.TrimSpace(text))
	}
}

// columns reads HotpotQA's paragraphs as columns: {"title": [...], "sentences": [[...]]}.
func columns(query string, context []byte) (set resultSet, ok bool) {
	o := record.Open(context)
	set = resultSet{query: query, list: o.Raw("sentences"), titles: elements(o.Raw("title"))}
	return set, jsonwalk.Type(set.list) == '[' && set.titles != nil
}

// isTitled reports whether raw is a paragraph as HotpotQA has it: a title and its
// sentences.
func isTitled(raw []byte) bool {
	pair := elements(raw)
	if len(pair) != 2 || jsonwalk.Type(pair[0]) != '"' {
		return false
	}
	sentences, ok := record.Strings(pair[1])
	return ok && len(sentences) > 0
}
