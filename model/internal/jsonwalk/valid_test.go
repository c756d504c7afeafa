package jsonwalk

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
)

// texts are valid and broken in the ways that a validator gets wrong.
func texts() []string {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	all := []string{
		"", " ", "null", "nul", "nulls", "true ", "tru", "false", "falsy", "\ufeff1", "1 2", "[] []", "}", "]", ",", ":",
		"0", "-0", "01", "-", "-a", "1.", ".5", "1.5", "1.5e", "1e5", "1E+5", "1e-", "1e+05", "0e0", "0.0E-0", "+1", "1a", "0x1", "NaN",
		`""`, `"`, `"a`, `"\"`, `"\\"`, `"\u00e9"`, `"\u00eg"`, `"\u00e`, `"\x"`, `"\`, "\"\t\"", "\"\x00\"", "\"\x1f\"", "\"\x7f\x80\xff\"",
		`"12345678"`, `"1234567`, "\"1234567\n\"", "\"12345678\n\"", `"1234567\n9"`, `"12345678\"0"`, "\"\u2028\u00e9\u00e9\u00e9\u00e9\"",
		"[]", "[ ]", "[,]", "[1,]", "[1 2]", "[1,2]", "[1}", "[", "[1", "[1,", "[[]]", "[[],{}]", " [ 1 , 2 ] ",
		"{}", "{ }", "{,}", `{"a"}`, `{"a":}`, `{"a":1}`, `{"a":1,}`, `{"a":1,"b":[{}]}`, `{a:1}`, `{"a" : 1 , "b" : 2 }`, `{"a":1]`, `{"a":1`, `{"a":`, `{"a"`, `{1:2}`, `{"a":1 "b":2}`,
		`{"a":{"b":[1,{"c":null}]}}`, `[{"a":1},]`, `[{}}`, `{"a":[}`,
		nested(maxNesting), nested(maxNesting + 1), strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70),
	}
	for c := range 256 { // every byte at every place of a word
		for k := range 9 {
			all = append(all, `"`+strings.Repeat("x", k)+string([]byte{byte(c)})+strings.Repeat("\u00e9", 6)+`"`)
		}
	}
	return all
}

func TestValidIsThatOfTheStandardLibrary(t *testing.T) {
	for _, text := range texts() {
		if got, want := valid([]byte(text), nil), json.Valid([]byte(text)); got != want {
			t.Errorf("%.60q: %v, want %v", text, got, want)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, text := range texts()[:90] {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := valid(data, nil), json.Valid(data); got != want {
			t.Fatalf("%q: %v, want %v", data, got, want)
		}
		if err := Check(data); (err == nil) != json.Valid(data) {
			t.Fatalf("%q: Check says %v", data, err)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	var s strings.Builder
	s.WriteString("[")
	for i := range 100 {
		fmt.Fprintf(&s, `{"content":"%s \"%d\"","tokens":%d,"kind":"Message","futureRelevanceHint":0.%d},`, strings.Repeat("some text, ", 20), i, i, i)
	}
	s.WriteString("{}]")
	data := []byte(s.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if Check(data) != nil {
			b.Fatal("refused")
		}
	}
}

// FuzzMembers: walking with the ends that checking found, or by the elements'
// own, is walking without.
func FuzzMembers(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { } `, `[]`, `1`, `{"a":1,"b":"x\"","content":[{"a":{}}],"\u0061":null}`, `{"a":{"b":[1,2]} , "c" : "d" }`,
		`[{"a":1},{},[],"x",null , {"tokens": 5 } ]`, `[[],[[]]]`, `[1 , 2]`, `{"a":`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ends, ok := ValidEnds(data, nil)
		if ok != json.Valid(data) {
			t.Fatalf("%q: %v", data, ok)
		}
		if !ok {
			return
		}
		list := func(all iter.Seq2[string, []byte]) (texts []string) {
			for key, value := range all {
				texts = append(texts, key, string(value))
			}
			return texts
		}
		if got, want := list(MembersTo(data, ends, new(int))), list(Members(data)); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", data, got, want)
		}
		var got, want []string
		length := 0
		for rest := range Rests(data, &length) {
			if Type(rest) == '{' {
				for key, value := range MembersTo(rest, nil, &length) {
					got = append(got, key, string(value))
				}
			}
			got = append(got, ";")
		}
		known := maps.Collect(ElementsAt(data, ends))
		for at, element := range ElementsAt(data, nil) {
			if string(known[at]) != string(element) {
				t.Fatalf("%q: element %q, want %q", data, known[at], element)
			}
			want = append(append(want, list(Members(element))...), ";")
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", data, got, want)
		}
	})
}
