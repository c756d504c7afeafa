package panes

import (
	"context"
	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// sampleFrame is a computed experiment over n items, ready to be drawn.
func sampleFrame(t testing.TB, n int, asciiOnly bool) *Frame {
	t.Helper()
	rng := rand.New(rand.NewPCG(61, uint64(n)))
	kinds := []model.Kind{model.ToolOutput, model.Message, model.Document, "Marker"}
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprintf("text %d\nsecond line", rng.IntN(n)),
			Tokens:              model.Tokens(rng.IntN(40) * 10),
			Kind:                kinds[rng.IntN(len(kinds))],
			Timestamp:           model.Some(time.Unix(int64(rng.IntN(50)), 0)),
			FutureRelevanceHint: model.Some(float64(rng.IntN(8)) / 8),
			Pinned:              rng.IntN(20) == 0,
		}
		if rng.IntN(15) == 0 {
			items[i].Tokens = -5
		}
	}
	set, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	chat, _ := model.Preset("chat")
	chat.Overflow = model.Truncate
	other := chat.Clone()
	other.Slicer, other.BucketSize = model.Knapsack, 10
	b, err := model.NewBudget(model.BudgetFields{MaxTokens: 5000, TargetTokens: 5000, OutputReserve: 100})
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.Setup{Policy: [2]model.Policy{chat, other}, Slack: 300, AxisEnd: 16_000}.WithBudget(b)
	if n > 3 {
		s = s.WithExcluded([]int{1, 2}, true)
	}
	exp, err := experiment.New(set, s)
	if err != nil {
		t.Fatal(err)
	}
	f := &Frame{Canvas: &draw.Canvas{}, Exp: exp}
	f.Reset(120, 40, theme.New(theme.NoColor, asciiOnly))
	compute(t, f)
	return f
}

// compute brings the frame up to date with the experiment.
func compute(t testing.TB, f *Frame) {
	t.Helper()
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		if q, ok := f.Exp.Request(side); ok {
			o, err := q.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			f.Exp.Accept(side, o, 0)
		}
	}
	f.Out, f.Other = f.Exp.Outcome(experiment.A), f.Exp.Outcome(experiment.B)
}

// withPolicy changes policy A of a frame.
func withPolicy(t testing.TB, f *Frame, change func(*model.Policy)) {
	t.Helper()
	now := f.Exp.Setup()
	policy := now.Policy[experiment.A].Clone()
	change(&policy)
	if err := f.Exp.Apply(now.WithPolicy(experiment.A, policy), experiment.Label{Name: "policy"}, ""); err != nil {
		t.Fatal(err)
	}
	compute(t, f)
}

// policies are all ways of selecting.
var policies = map[string]func(*model.Policy){
	"greedy":   func(*model.Policy) {},
	"knapsack": func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, 10 },
	"stream":   func(p *model.Policy) { p.Slicer = model.Stream },
	"quotas": func(p *model.Policy) {
		p.Quotas = []model.Quota{{Kind: model.Document, MinPercent: model.Some(20.0), MaxPercent: model.Some(25.0)}}
	},
	"counts": func(p *model.Policy) {
		p.CountQuotas = []model.CountQuota{{Kind: model.Document, Require: 2, Cap: 3}, {Kind: model.Message, Require: 900, Cap: 900}}
	},
}

// plainText is the canvas without its escape sequences.
func plainText(f *Frame) string {
	var b strings.Builder
	inside := false
	for _, r := range f.String() {
		switch {
		case r == 0x1b:
			inside = true
		case inside:
			inside = r != 'm'
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// outsideOf is what is drawn outside of a rectangle.
func outsideOf(f *Frame, r draw.Rect) string {
	var b strings.Builder
	for y, line := range strings.Split(plainText(f), "\n") {
		for x, char := range []rune(line) {
			if !r.Contains(x, y) && char != ' ' {
				b.WriteRune(char)
			}
		}
	}
	return b.String()
}

// mover is a pane whose cursor moves.
type mover interface {
	Move(by int)
	Draw(f *Frame, r draw.Rect, boxed, focused bool)
}

// drawAtAnySize draws a pane at many sizes, and fails if it draws outside.
func drawAtAnySize(t *testing.T, f *Frame, p mover, name string) {
	t.Helper()
	for w := 1; w < 150; w += 7 {
		for h := 1; h < 40; h += 3 {
			r := draw.Rect{X: 3, Y: 2, W: w, H: h}
			f.Reset(160, 45, theme.New(theme.NoColor, name == "stream"))
			p.Move(1)
			p.Draw(f, r, w%2 == 0, true)
			if outside := outsideOf(f, r); outside != "" {
				t.Fatalf("%s at %dx%d: outside is %q", name, w, h, outside)
			}
		}
	}
}
