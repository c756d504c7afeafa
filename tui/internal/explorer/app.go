package explorer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// app implements screen.App for the model.
type app struct{ m *Model }

var _ screen.App = app{}

// screenApp returns the program as screens see it.
func (m *Model) screenApp() screen.App { return app{m} }

func (a app) Experiment() *experiment.Experiment { return a.m.exp }
func (a app) Side() experiment.Side              { return a.m.side }
func (a app) Filter() query.Query                { return a.m.filterHere() }

func (a app) Turns() *plans.Runs { return &a.m.turns }

func (a app) Recorded() *itemset.Recorded { return a.m.workspace.Recorded }

func (a app) Original() experiment.Setup { return a.m.original }

func (a app) Make(c screen.Change, err error) { a.m.carryOut(c, err) }
func (a app) Turn(k experiment.Knob, dir int) { a.m.carryOut(a.m.turn(k, dir, false)) }
func (a app) Type(text string) tea.Cmd        { return a.m.typeValue(text) }
func (a app) SetList(q query.Query)           { a.m.setList(q) }
func (a app) Choose(items []int32)            { a.m.choose(items) }

func (a app) LookAt(at experiment.Moment) { a.m.lookAt(at) }
func (a app) ToEnd()                      { a.m.toEnd() }

func (a app) Edit(s experiment.Side)        { a.m.edit(s) }
func (a app) Say(message string)            { a.m.messages.say(message) }
func (a app) Refuse(why string)             { a.m.messages.refuse(why) }
func (a app) Show(view string)              { a.m.show(a.m.viewNamed(view)) }
func (a app) Visit(view string)             { a.m.visit(a.m.viewNamed(view)) }
func (a app) GoTo(item int)                 { a.m.goTo(item) }
func (a app) Open(s screen.Screen)          { a.m.open(s) }
func (a app) Close(s screen.Screen)         { a.m.close(s) }
func (a app) Opened(s screen.Screen) bool   { return a.m.specs[s] != nil }
func (a app) Ask(q screen.Question) tea.Cmd { return a.m.ask(q) }
func (a app) HasKnob(id experiment.KnobID) bool {
	_, ok := a.m.knobs.Find(id)
	return ok || id == experiment.Quotas
}
func (a app) ToKnob(id experiment.KnobID) { a.m.toKnob(id) }
func (a app) After(d time.Duration, then func() tea.Cmd) tea.Cmd {
	return a.m.after(d, work.Then(then))
}
