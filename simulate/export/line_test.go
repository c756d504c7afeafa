package export

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
)

// TestAppendReport: on one line, the same as JSON, but for items.
func TestAppendReport(t *testing.T) {
	fates, _ := run(t, sample(t), sampleBudget, model.Throw)
	overflow := *fates
	overflow.Overflow = &model.Overflow{TokensOver: 50, Items: []int32{3, 1}}
	overflow.Shortfalls = []model.Shortfall{{Kind: "a\"\x1b\x7f\u0085\u2028\xff<>&", Required: 3, Satisfied: 1}, {Kind: model.Memory}}
	overflow.Codes = append([]model.Code{}, fates.Codes...)
	overflow.Codes[2], overflow.Codes[9] = model.CountCapExceeded, model.PinnedOverride
	overflow.CountCaps = func(int) (model.Kind, int, int) { return "k\nd", 2, 2 }
	overflow.Scores = append([]float64{}, fates.Scores...)
	overflow.Scores[1], overflow.Scores[2], overflow.Scores[3], overflow.Scores[4], overflow.Scores[5] = math.NaN(), math.Inf(-1), 1e-9, 1.5e300, 1e21
	for name, r := range map[string]*model.Report{"every fate": fates, "what is rare": &overflow} {
		var text bytes.Buffer
		musttest.Do(t, JSON(&text, r, ReportOptions{Timings: true}))
		want := musttest.JSON[map[string]any](t, text.Bytes())
		for _, list := range []string{"included", "excluded"} {
			for _, entry := range want[list].([]any) {
				for _, key := range []string{"item", "firstIn", "staysFrom", "atRisk"} {
					delete(entry.(map[string]any), key)
				}
			}
		}
		for _, key := range []string{"name", "format", "policy", "budgetGuessed", "slackTokens", "ceiling"} {
			delete(want, key)
		}
		want["schema"] = "cupelscope/batch/2"
		want["id"] = []any{1.0}
		line := AppendReport([]byte("before"), json.RawMessage("[1]"), r, true)
		if !bytes.HasPrefix(line, []byte(`before{"id":[1],`)) || bytes.Count(line, []byte("\n")) != 1 {
			t.Errorf("%s: %q", name, line)
		}
		musttest.Is(t, musttest.JSON[map[string]any](t, line[len("before"):]), want, name)
	}
}

// What is rare in a report is written as scenarios spell it.
func TestAppendReportSpellsWhatIsRare(t *testing.T) {
	r, _ := run(t, sample(t), sampleBudget, model.Throw)
	r.Overflow = &model.Overflow{TokensOver: 50, Items: []int32{3, 1}}
	r.Shortfalls = []model.Shortfall{{Kind: "a\"\x1b\u2028\xff<", Required: 3, Satisfied: 1}}
	first := int(r.Excluded[0])
	line := func(code model.Code) string {
		r.Codes[first] = code
		r.CountCaps = func(int) (model.Kind, int, int) { return "k\nd", 2, 3 }
		r.Scores[first] = math.Inf(1)
		return string(AppendReport(nil, json.RawMessage("1"), r, false))
	}
	for code, want := range map[model.Code]string{
		model.CountCapExceeded: `"score":null,"reason":"CountCapExceeded","kind":"k\nd","cap":2,"count":3}`,
		model.PinnedOverride:   `"reason":"PinnedOverride","displacedBy":`,
		model.Filtered:         `"reason":"Filtered","filterName":"`,
		model.Deduplicated:     `"overflow":{"tokensOverBudget":50,"indexes":[3,1]}}`,
		model.NegativeTokens:   `"shortfalls":[{"kind":"a\"\u001b\u2028` + "\ufffd" + `<","requiredCount":3,"satisfiedCount":1}]`,
	} {
		musttest.Says(t, line(code), want, code)
	}
}

func TestAppendNumberIsThatOfTheStandardLibrary(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 1e-6, 9.9e-7, 1e-7, 1e-9, 1e-10, 1e-99, 1e-100, 5e-324, -5e-324,
		1e20, 1e21, 1.5e21, 1e22, 1e99, 1e100, math.MaxFloat64, -math.MaxFloat64,
	} {
		want := musttest.Of(json.Marshal(f))(t)
		musttest.Is(t, string(appendNumber(nil, f)), string(want))
	}
}

func TestAppendOthers(t *testing.T) {
	id := json.RawMessage(`"x"`)
	_, profile := run(t, sample(t), sampleBudget, model.Throw)
	bands := AppendProfile(nil, id, profile)
	var got struct{ Bands [][][2]model.Tokens }
	if err := json.Unmarshal(bands, &got); err != nil || len(got.Bands) != 10 {
		t.Fatalf("%v in %s", err, bands)
	}
	for i, of := range got.Bands {
		want := profile.Bands(nil, i)
		if len(of) != len(want) {
			t.Fatalf("item %d: %v, want %v", i, of, want)
		}
		for k := range of {
			musttest.Is(t, of[k][0], want[k].From, "item", i, of, want)
			musttest.Is(t, of[k][1], want[k].To, "item", i, of, want)
		}
	}
	some := model.Some[model.Tokens]
	none := musttest.Of(model.NewSet(nil))(t)
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{AppendMarginal(nil, id, none, nil), `{"id":"x","schema":"cupelscope/batch/2","estimatedCounts":0,"marginal":[]}`},
		{AppendMarginal(nil, id, none, []int32{3, 0}), `{"id":"x","schema":"cupelscope/batch/2","estimatedCounts":0,"marginal":[3,0]}`},
		{AppendMinBudget(nil, id, none, MinBudget{}), `{"id":"x","schema":"cupelscope/batch/2","estimatedCounts":0,"binarySearch":null,"firstIn":null,"staysFrom":null,"bands":[]}`},
		{AppendMinBudget(nil, id, none, MinBudget{Summary: simulate.Summary{FirstIn: some(0), StaysFrom: some(7)}, BinarySearch: some(5), Bands: []simulate.Band{{From: 0, To: 0}, {From: 7, To: 1 << 40}}}),
			`{"id":"x","schema":"cupelscope/batch/2","estimatedCounts":0,"binarySearch":5,"firstIn":0,"staysFrom":7,"bands":[[0,0],[7,1099511627776]]}`},
		{AppendError(nil, id, 12, "invalid-item", "say \"it\"\n\x1b[2J\\ <é>\xff"), `{"id":"x","schema":"cupelscope/batch/2","error":{"code":"invalid-item","message":"say \"it\"\n\u001b[2J\\ <é>` + "\ufffd" + `","line":12}}`},
	} {
		musttest.Is(t, string(c.got), c.want+"\n")
	}
}

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
		musttest.Is(t, got.String()+"\n", want.String(), got.String())
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
