package explorer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/view/trace"
	"cupelscope/tui/internal/widget"
)

func TestTraceWritesTheRoomOutAsACalculation(t *testing.T) {
	session := sampleSession(t, 60)
	s := begin(t, session, 80, 60, func(o *Options) { o.Now = ticking() })
	s.do("view.Trace",
		"▌ budget             32,000  ███",
		fmt.Sprintf("  − %-15s   8,000  ", reserve),
		"  − "+plain.Pinned+"              500  ",
		fmt.Sprintf("  − %-15s   1,200  ", heldFor+"memory"),
		"  − safety 5 %        1,115  ",
		"  = room             21,185  ███",
		"  − selected         20,902   ███",
		"  = free                283  ",
		"  60 given  → 60 not "+strings.TrimSuffix(negative, " tokens")+"  → 59 not "+duplicate+"s  → 49 in",
		"  out: 1 "+duplicate+", 10 do not fit",
		" Kinds           items in  tokens in      of",
		"  document       12 of 17      4,952  15,656  ███",
	)
}

// ticking is a clock that goes on by a millisecond whenever it is read.
func ticking() func() time.Time {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Millisecond); return now }
}

// Above the waterfall stands what is left of the budget, what the items that compete for it need,
// and how many get in.
func TestTraceBeginsWithItsAnswer(t *testing.T) {
	for size, s := range agentAtSizes(t, "") {
		for _, keys := range []string{"6", "c", "]", ":shrink tool 2000 500<enter>"} {
			s.press(keys)
			o := s.m.exp.Outcome(experiment.A)
			rep := o.Report
			all, in, need := 0, 0, model.Tokens(0)
			for i := range o.Items.Len() {
				switch rep.Codes[i] {
				case model.Pinned, model.NegativeTokens, model.Deduplicated:
					continue
				}
				if all, need = all+1, need+o.Items.Tokens(i); rep.In(i) {
					in++
				}
			}
			want := []string{
				fmt.Sprintf("%v of %v tokens are kept back or "+plain.Pinned+"; %d items that need %v compete for the other %v: %d get in.",
					rep.Budget.MaxTokens()-rep.Effective.Target, rep.Budget.MaxTokens(), all, need, rep.Effective.Target, in),
				fmt.Sprintf("%d items that need %v compete for %v tokens: %d get in.", all, need, rep.Effective.Target, in),
				fmt.Sprintf("%d items that need %v compete for %v: %d get in.", all, need, rep.Effective.Target, in),
			}
			s.sees(want[map[int]int{120: 0, 80: 1, 60: 2}[size[0]]])
		}
	}
}

// The room that is written out is the room, whatever the budget.
func TestTraceArithmeticIsThatOfThePipeline(t *testing.T) {
	for _, f := range []model.BudgetFields{
		{MaxTokens: 20000},
		{MaxTokens: 20000, TargetTokens: model.Some[model.Tokens](9000), OutputReserve: 3000},
		{MaxTokens: 20000, TargetTokens: model.Some[model.Tokens](19000), OutputReserve: 3000, SafetyMargin: 12.5},
		{MaxTokens: 20000, TargetTokens: model.Some[model.Tokens](0)},
		{MaxTokens: 2000, OutputReserve: 1500, ReservedSlots: []model.Slot{{Kind: "Memory", Tokens: 70}, {Kind: "Document", Tokens: 9}}},
		{MaxTokens: 9000, SafetyMargin: 100},
	} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			session := sampleSession(t, 60)
			session.Budget = musttest.Of(model.NewBudget(f))(t)
			s := begin(t, session, 60, 60)
			s.do("view.Trace")
			got, err := lastNumber(strings.Fields(s.line("= room")))
			if want := int64(s.m.exp.Outcome(experiment.A).Report.Effective.Target); err != nil || got != want {
				t.Errorf("the room is %d, the pipeline says %d:\n%s", got, want, s.text())
			}
			s.sumsUp()
		})
	}
}

// sumsUp checks that what the rows take from the target, one after the other, is what
// the rows of sums have left.
func (s *story) sumsUp() {
	s.t.Helper()
	left := int64(-1) // not known yet
	target := strings.Contains(s.text(), "maximum")
	for _, name := range []string{"budget   ", "− " + reserve, "− " + plain.Pinned, "− " + heldFor, "= left", "− safety", "= room", "− selected", "= free"} {
		for _, row := range strings.Split(s.text(), "\n") {
			fields := strings.Fields(row)
			if !strings.Contains(strings.TrimLeft(row, " ▌")+" ", name) || strings.Contains(row, "‹") || target && name == "− "+reserve {
				continue
			}
			n, err := lastNumber(fields)
			switch {
			case err != nil:
				s.t.Fatalf("%q has no number", row)
			case strings.HasPrefix(name, "−"):
				left -= n
			case left >= 0 && name[0] == '=' && max(0, n) != max(0, left):
				s.t.Errorf("%s: %d, the rows above leave %d:\n%s", name, n, left, s.text())
			default:
				left = max(0, n)
			}
		}
	}
}

// lastNumber returns the last of fields that is a number, which a bar may follow, or
// an error.
func lastNumber(fields []string) (n int64, err error) {
	err = strconv.ErrSyntax
	for _, field := range fields {
		if v, bad := strconv.ParseInt(strings.NewReplacer(",", "", "−", "-").Replace(field), 10, 64); bad == nil {
			n, err = v, nil
		}
	}
	return n, err
}

// On a large screen the rows below the tables list the items behind the row under the
// cursor: those that enter shows in Items, and those that are out where it leads to a knob.
func TestTraceListsTheItemsBehindARow(t *testing.T) {
	s := begin(t, agentSession(t), 200, 60)
	s.do("view.Trace")
	s.line("tokens are kept back or "+plain.Pinned, "Kinds") // beside each other
	s.clickOn("marker")
	s.line("▌ marker")
	s.press("g")
	for _, at := range []struct{ row, title string }{{"budget", "Out"}, {"− " + plain.Pinned, "Behind the row"}, {"counted", "Behind the row"}, {" message ", "Behind the row"}} {
		for range 30 {
			if strings.Contains(s.line("▌"), at.row) {
				break
			}
			s.press("j")
		}
		filter, want := "is:out", s.m.exp.Outcome(experiment.A)
		if lead := s.m.view().(*trace.View).Lead(); lead.Filter != "" {
			filter = lead.Filter
		}
		q, facts := musttest.Of(query.Parse(filter))(t), widget.FactsOf(want)
		items, tokens := 0, model.Tokens(0)
		for i := range want.Items.Len() {
			if q.Match(&facts, i) {
				items, tokens = items+1, tokens+want.Items.Tokens(i)
				if items <= 15 {
					s.line("#"+strconv.Itoa(i)+" "+widget.KindName(want.Items.Loaded(i).Kind)+" ", widget.ItemTokens(want.Items, i))
				}
			}
		}
		s.sees(fmt.Sprintf("%s  %s (%s), %s tok", at.title, plain.Count(items, "item"), filter, widget.Tokens(tokens)))
	}
}

func TestTraceLeadsToItemsAndKnobs(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("6g", "enter change budget")
	s.do("trace.open")
	if k, _ := s.m.knobs.Current(); k.ID != experiment.MaxTokens || s.m.focus != onKnobs {
		t.Errorf("enter leads to %v", k.ID)
	}
	s.press("L<esc>j<enter>")
	if k, _ := s.m.knobs.Current(); k.ID != experiment.OutputReserve {
		t.Errorf("enter leads to %v", k.ID)
	}
	s.press("<esc>")
	s.until("enter change "+heldFor+"memory", "j")
	s.do("trace.open")
	if k, ok := s.m.knobs.Current(); !ok || k.Label != heldFor+"memory" {
		t.Errorf("enter leads to %q", k.Label)
	}
	s.press("<esc>jj<enter>", "enter: nothing to open here")
	report := s.m.exp.Outcome(experiment.A).Report
	for _, c := range []struct {
		row  string
		code model.Code
	}{{"selected by", model.BudgetExceeded}, {"not " + duplicate + "s", model.Deduplicated}} {
		n := 0
		for _, code := range report.Codes {
			if code == c.code {
				n++
			}
		}
		s.do("view.Trace")
		s.clickOn(c.row)
		s.do("trace.open")
		if s.sees(s.tab(1)); len(s.rows()) != n || n == 0 {
			t.Errorf("%s leads to %d items, there are %d", c.row, len(s.rows()), n)
		}
		s.press("<esc>")
		s.seesNot("shown")
	}
}

func TestTraceSaysWhatIsWrongAndWhatFixesIt(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 120, 36).after("<tab><enter>8100<enter><tab>6g") // 500 are pinned, 100 are left beside the reserve
	s.sees("no result: "+reserve+" 8,000 + "+plain.Pinned+" 500 need 8,500, 400 more than the budget", "enter change budget", "0 of 1,200", "= missing", " 400 ")
	s.seesNot("What to know", "no result at", "last result", "Kinds") // the notice says it
	s.do("trace.open")
	if k, _ := s.m.knobs.Current(); k.ID != experiment.MaxTokens {
		t.Errorf("enter leads to %v", k.ID)
	}
	s.press("<enter>7k<enter><esc>", "= missing", reserve+" 8,000 + "+plain.Pinned+" 500 need 8,500, 1,500 more than the budget")
	s.seesNot("What to know", "no result at", "no room")
	s.press("uu")
	s.seesNot("What to know")
	s.press(":set target 300<enter>", "What to know", "enter change overflow") // no row of the arithmetic leads there
	session := sampleSession(t, 60)
	session.Policy.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 99, Cap: 99}}
	session.Policy.Overflow = model.Proceed
	s = begin(t, session, 120, 36).after("<tab><enter>12k<enter><tab>6g", "Counts", "document requires 99", "were let", "= too many")
	s.press("jj<enter>", "require")
	s = opening(t, "a.json", `[{"content": "a", "tokens": 5}]`, 120, 36)
	s.press(":set slack 250<enter>:40<enter>6", plain.AtRisk+": not known, the slack (250) is larger than the budget or its target")
}

func TestTraceTellsQuotas(t *testing.T) {
	session := sampleSession(t, 60)
	session.Policy.Quotas = []model.Quota{{Kind: model.Document, MinPercent: model.Some(20.0), MaxPercent: model.Some(30.0)}}
	s := begin(t, session, 140, 40)
	s.do("view.Trace")
	s.seesNot("+ " + plain.Pinned)
	s.press(":pin " + itemName(ofKind(session.Items, model.Document)[0]) + "<enter>") // quotas have no say in it
	musttest.Says(t, strings.Join(strings.Fields(s.line("Quotas")), " "), "Quotas min % max % share got + "+plain.Pinned, "the columns are called")
	o := s.m.exp.Outcome(s.m.side)
	rest := model.Tokens(o.Report.Effective.Target)
	defer func() { s.line("in no share ", " "+rest.String()+" (") }()
	for _, share := range o.Ranking.Shares(o.Report.Budget) { // a row a kind
		rest -= model.Tokens(share.Target)
		var got, pinned model.Tokens
		for i := range o.Items.Len() {
			switch of := share.Kind.Is(o.Items.Loaded(i).Kind); {
			case of && o.Items.Pinned(i):
				pinned += o.Items.Tokens(i)
			case of && o.Report.In(i):
				got += o.Items.Tokens(i)
			}
		}
		if share.Kind == model.Document && pinned == 0 {
			t.Fatal("no document is pinned")
		}
		besides := strings.TrimPrefix(pinned.String()+" ", "0 ")
		bounds := strings.TrimSuffix(widget.Share(share.Quota.Require()), " %") + " " + strings.TrimSuffix(widget.Share(share.Quota.Cap()), " %")
		words := strings.Join(strings.Fields(strings.Join(s.screen(), " ")), " ")
		if want := share.Kind.Noun() + " " + bounds + " " + model.Tokens(share.Target).String() + " (" + plain.Percent(float64(share.Target)/float64(o.Report.Effective.Target)) + ") " + got.String() + " " + besides; !strings.Contains(words, want) {
			t.Errorf("no row %q in\n%s", want, s.text())
		}
	}
}

// The items that the share of their kind keeps out, or to the set of a knapsack, are told apart
// in Trace, and all of them are counted.
func TestTraceTellsAFullShareFromAFullRoom(t *testing.T) {
	for want, change := range map[string]func(*model.Policy){
		"over the quota": func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: model.Document, MaxPercent: model.Some(10.0)}}
		},
		best.Group:    func(p *model.Policy) { p.Slicer = model.Knapsack },
		"cap is full": func(p *model.Policy) { p.CountQuotas = []model.CountQuota{{Kind: model.Document, Cap: 2}} },
		"do not fit":  func(p *model.Policy) {},
	} {
		session := sampleSession(t, 60)
		change(&session.Policy)
		s := begin(t, session, 80, 60)
		o, n := s.m.exp.Outcome(experiment.A), 0
		reasons := musttest.Of(o.Explain(t.Context()))(t)
		for i := range o.Report.Codes {
			why := export.WhyOut(reasons.Of(i), o.Report, o.Policy, false)
			if o.Report.Codes[i] == model.BudgetExceeded && (why.Group == want || want == "over the quota" && why.Share != "") || want == "do not fit" && reasons.Of(i).Obstacle == simulate.Short || want == "cap is full" && o.Report.Codes[i] == model.CountCapExceeded {
				n++
			}
		}
		s.do("view.Trace")
		told := fmt.Sprintf("%d %s", n, want)
		if strings.HasSuffix(want, " is full") {
			told = fmt.Sprintf("%d as the %s", n, want)
		}
		if n == 0 || !strings.Contains(strings.Join(strings.Fields(s.text()), " "), told) {
			t.Errorf("Trace does not say %q:\n%s", told, s.text())
		}
	}
}

// On a wide screen the items behind a row have strips, which say at which budgets each is in.
func TestTraceUsesAWideScreenForTheItemsBehindARow(t *testing.T) {
	s := begin(t, agentSession(t), 200, 60)
	s.do("view.Trace", "Kinds")
	s.press("jjjjjjjjjjjjj")
	s.line("▌ tool output")
	s.sees("Behind the row  36 items (kind:ToolOutput)")
	o, drawn := s.m.exp.Outcome(experiment.A), 0
	x, head := s.find(" 11.3k·")
	for _, line := range s.screen()[head+1:] {
		row := regexp.MustCompile(`│ .#(\d+) tool `).FindStringSubmatch(strings.Replace(line, " #", "#", 1))
		if row == nil {
			break
		}
		i, strip := musttest.Of(strconv.Atoi(row[1]))(t), []rune(line)[x+1:len([]rune(line))-2]
		scale := widget.StripScale(o, len(strip))
		for k, cell := range strip {
			if _, in := o.Profile.SizeAt(o.Report.Survivor(i), scale.Edges[k]); k != scale.Column(s.m.budget()) && (in && cell == '·' || !in && cell == '▅') {
				t.Errorf("#%d is in at %v: %v, the strip has %c: %s", i, scale.Edges[k], in, cell, line)
			}
		}
		drawn++
	}
	if drawn < 30 {
		t.Errorf("%d strips:\n%s", drawn, s.text())
	}
}

// The tokens of the kinds add up to those of all items, as a report counts them, negative ones too.
func TestTheKindsOfTraceAddUp(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.do("view.Trace")
	_, kinds, _ := strings.Cut(s.text(), "│ Kinds ")
	sum := 0
	for _, row := range regexp.MustCompile(`(?m)^│  [a-z ]+?  +([0-9,]+) `).FindAllStringSubmatch(kinds, -1) {
		sum += musttest.Of(strconv.Atoi(strings.ReplaceAll(row[1], ",", "")))(t)
	}
	musttest.Is(t, model.Tokens(sum), s.m.exp.Items().Total(), "the kinds add up to", kinds)
}

// The tokens of all kinds together are those of the steps of the items: an item with negative tokens counts too.
func TestTheKindsOfTraceAddUpToItsItems(t *testing.T) {
	s := agentAt(t, 120, 36, "6")
	rep := s.m.exp.Outcome(experiment.A).Report
	sums := map[model.Code]model.Tokens{}
	all, compete := model.Tokens(0), model.Tokens(0)
	for i, code := range rep.Codes {
		all += rep.Items.Tokens(i)
		if sums[code] += rep.Items.Tokens(i); code != model.NegativeTokens && code != model.Deduplicated && code != model.Pinned {
			compete += rep.Items.Tokens(i)
		}
	}
	s.line("that need " + compete.String())
	s.line("2 " + duplicate + "s (" + sums[model.Deduplicated].String() + " tok)")
	s.line("1 with " + negative + " (" + strings.Replace(sums[model.NegativeTokens].String(), "-", theme.Minus, 1) + " tok)")
	kinds := int64(0)
	for _, kind := range rep.Items.Kinds() {
		fields := strings.Fields(s.line("│", kind.Noun()+"  ", " tok "))
		at := len(strings.Fields(kind.Noun())) + 1
		kinds += musttest.Of(strconv.ParseInt(strings.ReplaceAll(fields[at], ",", ""), 10, 64))(t)
	}
	musttest.Is(t, model.Tokens(kinds), all)
	musttest.Is(t, all, compete+sums[model.Pinned]+sums[model.Deduplicated]+sums[model.NegativeTokens])
}
