package jsonwalk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestMembersKeepOrderAndDuplicates(t *testing.T) {
	doc := ` { "b" : 1 , "a":{"x":[1,"}"]}, "b" : "q\"\\" ,"e\u0301":null,"":[ ] } `
	var got []string
	for k, v := range Members([]byte(doc)) {
		got = append(got, k+"="+string(v))
	}
	want := []string{"b=1", `a={"x":[1,"}"]}`, `b="q\"\\"`, "e\u0301=null", "=[ ]"}
	musttest.Is(t, got, want)
}

func TestWalkingWhatIsSomethingElse(t *testing.T) {
	for _, doc := range []string{"", "null", "12", `"{"`, "[]"} {
		for k := range Members([]byte(doc)) {
			t.Errorf("%q has member %q", doc, k)
		}
	}
	for _, doc := range []string{"", "null", "{}", `"["`, "[ ]"} {
		for v := range Elements([]byte(doc)) {
			t.Errorf("%q has element %q", doc, v)
		}
	}
}

func TestAnyKeepsDigits(t *testing.T) {
	if got := Any([]byte("12345678901234567890.10")); got != json.Number("12345678901234567890.10") {
		t.Errorf("got %v", got)
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	if Check([]byte(strings.Repeat("[", 100000)+strings.Repeat("]", 100000))) == nil {
		t.Error("100,000 levels are accepted")
	}
}

// The walk finds what encoding/json finds, for every valid document, and ends
// for every other.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"\\\""}],"c":true}`, `[1, "x" ,[ ],{}]`, `{"a"`, `{"a":}`, `"\ud83d\ude00\ud800\u0041\/"`, "\"\xff\\n\"", `[,]`, `"\"`, "{"} {
		f.Add([]byte(s))
	}
	for _, part := range []string{`\u0041`, `\n text, `, "\u00e9 \\t", "\xe4\\n\xb8 \\u00e9\x80", `\ud83d\ude00`} {
		for _, size := range []int{20, 2700, 3000, len(new([16 << 10]byte)) - 20, 17000, 50000} {
			f.Add([]byte(`"` + strings.Repeat(part, 1+size/len(part)) + `"`))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var parts [][]byte
		members := map[string]any{}
		for k, v := range Members(doc) {
			members[k] = Any(v)
		}
		for v := range Elements(doc) {
			parts = append(parts, v)
		}
		if Check(doc) != nil {
			return
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(doc))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil || !reflect.DeepEqual(Any(doc), want) {
			t.Fatalf("%q: %v, want %v, %v", doc, Any(doc), want, err)
		}
		switch want := want.(type) {
		case map[string]any:
			if !reflect.DeepEqual(members, want) {
				t.Fatalf("%q: %v, want %v", doc, members, want)
			}
		case []any:
			if joined := append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']'); !reflect.DeepEqual(Any(joined), any(want)) {
				t.Fatalf("%q: %q", doc, joined)
			}
		case string:
			if s, ok := String(doc); !ok || s != want {
				t.Fatalf("%q: %q %v", doc, s, ok)
			}
		}
	})
}

// Keys and numbers that share their memory are what they are without that.
func TestWhatIsSharedIsRead(t *testing.T) {
	for range 2 { // what the first round remembers the second finds
		for _, body := range []string{"k", "a b", "", `a\nb`, `a\\nb`, `\\n\\n` + "\xff", `\n\n` + "\uFFFD", strings.Repeat("x", longKey), "\xff"} {
			want, _ := String([]byte(`"` + body + `"`))
			for key := range Members([]byte(`{"` + body + `":1}`)) {
				if key != want {
					t.Errorf("%q is the key %q, want %q", body, key, want)
				}
			}
		}
	}
	for _, n := range []string{"0", "7", "10", "999", "1000", "-1", "1.5", "1e2", "0.1", "-0"} {
		if got := Any([]byte(n)); got != json.Number(n) {
			t.Errorf("%s is %v", n, got)
		}
	}
}

// The keys of messages and documents do not take each other's place.
func TestKeysAreShared(t *testing.T) {
	object := []byte(`{"role":0,"content":0,"name":0,"tool_calls":0,"id":0,"type":0,"function":0,"arguments":0,"text":0,"score":0,"source":0,"page":0,"title":0,` +
		`"metadata":0,"page_content":0,"kind":0,"tokens":0,"timestamp":0,"tags":0,"path":0,"message":0,"usage":0,"input":0,"output":0,"tool_use_id":0,"tool_call_id":0}`)
	if n := testing.AllocsPerRun(10, func() {
		for range Members(object) {
		}
	}); n > 3 { // of the walk
		t.Errorf("%v allocations", n)
	}
}

// Deep nesting, which a document that is not checked may have, costs a pass, not one a level.
func TestTextSizeOfDeepNesting(t *testing.T) {
	const deep = 1 << 18
	nested := []byte(strings.Repeat(`{"key":["ab",`, deep) + `"c"` + strings.Repeat(`]}`, deep))
	musttest.Is(t, TextSize(nested), 2*deep+1)
}
