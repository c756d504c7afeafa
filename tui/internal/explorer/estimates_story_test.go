package explorer

import (
	"regexp"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
)

// What rests on estimated counts has its mark in every view: in a cell or, where all cells
// of a column do, in its heading.
func TestWhatRestsOnEstimatesIsMarked(t *testing.T) {
	for _, width := range [...]int{120, 200} {
		whatRestsOnEstimatesIsMarked(t, width)
	}
}

func whatRestsOnEstimatesIsMarked(t *testing.T, width int) {
	session := agentSession(t)
	guessed := make([]model.Recount, session.Items.Len())
	for i := range guessed {
		guessed[i] = model.Recount{Index: i, Tokens: session.Items.Tokens(i), Count: model.Estimated}
	}
	session.Items = musttest.Of(session.Items.Counted(guessed))(t)
	s := begin(t, session, width, 60)
	number := regexp.MustCompile(`(.?)\b(\d{1,3}(?:,\d{3})+)\b`)
	seen := map[string]int{} // by key, how many marked numbers the screen had
	check := func(keys string) {
		rests := restingOnCounts(s.m.exp.Outcome(experiment.A))
		marked := false // below a heading that marks its columns
		for _, line := range s.screen() {
			edge := line
			if _, beside, there := strings.Cut(line, "┘│"); there {
				edge = beside // the end of the pane of knobs is not that of the table
			}
			row := strings.Contains(line, "≈tokens ") // the name of a row marks that alone
			marked = (marked || !row && strings.Contains(line, "≈tok")) && !strings.Contains(edge, "└")
			for _, m := range number.FindAllStringSubmatch(line, -1) {
				switch {
				case !rests[m[2]] || marked || row:
				case m[1] == "≈" || strings.Contains(line, "≈+"+m[2]) || strings.Contains(line, "≈−"+m[2]):
					seen[keys]++
				default:
					t.Errorf("%s: %s is not marked in %q", keys, m[2], strings.TrimSpace(line))
				}
			}
		}
	}
	for _, keys := range []string{"1", "G", "jz", "z2", "4", "5", "n", "d", "d6", "7", "8", "hj", "j", "1:#32<enter><enter>", "<esc>:12<enter>", "<esc>p", "<esc>V", "V]"} {
		s.press(keys)
		check(keys)
	}
	s.press("<esc><esc>8")
	s.line("sliding window ", " ≈")
	s.line("written, costs ≈")
	s.press("1d")
	if value := regexp.MustCompile(` ≈\d+\.\d\d +│`); !value.MatchString(s.text()) {
		t.Errorf("no value of a group is marked:\n%s", s.text())
	}
	for _, keys := range []string{"1", "z2", "4", "5", "d", "d6", "7", "8"} {
		if seen[keys] == 0 {
			t.Errorf("%q shows no number that rests on a count", keys)
		}
	}
}

// restingOnCounts returns numbers of tokens that follow from the counts of the items.
func restingOnCounts(o *experiment.Outcome) map[string]bool {
	rep := o.Report
	all := []model.Tokens{rep.Kept, rep.SlicedTokens, rep.Effective.Target, rep.Effective.Target - rep.SlicedTokens}
	for i := range rep.Items.Len() {
		all = append(all, rep.Items.Tokens(i))
		if o.Reasons != nil && !rep.In(i) {
			r := o.Reasons.Of(i)
			all = append(all, r.Short, r.Left)
		}
	}
	rests := map[string]bool{}
	for _, tokens := range all {
		rests[tokens.String()] = true
	}
	for _, set := range []model.Tokens{rep.Budget.MaxTokens(), rep.Budget.Fields().OutputReserve, 1200} {
		delete(rests, set.String())
	}
	return rests
}
