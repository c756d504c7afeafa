package tokens

import (
	"context"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// verified verifies texts, and returns what it tells by index.
func verified(t *testing.T, c *Counter, texts ...string) []Verification {
	t.Helper()
	var all []Text
	for i, text := range texts {
		all = append(all, Text{Index: i, Content: text})
	}
	got := make([]Verification, len(texts))
	told := 0
	if err := c.Verify(context.Background(), all, 2, func(v Verification) { got[v.Index] = v; told++ }); err != nil || told != len(texts) {
		t.Fatalf("%d of %d told, %v", told, len(texts), err)
	}
	return got
}

func TestVerify(t *testing.T) {
	musttest.Alone(t)
	for _, encoding := range Encodings() {
		c := counter(t, encoding)
		var texts []string
		for _, text := range samples() {
			texts = append(texts, text)
		}
		for i, v := range verified(t, c, texts...) {
			if n, _ := count(t, c, texts[i]); v.Tokens != n || v.Reference != n || v.Unverified || v.Differs() {
				t.Errorf("%s: %+v, want %v twice", encoding, v, n)
			}
		}
	}
}

func TestVerifyNamesWhatDiffers(t *testing.T) {
	c := *counter(t, "")
	// A counter that splits after each byte counts too many tokens.
	c.split = func(_ pieces, _ string, i int) int { return i + 1 }
	c.memo = newMemo()
	v := verified(t, &c, "hello", "!")
	if !v[0].Differs() || v[0].Tokens <= v[0].Reference || v[0].Reference != 1 || v[1].Differs() {
		t.Errorf("%+v", v)
	}
}

func TestVerifyLeavesLongRuns(t *testing.T) {
	musttest.Alone(t)
	c := counter(t, "")
	v := verified(t, c, strings.Repeat("é", MaxVerifiedRun), strings.Repeat("é", MaxVerifiedRun+1), strings.Repeat("\xff", MaxVerifiedRun+1), strings.Repeat("a b ", 20_000))
	for i, want := range []bool{false, true, true, false} {
		if v[i].Unverified != want || v[i].Differs() || v[i].Tokens == 0 || (v[i].Reference == 0) != want {
			t.Errorf("text %d: %+v, want unverified %v", i, v[i], want)
		}
	}
}

func TestVerifyIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	texts := make([]Text, 1000)
	for i := range texts {
		texts[i] = Text{Index: i, Content: "a few words"}
	}
	told := 0
	err := counter(t, "").Verify(ctx, texts, 1, func(Verification) { told++; cancel() })
	if err != context.Canceled || told > 3 {
		t.Errorf("%v after %d", err, told)
	}
}

// The encoding of a model is tiktoken-go's wherever that has one, and our table
// does not repeat it.
func TestEncodingsOfModelsAreTiktokens(t *testing.T) {
	for _, f := range families() {
		if theirs := tiktokenEncoding(f.Name); theirs != "" && f.Encoding != "" {
			t.Errorf("%s: %s stands in our table, and tiktoken-go says %s", f.Name, f.Encoding, theirs)
		}
	}
	known := 0
	for _, names := range []map[string]string{tiktokenModels, tiktokenPrefixes} {
		for name := range names {
			known++
			if m, ok := FindModel(name); !ok || m.Encoding != tiktokenEncoding(name) || m.Encoding == "" {
				t.Errorf("%s: %+v, tiktoken-go says %s", name, m, tiktokenEncoding(name))
			}
		}
	}
	if known < 30 {
		t.Errorf("only %d models", known)
	}
}
