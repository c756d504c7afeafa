package jsonwalk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
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
	for c := range 256 { // every byte at every place of a word, and of a block
		for k := range shortString + blockSize + 2 {
			all = append(all, `"`+strings.Repeat("x", k)+string([]byte{byte(c)})+strings.Repeat("\u00e9", 6+k/9*6)+`"`)
		}
	}
	return all
}

func TestValidIsThatOfTheStandardLibrary(t *testing.T) {
	for _, text := range texts() {
		musttest.Is(t, valid([]byte(text), nil), json.Valid([]byte(text)), text)
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

// FuzzMembers: walking with the ends that checking found is walking without, at any depth, in
// any order, and for what is no part of the text that was checked.
func FuzzMembers(f *testing.F) {
	long := strings.Repeat(`x\"`, longValue)
	for _, text := range []string{
		`{}`, ` { } `, `[]`, `1`, `{"a":1,"b":"x\"","content":[{"a":{}}],"\u0061":null}`, `{"a":{"b":[1,2]} , "c" : "d" }`,
		`[{"a":1},{},[],"x",null , {"tokens": 5 } ]`, `[[],[[]]]`, `[1 , 2]`, `{"a":`, `"` + long + `"`,
		` [ {"a":"` + long + `" ,"b":["` + long + `"]}, {"a":1 ,"b" : "` + long + `"}] `, strings.Repeat(`[`, 70) + strings.Repeat(`]`, 70),
		`[` + strings.Repeat(`{"a":"b"},`, 30) + `["` + long[3:] + `"]]`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var ends Ends
		if ok := ValidEnds(data, &ends); ok != json.Valid(data) {
			t.Fatalf("%q: %v", data, ok)
		} else if !ok && ends.text != nil {
			t.Fatalf("%q is not valid and has ends", data)
		} else if !ok {
			return
		}
		var want []string
		walk(&want, data, nil, 0)
		another := append([]byte("  "), data...)
		for _, text := range [][]byte{data, data, another[2:]} {
			var got []string
			if walk(&got, text, &ends, 0); !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", data, got, want)
			}
		}
	})
}

// walk appends all keys and values of a text as they are met: those of an object or array
// after the value of it, of every second one before that of the next, and else at the end.
func walk(met *[]string, text []byte, ends *Ends, depth int) {
	if depth > 50 {
		return
	}
	var later [][]byte
	for key, value := range MembersTo(text, ends) {
		if *met = append(*met, key, string(value)); len(*met)%4 == 0 {
			walk(met, value, ends, depth+1)
		} else {
			later = append(later, value)
		}
	}
	for at, value := range ElementsAt(text, ends) {
		if *met = append(*met, fmt.Sprint(at), string(value)); len(*met)%4 == 0 {
			walk(met, value, ends, depth+1)
		} else {
			later = append(later, value)
		}
	}
	slices.Reverse(later)
	for _, value := range later {
		walk(met, value, ends, depth+1)
	}
}

// A text of very many long values has no more ends than it may, and is walked as any other.
func TestEndsAreBounded(t *testing.T) {
	const deep = 5000
	text := []byte("[" + strings.Repeat(strings.Repeat("[", deep)+strings.Repeat("]", deep)+",", 40) + "0]")
	var ends Ends
	if !ValidEnds(text, &ends) || len(ends.long) != 1<<16+len(text)/64 {
		t.Errorf("%d ends of %d bytes", len(ends.long), len(text))
	}
	if got, want := slices.Collect(ElementsTo(text, &ends)), slices.Collect(Elements(text)); !slices.EqualFunc(got, want, bytes.Equal) || len(got) != 41 {
		t.Errorf("%d elements, want %d", len(got), len(want))
	}
}
