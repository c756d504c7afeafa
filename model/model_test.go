package model

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

func TestTokensAreParsedAndWritten(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Tokens
	}{
		{"0", 0}, {"32000", 32000}, {"32,000", 32000}, {"32k", 32000}, {"32K", 32000}, {"32Ki", 32768}, {"1.5M", 1500000},
		{"2Mi", 1 << 21}, {"1_000", 1000}, {" 7 k ", 7000}, {"0.001k", 1}, {"1g", 1e9}, {"1024Gi", MaxTokens},
	} {
		if got, err := ParseTokens(c.in); err != nil || got != c.want {
			t.Errorf("ParseTokens(%q) = %d, %v, want %d", c.in, int64(got), err, int64(c.want))
		}
	}
	for _, in := range []string{"", "k", "-1", "1.5", "1e3", "0x10", "1/2", "1025Gi", "1..2", ".", "∞", strings.Repeat("9", 100), "32 tokens"} {
		if got, err := ParseTokens(in); err == nil {
			t.Errorf("ParseTokens(%q) = %v, %v, want an error", in, got, err)
		}
	}
	for _, c := range []struct {
		in          Tokens
		long, short string
	}{
		{0, "0", "0"}, {999, "999", "999"}, {1000, "1,000", "1k"}, {9540, "9,540", "9.5k"}, {99949, "99,949", "99.9k"}, {99950, "99,950", "100k"},
		{128000, "128,000", "128k"}, {999499, "999,499", "999k"}, {999500, "999,500", "1M"}, {-1234567, "-1,234,567", "-1.2M"},
		{MaxTokens, "1,099,511,627,776", "1.1T"},
	} {
		musttest.Is(t, c.in.String(), c.long, int64(c.in), "is written", c.in, "and")
		musttest.Is(t, c.in.Short(), c.short, int64(c.in), "is written", c.in, "and")
	}
}

func TestWholeNumber(t *testing.T) {
	for in, want := range map[string]Tokens{"12": 12, "12.0": 12, "1.2e1": 12, "-0": 0, "0.0": 0, "0e5": 0, "-3": -3, "-3.0": -3, "9007199254740992": 1 << 53,
		"9007199254740993": 1<<53 + 1, "9007199254740993.0": 1<<53 + 1, "9.007199254740993E+15": 1<<53 + 1, "1200e-2": 12, "0.0012e4": 12, "-1e17": -1e17,
		"0e999999999999999999999": 0, "0.000": 0, "9223372036854775807.0": math.MaxInt64, "-9223372036854775808.0": math.MinInt64,
		"1" + strings.Repeat("0", 400) + "e-400": 1, "0." + strings.Repeat("0", 399) + "1e400": 1} {
		if got, ok := WholeNumber(in); !ok || got != want {
			t.Errorf("WholeNumber(%q) = %d, %v", in, int64(got), ok)
		}
	}
	for _, in := range []string{"1.5", "1e-3", "1e400", "1e-400", "99999999999999999999", "12.00000000000000000001", "9007199254740992.5",
		"1e19", "9223372036854775808.0", "1e999999999999999999999", "1e-999999999999999999999", "1e9223372036854775807", "1.5e-9223372036854775808",
		"", "-", ".", "e5", "1e", "1.2.3", "--1", "x"} {
		if got, ok := WholeNumber(in); ok {
			t.Errorf("WholeNumber(%q) = %d", in, int64(got))
		}
	}
}

func TestKindsFoldASCIIOnly(t *testing.T) {
	for _, c := range []struct {
		a, b Kind
		same bool
	}{
		{"Message", "mESSAGE", true}, {"É", "é", false}, {"K", "\u212a", false}, {"a", "a ", false}, {"Memory", Memory, true},
	} {
		musttest.Is(t, c.a.Is(c.b), c.same, c.a, "and", c.b, "same is not")
		musttest.Is(t, c.a.Fold() == c.b.Fold(), c.same, c.a, "and", c.b, "same is not")
	}
	if !Kind(" \t\u00a0").IsBlank() || Kind("x").IsBlank() {
		t.Error("blank kinds are told wrongly")
	}
}

func TestNewBudgetBounds(t *testing.T) {
	for _, c := range []struct {
		name, field string // field "": valid
		f           BudgetFields
	}{
		{"zero", "", BudgetFields{}},
		{"largest", "", BudgetFields{MaxTokens: MaxTokens, OutputReserve: MaxTokens, SafetyMargin: 100}},
		{"max negative", "maxTokens", BudgetFields{MaxTokens: -1}},
		{"max too large", "maxTokens", BudgetFields{MaxTokens: 1<<40 + 1}},
		{"target negative", "targetTokens", BudgetFields{MaxTokens: 1, TargetTokens: Some[Tokens](-1)}},
		{"target over max", "targetTokens", BudgetFields{MaxTokens: 1, TargetTokens: Some[Tokens](2)}},
		{"reserve over max", "outputReserve", BudgetFields{MaxTokens: 1, OutputReserve: 2}},
		{"margin over 100", "estimationSafetyMarginPercent", BudgetFields{SafetyMargin: 100.0001}},
		{"margin not a number", "estimationSafetyMarginPercent", BudgetFields{SafetyMargin: math.NaN()}},
		{"margin infinite", "estimationSafetyMarginPercent", BudgetFields{SafetyMargin: math.Inf(1)}},
		{"slot over max is fine", "", BudgetFields{ReservedSlots: []Slot{{"Memory", MaxTokens}}}},
		{"slot too large", "reservedSlots.Memory", BudgetFields{ReservedSlots: []Slot{{"Memory", MaxTokens + 1}}}},
		{"slot twice", "reservedSlots.MEMORY", BudgetFields{ReservedSlots: []Slot{{"Memory", 1}, {"MEMORY", 1}}}},
	} {
		_, err := NewBudget(c.f)
		if be, ok := errors.AsType[*BudgetError](err); c.field == "" && err != nil || c.field != "" && (!ok || be.Field != c.field) {
			t.Errorf("%s: %v, want field %q", c.name, err, c.field)
		}
	}
}

func TestEffectiveBudget(t *testing.T) {
	for _, c := range []struct {
		name        string
		f           BudgetFields
		pinned      Tokens
		max, target Tokens
	}{
		{"nothing taken off", BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](800)}, 0, 1000, 800},
		{"the reserve comes off max alone", BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](500), OutputReserve: 100}, 0, 900, 500},
		{"target is clamped to max", BudgetFields{MaxTokens: 1000, OutputReserve: 300}, 0, 700, 700},
		{"pinned come off both", BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](800)}, 300, 700, 500},
		{"slots come off both", BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](800), ReservedSlots: []Slot{{"a", 100}, {"b", 50}}}, 0, 850, 650},
		{"pinned take everything", BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](300)}, 400, 600, 0},
		{"slots take everything", BudgetFields{MaxTokens: 100, ReservedSlots: []Slot{{"a", MaxTokens}}}, 0, 0, 0},
		{"the margin rounds down", BudgetFields{MaxTokens: 999, TargetTokens: Some[Tokens](333), SafetyMargin: 10}, 0, 899, 299},
		{"the margin comes last", BudgetFields{MaxTokens: 1000, OutputReserve: 100, SafetyMargin: 50}, 100, 400, 400},
		{"a margin of 100", BudgetFields{MaxTokens: 1000, SafetyMargin: 100}, 0, 0, 0},
		{"float64 product, then floor", BudgetFields{MaxTokens: 100, SafetyMargin: 71}, 0, 29, 29},
	} {
		b := musttest.Of(NewBudget(c.f))(t, c.name)
		if got := b.Effective(c.pinned); got.Max != c.max || got.Target != c.target {
			t.Errorf("%s: %+v, want max %v, target %v", c.name, got, c.max, c.target)
		}
		f := c.f
		f.SafetyMargin = 0
		if without, err := NewBudget(f); err != nil || b.Effective(c.pinned).Margin != without.Effective(c.pinned).Target-c.target {
			t.Errorf("%s: the margin takes %v", c.name, b.Effective(c.pinned).Margin)
		}
	}
}

// A budget whose target is not set aims at all of it, and one whose target is 0
// at nothing.
func TestTargetDefaultsToTheMaximum(t *testing.T) {
	for _, c := range []struct {
		fields BudgetFields
		want   Tokens
	}{
		{BudgetFields{}, 0}, {BudgetFields{MaxTokens: 45}, 45}, {BudgetFields{MaxTokens: 45, TargetTokens: Some[Tokens](0)}, 0}, {BudgetFields{MaxTokens: 45, TargetTokens: Some[Tokens](40)}, 40},
	} {
		b, err := NewBudget(c.fields)
		if err != nil || b.TargetTokens() != c.want || b.Gap() != c.fields.MaxTokens-c.want || b.Fields().TargetTokens != Some(c.want) {
			t.Errorf("%+v: %+v, %v, want target %v", c.fields, b, err, c.want)
		}
	}
	if f := (Budget{}).Fields(); f.TargetTokens != Some[Tokens](0) {
		t.Errorf("the zero budget has the fields %+v", f)
	}
}

func TestBudgetAtKeepsTheGap(t *testing.T) {
	b, _ := NewBudget(BudgetFields{MaxTokens: 1000, TargetTokens: Some[Tokens](700), OutputReserve: 100})
	for _, c := range []struct{ at, target Tokens }{{1000, 700}, {2000, 1700}, {300, 0}, {b.Least(), 0}, {301, 1}} {
		if got, err := b.At(c.at); err != nil || got.MaxTokens() != c.at || got.TargetTokens() != c.target {
			t.Errorf("At(%v) = %v, %v, want target %v", c.at, got.Fields(), err, c.target)
		}
	}
	for _, at := range []Tokens{b.Least() - 1, -1, MaxTokens + 1} {
		musttest.Fails(t, musttest.Refusal(b.At(at)), "At", at)
	}
}

func sample(t *testing.T, n int) *Set {
	t.Helper()
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{Content: strings.Repeat("x", i+1), Tokens: Tokens(i) * 10, Pinned: i%3 == 0, Count: Provenance(i % 4)}
	}
	return musttest.Of(NewSet(items))(t)
}

func TestNewSet(t *testing.T) {
	s := musttest.Of(NewSet([]Item{
		{Content: "a", Tokens: -5, Kind: "note"}, {Content: "a", Tokens: 7, Count: Estimated}, {Content: "b", Kind: "NOTE", Pinned: true, Tokens: 3},
	}))(t)
	if s.Len() != 3 || s.Total() != 5 || s.Estimates() != 1 || s.PinnedTokens() != 3 {
		t.Errorf("len %d, total %v, estimates %d, pinned %v", s.Len(), s.Total(), s.Estimates(), s.PinnedTokens())
	}
	if want := []Kind{"note", Message}; !reflect.DeepEqual(s.Kinds(), want) || s.KindID(0) != s.KindID(2) {
		t.Errorf("kinds %v, want %v", s.Kinds(), want)
	}
	if s.Hash(0) != s.Hash(1) || s.Hash(0) == s.Hash(2) {
		t.Error("hashes do not follow contents")
	}
	if it := s.Item(1); it.Kind != Message || it.Source != Chat {
		t.Errorf("defaults are %q and %q", it.Kind, it.Source)
	}
	for _, c := range []struct {
		field string
		it    Item
	}{
		{"content", Item{}}, {"tokens", Item{Content: "x", Tokens: MaxTokens + 1}}, {"tokens", Item{Content: "x", Tokens: -MaxTokens - 1}},
		{"kind", Item{Content: "x", Kind: " "}}, {"source", Item{Content: "x", Source: "\t"}},
	} {
		wrong := musttest.As[*ItemError](t, musttest.Refusal(NewSet([]Item{{Content: "fine"}, c.it})), c.it)
		musttest.Is(t, *wrong, ItemError{Index: 1, Field: c.field, Reason: wrong.Reason})
	}
}

func TestEveryTextOfASetIsUTF8(t *testing.T) {
	tags := []string{"ok", "t\xff"}
	metadata := map[string]any{"k\xfe": "v\xfd", "list": []any{"x\xff", map[string]any{"deep": "\xffy"}}, "n": 1}
	s := musttest.Of(NewSet([]Item{{Content: "a\xff\xfeb", Kind: "K\xff", Source: "S\xff", Tags: tags, Metadata: metadata}, {Content: "plain", Tags: []string{"é"}}}))(t)
	want := Item{Content: "a��b", Kind: "K�", Source: "S�", Tags: []string{"ok", "t�"},
		Metadata: map[string]any{"k�": "v�", "list": []any{"x�", map[string]any{"deep": "�y"}}, "n": 1}}
	musttest.Is(t, s.Item(0), want)
	musttest.Is(t, tags[1], "t\xff", "the caller's tags or metadata are changed")
	musttest.Is(t, metadata["k\xfe"], "v\xfd", "the caller's tags or metadata are changed")
}

func TestMetadataDepthIsBounded(t *testing.T) {
	nested := func(depth int) map[string]any {
		var v any = "x"
		for i := range depth - 1 {
			v = []any{v}
			if i%2 == 0 {
				v = map[string]any{"k": v.([]any)[0]}
			}
		}
		return map[string]any{"top": v}
	}
	musttest.Is(t, musttest.Refusal(NewSet([]Item{{Content: "a", Metadata: nested(100)}})), nil, "100 deep")
	wrong := musttest.As[*ItemError](t, musttest.Refusal(NewSet([]Item{{Content: "a"}, {Content: "b", Metadata: nested(101)}})))
	musttest.Is(t, *wrong, ItemError{Index: 1, Field: "metadata", Reason: wrong.Reason}, "101 deep")
	loop := map[string]any{}
	loop["a"], loop["b"] = loop, loop
	musttest.Fails(t, musttest.Refusal(NewSet([]Item{{Content: "a", Metadata: loop}})), "metadata that holds itself is accepted")
}

// Edits in any order give what the last of them says, their sums and hints are those of the
// items one by one, and they leave the set that they were made from alone.
func TestEditsAreValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		items := make([]Item, 1+r.IntN(9))
		for i := range items {
			items[i] = Item{Content: "x", Tokens: Tokens(r.IntN(9) - 2), Pinned: r.IntN(3) == 0, Count: Provenance(r.IntN(3))}
			if r.IntN(2) == 0 {
				items[i].FutureRelevanceHint = Some(0.25)
			}
		}
		loaded := musttest.Of(NewSet(items))(t)
		s := loaded
		for range 4 {
			var e Edits
			for range r.IntN(6) {
				i := r.IntN(len(items))
				switch r.IntN(4) {
				case 0:
					e = e.WithPinned(s, r.IntN(2) == 0, i)
				case 1:
					e = e.WithExcluded(r.IntN(3) > 0, i)
				case 2:
					e = e.WithTokens(s, Some(Tokens(r.IntN(9)-2)), i)
				default:
					e = e.WithHint(s, Some(r.Float64()), i)
				}
			}
			if r.IntN(3) == 0 {
				e.Query = Query{Text: "q", Hints: slices.Repeat([]float64{0.5}, len(items))}
			}
			s = musttest.Of(s.With(e))(t)
			checkEdited(t, loaded, s, e)
		}
		checkEdited(t, loaded, loaded, Edits{})
	}
}

// checkEdited holds a set to its edits of the loaded one, and its sums and hints to its items.
func checkEdited(t *testing.T, loaded, s *Set, e Edits) {
	t.Helper()
	for i := range s.Len() {
		want := *loaded.Loaded(i)
		if v, ok := e.Pinned[i]; ok {
			want.Pinned = v
		}
		if v, ok := e.Tokens[i]; ok {
			want.Tokens, want.Count = v, FromFile
		}
		if v, ok := e.Hints[i]; ok {
			want.FutureRelevanceHint = Some(v)
		} else if !want.FutureRelevanceHint.Set && e.Query.Hints != nil {
			want.FutureRelevanceHint = Some(e.Query.Hints[i])
		}
		if got := s.Item(i); !reflect.DeepEqual(got, want) || s.Excluded(i) != e.Excluded[i] {
			t.Fatalf("%+v: item %d is %+v, want %+v", e, i, got, want)
		}
		if got, want := s.Hint(i), want.FutureRelevanceHint.Or(math.NaN()); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%+v: hint of item %d is %v, want %v", e, i, got, want)
		}
	}
	want := *s
	want.sum()
	if s.total != want.total || s.committed != want.committed || s.estimates != want.estimates {
		t.Fatalf("%+v: sums %v, %v, %d, want %v, %v, %d", e, s.total, s.committed, s.estimates, want.total, want.committed, want.estimates)
	}
}

func TestEditsOutsideTheSet(t *testing.T) {
	s := sample(t, 3)
	for name, e := range map[string]Edits{
		"pinned": {Pinned: map[int]bool{3: true}}, "excluded": {Excluded: map[int]bool{-1: true}},
		"tokens": {Tokens: map[int]Tokens{0: MaxTokens + 1}}, "hints": {Hints: map[int]float64{0: math.NaN()}},
		"query": {Query: Query{Text: "a", Hints: []float64{0, 0, math.Inf(1)}}},
	} {
		musttest.As[*ItemError](t, musttest.Refusal(s.With(e)), name)
	}
}

// What the comments of Report say of an index that no item has.
func TestAnItemThatAReportLacks(t *testing.T) {
	plain := &Report{Items: sample(t, 3), Codes: make([]Code, 3), Scores: make([]float64, 3)}
	full := *plain
	full.Items = plain.Items.WithPairs(Pair{0, 1})
	full.Sizes, full.Survivors = make([]uint8, 3), make([]int32, 3)
	for _, c := range []struct {
		r    *Report
		want string
	}{{plain, "Alone Noted Shrunk Size Survivor"}, {&full, ""}} {
		for _, item := range []int{-1, 3} {
			var answers []string
			of := reflect.ValueOf(c.r)
			for i := range of.NumMethod() {
				if in := of.Method(i).Type(); in.NumIn() != 1 || in.In(0).Kind() != reflect.Int {
					continue
				}
				func() {
					defer func() { _ = recover() }()
					of.Method(i).Call([]reflect.Value{reflect.ValueOf(item)})
					answers = append(answers, of.Type().Method(i).Name)
				}()
			}
			musttest.Is(t, strings.Join(answers, " "), c.want, item)
		}
	}
	partner, split := plain.Alone(3)
	if plain.Size(3) != 0 || plain.Shrunk(3) || plain.Noted(3) || plain.Survivor(3) != 3 || partner != -1 || split {
		t.Errorf("size %d, survivor %d, partner %d", plain.Size(3), plain.Survivor(3), partner)
	}
}

func TestQueryGoesWithItsSet(t *testing.T) {
	s := sample(t, 3)
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Text: "a", Hints: make([]float64, 3)}, ""},
		{Query{Text: "a"}, ""},
		{Query{Text: "a", Hints: make([]float64, 2)}, "the query scores 2 items, there are 3"},
		{Query{Text: strings.Repeat("a", MaxQuery+1), Hints: make([]float64, 3)}, "the query has 10001 bytes, at most 10,000 are allowed"},
	} {
		_, err := s.With(Edits{Query: c.q})
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%d hints: %v, want %q", len(c.q.Hints), err, c.want)
		}
	}
	asked, other := Query{"a", []float64{0, .5}}, Query{"a", []float64{0, .5}}
	for _, c := range []struct {
		q     Query
		equal bool
	}{{asked, true}, {other, true}, {Query{"b", asked.Hints}, false}, {Query{"a", []float64{0, 1}}, false}, {Query{Text: "a"}, true}, {Query{Text: "b"}, false}, {Query{}, false}} {
		musttest.Is(t, asked.Equal(c.q), c.equal, asked, "and", c.q)
		musttest.Is(t, c.q.Equal(asked), c.equal, asked, "and", c.q)
	}
}

func TestCountedKeepsEdits(t *testing.T) {
	s, _ := sample(t, 4).With(Edits{Tokens: map[int]Tokens{2: 99}})
	next := musttest.Of(s.Counted([]Recount{{1, 11, Exact}, {2, 22, Exact}}))(t)
	if next.Tokens(1) != 11 || next.Count(1) != Exact || next.Tokens(2) != 99 || s.Tokens(1) != 10 {
		t.Errorf("counts %v, before %v", next.TokenColumn(), s.TokenColumn())
	}
	released, _ := next.With(Edits{})
	musttest.Is(t, released.Tokens(2), 22, "without the edit", released.TokenColumn())
	musttest.Is(t, released.Total(), 0+11+22+30, "without the edit", released.TokenColumn())
	musttest.Fails(t, musttest.Refusal(s.Counted([]Recount{{4, 1, Exact}})), "a count for item 4 of 4 is accepted")
	if _, err := s.Counted([]Recount{{0, MaxTokens + 1, Exact}}); err == nil {
		t.Error("a count beyond the bound is accepted")
	}
}

func TestPresets(t *testing.T) {
	names := []string{}
	for _, p := range Presets() {
		names = append(names, p.Name)
		musttest.Is(t, p.Validate(), nil, p.Name)
		if !p.Deduplicate || p.Overflow != Throw || p.Description == "" {
			t.Errorf("%s: %+v", p.Name, p)
		}
	}
	musttest.Is(t, strings.Join(names, " "), "chat code-review rag document-qa tool-use long-running debugging", "presets")
	if p, ok := Preset("rag"); !ok || p.Placer != UShaped || !reflect.DeepEqual(p.Scorers[0], Scorer{Type: ScoreReflexive, Weight: 3}) {
		t.Errorf("rag is %+v, %v", p, ok)
	}
	if _, ok := Preset("RAG"); ok {
		t.Error("preset names are told apart by case")
	}
}

func TestFirstLine(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"\n\n  a b \r\nc", 99, "a b"}, {"abc", 2, "ab"}, {"é", 1, ""}, {" \n\t", 9, ""}, {"a", 9, "a"},
	} {
		musttest.Is(t, (&Item{Content: c.in}).FirstLine(c.limit), c.want, "FirstLine", c.in, c.limit)
	}
}

func TestHeadlineAndOrigin(t *testing.T) {
	for _, c := range []struct {
		name             string
		meta             map[string]any
		headline, origin string
	}{
		{"nothing known", nil, "first", ""},
		{"a title", map[string]any{"title": "a.md"}, "a.md: first", "a.md"},
		{"a title that is blank", map[string]any{"title": " \n"}, "first", " \n"},
		{"a title of many lines", map[string]any{"title": "one\ntwo"}, "one: first", "one\ntwo"},
		{"a title that is cut", map[string]any{"title": "a long long title"}, "a long l: first", "a long long title"},
		{"a title that is no text", map[string]any{"title": 7, "source": "s"}, "first", "s"},
		{"a file before a source", map[string]any{"source": "s", "file": "f"}, "first", "f"},
	} {
		it := Item{Content: "\n first\nsecond", Metadata: c.meta}
		musttest.Is(t, it.Headline(8), c.headline, c.name, "headline")
		musttest.Is(t, it.Origin(), c.origin, c.name, "origin")
	}
}

// The list of too many items takes more than a gigabyte of address space, but no
// memory: none of them is looked at.
func TestItemsOfASetAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes much address space")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	_, err := NewSet(make([]Item, MaxItems+1))
	musttest.Says(t, err, "8,388,608 items is too large: at most 8,388,607")
}
