package export

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestIndentIsThatOfTheStandardLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := rng.IntN(7); {
		case n < 2 && depth > 0:
			m := map[string]any{}
			for range rng.IntN(4) {
				m[[]string{"a", `q"\`, "{", "\\", "é,:"}[rng.IntN(5)]] = value(depth - 1)
			}
			return m
		case n < 4 && depth > 0:
			list := make([]any, rng.IntN(4))
			for i := range list {
				list[i] = value(depth - 1)
			}
			return list
		case n == 4:
			return `"[\"` + "\\"
		}
		return rng.IntN(9)
	}
	for range 2000 {
		v := value(maxIndented)
		var got, want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetIndent("", "  ")
		compact, err := json.Marshal(v)
		if err != nil || encoder.Encode(v) != nil {
			t.Fatal(err)
		}
		d := &indenter{to: &got}
		for len(compact) > 0 { // in pieces
			n := 1 + rng.IntN(len(compact))
			musttest.Of(d.Write(compact[:n]))(t)
			compact = compact[n:]
		}
		if got.String()+"\n" != want.String() {
			t.Fatalf("got\n%s\nwant\n%s", got.String(), want.String())
		}
	}
}

func TestDeepJSONStaysSmall(t *testing.T) {
	deep := strings.Repeat(`{"a":[1,`, 400) + "2" + strings.Repeat("]}", 400)
	var got, compact bytes.Buffer
	musttest.Of((&indenter{to: &got}).Write([]byte(deep)))(t)
	if err := json.Compact(&compact, got.Bytes()); err != nil || compact.String() != deep {
		t.Errorf("another value: %v, %.80s", err, compact.String())
	}
	if got.Len() > 2*len(deep) {
		t.Errorf("%d bytes become %d", len(deep), got.Len())
	}
}
