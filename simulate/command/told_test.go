package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// A source that is named and cannot be used is an error, though others can. What a folder or a
// pattern has is skipped, and said so whatever is muted.
func TestWhatIsSkippedIsSaid(t *testing.T) {
	good := musttest.File(t, "good.json", `[{"content": "a", "tokens": 5}]`)
	folder := filepath.Dir(good)
	bad := filepath.Join(folder, "bad.txt")
	musttest.Do(t, os.WriteFile(bad, []byte("a\x00b\x01"), 0o600))
	musttest.Do(t, os.WriteFile(filepath.Join(folder, "text.txt"), []byte("some words"), 0o600))
	for _, verb := range []string{"report", "profile", "tokens", "check --min-filled 0", "report -q", "tokens -q", "check --min-filled 0 -q"} {
		args := append(clitest.Words(verb), good, bad)
		if code, out, told := clitest.Run("", args...); code != command.Input || out != "" || !strings.Contains(told, "bad.txt: ") {
			t.Errorf("%s: exit %d, %q, %s", verb, code, out, told)
		}
	}
	for _, c := range [][]string{
		{"report", "-q", folder}, {"tokens", "-q", filepath.Join(folder, "*.*")}, {"check", "-q", "--min-filled", "0", "--max-tokens", "9", folder}, {"compare", "-q", "greedy", "rank", "--max-tokens", "9", folder},
	} {
		code, _, told := clitest.Run("", c...)
		if code != command.Fine || strings.Count(told, "\n") != 1 || !strings.Contains(told, "skipped") {
			t.Errorf("%q: exit %d, %s", c, code, told)
		}
	}
	if _, _, told := clitest.Run("", "report", "-q", good); told != "" {
		t.Errorf("nothing is skipped: %s", told)
	}
}

// Values at which the pipeline does not run have no result: not one of no item, which has items
// that come and go.
func TestASweepOverValuesWithoutAResult(t *testing.T) {
	const items = `[{"content": "p", "tokens": 10, "pinned": true}, {"content": "a", "tokens": 5, "futureRelevanceHint": 0.5}]`
	over := []string{"sweep", "-", "--preset", "rag", "--max-tokens", "20", "--over", "target-tokens"}
	_, table, _ := clitest.Run(items, over...)
	musttest.Says(t, strings.Join(strings.Fields(table), " "), "0 9 no result 10 14 1 20 15 20 2 #1 2 changes")
	_, json, _ := clitest.Run(items, append(over, "-o", "json")...)
	musttest.Says(t, json, `{"from": 0, "to": 9, "includedCount": null, "cameIn": null, "left": null},
    {"from": 10, "to": 14, "includedCount": 1, "cameIn": [], "left": []},`)
}

// Where items may be cut, the binary search is compared with the least budget at which an item is
// whole, and says so.
func TestMinBudgetComparesWithWholeItems(t *testing.T) {
	const items = `[{"content": "a", "tokens": 10, "futureRelevanceHint": 0.9, "sizes": [{"tokens": 6}, {"tokens": 3}]}, {"content": "b", "tokens": 8, "futureRelevanceHint": 0.5, "sizes": [{"tokens": 2}]}]`
	_, table, _ := clitest.Run(items, "min-budget", "-", "--preset", "rag", "--max-tokens", "30")
	musttest.Says(t, table, "the binary search differs from "+`"whole from" for `)
	_, table, _ = clitest.Run(strings.ReplaceAll(items, "sizes", "other"), "min-budget", "-", "--preset", "rag", "--max-tokens", "30")
	musttest.Says(t, table, "the binary search differs from first in for ")
}

// One share is one text everywhere: the check that bounds it, and the one against what was recorded.
func TestBelowBestIsRoundedInOneWay(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base.json")
	clitest.Run("", "check", "--fixture", "agent", "--record", base)
	_, out, _ := clitest.Run("", "check", "--fixture", "agent", "--max-below-best", "5", "--against", base)
	share, _, _ := strings.Cut(strings.Split(out, "max-below-best 5 %")[1], " below")
	musttest.Says(t, out, strings.TrimSpace(share)+", was "+strings.TrimSpace(share))
}

// A case that is compared at two budgets is one case.
func TestACaseAtTwoBudgetsIsOne(t *testing.T) {
	_, out, _ := clitest.Run("", "compare", "greedy", "rank", "--fixture", "agent", "--at", "16k,32k")
	musttest.Says(t, out, "A greedy  B rank  1 case, 2 comparisons\n")
}
