package itemset

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// The rows of a table are documents or messages by its columns; a table that is broken
// stays a text, and says where it breaks.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name, file, in string
		opts           Options
		format         Format
		want, told     string
	}{
		{"a column of text", "a.csv", "id,text,score\n1,\"one, two\",0.5\n2,three,0.9\n", Options{}, Documents, "Document: one, two\nDocument: three", ""},
		{"the longest column", "a.tsv", "nr\tdescription\n1\tone\n2\ttwo\n", Options{}, Documents, "Document: one\nDocument: two", `the longest column, "description", is the text`},
		{"no column of text", "a.csv", "day,in,out\n1,100,200\n2,110,190\n", Options{}, Text, "Document: day,in,out\n1,100,200\n2,110,190\n", "no column holds half of the text"},
		{"a column that is named", "a.csv", "nr,short,long\n1,s,one and more\n", Options{Fields: Fields{Text: "short"}}, Documents, "Document: s", ""},
		{"messages", "a.csv", "role,content\nuser,hi\nassistant,ho\n", Options{}, OpenAI, "Message: hi\nMessage: ho", ""},
		{"a table that breaks", "a.csv", "a,b\n1,\"2\n", Options{}, Text, "Document: a,b\n1,\"2\n", "line 2"},
		{"a table that is asked for as text", "a.csv", "a,b\n1,2\n", Options{Format: Text}, Text, "Document: a,b\n1,2\n", ""},
	} {
		l, err := Load(context.Background(), []string{filepath.Join(files(t, map[string]string{c.file: c.in}), c.file)}, c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := outline(l); l.Format != c.format || got != c.want || !strings.Contains(l.Report.Summary(), c.told) {
			t.Errorf("%s: %s\n%s\ntold %s", c.name, l.Format, got, l.Report.Summary())
		}
	}
}
