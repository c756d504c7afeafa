package turns

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// piece is a part of a window as the plain computation has it.
type piece struct {
	kind string // "item", "note" or "summary"
	id   int    // of the item, or the number of the summary
	of   []int  // what a summary stands for
}

// plainRule follows a rule with none of the package: every window from the history of
// its request and from what was done before.
type plainRule struct {
	*brute
	rule  Rule
	fixed model.Tokens

	noted, gone map[int]bool
	summary     *piece
	summaries   int
}

func (p *plainRule) tokens(w []piece) (sum model.Tokens) {
	for _, part := range w {
		switch part.kind {
		case "item":
			sum += p.log.Items.Tokens(part.id)
		case "note":
			sum += p.rule.Note
		default:
			sum += p.rule.Summary
		}
	}
	return sum
}

// spared reports whether the rule never touches an item.
func (p *plainRule) spared(i int) bool {
	it := p.log.Items.Loaded(i)
	name, _ := it.Metadata["tool"].(string)
	return p.log.Items.Pinned(i) || slices.Contains(p.rule.Exclude, name) || slices.Contains(p.rule.Exclude, string(it.Kind))
}

// there lists what is in the window before the rule is asked: all of the history for
// a rule without a memory.
func (p *plainRule) there(end int) []piece {
	all := p.available(end)
	if !p.rule.Once {
		p.noted, p.gone = map[int]bool{}, map[int]bool{}
	}
	var w []piece
	stands := p.summary
	if stands != nil && !slices.ContainsFunc(stands.of, func(i int) bool { return slices.Contains(all, i) }) {
		p.summary, stands = nil, nil
	}
	for _, i := range all {
		if stands != nil && i > stands.id {
			w, stands = append(w, *stands), nil
		}
		switch {
		case p.noted[i]:
			w = append(w, piece{kind: "note", id: i})
		case !p.gone[i]:
			w = append(w, piece{kind: "item", id: i})
		}
	}
	if stands != nil {
		w = append(w, *stands)
	}
	return w
}

// newestMessages returns how many of the last parts are the newest n messages.
func (p *plainRule) newestMessages(w []piece, n int) (parts int) {
	joined := func(a, b piece) bool {
		if a.kind == "summary" || b.kind == "summary" {
			return false
		}
		for i := b.id; i > a.id; i-- { // every item between them belongs to the one before it
			f := p.log.Facts
			if !f[i].Continues && (f[i].Answer == 0 || f[i].Answer != f[i-1].Answer) {
				return false
			}
		}
		return true
	}
	messages := 0
	for k := len(w) - 1; k >= 0; k-- {
		if k == len(w)-1 || !joined(w[k], w[k+1]) {
			if messages++; messages > n {
				break
			}
		}
		parts++
	}
	return parts
}

func (p *plainRule) window(end int) (w []piece, asked []piece) {
	before := p.there(end)
	full := p.rule.Trigger
	if p.rule.OfMax {
		full = max(0, p.budget.MaxTokens()-p.rule.Trigger)
	}
	if p.fixed+p.tokens(before) <= full {
		return before, nil
	}
	result := func(x piece) bool { return x.kind != "summary" && p.log.Items.Loaded(x.id).Kind == model.ToolOutput }
	var results []int
	for k, x := range before {
		if result(x) {
			results = append(results, k)
		}
	}
	keepsResult := func(k int, count int) bool { // by the tokens of the newer ones, or by count
		newer, tokens := 0, model.Tokens(0)
		for _, r := range results {
			if r > k {
				newer++
				tokens += p.log.Items.Tokens(before[r].id)
			}
		}
		return newer < count || tokens < p.rule.KeepTokens
	}
	place := func(i int) int {
		return slices.IndexFunc(before, func(x piece) bool { return x.kind == "item" && x.id == i })
	}
	switch p.plan.Strategy {
	case Clear:
		for k, x := range before {
			if x.kind == "item" && result(x) && !p.spared(x.id) && p.log.Items.Tokens(x.id) > p.rule.Note && !keepsResult(k, p.rule.Keep) {
				x.kind = "note"
			}
			w = append(w, x)
		}
	case Drop:
		newest := len(before) - p.newestMessages(before, p.rule.Keep)
		oldest := len(before) // the oldest result that tokens keep
		for k := range before {
			if result(before[k]) && keepsResult(k, 0) {
				oldest = min(oldest, k)
			}
		}
		goes := func(k int) bool {
			i := before[k].id
			with, paired := p.log.Items.Partner(i)
			call := paired && with > i
			return k < min(newest, oldest) && !p.spared(i) && (result(before[k]) || call)
		}
		for k, x := range before {
			with, paired := p.log.Items.Partner(x.id)
			if goes(k) && (!paired || place(with) < 0 || goes(place(with))) {
				continue
			}
			w = append(w, x)
		}
	case Summarise:
		cut := len(before) - p.newestMessages(before, p.rule.Keep)
		sum := model.Tokens(0)
		for k := len(before) - 1; k >= 0 && sum < p.rule.KeepTokens; k-- {
			if before[k].kind == "summary" {
				sum += p.rule.Summary
			} else if !p.spared(before[k].id) {
				sum += p.log.Items.Tokens(before[k].id)
			} else {
				continue
			}
			cut = min(cut, k)
		}
		for moved := true; moved; {
			moved = false
			for _, x := range before[cut:] {
				if x.kind == "summary" {
					continue
				}
				if with, paired := p.log.Items.Partner(x.id); paired {
					if at := place(with); at >= 0 && at < cut {
						cut, moved = at, true
					}
				}
			}
		}
		s := piece{kind: "summary", id: -1}
		some := false
		for _, x := range before[:cut] {
			switch {
			case x.kind == "summary":
				s.of = append(s.of, x.of...)
				s.id = max(s.id, x.id)
			case p.spared(x.id):
				w = append(w, x)
			default:
				s.of = append(s.of, x.id)
				some = true
			}
			s.id = max(s.id, x.id)
		}
		if !some {
			return before, nil
		}
		w = append(append(w, s), before[cut:]...)
	}
	if freed := p.tokens(before) - p.tokens(w); freed < max(1, p.rule.AtLeast) {
		return before, nil
	}
	for _, x := range before {
		if x.kind == "item" && !slices.ContainsFunc(w, func(y piece) bool { return y.kind == "item" && y.id == x.id }) {
			p.gone[x.id] = true
		}
	}
	for _, x := range w {
		switch x.kind {
		case "note":
			p.noted[x.id] = true
		case "summary":
			p.summary, asked = &x, before
		}
	}
	if p.plan.Strategy == Summarise {
		p.summaries++
	}
	return w, asked
}

// shares returns the tokens of the prefix that two windows have in common.
func (p *plainRule) shares(a, b []piece) (tokens model.Tokens) {
	for k := 0; k < len(a) && k < len(b) && a[k].kind == b[k].kind; k++ {
		if a[k].kind == "summary" && fmt.Sprint(a[k]) != fmt.Sprint(b[k]) || a[k].kind != "summary" && !p.same(a[k].id, b[k].id) {
			break
		}
		tokens += p.tokens(a[k : k+1])
	}
	return tokens
}

func randomRule(rng *rand.Rand, s Strategy, total model.Tokens) Rule {
	r := Rule{
		Trigger: model.Tokens(rng.IntN(int(max(0, total))/2 + 5)), Keep: rng.IntN(4), Once: rng.IntN(2) == 1,
		Note: model.Tokens(rng.IntN(4)), Summary: model.Tokens(rng.IntN(6)),
	}
	r.OfMax = rng.IntN(5) == 0
	if rng.IntN(2) == 0 {
		r.KeepTokens = model.Tokens(rng.IntN(20))
	}
	if rng.IntN(3) == 0 {
		r.AtLeast = model.Tokens(rng.IntN(12))
	}
	if rng.IntN(4) == 0 {
		r.Exclude = [...][]string{{"read"}, {"bash", "nothing"}, {"Message"}, {"ToolOutput"}}[rng.IntN(4)]
	}
	if s == Summarise {
		r.Once = true
	}
	return r
}

// written returns the parts of a window in the words of the plain computation.
func written(w *Window) (parts []string) {
	for _, part := range w.sequence() {
		i, ok := itemOf(part)
		switch {
		case !ok:
			parts = append(parts, "summary")
		case part < 0:
			parts = append(parts, fmt.Sprint("note ", i))
		default:
			parts = append(parts, fmt.Sprint("item ", i))
		}
	}
	return parts
}

func inWords(w []piece) (parts []string) {
	for _, x := range w {
		if x.kind == "summary" {
			parts = append(parts, x.kind)
		} else {
			parts = append(parts, fmt.Sprint(x.kind, " ", x.id))
		}
	}
	return parts
}

func TestRulesEqualAPlainComputation(t *testing.T) {
	musttest.Alone(t)
	cache := Cache{Read: .1, Write: 1.25, Minimum: 7, Step: 3}
	acted := map[Strategy]int{}
	for seed := range uint64(6000) {
		rng := rand.New(rand.NewPCG(seed, 77))
		log := randomLog(t, rng)
		s := musttest.Of(newHistory(log))(t)
		budget := randomBudget(t, rng, log.Items.Total())
		plan := Plan{Strategy: [...]Strategy{Clear, Drop, Summarise}[seed%3]}
		plan.Rule = randomRule(rng, plan.Strategy, log.Items.Total())
		fixed := model.Tokens(rng.IntN(2) * rng.IntN(40))
		by := Billing{Cache: cache, Fixed: Fixed{Tokens: fixed, From: FixedGiven}, Output: 5}
		courses, _, err := Run(context.Background(), s, []Plan{plan}, budget, by, Options{})
		musttest.Do(t, err)
		kept := courses[1]
		courses, _, err = Run(context.Background(), s, []Plan{plan}, budget, by, Options{Keeps: func(Plan) bool { return false }})
		if err != nil || courses[1].Totals != kept.Totals || !slices.Equal(courses[1].Changes, kept.Changes) {
			t.Fatalf("seed %d, %s %+v: %v, %+v where no window is kept, want %+v", seed, plan.Strategy, plan.Rule, err, courses[1].Totals, kept.Totals)
		}
		courses[1] = kept
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, %s %+v, fixed %v: %s", seed, plan.Strategy, plan.Rule, fixed, fmt.Sprintf(format, args...))
		}
		p := &plainRule{brute: &brute{t: t, log: log, plan: plan, budget: budget}, rule: plan.Rule, fixed: fixed, noted: map[int]bool{}, gone: map[int]bool{}}
		price := func(tokens, shared model.Tokens) float64 {
			b := cache.split(fixed+tokens, fixed+shared)
			if shared < 0 { // nothing was sent before
				b = cache.split(fixed+tokens, 0)
			}
			return b.Cost
		}
		var sent [][]piece
		longest := func(w []piece) model.Tokens {
			most := model.Tokens(-1)
			for _, earlier := range sent {
				most = max(most, p.shares(earlier, w))
			}
			return most
		}
		cost, size, counted, summaries, bare := 0.0, model.Tokens(0), 0, 0, 0
		for k, end := range p.requests() {
			want, asked := p.window(end)
			got := courses[1].Windows[k]
			if !slices.Equal(written(&got), inWords(want)) || got.Tokens != p.tokens(want) {
				fail("request %d: %v of %v tokens, want %v of %v", k, written(&got), got.Tokens, inWords(want), p.tokens(want))
			}
			if (got.Asked != nil) != (asked != nil) || asked != nil && !slices.Equal(written(got.Asked), inWords(asked)) {
				fail("request %d: asked %v, want %v", k, got.Asked, asked)
			}
			var whole, notes []int32
			for _, x := range want {
				switch x.kind {
				case "item":
					whole = append(whole, int32(x.id))
				case "note":
					notes = append(notes, int32(x.id))
				}
			}
			if cleared, _ := got.Cleared(); !slices.Equal(cleared, notes) || !slices.Equal(got.Items, whole) {
				fail("request %d: items %v, cleared %v, want %v and %v", k, got.Items, cleared, whole, notes)
			}
			if len(notes) > 0 || asked != nil || plan.Strategy == Drop && len(whole) < len(p.available(end)) {
				acted[plan.Strategy]++
			}
			now := end == log.Items.Len()
			other := func(x piece) bool { return x.kind != "item" || !log.Items.Pinned(x.id) }
			if all := courses[0].Windows[k].Tokens; !now && len(want) > 0 && p.tokens(want) < all && !slices.ContainsFunc(want, other) {
				bare++
			}
			if asked != nil {
				if !now {
					first := len(sent) == 0
					shared := longest(asked)
					if first {
						shared = -1
					}
					cost += price(p.tokens(asked), shared) + 5*float64(plan.Rule.Summary)
					summaries++
				}
				if len(sent) == 0 { // the session's first request, whatever was asked before it
					sent = append(sent, asked)
					if !now {
						cost += price(p.tokens(want), -1)
						counted, size = counted+1, size+fixed+p.tokens(want)
					}
					sent = append(sent, want)
					continue
				}
				sent = append(sent, asked)
			}
			if !now {
				cost += price(p.tokens(want), longest(want))
				counted, size = counted+1, size+fixed+p.tokens(want)
			}
			sent = append(sent, want)
		}
		got := courses[1].Totals
		if math.Abs(got.Cost-cost) > 1e-6 || got.Requests != counted || got.Summaries != summaries || got.Tokens() != size || got.Bare != bare {
			fail("cost %v of %d requests with %d summaries, %d bare, and %v tokens, want %v of %d with %d, %d and %v", got.Cost, got.Requests, got.Summaries, got.Bare, got.Tokens(), cost, counted, summaries, bare, size)
		}
	}
	for _, s := range []Strategy{Clear, Drop, Summarise} {
		if acted[s] < 500 {
			t.Errorf("%s did something at %d requests only: too few to prove anything", s, acted[s])
		}
	}
}

// agentLog is a question and so many calls, each with a result of its own size.
func agentLog(t *testing.T, results ...model.Tokens) *History {
	t.Helper()
	items := []model.Item{{Content: "system", Tokens: 5, Kind: model.SystemPrompt, Pinned: true}, {Content: "ask", Tokens: 5}}
	facts := make([]fact, 2)
	var pairs []model.Pair
	for k, tokens := range results {
		n := len(items)
		tool := [...]string{"read", "bash"}[k%2]
		items = append(items,
			model.Item{Content: fmt.Sprint("call ", k), Tokens: 1, Metadata: map[string]any{"tool": tool, "part": "toolCall"}},
			model.Item{Content: fmt.Sprint("result ", k), Tokens: tokens, Kind: model.ToolOutput})
		facts = append(facts, fact{Answer: k + 1}, fact{})
		pairs = append(pairs, model.Pair{Call: n, Result: n + 1})
	}
	return musttest.Of(newHistory(transcript{Items: newSet(t, items...).WithPairs(pairs...), Facts: facts}))(t)
}

func TestRulesAtTheirEdges(t *testing.T) {
	for _, c := range []struct {
		name    string
		plan    string
		fixed   model.Tokens
		results []model.Tokens
		want    string // the last window
	}{
		{"a trigger that is never met changes nothing", "clear:trigger=200,keep=0", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 item 3 item 4 item 5"},
		{"a window of exactly the trigger is not full", "clear:trigger=112,keep=0", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 item 3 item 4 item 5"},
		{"one token more is, and keep 0 clears all", "clear:trigger=111,keep=0", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 note 3 item 4 note 5"},
		{"the fixed part counts", "clear:trigger=111,keep=0", 1, []model.Tokens{50, 49}, "item 0 item 1 item 2 note 3 item 4 note 5"},
		{"a result that is not larger than its note stays", "clear:trigger=20,keep=0,note=50", 0, []model.Tokens{50, 51}, "item 0 item 1 item 2 item 3 item 4 note 5"},
		{"too little to be worth it", "clear:trigger=20,keep=1,at-least=41", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 item 3 item 4 item 5"},
		{"just enough", "clear:trigger=20,keep=1,at-least=40", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 note 3 item 4 item 5"},
		{"the tool of a result is that of its call", "clear:trigger=20,keep=0,exclude=READ", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 item 3 item 4 note 5"},
		{"the result that reaches the tokens to keep is kept", "clear:trigger=20,keep-tokens=51", 0, []model.Tokens{50, 50, 50}, "item 0 item 1 item 2 note 3 item 4 item 5 item 6 item 7"},
		{"a call whose result is kept stays", "drop:keep=1", 0, []model.Tokens{50, 50}, "item 0 item 1 item 4 item 5"},
		{"the cut moves before the call", "summarise:trigger=20,keep-tokens=50,summary=5", 0, []model.Tokens{50, 50}, "item 0 summary item 4 item 5"},
		{"a summary that frees nothing is not written", "summarise:trigger=20,keep-tokens=50,summary=57", 0, []model.Tokens{50, 50}, "item 0 item 1 item 2 item 3 item 4 item 5"},
	} {
		s := agentLog(t, c.results...)
		p, err := ParsePlan(c.plan)
		if err != nil {
			t.Fatal(c.name, err)
		}
		p.Fixed = c.fixed
		b, _ := model.NewBudget(model.BudgetFields{MaxTokens: 1000})
		windows, err := Windows(context.Background(), s, p, b, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		musttest.Is(t, strings.Join(written(&windows[len(windows)-1]), " "), c.want, c.name, c.plan)
	}
}

// What is done once stays done and no more is done until the window is full again; a rule
// without a memory goes by the whole history.
func TestOnceRemembers(t *testing.T) {
	s := agentLog(t, 50, 50, 50, 50)
	for each, want := range map[string][]int32{"once": {3, 5}, "time": {3, 5, 7}} {
		p := musttest.Of(ParsePlan("clear:trigger=150,keep=1,each=" + each))(t)
		windows := musttest.Of(Windows(context.Background(), s, p, model.Budget{}, Options{}))(t)
		if before, _ := windows[3].Cleared(); !slices.Equal(before, []int32{3, 5}) {
			t.Errorf("%s: %v were cleared when the window was first full", each, before)
		}
		if cleared, _ := windows[4].Cleared(); !slices.Equal(cleared, want) {
			t.Errorf("%s: cleared %v, want %v", each, cleared, want)
		}
	}
}

func TestParsePlan(t *testing.T) {
	for text, want := range map[string]string{
		"clear": "clear:trigger=100000,keep=3,keep-tokens=0,at-least=0,note=10,each=time",
		"Clear:trigger=30k,keep=0,at-least=20,000,each=once": "",
		"clear:keep-tokens=40k,exclude=read+bash":            "clear:trigger=100000,keep=0,keep-tokens=40000,at-least=0,note=10,each=time,exclude=read+bash",
		"summarise:trigger=max-16384":                        "summarise:trigger=max-16384,keep=0,keep-tokens=20000,at-least=0,summary=2000,each=once",
		"anthropic-clear:keep=5":                             "clear:trigger=100000,keep=5,keep-tokens=0,at-least=0,note=10,each=time",
		"vercel-prune":                                       "drop:trigger=0,keep=2,keep-tokens=0,at-least=0,each=time",
	} {
		p, err := ParsePlan(text)
		if want == "" {
			if err == nil {
				t.Errorf("%s is taken for %s", text, p.Text())
			}
			continue
		}
		again, errAgain := ParsePlan(p.Text())
		if err != nil || errAgain != nil || p.Text() != want || again.Text() != want {
			t.Errorf("%s: %v, %v, %s, again %s", text, err, errAgain, p.Text(), again.Text())
		}
	}
	for text, want := range map[string]string{
		"cleer":                     `plan "cleer" is not known; did you mean clear?`,
		"compact:keep=3":            `plan "compact" is not known; known are clear, drop, summarise, anthropic-clear`,
		"clear:triger=3":            `clear: key "triger" is not known; did you mean trigger?`,
		"clear:summary=3":           `clear: key "summary" is not known; known are trigger`,
		"drop:note=3":               `drop: key "note" is not known`,
		"clear:keep":                `clear: "keep" must be key=value`,
		"clear:keep=-1":             "clear: keep is -1, must be 0 to 1,000,000",
		"clear:":                    "\"clear:\" ends in a colon",
		"clear:keep=3,keep=4":       "clear: keep is given twice",
		"clear:trigger=lots":        "clear: trigger: ",
		"clear:each=twice":          `clear: each: "twice" must be time or once`,
		"summarise:each=time":       "summarise: each is time, must be once",
		"clear:exclude=read+":       "an empty name",
		"anthropic-clear:trigger=x": "clear: trigger: ",
	} {
		musttest.Says(t, musttest.Refusal(ParsePlan(text)), want, text)
	}
	for _, preset := range Presets() {
		if p, err := ParsePlan(preset.Name); err != nil || p.Name != preset.Name || preset.Source == "" || preset.Date == "" {
			t.Errorf("%+v: %v", preset, err)
		}
	}
}

// A plan that is read is written as one that is read as the same, and a map over it has
// plans that are in bounds.
func FuzzParsePlan(f *testing.F) {
	for _, plan := range append(PlanNames(), "clear:trigger=30k,keep=3,at-least=20k,note=10,each=once,exclude=read+bash",
		"summarise:trigger=max-16384,keep-tokens=20k,summary=2k", "anthropic-clear:keep=5", "drop: keep = 1") {
		f.Add(plan, "trigger,at-least")
		f.Add(plan, "keep=0+3,trigger=10k+1.5k")
	}
	f.Fuzz(func(t *testing.T, text, axes string) {
		p, err := ParsePlan(text)
		if err != nil {
			return
		}
		again, err := ParsePlan(p.Text())
		again.Name = p.Name
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%q is %+v, written as %q and read as %+v, %v", text, p, p.Text(), again, err)
		}
		over, err := ParseAxes(p.Strategy, axes)
		if err != nil {
			return
		}
		plans, err := MapPlans(p, over)
		if want := len(over[0].Values) * len(over[1].Values); err == nil && len(plans) != want {
			t.Errorf("%d plans over %q, want %d", len(plans), axes, want)
		}
		for _, at := range plans {
			if err := at.validate(); err != nil {
				t.Errorf("over %q: %v", axes, err)
			}
		}
	})
}

// Only where the cost still falls at the lowest mark may a lower one cost less.
func TestTheLeastMayLieBelowTheSweep(t *testing.T) {
	for _, c := range []struct {
		name  string
		costs []float64
		below bool
	}{
		{"falls to the end", []float64{1, 2, 3}, true},
		{"the least is inside", []float64{2, 1, 3}, false},
		{"the least is the whole room", []float64{3, 2, 1}, false},
		{"all alike", []float64{2, 2, 2}, false},
		{"all are free", []float64{0, 0}, false},
		{"no marks", nil, false},
	} {
		var totals []Totals
		for _, cost := range c.costs {
			totals = append(totals, Totals{Bill: Bill{Cost: cost}, Against: 4})
		}
		musttest.Is(t, BelowLows(totals), c.below, c.name)
	}
}
