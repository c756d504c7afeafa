package explorer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// d divides the items into groups with the tokens in and out. A group opens with enter, a
// click, or a jump to one of its items; V chooses it; the filter and marks go on working.
func TestItemsAreDividedIntoGroups(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		report := s.m.exp.Outcome(experiment.A).Report
		var in, whole model.Tokens
		value, inItems, all, first, largest := 0.0, 0, 0, -1, 0
		for i := range report.Items.Len() {
			tokens := report.Items.Tokens(i) // one is negative, as Trace counts it too
			if !report.Items.Loaded(i).Kind.Is(model.ToolOutput) {
				continue
			}
			if first < 0 {
				first, largest = i, i
			}
			if all++; tokens > report.Items.Tokens(largest) {
				largest = i
			}
			if whole += tokens; report.In(i) {
				in, inItems, value = in+tokens, inItems+1, value+report.Scores[i]
			}
		}
		s.press("dg")
		s.line("group", "items in", "tokens in", "of", "■ out")
		row := s.line("▸ tool output", fmt.Sprintf("%d of %d", inItems, all), in.String()+"  "+whole.String(), "█", "▓")
		s.line(fmt.Sprintf("○ #%d tool", largest), report.Items.Tokens(largest).String(), tooLarge)
		if size[0] >= 80 {
			s.line("item", "tok  why")
			sum := 0.0
			for _, line := range strings.Split(s.text(), "\n") {
				if m := regexp.MustCompile(`▸ .* (\d+\.\d\d)\b`).FindStringSubmatch(line); m != nil {
					sum += musttest.Of(strconv.ParseFloat(m[1], 64))(t)
				}
			}
			musttest.Is(t, widget.Value(sum), widget.Value(report.Value), size, "the groups add up to the value")
			musttest.Is(t, strings.Contains(row, widget.Value(value-.005)) || strings.Contains(row, widget.Value(value+.005)), true, size, row)
			s.line("▸ system prompt", "3 of 3", " pin") // which have no scores
			s.line("▸ document", "0 of 6", " 0.00")
			s.line("─ tool output", fmt.Sprintf("%d items, the %d largest; enter lists all", all, s.m.drawn.layout.Detail.H-map[bool]int{true: 3, false: 2}[size[0] >= 120]))
			musttest.Is(t, s.m.drawn.layout.Detail.H > s.m.drawn.layout.Main.H, true, size, "the pane has the rows that the groups leave")
		}
		s.press("x", "no item is selected")
		s.do("items.choose all")
		musttest.Is(t, len(s.m.selection.chosen), all, size, "V chooses")
		s.press("V<enter>")
		s.line("▾ tool output")
		if size[0] >= 80 {
			s.line("─ tool output", fmt.Sprintf("%d out, the ", all-inItems), " largest ─")
		}
		s.press("j")
		s.line("group", "items in", "tokens in")
		s.line("# kind", "item", "why")
		s.selects(first)
		s.do("item.needed")
		s.line("★", fmt.Sprintf(" %d tool", first))
		s.press("/is:in<enter>g")
		s.line("▾ tool output", fmt.Sprintf("%d of %d", inItems, inItems))
		s.press("<esc><esc>g<enter>")
		s.line("▸ tool output")
		s.clickOn("▸ tool output")
		s.line("▾ tool output")
		s.clickOn("▾ tool output")
		s.press("f64<enter>")
		s.selects(64)
		s.press("]]")
		s.selects(64)
		s.press("dg")
		s.line("▸ run")
		s.press("df64<enter>") // of no file is every item: there is nothing to divide
		s.seesNot("▸ ")
		s.selects(64)
	}
}

// The tools of one MCP server are a group, a result is in the group of its call, and without
// a result nothing is in or out.
func TestGroupsOfToolsAndServers(t *testing.T) {
	tool := func(name, content string) model.Item {
		it := model.Item{Content: content, Tokens: 10, Kind: model.ToolOutput}
		if name != "" {
			it.Metadata = map[string]any{"tool": name, "file": "a/" + name + ".go"}
		}
		return it
	}
	items := musttest.Of(model.NewSet([]model.Item{tool("mcp__github__get_issue", "call"), tool("", "result"), tool("mcp__github__list", "list"), tool("grep", "found"), tool("", "text")}))(t)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 25}))(t)
	s := begin(t, made(Workspace{Name: "s", Format: "items", Items: items.WithPairs(model.Pair{Call: 0, Result: 1}), Budget: b, Ceiling: 100,
		Policy: model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})}), 120, 36)
	s.do("items.group") // all are of one kind
	s.line("▸ server github", "2 of 3", "20  30")
	s.line("▸ grep", "0 of 1")
	s.line("▸ no tool")
	s.do("items.group")
	s.line("▸ a/grep.go")
	s.press(":" + reserve + " 25<enter>")
	if s.press(":pin 0 1 2<enter>"); s.m.exp.Result(experiment.A) == nil {
		s.line("▸ a/grep.go", "- of 1")
	}
	alike := musttest.Of(model.NewSet([]model.Item{tool("", "one"), tool("", "two")}))(t)
	s = begin(t, made(Workspace{Name: "s", Format: "items", Items: alike, Budget: b, Ceiling: 100, Policy: model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})}), 120, 36)
	s.do("items.group", "all items are of one kind, one tool and one file: there is nothing to divide them by")
	s.seesNot("▸ ")
	s = (&story{t: t, held: true}).begin(agentSession(t), 120, 36)
	s.step(func() bool { return s.m.exp != nil })
	s.do("items.group") // before the first result
	s.release()
	s.line("▾ tool output")
	s, path := file(t, "items.jsonl", reloadFirst+`{"content": "found", "tokens": 9, "kind": "ToolOutput"}`)
	s.press("dG<enter>j")
	s.selects(3)
	write(t, path, reloadFirst)
	s.held = true
	s.do("reload")
	s.step(func() bool { return s.m.exp.Items().Len() == 3 })
	s.seesNot("▸ message", "found") // before the first result of other items
	s.release()
	s.line("▸ message")
}

// The footer names where the key leads to from groups and what enter does, and the one that shows
// all items again after the list of a step; the title of a group has the words for one item.
func TestTheFooterNamesTheWayBack(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.seesNot("  d by")
	s.do("items.group", "d by tool or server  enter open")
	s.press("<enter>", "enter fold")
	s.do("items.group", "d no groups")
	s.press("d:12000<enter>", "D list the ")
	s.do("items.moved", "D all items again")
	s.do("items.moved")
	s.seesNot("all items again")
	s = agentAt(t, 60, 16, "dd") // with room for one
	s.line("─ run", "26 items, the largest; enter lists all ─")
}
