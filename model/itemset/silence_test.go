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

	"cupelscope/model/itemset/internal/agents"
	"cupelscope/model/itemset/internal/blocks"
	"cupelscope/model/itemset/internal/chat"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/documents"
	"cupelscope/model/itemset/internal/otel"
	"cupelscope/model/musttest"
)

// noContent are the members that readers say hold no content, which need not be told.
var noContent = slices.Concat(chat.NoContent, chat.RequestNoContent, agents.ClaudeNoContent, agents.CodexNoContent, agents.RowsNoContent, blocks.NoContent, cupel.ReportNoContent,
	documents.NoContent, otel.NoContent, chat.StreamNoContent, documents.MemoryNoContent)

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

// leaves calls f for each string in a JSON value, with the keys on the way to it, the
// numbers of the elements from 1, and a function that puts another in its place.
func leaves(value any, path []string, numbers []int, set func(any), f func(path []string, numbers []int, is string, put func(any))) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			leaves(v[key], append(path[:len(path):len(path)], key), numbers, func(x any) { v[key] = x }, f)
		}
	case []any:
		for i := range v {
			leaves(v[i], path, append(numbers[:len(numbers):len(numbers)], i+1), func(x any) { v[i] = x }, f)
		}
	case string:
		if v != "" {
			f(path, numbers, v, set)
		}
	}
}

// spot is one string of a sample, or a line of one that is no JSON, with what the
// sample is with a marker there.
type spot struct {
	path    []string // of keys; nil: a line
	record  int      // from 1
	numbers []int    // of the elements of the arrays around it, from 1
	with    func(marker string) string
}

// spots are all of a sample.
func spots(t testing.TB, in string) []spot {
	separator, records := "", []string{in}
	if !json.Valid([]byte(in)) {
		separator, records = "\n", strings.Split(in, "\n")
	}
	var all []spot
	for k, text := range records {
		put := func(text string) string {
			with := slices.Clone(records)
			with[k] = text
			return strings.Join(with, separator)
		}
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			if text != "" {
				all = append(all, spot{nil, k + 1, nil, func(marker string) string { return put(text + "\n" + marker) }})
			}
			continue
		}
		leaves(value, nil, nil, func(any) {}, func(path []string, numbers []int, is string, set func(any)) {
			all = append(all, spot{path, k + 1, numbers, func(marker string) string {
				set(marker)
				raw, err := json.Marshal(value)
				set(is)
				musttest.Do(t, err)
				return put(string(raw))
			}})
		})
	}
	return all
}

// whereTold are the places in a report, which a line more moves.
var whereTold = regexp.MustCompile(`\([a-z]+ [0-9][^)]*\)`)

// silent reports whether a text at a spot of a sample leaves no trace: it is not in
// an item, in its metadata or in the facts, the report does not tell of the member
// that it was put into, nor that the record was skipped, and no reader says that the
// member holds no content.
func (p spot) silent(t *testing.T, s sample, marker string) (report string, is bool) {
	_, before, err := effect(t, s.in)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	first, report, err := effect(t, p.with(marker))
	if err != nil {
		return "", false // refused aloud
	}
	second, _, err := effect(t, p.with("another than "+marker))
	told := whereTold.ReplaceAllString(report, "") != whereTold.ReplaceAllString(before, "") || slices.ContainsFunc(p.path, func(key string) bool { return strings.Contains(report, key) })
	for line := range strings.SplitSeq(report, "\n") { // the whole record is not used
		if strings.HasPrefix(line, "skipped") || strings.HasPrefix(line, "left out") {
			for _, n := range append(p.numbers, p.record) {
				told = told || strings.Contains(line, fmt.Sprintf(" %d,", n)) || strings.Contains(line, fmt.Sprintf(" %d)", n))
			}
		}
	}
	return report, err == nil && first == second && !told && !slices.ContainsFunc(p.path, func(key string) bool {
		return slices.Contains(noContent, key) || slices.Contains(noContent, key[strings.LastIndexByte(key, '.')+1:])
	})
}

func TestNothingIsLostInSilence(t *testing.T) {
	musttest.Alone(t)
	for _, s := range append(slices.Clone(older), formatSamples...) {
		for _, p := range spots(t, s.in) {
			if report, silent := p.silent(t, s, "a marker"); silent {
				t.Errorf("%s: %s of record %d is neither read nor told:\n%s", s.name, strings.Join(p.path, "."), p.record, report)
			}
		}
	}
}

func FuzzNothingIsLostInSilence(f *testing.F) {
	f.Add(uint(0), uint(0), "a marker")
	f.Add(uint(3), uint(9), strings.Repeat("long ", 1000))
	f.Fuzz(func(t *testing.T, number, at uint, marker string) {
		s := formatSamples[number%uint(len(formatSamples))]
		all := spots(t, s.in)
		p := all[at%uint(len(all))]
		if p.path == nil && strings.Contains(marker, ":") {
			t.Skip("a line that is a comment or a field of an event holds no content")
		}
		if report, silent := p.silent(t, s, marker); silent && strings.TrimSpace(marker) != "" {
			t.Errorf("%s: %q in %s of record %d is neither read nor told:\n%s", s.name, marker, strings.Join(p.path, "."), p.record, report)
		}
	})
}

// What was not read is told in one order.
func TestUnreadAttributesAreToldInOneOrder(t *testing.T) {
	const span = `{"name":"chat","attributes":{"gen_ai.input.messages":"[{\"role\":\"user\",\"content\":\"a\"}]","c":"text","a":"text","d":"text","b":"text"}}`
	want := mustRead(t, span, Options{}).Report.Summary()
	for range 20 {
		if got := mustRead(t, span, Options{}).Report.Summary(); got != want || !strings.Contains(got, "attributes.a, attributes.b") {
			t.Fatalf("%s, and before %s", got, want)
		}
	}
}
