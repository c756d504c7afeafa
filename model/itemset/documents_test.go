package itemset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

// hints writes contents with their hints: "a=0.5 b=-".
func hints(l *Loaded) string {
	var all []string
	for i := range l.Set.Len() {
		it := l.Set.Item(i)
		h := "-"
		if it.FutureRelevanceHint.Set {
			h = fmt.Sprintf("%.4g", it.FutureRelevanceHint.Value)
		}
		all = append(all, it.Content+"="+h)
	}
	return strings.Join(all, " ")
}

// Every form in which tools write documents gives Documents of source Rag, with
// hints from 0 to 1 where there are scores, and the score itself kept.
func TestDocumentForms(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"LangChain", `[{"page_content":"a","metadata":{"source":"f"}},{"page_content":"b","metadata":{}}]`, "a=- b=-"},
		{"LangChain in JavaScript", `[{"pageContent":"a","metadata":{}},{"pageContent":"b"}]`, "a=- b=-"},
		{"LangChain, serialised", `[{"lc":1,"type":"constructor","id":["langchain","schema","document","Document"],"kwargs":{"page_content":"a","metadata":{"source":"f"},"type":"Document"}}]`, "a=-"},
		{"one document", `{"page_content":"a"}`, "a=-"},
		{"a document a line", `{"page_content":"a"}` + "\n" + `{"page_content":"b"}` + "\n", "a=- b=-"},
		{"pairs", `[[{"page_content":"a"},0.2],[{"page_content":"b"},0.7],[{"page_content":"c"},0.3]]`, "a=0 b=1 c=0.2"},
		{"one pair", `[{"page_content":"a"},0.2]`, "a=1"},
		{"a pair a line", `[{"page_content":"a"},3]` + "\n" + `[{"page_content":"b"},1]`, "a=1 b=0"},
		{"a pair of text and score", `{"results":[["a",3],["b",1]]}`, "a=1 b=0"},
		{"LlamaIndex", `[{"node":{"id_":"1","embedding":null,"metadata":{"file_path":"f"},"text":"a","class_name":"TextNode"},"score":0.9,"class_name":"NodeWithScore"},{"node":{"text":"b"},"score":0.4}]`, "a=1 b=0"},
		{"LlamaIndex, newer", `[{"node":{"text_resource":{"text":"a"},"metadata":{}},"score":0.9}]`, "a=1"},
		{"LlamaIndex, a score of null", `[{"node":{"text":"a"},"score":null}]`, "a=-"},
		{"LlamaIndex, an answer", `{"response":"r","source_nodes":[{"node":{"text":"a"},"score":0.9},{"node":{"text":"b"},"score":0.4}],"metadata":{}}`, "a=1 b=0"},
		{"LlamaIndex, a store", `{"docstore/metadata":{"1":{}},"docstore/data":{"1":{"__data__":{"id_":"1","text":"a","metadata":{"file_name":"f"}},"__type__":"1"},"2":{"__data__":{"text":"b"},"__type__":"1"}}}`, "a=- b=-"},
		{"text and metadata", `[{"text":"a","metadata":{"title":"t"}},{"text":"b","metadata":{}}]`, "a=- b=-"},
		{"results", `{"results":[{"text":"a","score":80},{"text":"b","score":99},{"text":"c","score":84.75}]}`, "a=0 b=1 c=0.25"},
		{"logits", `{"results":[{"text":"a","score":-1.5},{"text":"b","score":-9.5},{"text":"c","score":-3.5}]}`, "a=1 b=0 c=0.75"},
		{"a reranker", `{"id":"x","results":[{"index":1,"relevance_score":0.9,"document":{"text":"a"}},{"index":0,"relevance_score":0.1,"document":{"text":"b"}}]}`, "a=1 b=0"},
		{"a reranker with plain documents", `{"data":[{"index":1,"relevance_score":0.9,"document":"a"},{"index":0,"relevance_score":0.1,"document":"b"}]}`, "a=1 b=0"},
		{"a reranker with its request", `{"query":"q","documents":["x","y"],"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.1}]}`, "y=1 x=0"},
		{"a reranker, the request's documents being objects", `{"results":[{"index":1,"relevance_score":0.9}],"documents":[{"text":"x"},{"text":"y"}]}`, "y=1"},
		{"distances: the least is the best", `[{"text":"a","distance":0.1},{"text":"b","distance":0.5},{"text":"c","distance":0.2}]`, "a=1 b=0 c=0.75"},
		{"a score before a distance", `[{"text":"a","distance":0.1,"score":1},{"text":"b","distance":0.5,"score":2}]`, "a=0 b=1"},
		{"columns", `{"ids":["1","2"],"documents":["a","b"],"metadatas":[{"source":"f"},null]}`, "a=- b=-"},
		{"columns of one query", `{"ids":[["1","2"]],"documents":[["a","b"]],"distances":[[0.2,0.6]],"metadatas":[[{"source":"f"},{}]],"embeddings":null}`, "a=1 b=0"},
		{"matches", `{"matches":[{"id":"1","score":0.9,"values":[1,2],"metadata":{"text":"a"}},{"id":"2","score":0.1,"metadata":{"text":"b","page":2}}]}`, "a=1 b=0"},
		{"points", `{"result":{"points":[{"id":1,"score":0.9,"payload":{"page_content":"a","metadata":{"k":1}}},{"id":2,"score":0.3,"payload":{"page_content":"b"}}]}}`, "a=1 b=0"},
		{"hits", `{"took":1,"hits":{"total":2,"hits":[{"_id":"1","_score":7.5,"_source":{"text":"a"}},{"_id":"2","_score":2.5,"_source":{"text":"b"}}]}}`, "a=1 b=0"},
		{"search results", `{"query":"q","results":[{"title":"t","url":"u","content":"a","score":0.9},{"title":"t","url":"u","content":"b","score":0.5}]}`, "a=1 b=0"},
		{"contents in blocks", `{"data":[{"file_id":"f","filename":"n","score":0.9,"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`, "a\nb=1"},
		{"beside an answer", `{"query":"q","result":"r","source_documents":[{"page_content":"a"}]}`, "a=-"},
		{"beside an answer called text", `{"text":"r","source_documents":[{"page_content":"a"}]}`, "a=-"},
		{"context", `{"input":"q","context":[{"page_content":"a"}],"answer":"r"}`, "a=-"},
		{"contexts that are texts", `{"question":"q","contexts":["a","b"],"answer":"r"}`, "a=- b=-"},
		{"documents that are texts", `{"documents":["a","b"],"scores":[1,2]}`, "a=0 b=1"},
		{"all scores equal", `[{"text":"a","score":0.5},{"text":"b","score":0.5}]`, "a=1 b=1"},
		{"scores as text", `[{"text":"a","score":"0.5"},{"text":"b","score":"0.25"}]`, "a=1 b=0"},
		{"some without a score", `[{"text":"a","score":0.5},{"text":"b"},{"text":"c","score":0.25}]`, "a=1 b=- c=0"},
		{"scores in the metadata", `[{"page_content":"a","metadata":{"relevance_score":0.9}},{"page_content":"b","metadata":{"relevance_score":0.2}}]`, "a=1 b=0"},
		{"scores as far apart as can be", `[{"text":"a","score":1.7e308},{"text":"b","score":-1.7e308},{"text":"c","score":0}]`, "a=1 b=0 c=0.5"},
		{"within the answer of a pipeline", `{"retriever":{"documents":[{"id":"1","content":"a","meta":{},"score":0.5},{"id":"2","content":"b","meta":{},"score":0.25}]}}`, "a=1 b=0"},
		{"contents that are objects", `{"retrievalResults":[{"content":{"text":"a"},"location":{"type":"S3"},"score":0.5},{"content":{"text":"b"},"score":0.25}]}`, "a=1 b=0"},
		{"entities", `{"data":[{"id":1,"distance":0.25,"entity":{"text":"a"}},{"id":2,"distance":0.5,"entity":{"text":"b"}}]}`, "a=1 b=0"},
		{"passages of a reader", `{"question":"q","answers":["r"],"ctxs":[{"id":"1","title":"t","text":"a","score":"81.5"},{"id":"2","title":"t","text":"b","score":"80.5"}]}`, "a=1 b=0"},
		{"a corpus", `{"_id":"1","title":"t","text":"a"}` + "\n" + `{"_id":"2","title":"","text":"b"}`, "t a=- b=-"},
		{"a text of its own beside a content", `[{"text":"a","content":"x","score":1}]`, "a=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := mustRead(t, c.in, Options{Strict: true})
			if l.Format != Documents || hints(l) != c.want || l.Conversation {
				t.Errorf("format %s, hints %q, want %q", l.Format, hints(l), c.want)
			}
			if l.HasScores != strings.Contains(c.want, "=0") && l.HasScores != strings.Contains(c.want, "=1") {
				t.Errorf("has scores: %v", l.HasScores)
			}
			for i := range l.Set.Len() {
				if it := l.Set.Item(i); !it.Kind.Is(model.Document) || it.Source != model.Rag || it.Count != model.Estimated {
					t.Errorf("item %d: %+v", i, it)
				}
			}
		})
	}
}

// What is known of a document is kept, but for embeddings and marks of the form.
func TestDocumentMetadata(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     map[string]any
	}{
		{"LangChain", `[{"lc":1,"type":"constructor","id":["x"],"kwargs":{"page_content":"a","metadata":{"source":"f.md","page":3}}}]`, map[string]any{"source": "f.md", "page": json.Number("3")}},
		{"pair", `[[{"page_content":"a","metadata":{"source":"f.md"}},0.25]]`, map[string]any{"source": "f.md", "score": json.Number("0.25")}},
		{"LlamaIndex", `[{"node":{"id_":"1","embedding":[0.1,0.2],"text":"a","metadata":{"file_path":"f"}},"score":0.90}]`, map[string]any{"id_": "1", "file_path": "f", "score": json.Number("0.90")}},
		{"columns", `{"ids":[["7"]],"documents":[["a"]],"distances":[[0.5]],"metadatas":[[{"source":"f"}]]}`, map[string]any{"id": "7", "distance": json.Number("0.5"), "source": "f"}},
		{"the text among it", `{"matches":[{"id":"1","score":2,"metadata":{"text":"a","title":"t"}}]}`, map[string]any{"id": "1", "score": json.Number("2"), "title": "t"}},
		{"the outer before the inner", `[{"text":"a","source":"out","metadata":{"source":"in","k":null}}]`, map[string]any{"source": "out"}},
	} {
		l := mustRead(t, c.in, Options{})
		musttest.Is(t, l.Set.Item(0).Metadata, c.want, c.name)
	}
	l := mustRead(t, `[{"text":"a","metadata":{"last_modified_date":"2024-05-01"}},{"text":"b","metadata":{"date":"soon"}}]`, Options{})
	if at := l.Set.Item(0).Timestamp; !at.Set || !at.Value.Equal(time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)) || l.Set.Item(1).Timestamp.Set {
		t.Errorf("timestamps %v, %v", at, l.Set.Item(1).Timestamp)
	}
}

// A file for several queries is not mixed into one set.
func TestSeveralQueries(t *testing.T) {
	for _, c := range []struct{ name, in, brief string }{
		{"a query a line", `{"query":"first","documents":[{"text":"a"}]}` + "\n" + `{"query":"second","documents":[{"text":"b"},{"text":"c"}]}`, `1: "first", 1 document; 2: "second", 2 documents`},
		{"an array of them", `[{"question":"first","contexts":["a"]},{"question":"second","contexts":["b","c"]}]`, `1: "first", 1 document; 2: "second", 2 documents`},
		{"results in results", `{"results":[{"query":"first","documents":["a"]},{"query":"second","documents":["b","c"]}]}`, `1: "first", 1 document; 2: "second", 2 documents`},
		{"columns", `{"queries":["first","second"],"documents":[["a"],["b","c"]],"distances":[[1],[3,4]]}`, `1: "first", 1 document; 2: "second", 2 documents`},
		{"lists", `[[[{"page_content":"a"},1]],[[{"page_content":"b"},2],[{"page_content":"c"},1]]]`, `1: 1 document; 2: 2 documents`},
	} {
		_, err := Read(context.Background(), "f", []byte(c.in), Options{})
		if se, ok := errors.AsType[*record.SelectError](err); !ok || se.Total != 2 || !strings.HasSuffix(err.Error(), "f holds 2 result sets: choose one with --select N, from 1 to 2 ("+c.brief+")") {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := hints(mustRead(t, c.in, Options{Select: 1})); !strings.HasPrefix(got, "a=") {
			t.Errorf("%s: first %q", c.name, got)
		}
		if got := mustRead(t, c.in, Options{Select: 2}); got.Set.Len() != 2 || got.Set.Item(0).Content != "b" {
			t.Errorf("%s: second %q", c.name, hints(got))
		}
		if _, err := Read(context.Background(), "f", []byte(c.in), Options{Select: 3}); err == nil || err.Error() != "f holds 2 result sets, there is no number 3: choose one with --select N, from 1 to 2 ("+c.brief+")" {
			t.Errorf("%s: third %v", c.name, err)
		}
	}
	many := strings.Repeat(`{"query":"\u001b[31mq\u202e","documents":["a"]}`+"\n", 25)
	_, err := Read(context.Background(), "f", []byte(many), Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "; and 20 more, which runs FILE lists)") || strings.ContainsAny(err.Error(), "\x1b\u202e") {
		t.Errorf("many: %v", err)
	}
}

// One bad document costs itself alone.
func TestBadDocuments(t *testing.T) {
	for _, c := range []struct{ name, record, reason string }{
		{"not JSON", `{"text":`, "1 not JSON"},
		{"a number", `7`, "1 record that is a number instead of a document"},
		{"no text", `{"score":1}`, "1 document without text"},
		{"blank text", `{"text":" \n","score":1}`, "1 document without text"},
		{"text an object", `{"text":{},"score":1}`, "1 document without text"},
		{"an index only", `{"index":0,"relevance_score":1}`, "1 result that names a document by its index only"},
		{"an array", `[1,2]`, "1 record that is an array instead of a document"},
		{"a depth bomb", `{"text":"x","a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "1 not JSON"},
	} {
		lines := `{"text":"first","score":1}` + "\n" + c.record + "\n" + `{"text":"last","score":2}`
		l := mustRead(t, lines, Options{})
		musttest.Is(t, hints(l), "first=0 last=1", c.name)
		musttest.Says(t, l.Report.Summary(), "skipped 1 line: "+c.reason, c.name)
		var re *RecordError
		if _, err := Read(context.Background(), "f", []byte(lines), Options{Strict: true}); !errors.As(err, &re) || re.Place != 2 {
			t.Errorf("%s, strict: %v", c.name, err)
		}
	}
}

// Only result sets that can be opened are counted and listed.
func TestEmptyResultSetsAreNotListed(t *testing.T) {
	const sets = `{"query":"a","documents":[]}` + "\n" + `{"query":"b","documents":["one"]}` + "\n" + `{"query":"c","documents":[]}` + "\n" + `{"query":"d","documents":["two"]}`
	_, err := Read(context.Background(), "f", []byte(sets), Options{})
	if err == nil || !strings.Contains(err.Error(), `2 result sets`) || strings.Contains(err.Error(), "0 documents") {
		t.Error(err)
	}
	l := mustRead(t, sets, Options{Select: 2})
	musttest.Is(t, outline(l), "Document: two")
	musttest.Says(t, l.Report.Summary(), "2 result sets without a document")
}

func TestDocumentNotes(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"some without a score", `[{"text":"a","score":1},{"text":"b"},{"text":"c"}]`, "2 documents without a score among others"},
		{"no number", `[{"text":"a","score":"high"}]`, "1 score that is not a finite number"},
		{"beyond a float64", `[{"text":"a","score":1e999}]`, "1 score that is not a finite number"},
		{"rising", `[[{"page_content":"a"},0.1],[{"page_content":"b"},0.2],[{"page_content":"c"},0.3]]`, "scores that rise from the first document to the last"},
		{"falling distances", `[{"text":"a","distance":3},{"text":"b","distance":2},{"text":"c","distance":1}]`, "distances that fall from the first document to the last"},
		{"embeddings", `[{"text":"a","embedding":[1,2]}]`, "1 embedding, left out"},
		{"cut off", `{"documents":[{"text":"a"},{"te`, "damaged: document ends early (line 1); skipped 1 document"},
		{"strays", `{"query":"q","documents":["a"]}` + "\n{}", "1 record that is neither a document nor a result set"},
	} {
		musttest.Says(t, mustRead(t, c.in, Options{}).Report.Summary(), c.want, c.name)
	}
	falling := mustRead(t, `[{"text":"a","distance":1},{"text":"b","distance":2},{"text":"c","distance":3}]`, Options{})
	musttest.Is(t, len(falling.Report.Entries), 0, "distances", falling.Report.Lines())
	musttest.Is(t, hints(falling), "a=1 b=0.5 c=0", "distances", falling.Report.Lines())
}
