package tui

import (
	"context"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/record"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/report"
	"cupelscope/tui/theme"
)

// Session is what was loaded, ready to be explored.
type Session struct {
	Name   string // of the source, as given; cleaned before it is drawn
	Format string
	Items  *model.Set      // without the edits
	Pairs  []simulate.Pair // items that belong together: calls with their results
	Told   []record.Turn   // what the source says of messages beside their items
	// Log loads the conversation with what compactions and rewinds took out. Nil:
	// the source does not tell.
	Log     func(ctx context.Context) (experiment.Log, error)
	Edits   model.Edits
	Labels  model.Labels // what is needed
	Policy  model.Policy
	PolicyB model.Option[model.Policy] // unset: the other slicer with the same scorers
	Budget  model.Budget
	Slack   model.Tokens
	AxisEnd model.Tokens
	// Recorded is the result that the source holds; nil: it holds none.
	Recorded *record.Recorded
	// AxisAsked: a flag or the scenario says where the axis ends.
	AxisAsked bool

	Lesson   string   // one line of what to try; "" if there is none
	Teaches  bool     // without a Lesson, one is computed
	Tour     bool     // the tour is of this session
	Warnings []string // what was assumed, a line each
	Report   []string // how loading went, in lines

	// Count counts the items that are estimates and tells how far it is, now
	// and then with counts. Nil: there is nothing to count.
	Count func(ctx context.Context, emit func(tokens.Progress)) error
	// Encoding is what Count counts with; "" if that is nothing to tell.
	Encoding string
	// Save writes a scenario to a file; nil: this session cannot be saved.
	Save func(path string, s model.Scenario) error
	// SaveNew is Save to a file that is not there yet; else its error is fs.ErrExist.
	SaveNew func(path string, s model.Scenario) error
	// SavePolicy and LoadPolicy write and read a policy as Cupel's JSON; nil as Save.
	SavePolicy func(path string, p model.Policy) error
	LoadPolicy func(path string) (model.Policy, error)
	// SaveFile writes any file, whole or not at all; nil as Save.
	SaveFile func(path string, data []byte) error
	// SavePath is the file that the session came from, if it is a scenario.
	SavePath string

	// Reopen loads the same sources again. Nil: they are no files.
	Reopen func(ctx context.Context) (*Session, error)
	// CommandLine is the words that open this session once more with another
	// setup, after the program's name, and what they leave out. Nil: there is none.
	CommandLine func(s experiment.Setup) (words, without []string)

	// Follow begins to read on as the source grows. Nil: NoFollow says why that
	// cannot be.
	Follow   func() *Followed
	NoFollow error

	following    *Followed      // the source, where it was asked for from the start
	saveStamp    stamp          // of SavePath when it was read or written
	scenarioBase model.Scenario // what the session came from, if it was a scenario
}

// Options are what the explorer needs to run.
type Options struct {
	// Source is shown while Open runs.
	Source string
	// Open loads the session. It runs in the background and obeys its context.
	Open func(ctx context.Context) (*Session, error)
	// OpenOther loads another source while the explorer runs; nil: it cannot.
	OpenOther func(ctx context.Context, path string) (*Session, error)
	Theme     theme.Name
	ASCII     bool
	// NoColor asks for attributes only, as NO_COLOR does.
	NoColor bool
	// NoMouse leaves the mouse to the terminal, for selecting text.
	NoMouse bool
	// Start is where the first session begins.
	Start Start
	// Now tells the time, for the run times that are shown; nil: time.Now.
	Now func() time.Time
}

// Start is where a screen begins: the flags of explore, checked.
type Start struct {
	View   string // a name of a view, "": Items
	Side   string // "a" or "b"
	Filter string
	Sort   string // see widget.SortNames; a leading - turns the order round
	Item   string // the number of the item to select, as 12 or #12
	Tour   bool   // begin with the tour
	// Cache is the name of the cache model that costs are estimated with, "": the
	// first; Request the number of the request to look at, "": the end.
	Cache, Request string
}

// setup is the first state of the experiment.
func (s *Session) setup() experiment.Setup {
	setup := experiment.Setup{
		Edits:   s.Edits.Clone(),
		Labels:  s.Labels,
		Policy:  [2]model.Policy{s.Policy.Clone(), s.other(s.Policy)},
		Slack:   s.Slack,
		Wanted:  100 * quality.DefaultWanted,
		AxisEnd: s.AxisEnd,
	}
	return setup.WithBudget(s.Budget)
}

// other is the policy B that a session with policy a begins with: what was
// loaded, else the other slicer with the same scorers.
func (s *Session) other(a model.Policy) model.Policy {
	if s.PolicyB.Set {
		return s.PolicyB.Value.Clone()
	}
	b := a.Clone()
	if b.Slicer == model.Knapsack {
		b.Slicer, b.BucketSize = model.Greedy, 0
	} else {
		b.Slicer, b.BucketSize = model.Knapsack, model.DefaultBucketSize
	}
	return b
}

// scenario is what saving the experiment writes.
func (s *Session) scenario(exp *experiment.Experiment) (model.Scenario, error) {
	setup := exp.Setup()
	b, err := model.NewBudget(setup.Budget)
	if err != nil {
		return model.Scenario{}, err
	}
	sc := s.scenarioBase // keeps where the items are and what is checked
	sc.Name, sc.Items, sc.Budget, sc.Slack, sc.AxisEnd = s.Name, exp.Whole(), b, setup.Slack, 0
	sc.Labels = setup.Labels
	if end := setup.End(); end != chosenEnd(exp) {
		sc.AxisEnd = end
	}
	sc.Policy, sc.PolicyB = setup.Policy[experiment.A], model.Some(setup.Policy[experiment.B])
	return sc, nil
}

// ownPath is the file that the session came from, if it is still as it was
// when it was read or written; else "".
func (s *Session) ownPath() string {
	if now := stampOf(s.SavePath); now != s.saveStamp && now != (stamp{}) {
		return ""
	}
	return s.SavePath
}

// facts is what the load report tells.
func (s *Session) facts() report.Facts {
	return report.Facts{Name: s.Name, Format: s.Format, Encoding: s.Encoding, Lines: s.Report}
}

// chosenEnd is where the axis would end if the setup were opened anew and
// nobody asked for another; 0 if that fails.
func chosenEnd(exp *experiment.Experiment) model.Tokens {
	setup := exp.Setup()
	b, err := model.NewBudget(setup.Budget)
	if err != nil {
		return 0
	}
	end, err := simulate.AxisEnd(exp.Whole(), setup.Policy[experiment.A], b)
	if err != nil {
		return 0
	}
	return end
}
