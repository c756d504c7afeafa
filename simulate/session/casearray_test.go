package session

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"cupelscope/model/musttest"
)

func elementsOf(t *testing.T, text string) (all []string, failed error) {
	t.Helper()
	for e, err := range elements(bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))) {
		if err != nil {
			return all, err
		}
		all = append(all, string(e))
	}
	return all, nil
}

func TestElements(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		"[]":                        nil,
		" [ 1 , \"a]b\" ,[2,[3]]] ": {"1", `"a]b"`, "[2,[3]]"},
		`[{"a": "\"}]\\"}, {}]x`:    {`{"a": "\"}]\\"}`, "{}"},
		`[{"a": NaN}]`:              {`{"a": NaN}`},
		`{"a": [1]}`:                nil,
		`"[1]"`:                     nil,
	} {
		musttest.Is(t, musttest.Of(elementsOf(t, text))(t), want, text)
	}
	for _, text := range []string{"[", "[1", `[{"a": 1}`, `["a`, `[{"a": "\`} {
		if _, err := elementsOf(t, text); err == nil {
			t.Errorf("%q is taken for whole", text)
		}
	}
}

// FuzzElements: of an array in JSON the elements are those that package json finds.
func FuzzElements(f *testing.F) {
	f.Add(`[{"a": "]\""}, [1, [2]], "x,y", -1.5e3, null]`)
	f.Add(` [ ] `)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := elementsOf(t, text)
		var want []json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %q, %v, want %q", text, got, err, want)
		}
		for k := range want {
			musttest.Is(t, got[k], string(want[k]), text, "element", k, "is", want[k])
		}
	})
}
