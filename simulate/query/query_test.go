package query

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// item returns the facts about a tool's output, which has the numbers 0 to 30.
func item(t testing.TB) *Facts { return itemOf(t, model.ToolOutput) }

func itemOf(t testing.TB, kind model.Kind) *Facts {
	one := model.Item{
		Content: "Grep -rn \"Mutex\" in store.go:12", Kind: kind, Tokens: 1200,
		Metadata: map[string]any{"file": "docs/Store.md"},
	}
	is := func(int) bool { return true }
	return &Facts{
		Report: &model.Report{
			Items:  musttest.Of(model.NewSet(slices.Repeat([]model.Item{one}, 31)))(t),
			Codes:  slices.Repeat([]model.Code{model.Scored}, 31),
			Scores: slices.Repeat([]float64{0.5}, 31),
		},
		Risk: is, FirstIn: budget(17911), StaysFrom: budget(32000),
	}
}

// budget returns the same budget for every item, none if it is negative.
func budget(b model.Tokens) func(int) (model.Tokens, bool) {
	return func(int) (model.Tokens, bool) { return b, b >= 0 }
}

func TestMatch(t *testing.T) {
	item, nan, never, message := item(t), item(t), item(t), itemOf(t, "mESSAGE")
	never.Report.Codes[0], never.FirstIn, never.StaysFrom = model.BudgetExceeded, budget(-1), nil
	nan.Report.Scores[0] = math.NaN()
	for _, c := range []struct {
		query  string
		item   *Facts
		index  int
		want   bool
		reason string
	}{
		{"", item, 0, true, "no terms hold for everything"},
		{"  \t ", item, 0, true, "blank is no term"},
		{"#12", item, 12, true, "the index itself, counted from 0"},
		{"#12", item, 11, false, "and not the one before"},
		{"-#12", item, 11, true, "turned around"},
		{"#0", item, 0, true, "items start at 0"},
		{"#007", item, 7, true, "leading zeros do not make it octal"},
		{"kind:tool", item, 0, true, "a beginning of the name"},
		{"kind:TOOLOUT", item, 0, true, "kinds fold"},
		{"kind:ToolOutputs", item, 0, false, "longer than the name"},
		{"kind:output", item, 0, false, "only the beginning counts"},
		{"kind:msg", message, 0, true, "the short name is no beginning, but known"},
		{"KIND:Mes", message, 0, true, "field names fold too"},
		{"kind:msg", item, 0, false, "tool output is no message"},
		{"file:store.md", item, 0, true, "a part of where it came from, upper and lower case alike"},
		{"-file:docs/", item, 0, false, "folders are a part"},
		{`file:"store md"`, item, 0, false, "no pattern"},
		{`kind:"tool"`, item, 0, true, "a kind may be quoted"},
		{"is:in", item, 0, true, ""},
		{"is:IN", item, 0, true, "states fold"},
		{"is:out", item, 0, false, ""},
		{"!is:out", item, 0, true, "! is not"},
		{"-is:in", item, 0, false, "- is not"},
		{"--is:in", item, 0, true, "twice not is nothing"},
		{"is:risk is:in", item, 0, true, "both hold"},
		{"is:risk is:dup", item, 0, false, "one does not"},
		{"tok>500", item, 0, true, ""},
		{"tok>1200", item, 0, false, "not above itself"},
		{"#13 #28", item, 28, true, "any of several indexes"},
		{"#13 #28", item, 27, false, "none of them"},
		{"13,28,54-60", item, 57, true, "a list with a range"},
		{"#13,#28", item, 13, true, "a list with signs"},
		{"13 28 -28", item, 28, false, "one of them negated"},
		{"13,284", item, 13, false, "a number, not a list"},
		{"tok>=1,200", item, 0, true, "a separator in the number"},
		{"tok<1.2k", item, 0, false, "the number is 1200"},
		{"tok<=1.2k", item, 0, true, ""},
		{"tokens=1200", item, 0, true, "the long name"},
		{"tok>-5", item, 0, true, "token counts may be negative"},
		{"tok<-5", item, 0, false, ""},
		{"score>=.5", item, 0, true, ""},
		{"score>.5", item, 0, false, ""},
		{"score<1e3", item, 0, true, "an exponent"},
		{"score>-1", item, 0, true, "negative scores compare"},
		{"score<1", nan, 0, false, "nothing holds with a score that is not a number"},
		{"score>=0", nan, 0, false, "nothing holds with a score that is not a number"},
		{"firstIn<32k", item, 0, true, ""},
		{"staysFrom<32k", item, 0, false, ""},
		{"staysFrom=32k", item, 0, true, ""},
		{"firstIn<32k", never, 0, false, "never in: no comparison holds"},
		{"firstIn>0", never, 0, false, "never in: no comparison holds"},
		{"-staysFrom>=0", never, 0, true, "how to ask for items that do not stay"},
		{"mutex", item, 0, true, "bare words are text, in any case"},
		{"mutex grep", item, 0, true, "words in any order"},
		{`"mutex grep"`, item, 0, false, "quoted words only as they stand"},
		{`"\"mutex\" in"`, item, 0, true, "a quote in quotes"},
		{"tool", item, 0, true, "a short name of a kind, which is not in the text"},
		{"tOOLs", item, 0, true, "in the plural, in any case"},
		{"tooloutput", item, 0, true, "its name"},
		{"toolout", item, 0, false, "no beginning of a name"},
		{"msg", message, 0, true, "the short name that is no beginning"},
		{"message", item, 0, false, "another kind, and no text"},
		{"-tool", item, 0, false, "neither of the kind nor with the text"},
		{`"tool"`, item, 0, false, "in quotes a text"},
		{"tool mutex", item, 0, true, "each word by itself"},
		{"memories", itemOf(t, model.Memory), 0, true, "a plural in ies"},
		{"store.go:12", item, 0, true, "a name with more than letters before the colon is text"},
		{"-rn", item, 0, false, "a leading - is not, whatever the text"},
		{`"-rn"`, item, 0, true, "unless quoted"},
		{`-"nothing such"`, item, 0, true, "a quoted text turned around"},
		{"is:in tok>500 kind:tool mutex", item, 0, true, "all of them"},
	} {
		q := musttest.Of(Parse(c.query))(t, c.query)
		musttest.Is(t, q.Match(c.item, c.index), c.want, c.query, "on item", c.index, c.reason)
	}
}

// Each state names the items of one code, or of none where there is no result.
func TestStates(t *testing.T) {
	codes := []model.Code{
		model.Scored, model.BudgetExceeded, model.Pinned, model.Deduplicated, model.Filtered, model.NegativeTokens, model.PinnedOverride, model.CountCapExceeded,
	}
	f := item(t)
	copy(f.Report.Codes, codes)
	only := func(k int) func(int) bool { return func(i int) bool { return i == k } }
	f.Risk, f.Split, f.Needed = only(2), only(0), only(1)
	all := map[string][2][]int{ // with a result, and without
		"in": {{0, 2}}, "out": {{1, 3, 4, 5, 6, 7}}, "risk": {{2}, {2}}, "pinned": {{2}}, "dup": {{3}, {3}}, "excluded": {{4}}, "negative": {{5}},
		"split": {{0}, {0}}, "unfit": {{1}}, "overridden": {{6}}, "capped": {{7}}, "needed": {{1}, {1}}, "cut": {}, "note": {}, "estimated": {},
	}
	for _, name := range stateNames() {
		want, known := all[name]
		if !known {
			t.Errorf("is:%s is not tried", name)
		}
		q := musttest.Of(Parse("is:" + name))(t)
		for k, result := range []bool{true, false} {
			f.NoResult = !result
			var got []int
			for i := range codes {
				if q.Match(f, i) {
					got = append(got, i)
				}
			}
			musttest.Is(t, got, want[k], "is", name, "result", result)
		}
	}
}

// Numbers name items, also several; in quotes they are text like any other.
func TestNumbersNameItems(t *testing.T) {
	one := item(t)
	for _, c := range []struct {
		query string
		names []int // of the items 0 to 30
	}{
		{"12", []int{12}}, {"#12", []int{12}}, {"12-14", []int{12, 13, 14}}, {"#12-14", []int{12, 13, 14}}, {"#12-#14", []int{12, 13, 14}}, {"12-12", []int{12}},
		{"0 -1", []int{0}}, {"3-6 -4-5", []int{3, 6}}, {"14-12", nil}, {"12x", nil},
	} {
		q := musttest.Of(Parse(c.query))(t, c.query)
		var names []int
		for i := range 31 {
			if q.Match(one, i) {
				names = append(names, i)
			}
		}
		musttest.Is(t, names, c.names, c.query, "names")
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		query string
		at    int
		says  string
	}{
		{"is:foo", 4, "known are in, out, risk, pinned, dup"},
		{"tok>500  is:", 13, "known are in, out"},
		{"kind:", 6, "sys, msg, doc, tool, mem"},
		{"file: x", 6, "needs a part of a file's or source's name"},
		{"knd:tool", 1, "known are kind: is: file: tok score firstIn staysFrom 12 12-20"},
		{"mutex tik>5", 7, "known are kind: is: file: tok score firstIn staysFrom 12 12-20"},
		{"http://x", 1, "quotes"},
		{"tok>", 5, "not a number of tokens"},
		{"tok>1.5", 5, "not a whole number"},
		{"tok>2000G", 5, "is more than"},
		{"firstIn<-", 9, "not a number of tokens"},
		{"score>high", 7, "not a score"},
		{"score>NaN", 7, "not a score"},
		{"#", 1, "no item number"},
		{"#-1", 1, "no item number"},
		{"#20-12", 1, "no item number"},
		{"#12-", 1, "no item number"},
		{"#99999999999999999999", 1, "no item number"},
		{"ä #x", 3, "no item number"},
		{`"open`, 1, "never closed"},
		{`is:in kind:"`, 12, "never closed"},
		{`""`, 1, "no text"},
		{"-", 1, "stands alone"},
		{"is:in ! tok>5", 7, "stands alone"},
	} {
		_, err := Parse(c.query)
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%q: error %v, want an *Error", c.query, err)
			continue
		}
		musttest.Is(t, e.At, c.at, c.query, err, "character")
		musttest.Says(t, e.Reason, c.says, c.query, err, "character")
	}
}

func TestProfileIsAskedLastAndOnlyIfNeeded(t *testing.T) {
	for _, c := range []struct {
		query string
		needs bool
		asked int
	}{
		{"is:in mutex", false, 0},
		{"firstIn<5 tok<10", true, 0}, // the cheap term fails first
		{"firstIn>5 tok>10", true, 1},
	} {
		q := musttest.Of(Parse(c.query))(t)
		it, asked := item(t), 0
		it.FirstIn = func(int) (model.Tokens, bool) { asked++; return 0, false }
		q.Match(it, 0)
		musttest.Is(t, q.NeedsProfile(), c.needs, c.query, "needs")
		musttest.Is(t, asked, c.asked, c.query, "needs")
	}
}

// TestMatchingIsMatch holds what passes a block to a look at each item.
func TestMatchingIsMatch(t *testing.T) {
	sample := *item(t)
	for i := range sample.Report.Scores {
		sample.Report.Scores[i] = float64(i) / 31
	}
	sample.FirstIn = func(i int) (model.Tokens, bool) { return model.Tokens(i * 1000), i%3 > 0 }
	for _, source := range []string{"", "mutex", "-mutex", "mutex score>.4", "4-20 firstIn<9000", "-4-20 store -firstIn<9000", "nothing", "tool 3"} {
		q := musttest.Of(Parse(source))(t)
		var block, want []int32
		for i := range int32(31) {
			if i%4 == 0 {
				continue
			}
			block = append(block, i)
			if q.Match(&sample, int(i)) {
				want = append(want, i)
			}
		}
		musttest.Is(t, append([]int32(nil), q.Matching(&sample, block)...), want, source)
	}
}

// TestNarrows holds every pair of queries to the items that satisfy them.
func TestNarrows(t *testing.T) {
	narrows := map[[2]string]bool{}
	sources := []string{"", "m", "mu", "Mut", "utex", "tool", "tools", "too", "-mu", "-m", "tok>500", "tok>500 mu", "m tok>500", "mutex m", `"tool"`, "is:in", "-is:in", "kind:t", "4", "4-5", "st mu", "store"}
	for _, a := range sources {
		for _, b := range sources {
			qa, qb := musttest.Of(Parse(a))(t), musttest.Of(Parse(b))(t)
			facts := [...]*Facts{itemOf(t, model.ToolOutput), itemOf(t, model.Message), itemOf(t, "mu"), itemOf(t, "mut")}
			for _, one := range facts {
				if n := qa.Narrows(qb, one.Report.Items.Kinds()); n {
					narrows[[2]string{a, b}] = true
					for i := range one.Report.Items.Len() {
						if qa.Match(one, i) && !qb.Match(one, i) {
							t.Errorf("%q narrows %q, but not for item %d of kind %v", a, b, i, one.Report.Items.Kinds())
						}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		query, other string
		want         bool
	}{
		{"mu", "m", true}, {"m", "mu", false}, {"Mut", "utex", false}, {"mutex m", "utex", true}, {"m", "", true}, {"", "m", false}, {"m tok>500", "tok>500", true},
		{"-mu", "-m", false}, {"-m", "-mu", false}, {"st mu", "mu", true}, {"tok>500 mu", "m tok>500", true}, {"is:in", "-is:in", false}, {"is:in", "is:in", true},
	} {
		musttest.Is(t, narrows[[2]string{c.query, c.other}], c.want, c.query, "narrows", c.other)
	}
	kinds := []model.Kind{model.ToolOutput}
	is := func(a, b string) bool { return musttest.Of(Parse(a))(t).Narrows(musttest.Of(Parse(b))(t), kinds) }
	musttest.Is(t, is("tool", "too"), false, "a word that names a kind narrows its beginning")
	musttest.Is(t, is("tools", "tool"), true, "two words for a kind")
}

func TestFindSkipsNegatedText(t *testing.T) {
	q := musttest.Of(Parse("-nothing STORE"))(t)
	content := item(t).Report.Items.Loaded(0).Content
	from, to, ok := q.Find(content)
	if !ok || content[from:to] != "store" {
		t.Errorf("Find: %d, %d, %v", from, to, ok)
	}
	if _, _, ok := q.Find("elsewhere"); ok {
		t.Error("Find found what is not there")
	}
}

func TestShortKindsAreUnderstood(t *testing.T) {
	for _, k := range model.KnownKinds() {
		short := k.Short()
		q := musttest.Of(Parse("kind:" + short))(t)
		for _, other := range model.KnownKinds() {
			musttest.Is(t, q.Match(itemOf(t, other), 0), other == k, "kind", short, "on", other)
		}
	}
	musttest.Is(t, model.Kind("Custom").Short(), "Custom", "an unknown kind is its own short name")
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "#12 kind:tool", `is:risk tok>500 -"two \" words"`, "score>=.5 staysFrom<32k", "!a --b", "ä:\x80 \u2028 x", "tok>=-1,000"} {
		f.Add(s)
	}
	one := item(f)
	f.Fuzz(func(t *testing.T, s string) {
		q, err := Parse(s)
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.At < 1 || e.At > utf8.RuneCountInString(s)+1 || e.Reason == "" {
				t.Fatalf("%q: error %#v", s, err)
			}
			for _, r := range err.Error() {
				if r < ' ' || r == 0x7f || r == utf8.RuneError {
					t.Fatalf("%q: the message is not safe to print: %q", s, err)
				}
			}
			return
		}
		if q.String() != s {
			t.Fatalf("%q became %q", s, q.String())
		}
		// Twice the same query holds exactly when it holds once.
		twice := musttest.Of(Parse(s+" "+s))(t, s, "twice")
		for i := range 3 {
			musttest.Is(t, q.Match(one, i), twice.Match(one, i), s, "twice differs at", i)
		}
	})
}

// FuzzIndex holds the search to lowering both texts.
func FuzzIndex(f *testing.F) {
	f.Add("Grep -rn Mutex", "MUTEX")
	f.Add("aAaAb", "aab")
	f.Add("xQxqxQz", "qz")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, content, text string) {
		got := newPattern(text).index(content)
		want := strings.Index(model.FoldASCII(content), model.FoldASCII(text))
		if got != want {
			t.Fatalf("index(%q, %q) = %d, want %d", content, text, got, want)
		}
	})
}

func TestMatchDoesNotAllocate(t *testing.T) {
	q := musttest.Of(Parse("is:in tok>500 kind:tool firstIn<32k mutex"))(t)
	one := item(t)
	musttest.Is(t, testing.AllocsPerRun(100, func() { q.Match(one, 0) }), 0)
}

func TestComplete(t *testing.T) {
	kinds := []model.Kind{model.ToolOutput, "Trace", "two words"}
	for _, c := range []struct {
		why, source string
		want        []string
	}{
		{"a field by its beginning", "k", []string{"kind:"}},
		{"fields that begin alike", "s", []string{"score", "staysFrom"}},
		{"a state", "is:p", []string{"is:pinned"}},
		{"a kind, short where it has a short name", "kind:t", []string{"kind:tool", "kind:Trace"}},
		{"what stands before stays", "tok>5 -is:ou", []string{"tok>5 -is:out"}},
		{"nothing at the start of a term", "is:in ", nil},
		{"nothing in a text", `"is:o`, nil},
		{"nothing more than is there", "is:out", nil},
	} {
		musttest.Is(t, Complete(c.source, kinds), c.want, c.why, "Complete", c.source)
	}
}

// What is offered can be read once its value is there.
func TestWhatIsOfferedParses(t *testing.T) {
	for _, beginning := range []string{"is:", "kind:"} {
		for _, text := range Complete(beginning, []model.Kind{model.Memory, "odd(kind)"}) {
			musttest.Is(t, musttest.Refusal(Parse(text)), nil, text)
		}
	}
}

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		source                string
		profile, result, risk bool
	}{
		{"", false, false, false},
		{"#1 tok>5 score>=.5 kind:doc is:pinned is:dup text", false, false, false},
		{"firstIn<32k", true, false, false},
		{"-staysFrom<32k", true, false, false},
		{"is:in", false, true, false},
		{"-is:out", false, true, false},
		{"is:risk tok>5", false, true, true},
	} {
		q := musttest.Of(Parse(c.source))(t)
		if q.NeedsProfile() != c.profile || q.NeedsResult() != c.result || q.NeedsRisk() != c.risk {
			t.Errorf("%q: profile %v, result %v, risk %v", c.source, q.NeedsProfile(), q.NeedsResult(), q.NeedsRisk())
		}
	}
}

// Ranges hold for what they name, in whatever order they overlap.
func TestRangesAreJoined(t *testing.T) {
	f := item(t)
	for source, want := range map[string][]int{
		"20-22 1 21-24 3,2,1 2-2 30":  {1, 2, 3, 20, 21, 22, 23, 24, 30},
		"-5-29 -3,1 0-8 4-6":          {0, 2, 4},
		"0-30 -1-28":                  {0, 29, 30},
		"#7 7 #7-7 5-6 6-9 9-9 11,11": {5, 6, 7, 8, 9, 11},
	} {
		q := musttest.Of(Parse(source))(t)
		var got []int
		for i := range 31 {
			if q.Match(f, i) {
				got = append(got, i)
			}
		}
		musttest.Is(t, got, want, source, "holds for")
	}
}

// A value in quotes is found as it is.
func TestQuoteIsRead(t *testing.T) {
	for _, text := range []string{"two words", `a "quoted" one`, `C:\new`, `ends with \`, "-not", "kind:tool"} {
		q := musttest.Of(Parse(Quote(text)))(t, text)
		if from, to, found := q.Find("before " + text + " behind"); !found || ("before " + text + " behind")[from:to] != text {
			t.Errorf("%q is not found: %v, %d to %d", text, found, from, to)
		}
	}
}
