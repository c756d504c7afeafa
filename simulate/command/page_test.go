package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// pageView is what a page shows at a budget: in how many tokens each item is in, with
// those of notes below 0, and the first sentence. A budget at which the pipeline does not
// run has the sentence only.
type pageView struct {
	Taken  map[int]int
	Answer string
}

// reportView returns what the verb report says at a budget in the same form.
func reportView(t *testing.T, o session.Options, budget int) pageView {
	t.Helper()
	o.Budget = maximum(strconv.Itoa(budget))
	out, _, err := ran(writeReport, "", o, reportOptions{answerOptions: answerOptions{Output: "json", NoContent: true}})
	if err != nil {
		return pageView{map[int]int{}, "At a budget of " + model.Tokens(budget).String() + " the pipeline does not run: pinned items or quotas need more."}
	}
	report := musttest.JSON[struct {
		Included []struct {
			Index  int
			Tokens *int // as taken, where items may be cut
			Item   struct{ Tokens int }
		}
		Excluded        []struct{ Index, NoteTokens int }
		TotalTokens     model.Tokens
		TotalCandidates model.Tokens
		Value           float64
	}](t, out)
	v := pageView{Taken: map[int]int{}}
	for _, in := range report.Included {
		v.Taken[in.Index] = in.Item.Tokens
		if in.Tokens != nil {
			v.Taken[in.Index] = *in.Tokens
		}
	}
	for _, out := range report.Excluded {
		if out.NoteTokens > 0 {
			v.Taken[out.Index] = -out.NoteTokens
		}
	}
	v.Answer = fmt.Sprintf("%d of %v in, %v tokens, value %.3f at a budget of %v", len(report.Included), report.TotalCandidates, report.TotalTokens, report.Value, model.Tokens(budget))
	return v
}

// pageScript is put behind a page to let it say what it shows at some budgets.
const pageScript = `<script>
document.body.textContent = "SHOWN" + JSON.stringify(%s.map(budget => {
  show(budget);
  const taken = {};
  data.Items.forEach((item, i) => {
    const s = stateAt(item, budget), row = [item.state.textContent, item.row.classList.contains("in")].join();
    if (row !== [s.state, s.in].join()) throw new Error("row " + i + " says " + row);
    if (s.size) taken[i] = s.in ? s.taken : -s.taken;
  });
  return {Taken: taken, Answer: byID("answer").textContent};
})) + "SHOWN";
</script>`

// TestPageShowsWhatReportSays moves the slider of a page to 100 budgets in a browser and
// compares what it shows with the verb report.
func TestPageShowsWhatReportSays(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	for name, o := range map[string]session.Options{
		"greedy":   {Fixture: "agent"},
		"knapsack": {Fixture: "agent", Slicer: "knapsack", Budget: map[string]string{model.FieldSafetyMargin: "7%"}},
		"cut":      {Fixture: "agent", Shrink: []string{"tool=2000,500,note"}},
		"retrieve": {Fixture: "retrieval", Overflow: "truncate"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "page.html")
			printed(t, writeReport, "", o, reportOptions{HTML: path})
			page := musttest.Of(os.ReadFile(path))(t)
			budgets := budgetsOfPage(t, page, 100)
			list, _ := json.Marshal(budgets)
			musttest.Do(t, os.WriteFile(path, fmt.Appendf(page, pageScript, list), 0o600))
			dom := musttest.Of(exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "file://"+path).Output())(t)
			_, shown, ok := strings.Cut(html.UnescapeString(string(dom)), "SHOWN")
			shown, _, whole := strings.Cut(shown, "SHOWN")
			var got []pageView
			if err := json.Unmarshal([]byte(shown), &got); err != nil || !ok || !whole {
				t.Fatalf("%v in what the page says: %.300q", err, dom)
			}
			for k, b := range budgets {
				if want := reportView(t, o, b); !sameAnswer(got[k].Answer, want.Answer) || !maps.Equal(got[k].Taken, want.Taken) {
					t.Fatalf("at %d the page shows\n%v\nand the report says\n%v", b, got[k], want)
				}
			}
		})
	}
}

// sameAnswer compares two sentences, in which values may differ by one in the last decimal:
// a curve adds scores up in another order than a report.
func sameAnswer(a, b string) bool {
	value := regexp.MustCompile(`value [0-9.]+`)
	of := func(s string) float64 {
		v, _ := strconv.ParseFloat(strings.TrimPrefix(value.FindString(s), "value "), 64)
		return v
	}
	return value.ReplaceAllString(a, "") == value.ReplaceAllString(b, "") && math.Abs(of(a)-of(b)) < 0.0011
}

// budgetsOfPage returns budgets of a page: both ends, where its result changes and just
// before, and others at random.
func budgetsOfPage(t *testing.T, page []byte, n int) []int {
	t.Helper()
	var data struct {
		End    int
		Points struct{ Budgets []int }
	}
	_, after, _ := bytes.Cut(page, []byte(`id="data">`))
	text, _, _ := bytes.Cut(after, []byte("</script>"))
	musttest.Do(t, json.Unmarshal(text, &data))
	random := rand.New(rand.NewPCG(1, 2))
	all := []int{0, data.End}
	for len(all) < n {
		change := data.Points.Budgets[random.IntN(len(data.Points.Budgets))]
		all = append(all, change, max(0, change-1), random.IntN(data.End+1))
	}
	return all[:n]
}

// TestPageHoldsNoTexts looks for the texts of items in a page.
func TestPageHoldsNoTexts(t *testing.T) {
	file := musttest.File(t, "items.json", `[{"content":"</script><b>the secret</b>","tokens":5,"kind":"Document"},{"content":"the other","tokens":7}]`)
	for _, c := range []struct {
		content bool
		want    []bool
	}{{false, []bool{false, false}}, {true, []bool{true, true}}} {
		path := filepath.Join(t.TempDir(), "page.html")
		out, notes, err := ran(writeReport, "", session.Options{Sources: []string{file}, Budget: maximum("20")}, reportOptions{HTML: path, Content: c.content})
		musttest.Do(t, err)
		page := musttest.Of(os.ReadFile(path))(t)
		got := []bool{bytes.Contains(page, []byte("the secret")), bytes.Contains(page, []byte("the other"))}
		if !slices.Equal(got, c.want) || bytes.Contains(page, []byte("<b>the")) {
			t.Errorf("content %v: the page holds %v, want %v, and no markup of an item", c.content, got, c.want)
		}
		musttest.Is(t, out, "", "printed")
		musttest.Says(t, notes, "wrote "+path, "printed")
	}
}

func TestAPageNeedsAProfile(t *testing.T) {
	musttest.Says(t, export.Page(nil, nil, export.ReportOptions{}), "the result at every budget", "without a profile")
}
