package explorer

import (
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

const recordedReport = `{"included":[{"item":{"content":"alpha one","tokens":30,"kind":"Document"},"score":0.75,"reason":"Scored"},{"item":{"content":"beta","tokens":20,"kind":"Document"},"score":0.25,"reason":"Scored"}],
	"excluded":[{"item":{"content":"gamma three","tokens":25,"kind":"Document"},"score":0.5,"reason":{"BudgetExceeded":{"item_tokens":25,"available_tokens":2}}},{"item":{"content":"alpha one","tokens":30,"kind":"Document"},"score":0,"reason":"Deduplicated"}],"total_candidates":4}`

// What a report recorded stands in the place of policy B, with its reasons, and a
// key shows policy B itself.
func TestCompareWithWhatIsRecorded(t *testing.T) {
	path := musttest.File(t, "report.json", recordedReport)
	opened := sessionOf(t, session.Options{Sources: []string{path}, Budget: map[string]string{"maxTokens": "60"}, Preset: "rag"})
	s := begin(t, opened, 140, 40)
	s.do("view.Compare", "Compare  A at 60 vs B as recorded", "B as recorded", "-  no budget recorded", "only A: 1 item", "only B: 1 item",
		"as recorded: 2 items otherwise, 1 in only here and 1 only there", "needs 25, 2 free")
	s.press("M", "what is recorded has no policy that could be changed")
	s.do("item.exclude") // an edit is of our run alone
	s.sees("B as recorded")
	s.press("uR", "Compare  A vs B at 60", "B knapsack 100")
	s.seesNot("as recorded")
	s.do("compare.recorded", "as recorded")
}
