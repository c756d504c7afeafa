package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// Documents with scores are opened under rag, those without under document-qa
// with a warning, in whatever form they come.
func TestDocumentsChooseThePolicy(t *testing.T) {
	const unscored = "no relevance was given"
	for _, c := range []struct{ name, in, policy, warning string }{
		{"LangChain", `[{"page_content":"a"},{"page_content":"b"}]`, "document-qa", unscored},
		{"LangChain, serialised", `[{"lc":1,"type":"constructor","id":["x"],"kwargs":{"page_content":"a"}}]`, "document-qa", unscored},
		{"pairs", `[[{"page_content":"a"},0.2],[{"page_content":"b"},0.7]]`, "rag", ""},
		{"nodes", `[{"node":{"text":"a"},"score":0.9}]`, "rag", ""},
		{"nodes without scores", `[{"node":{"text":"a"},"score":null}]`, "document-qa", unscored},
		{"a store", `{"docstore/data":{"1":{"__data__":{"text":"a"}}}}`, "document-qa", unscored},
		{"a reranker", `{"results":[{"index":0,"relevance_score":0.9,"document":{"text":"a"}}]}`, "rag", ""},
		{"columns", `{"documents":[["a"]],"distances":[[0.2]],"ids":[["1"]]}`, "rag", ""},
		{"columns without distances", `{"documents":["a"],"ids":["1"]}`, "document-qa", unscored},
		{"beside an answer", `{"question":"q","contexts":["a"],"answer":"r"}`, "document-qa", unscored},
		{"a text", "plain text", "document-qa", unscored},
	} {
		path := filepath.Join(t.TempDir(), "f.txt")
		musttest.Do(t, os.WriteFile(path, []byte(c.in), 0o600))
		o, err := session.Open(context.Background(), session.Options{Sources: []string{path}}, session.Input{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if warnings := strings.Join(o.Warnings, "\n"); o.Policy.Name != c.policy || !strings.Contains(warnings, c.warning) || c.warning == "" && warnings != "" {
			t.Errorf("%s: policy %s, warnings %q", c.name, o.Policy.Name, warnings)
		}
		if !o.Guessed || o.Conversation || o.Format != itemset.Documents && o.Format != itemset.Text {
			t.Errorf("%s: format %s, guessed %v, conversation %v", c.name, o.Format, o.Guessed, o.Conversation)
		}
	}
}

// Names of files, titles, queries and scores come from outside: what is printed
// of them obeys no one.
func TestHostileDocumentNames(t *testing.T) {
	const evil = "\x1b[2J\u202eevil\x07\u200b"
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Skip("no such names here")
		}
	}
	if err := os.Mkdir(evil, 0o700); err != nil {
		t.Skip("no such names here")
	}
	write(filepath.Join(evil, evil+".md"), "text "+evil)
	write(filepath.Join(evil, evil+".bin"), "\x00")
	write(filepath.Join(evil, ".gitignore"), "*"+evil+"*x\n")
	write("results.json", `[{"text":"a","score":"`+`\u001b[31m`+`","metadata":{"title":"\u001b[31m\u202e","source":"`+`\u001b]0;x\u0007`+`"}}]`)
	write("queries.jsonl", strings.Repeat(`{"query":"\u001b[31m\u202e","documents":["a"]}`+"\n", 3))
	for _, sources := range [][]string{{evil}, {evil + "/*"}, {evil, "results.json"}, {"results.json"}, {"queries.jsonl"}, {"none" + evil}, {evil + "*/none*"}} {
		for _, output := range []string{"table", "json", "csv", "markdown"} {
			out, diagnostics, err := ran(writeReport, "", session.Options{Sources: sources}, reportOptions{answerOptions: answerOptions{Output: output}})
			all := out + diagnostics
			if err == nil && out == "" {
				t.Errorf("%q: nothing printed", sources)
			}
			if strings.ContainsAny(all, "\x1b\x07\u202e\u200b") {
				t.Errorf("%q as %s: %q", sources, output, all)
			}
		}
	}
}
