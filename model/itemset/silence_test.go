package itemset

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/itemset/agentlog"
	"cupelscope/model/itemset/chat"
	"cupelscope/model/itemset/claude"
	"cupelscope/model/itemset/codex"
	"cupelscope/model/itemset/cupelreport"
	"cupelscope/model/itemset/documents"
	"cupelscope/model/itemset/memoryqa"
	"cupelscope/model/itemset/otel"
	"cupelscope/model/itemset/record/blocks"
	"cupelscope/model/itemset/stream"
)

// noContent are the members that readers say hold no content, which need not be told.
var noContent = slices.Concat(chat.NoContent, chat.RequestNoContent, claude.NoContent, codex.NoContent, agentlog.NoContent, blocks.NoContent, cupelreport.NoContent,
	documents.NoContent, otel.NoContent, stream.NoContent, memoryqa.NoContent)

// effect is all that a user can see of a load, but for counts by reason.
func effect(t *testing.T, text string) (visible, report string, err error) {
	t.Helper()
	l, err := Read(context.Background(), "f", []byte(text), Options{Select: 1})
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	for i := range l.Set.Len() {
		it := l.Set.Item(i)
		fmt.Fprintf(&b, "%+v\n", it)
	}
	fmt.Fprint(&b, l.Model, l.Question, l.Labels, l.Pairs)
	if l.Recorded != nil {
		fmt.Fprint(&b, *l.Recorded)
	}
	return b.String(), strings.Join(l.Report.Lines(), "\n"), nil
}

// leaves calls f for each string in a JSON value, with the keys on the way to it and
// a function that puts another in its place.
func leaves(value any, path []string, set func(any), f func(path []string, put func(string))) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			leaves(v[key], append(path[:len(path):len(path)], key), func(x any) { v[key] = x }, f)
		}
	case []any:
		for i := range v {
			leaves(v[i], path, func(x any) { v[i] = x }, f)
		}
	case string:
		if v != "" {
			f(path, func(s string) { set(s) })
			set(v)
		}
	}
}

// A text that is put into any one string of a sample is in an item, in its metadata
// or in the facts, or the report tells of the member that it was put into, or the
// record was skipped and counted; or a reader says that the member holds no content.
func TestNothingIsLostInSilence(t *testing.T) {
	for _, s := range formatSamples {
		separator := ""
		records := []string{s.in}
		if !json.Valid([]byte(s.in)) {
			separator, records = "\n", strings.Split(s.in, "\n")
		}
		if !json.Valid([]byte(records[0])) {
			continue // no JSON
		}
		_, before, err := effect(t, s.in)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		for k, text := range records {
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err)
			}
			leaves(value, nil, func(any) {}, func(path []string, put func(string)) {
				with := func(marker string) (string, string, error) {
					put(marker)
					raw, err := json.Marshal(value)
					if err != nil {
						t.Fatal(err)
					}
					all := slices.Clone(records)
					all[k] = string(raw)
					return effect(t, strings.Join(all, separator))
				}
				first, report, err := with("the first marker")
				if err != nil {
					return // refused aloud
				}
				second, _, err := with("another, longer marker")
				told := report != before || slices.ContainsFunc(path, func(key string) bool { return strings.Contains(report, key) })
				for _, line := range strings.Split(report, "\n") { // the whole record is not used
					told = told || (strings.HasPrefix(line, "skipped") || strings.HasPrefix(line, "left out")) && regexp.MustCompile(fmt.Sprintf(`(line|record) %d[,)]`, k+1)).MatchString(line)
				}
				if err == nil && first == second && !told && !slices.ContainsFunc(path, func(key string) bool {
					return slices.Contains(noContent, key[strings.LastIndexByte(key, '.')+1:])
				}) {
					t.Errorf("%s: %s of record %d is neither read nor told:\n%s", s.name, strings.Join(path, "."), k+1, report)
				}
			})
		}
	}
}
