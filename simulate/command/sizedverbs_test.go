package command_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// parsed runs a command line over the fixture agent, whose tool outputs may be cut, and
// parses its JSON.
func parsed[T any](t *testing.T, line string) (to T) {
	t.Helper()
	args := append(strings.Fields(line), "--fixture", "agent", "--shrink", "tool=1k,100,note", "-o", "json")
	code, out, diagnostics := clitest.Run("", args...)
	if code != command.Fine {
		t.Fatalf("%v: %d, %s", args, code, diagnostics)
	}
	musttest.Do(t, json.Unmarshal([]byte(out), &to))
	return to
}

type sizedRun struct {
	Included    []struct{ Index, Tokens, Size int }
	TotalTokens int
	Value       float64
	taken, size map[int]int
}

// sizedAt is the report of a policy at a budget.
func sizedAt(t *testing.T, policy string, budget int) sizedRun {
	t.Helper()
	r := parsed[sizedRun](t, fmt.Sprintf("report --preset %s --max-tokens %d", policy, budget))
	r.taken, r.size = map[int]int{}, map[int]int{}
	for _, in := range r.Included {
		r.taken[in.Index], r.size[in.Index] = in.Tokens, in.Size
	}
	return r
}

func (r *sizedRun) in(i int) bool { _, in := r.taken[i]; return in }

// sizeIs reports whether an answer names the size of an item, or none where it is out.
func (r *sizedRun) sizeIs(i int, size *int) bool {
	return (size != nil) == r.in(i) && (size == nil || *size == r.size[i])
}

func TestRowsOfAReportNameTheSizeOfAnItem(t *testing.T) {
	report, of := sizedAt(t, "chat", 20_000), map[int]int{}
	for _, it := range parsed[struct {
		Items []struct {
			Index int
			Sizes []struct {
				Size int
				Note bool
			}
		}
	}](t, "profile --preset chat --max-tokens 20000").Items {
		for _, size := range it.Sizes {
			if !size.Note {
				of[it.Index]++
			}
		}
	}
	line := strings.Fields("report --preset chat --max-tokens 20000 --fixture agent --no-content -o csv")
	_, out, _ := clitest.Run("", append(slices.Clone(line), "--shrink", "tool=1k,100")...)
	rows := musttest.Of(csv.NewReader(strings.NewReader(out)).ReadAll())(t)
	column := func(name string) int { return slices.Index(rows[0], name) }
	for _, row := range rows[1:] {
		i := musttest.Of(strconv.Atoi(row[column("index")]))(t)
		want := ""
		if report.in(i) {
			want = strconv.Itoa(report.size[i])
		}
		if size, count := row[column("size")], row[column("sizeCount")]; size != want || count != strconv.Itoa(max(1, of[i])) {
			t.Errorf("item %d is in size %q of %s, want %q of %d", i, size, count, want, of[i])
		}
	}
	if _, whole, _ := clitest.Run("", line...); strings.Contains(whole, "size") {
		t.Error("a table without sizes has a column of them")
	}
}

func TestCompareCountsSizes(t *testing.T) {
	musttest.Alone(t)
	resized := 0
	for _, budget := range []int{12_000, 20_000, 32_000, 48_000} {
		a, b := sizedAt(t, "chat", budget), sizedAt(t, "rag", budget)
		answer := parsed[struct {
			Budgets []struct {
				OnlyACount, OnlyATokens, OnlyBCount, OnlyBTokens, ResizedCount, ResizedTokens int
				ValueA, ValueB                                                                float64
			}
			Items []struct {
				Only, Why      string
				Index          int
				TakenA, TakenB *int
				SizeA, SizeB   *int
			}
			Kinds []struct{ ResizedCount, ResizedTokens int }
		}](t, fmt.Sprintf("compare chat rag --max-tokens %d", budget))
		at := answer.Budgets[0]
		var onlyA, onlyB, tokensA, tokensB, both, more int
		for i := range 65 {
			switch {
			case a.in(i) && !b.in(i):
				onlyA, tokensA = onlyA+1, tokensA+a.taken[i]
			case b.in(i) && !a.in(i):
				onlyB, tokensB = onlyB+1, tokensB+b.taken[i]
			case a.size[i] != b.size[i]:
				both, more = both+1, more+b.taken[i]-a.taken[i]
			}
		}
		if at.OnlyACount != onlyA || at.OnlyBCount != onlyB || at.OnlyATokens != tokensA || at.OnlyBTokens != tokensB || at.ResizedCount != both || at.ResizedTokens != more {
			t.Errorf("at %d: %+v, the reports differ by %d, %d, %d, %d, %d, %d", budget, at, onlyA, tokensA, onlyB, tokensB, both, more)
		}
		kinds := 0
		for _, k := range answer.Kinds {
			kinds += k.ResizedCount
		}
		resized += both
		if kinds != both || len(answer.Items) != onlyA+onlyB+both || fmt.Sprintf("%.2f %.2f", at.ValueA, at.ValueB) != fmt.Sprintf("%.2f %.2f", a.Value, b.Value) {
			t.Errorf("at %d: %d by kind, %d items, worth %v and %v", budget, kinds, len(answer.Items), at.ValueA, at.ValueB)
		}
		for _, it := range answer.Items {
			if !a.sizeIs(it.Index, it.SizeA) || !b.sizeIs(it.Index, it.SizeB) {
				t.Errorf("at %d: %+v is not in the sizes of the reports", budget, it)
			}
			if (it.TakenA != nil) != a.in(it.Index) || (it.TakenB != nil) != b.in(it.Index) || it.TakenA != nil && *it.TakenA != a.taken[it.Index] ||
				(it.Only == "both") != (it.TakenA != nil && it.TakenB != nil) || (it.Only == "both") != strings.HasPrefix(it.Why, "in A ") {
				t.Errorf("at %d: %+v", budget, it)
			}
		}
	}
	if resized == 0 {
		t.Error("no budget has an item in different sizes")
	}
	_, out, _ := clitest.Run("", strings.Fields("compare chat rag --fixture agent --shrink tool=1k,100 --max-tokens 20k -o csv")...)
	if head, _, _ := strings.Cut(out, "\n"); !strings.Contains(head, ",resizedCount,resizedTokens,valueA") {
		t.Errorf("CSV begins %s", head)
	}
}

func TestSweepCountsWhatIsCut(t *testing.T) {
	musttest.Alone(t)
	answer := parsed[struct {
		Points []struct {
			MaxTokens, IncludedCount, Tokens, CutCount, CutCountB int
			Value, Best                                           float64
		}
	}](t, "sweep --preset chat --policy-b rag --from 15k --to 60k --step 9k")
	cut := 0
	for _, p := range answer.Points {
		a, b := sizedAt(t, "chat", p.MaxTokens), sizedAt(t, "rag", p.MaxTokens)
		count := func(r sizedRun) (n int) {
			for _, in := range r.Included {
				if in.Size > 0 {
					n++
				}
			}
			return n
		}
		cut += count(a)
		if p.CutCount != count(a) || p.CutCountB != count(b) || p.IncludedCount != len(a.Included) || p.Tokens != a.TotalTokens || p.Best < p.Value {
			t.Errorf("%+v, the reports have %d and %d cut, %d in, %d tokens", p, count(a), count(b), len(a.Included), a.TotalTokens)
		}
	}
	if cut == 0 {
		t.Error("nothing is cut anywhere")
	}
}

func TestMarginalTellsWhatLeavesFromWhatShrinks(t *testing.T) {
	musttest.Alone(t)
	changes := map[string]int{}
	for budget := 16_000; budget <= 60_000; budget += 8_000 {
		full, small := sizedAt(t, "chat", budget), sizedAt(t, "chat", budget-3000)
		answer := parsed[struct {
			Marginal, Gained []int
			Items            []struct {
				Change               string
				Index                int
				Taken, TakenWithLess *int
				Size, SizeWithLess   *int
			}
		}](t, fmt.Sprintf("marginal --preset chat --max-tokens %d --slack 3000", budget))
		differ := 0
		for i := range 65 {
			if full.in(i) != small.in(i) || full.taken[i] != small.taken[i] {
				differ++
			}
		}
		musttest.Is(t, len(answer.Marginal)+len(answer.Gained), differ, "at", budget, len(answer.Marginal), "and", len(answer.Gained), "of")
		musttest.Is(t, len(answer.Items), differ, "at", budget, len(answer.Marginal), "and", len(answer.Gained), "of")
		for _, it := range answer.Items {
			changes[it.Change]++
			if !full.sizeIs(it.Index, it.Size) || !small.sizeIs(it.Index, it.SizeWithLess) {
				t.Errorf("at %d: %+v is not in the sizes of the reports", budget, it)
			}
			want := "gained"
			switch more := full.taken[it.Index] > small.taken[it.Index]; {
			case more && small.in(it.Index):
				want = "shrunk"
			case more:
				want = "lost"
			case full.in(it.Index):
				want = "grown"
			}
			musttest.Is(t, it.Change, want, "at", budget, "item", it.Index)
		}
	}
	if changes["lost"] == 0 || changes["shrunk"] == 0 {
		t.Errorf("the changes are %v", changes)
	}
}

func TestChecksCountSizes(t *testing.T) {
	args := strings.Fields("check --fixture agent --shrink tool=1k,100 --max-tokens 20k --require kind:tool --min-filled 100 --max-below-best 100 -o json")
	_, out, diagnostics := clitest.Run("", args...)
	var answer struct {
		Checks []struct {
			Verdict, Says string
			Actual        *float64
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || len(answer.Checks) != 3 {
		t.Fatal(err, diagnostics)
	}
	for k, want := range []string{"of them cut", " cut", plain.BelowBest + ": value"} {
		musttest.Says(t, answer.Checks[k].Says, want, "check", k, "says")
	}
}

// sweep --over says what comes in, leaves and changes its size as reports at the ends of its
// ranges do.
func TestSweepOverCountsSizes(t *testing.T) {
	musttest.Alone(t)
	type stretch struct {
		From, To              float64
		IncludedCount         int
		CameIn, Left, Resized []int
	}
	answer := parsed[struct{ Stretches []stretch }](t, "sweep --over safety-margin --from 4 --to 5.5")
	var before *sizedRun
	resized := 0
	for _, s := range answer.Stretches {
		for end, v := range []float64{s.From, s.To} {
			now := parsed[sizedRun](t, fmt.Sprintf("report --safety-margin %v%%", v))
			now.size = map[int]int{}
			for _, in := range now.Included {
				now.size[in.Index] = 1 + in.Size
			}
			if end == 0 && before != nil {
				var in, left []int
				for i := range 100 {
					was, is := before.size[i], now.size[i]
					switch {
					case was == 0 && is > 0:
						in = append(in, i)
					case was > 0 && is == 0:
						left = append(left, i)
					case was != is:
						resized++
						if !slices.Contains(s.Resized, i) {
							t.Errorf("from %v: #%d is in another size and not listed in %v", v, i, s.Resized)
						}
					}
				}
				musttest.Is(t, in, append([]int(nil), s.CameIn...), "from", v, "in", s.CameIn, "left", s.Left)
				musttest.Is(t, left, append([]int(nil), s.Left...), "from", v, "in", s.CameIn, "left", s.Left)
			}
			musttest.Is(t, len(now.Included), s.IncludedCount, "at", v, "items are in")
			before = &now
		}
	}
	if resized == 0 {
		t.Error("nothing is in another size")
	}
}
