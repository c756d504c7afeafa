package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/relevance"
)

// A BEIR folder holds documents in corpus.jsonl, queries in queries.jsonl, and
// labels in qrels/*.tsv. Each query is a case. Its items are the first documents
// that a TREC run, or BM25, ranks for it.

// caseDocuments is the largest number of documents of a query.
const caseDocuments = 1000

// beirFiles holds the flags that apply to BEIR folders.
type beirFiles struct {
	run    string             // path of a TREC run; "": BM25 finds the documents
	found  []byte             // what it holds
	labels *quality.LabelFile // used instead of the folder's own; nil: there is none
}

// beirSet is a BEIR folder that was read.
type beirSet struct {
	corpus *Opened
	number map[string]int           // the number of each document, by its id
	found  map[string][]runDocument // what the run found, by query; nil: there is no run
	labels *quality.LabelFile
}

// runDocument is a line of a TREC run.
type runDocument struct {
	item  int
	score float64
}

// beirQuery is the payload of a parcel that holds a query.
type beirQuery struct {
	set      *beirSet
	id, text string
}

// errNoFolder reports --run where it does not apply.
var errNoFolder = errors.New("--run is for a folder of BEIR, with corpus.jsonl and queries.jsonl: no source is one")

// isBEIR reports whether a source is a BEIR folder.
func isBEIR(source string) bool {
	return !slices.ContainsFunc([]string{"corpus.jsonl", "queries.jsonl"}, func(name string) bool {
		info, err := os.Stat(filepath.Join(source, name))
		return err != nil || !info.Mode().IsRegular()
	})
}

// feedBEIR sends the queries that the labels name.
func (c *Cases) feedBEIR(ctx context.Context, dir string, put flow.Put) error {
	set, err := c.openBEIR(ctx, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	file, err := os.Open(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return err
	}
	defer file.Close() // only read
	return eachLine(flow.Until(ctx, file), func(line string) error {
		var q struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil || q.ID == "" {
			return fmt.Errorf("not a query with _id and text: %.60q", line)
		}
		if only := c.Choices.Options.Select; len(set.labels.Named(q.ID)) == 0 || only != "" && q.ID != only {
			return nil
		}
		return put(func(p *flow.Parcel) (int64, error) {
			p.Source, p.Number, p.Payload = dir, 0, beirQuery{set, q.ID, q.Text}
			return 0, nil
		})
	})
}

func (c *Cases) openBEIR(ctx context.Context, dir string) (*beirSet, error) {
	set := &beirSet{labels: c.beir.labels, number: map[string]int{}}
	if set.labels == nil {
		path, err := qrelsOf(dir)
		if err != nil {
			return nil, err
		}
		if set.labels, err = readLabels(ctx, path); err != nil {
			return nil, err
		}
	}
	choices := *c.Choices
	choices.Reading.Select, choices.labels = 0, nil // they are of queries
	choices.notes = newCaseNotes()
	loaded, err := itemset.Load(ctx, []string{filepath.Join(dir, "corpus.jsonl")}, choices.Reading)
	if err != nil {
		return nil, err
	}
	c.Choices.notes.read(loaded)
	if set.corpus, err = choices.OpenCounted(ctx, loaded); err != nil {
		return nil, err
	}
	for i := range set.corpus.Set.Len() {
		id, _ := set.corpus.Set.Loaded(i).Metadata["_id"].(string)
		if id == "" {
			return nil, fmt.Errorf("document %d of the corpus has no _id", i)
		}
		set.number[id] = i
	}
	if c.beir.run != "" {
		if set.found, err = readRun(ctx, c.beir.found, set.number); err != nil {
			return nil, fmt.Errorf("--run: %s: %w", c.beir.run, err)
		}
	}
	return set, nil
}

// qrelsOf returns the path of a folder's labels: the test split, or the
// only file.
func qrelsOf(dir string) (string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "qrels", "*.tsv"))
	if err != nil {
		return "", err
	}
	test := filepath.Join(dir, "qrels", "test.tsv")
	switch {
	case slices.Contains(all, test):
		return test, nil
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return "", &fs.PathError{Op: "open", Path: test, Err: errors.New("no labels there; give them with --labels")}
	}
	return "", fmt.Errorf("qrels has %d files, none of them test.tsv: choose one with --labels", len(all))
}

// readRun reads a TREC run, whose lines are: qid Q0 docid rank score tag.
func readRun(ctx context.Context, text []byte, number map[string]int) (map[string][]runDocument, error) {
	found := map[string][]runDocument{}
	err := eachLine(flow.Until(ctx, bytes.NewReader(text)), func(line string) error {
		f := strings.Fields(line)
		if len(f) != 6 {
			return fmt.Errorf("%s in place of 6: qid Q0 docid rank score tag", plain.Count(len(f), "field"))
		}
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
			return fmt.Errorf("the score %.40q is not a finite number", f[4])
		}
		item, ok := number[f[2]]
		if !ok {
			return fmt.Errorf("the document %.40q is not in the corpus", f[2])
		}
		found[f[0]] = append(found[f[0]], runDocument{item, score})
		return nil
	})
	return found, err
}

// eachLine calls do for each line of a file that is not blank. Its errors name the
// line.
func eachLine(file io.Reader, do func(line string) error) error {
	lines := flow.NewLines(file, flow.MaxLine, 0)
	for {
		line, tooLong, err := lines.Next(nil)
		number := plain.Thousands(lines.Number)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case tooLong:
			return fmt.Errorf("line %v is longer than %v bytes", number, plain.Thousands(flow.MaxLine))
		}
		if err := do(strings.TrimSpace(string(line))); err != nil {
			return fmt.Errorf("line %v: %w", number, err)
		}
	}
}

// open returns the case of a query: its documents, the best first. Documents from a
// run have its scores, scaled to 0 to 1; without a run the query's text scores them.
func (q beirQuery) open(ctx context.Context) (*itemset.Loaded, error) {
	documents := slices.Clone(q.set.found[q.id])
	if q.set.found == nil {
		corpus := q.set.corpus.Set
		scores, err := relevance.BM25(ctx, q.text, corpus.Len(), func(i int) string { return corpus.Loaded(i).Content })
		if err != nil {
			return nil, err
		}
		for i, score := range scores {
			documents = append(documents, runDocument{i, score})
		}
	}
	sort.SliceStable(documents, func(i, j int) bool { return documents[i].score > documents[j].score })
	documents = documents[:min(len(documents), caseDocuments)]
	if len(documents) == 0 {
		return nil, errors.New("the run found no document for it")
	}
	most, least := documents[0].score, min(0, documents[len(documents)-1].score)
	items := make([]model.Item, len(documents))
	for k, d := range documents {
		items[k] = q.set.corpus.Set.Item(d.item)
		if q.set.found != nil {
			items[k].FutureRelevanceHint = model.Some(0.0)
			if most > least {
				items[k].FutureRelevanceHint.Value = (d.score - least) / (most - least)
			}
		}
	}
	set, err := model.NewSet(items)
	if err != nil {
		return nil, err
	}
	l := *q.set.corpus.Loaded
	l.Set, l.HasScores, l.Pending, l.Question = set, q.set.found != nil, nil, q.text
	l.Labels, err = q.set.labels.Labels(q.id, set, func(id string) bool {
		_, exists := q.set.number[id]
		return exists
	})
	return &l, err
}
