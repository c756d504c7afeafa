package explorer

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// Workspace is a loaded source, ready to be explored. A function in it is nil only where its comment says so.
type Workspace struct {
	Name   string // of the source, as given; cleaned before it is drawn
	Both   string // the names of two sources, where the line above all has room for them; "": of any other number
	Format string
	Model  string                 // the model that the items are for; "": not known
	Items  *model.Set             // without the edits
	Told   []itemset.MessageFacts // what the source says of messages beside their items
	// Log loads the conversation with the items that compactions and rewinds
	// removed; nil if the source does not record them.
	Log     func(ctx context.Context) (experiment.Log, error)
	Edits   model.Edits
	Labels  model.Labels // what is needed
	Policy  model.Policy
	PolicyB model.Option[model.Policy] // unset: the other slicer with the same scorers
	Budget  model.Budget
	Slack   model.Tokens
	Ceiling model.Tokens
	// SlackGuessed says that neither a flag nor the scenario sets the slack.
	SlackGuessed bool
	// Recorded is the result that the source contains; nil if it has none.
	Recorded *itemset.Recorded
	// CeilingAsked says that a flag or the scenario sets the end of the axis.
	CeilingAsked bool

	Sample    bool     // it comes with the program
	Lesson    string   // one line of what to try in a sample; "": one is computed
	Tour      bool     // the tour is of this session
	Damage    string   // that something could not be read, in a line; "" if all was
	Warnings  []string // what was assumed, a line each
	Guess     string   // that the budget is a guess, in a line; "" if it is none
	GuessHelp string   // the same, with what to do about it
	Report    []string // how loading went, in lines

	// Count counts the tokens of the items that have estimates. It calls emit with
	// its progress and the counts so far. It is nil if there is nothing to count.
	Count func(ctx context.Context, emit func(tokens.Progress)) error
	// Encoding is the name of the encoding that Count uses; "" shows none.
	Encoding string
	Sizer    experiment.Sizer // of the items
	// Save writes a scenario to a file.
	Save func(path string, s model.Scenario) error
	// SavePolicy and LoadPolicy write and read a policy as Cupel's JSON.
	SavePolicy func(path string, p model.Policy) error
	LoadPolicy func(ctx context.Context, path string) (model.Policy, error)
	// SaveFile writes a file, completely or not at all.
	SaveFile func(path string, data []byte) error
	// SavePath is the file that the session came from, if it is a scenario.
	SavePath string

	// Reopen loads the same sources again; nil if they are not files.
	Reopen func(ctx context.Context) (*Workspace, error)
	// CommandLine returns the arguments that open this session again with a setup,
	// without the program's name, and what they cannot express.
	CommandLine func(s experiment.Setup) (words, without []string)

	// Tune searches for a better policy over all cases of the sources. It is nil if
	// they cannot be read again; NoTune then says why.
	Tune   func(ctx context.Context, q tuneQuestion) (*quality.Tuning, error)
	NoTune error

	// Follow starts to follow the source as it grows. It is nil if that is not
	// possible; NoFollow then says why.
	Follow   func() *Followed
	NoFollow error

	runs         *session.Choices // lists the runs of the source, if it has several; else nil
	run          int              // the number of this one among them
	start        Start            // what the scenario says that the screen showed
	following    *Followed        // the source, where it was asked for from the start
	saveStamp    stamp            // of SavePath when it was read or written
	scenarioBase model.Scenario   // what the session came from, if it was a scenario
}

// Options are what the explorer needs to run.
type Options struct {
	// Source is shown while Open runs.
	Source string
	// Open loads the session. It runs in the background and must end with its context.
	Open func(ctx context.Context) (*Workspace, error)
	// OpenOther loads another source while the explorer runs.
	OpenOther func(ctx context.Context, path string) (*Workspace, error)
	// Sessions are the places whose sessions of agents are offered; the zero value
	// offers none.
	Sessions sessions.Places
	Theme    theme.Name
	ASCII    bool
	// NoColor draws without colours, with attributes such as bold only, like
	// NO_COLOR.
	NoColor bool
	// NoMouse leaves the mouse to the terminal, so that it can select text.
	NoMouse bool
	// Start is what the screen first shows of the first session.
	Start Start
	// Now is the clock that measures run times; nil means time.Now.
	Now func() time.Time
}

// setup is the first state of the experiment.
func (s *Workspace) setup() experiment.Setup {
	setup := experiment.Setup{
		Edits:  s.Edits.Clone(),
		Labels: s.Labels,
		Policy: [2]model.Policy{s.Policy.Clone(), s.other(s.Policy)},
		Slack:  s.Slack, SlackGuessed: s.SlackGuessed,
		Wanted:  100 * quality.DefaultWanted,
		Ceiling: s.Ceiling, CeilingAsked: s.CeilingAsked,
	}
	return setup.WithBudget(s.Budget)
}

// endFor returns where the axis ends by default. It reaches to where all items are in with
// both policies, so that A and B have the same axis.
func endFor(items *model.Set, policies [2]model.Policy, b model.Budget) model.Tokens {
	return max(simulate.Ceiling(items, policies[experiment.A], b), simulate.Ceiling(items, policies[experiment.B], b))
}

// other returns policy B for a session whose policy A is a: the policy that was loaded, or
// else a with the other slicer.
func (s *Workspace) other(a model.Policy) model.Policy {
	if s.PolicyB.Set {
		return s.PolicyB.Value.Clone()
	}
	return experiment.OtherSlicer(a)
}

// scenario returns the experiment as a scenario, to be saved where the scenario that was
// opened lies; see scenarioFor.
func (s *Workspace) scenario(exp *experiment.Experiment) (model.Scenario, error) {
	setup := exp.EndSetup()
	b, err := model.NewBudget(setup.Budget)
	if err != nil {
		return model.Scenario{}, err
	}
	sc := s.scenarioBase // keeps where the items are and what is checked
	sc.Name, sc.Items, sc.Budget, sc.Slack, sc.Ceiling = s.Name, exp.Whole(), b, setup.UsableSlack(), 0
	sc.Labels = setup.Labels
	if end := setup.End(); end != chosenEnd(exp) {
		sc.Ceiling = end
	}
	sc.Policy, sc.PolicyB = setup.Policy[experiment.A], model.Some(setup.Policy[experiment.B])
	return sc, nil
}

// scenarioFor returns the experiment as a scenario for the file at path. Where a scenario
// has its items in another file, that is named relative to the scenario's folder: in any
// other folder the scenario holds the items itself.
func (s *Workspace) scenarioFor(path string, exp *experiment.Experiment) (model.Scenario, error) {
	sc, err := s.scenario(exp)
	if err != nil || sc.ItemsFile == "" {
		return sc, err
	}
	here, hereErr := os.Stat(filepath.Dir(s.SavePath))
	there, thereErr := os.Stat(filepath.Dir(path))
	if s.SavePath == "" || hereErr != nil || thereErr != nil || !os.SameFile(here, there) {
		sc.ItemsFile = ""
	}
	return sc, nil
}

// ownPath returns the file that the session came from, or "" if that has changed since it
// was read or written.
func (s *Workspace) ownPath() string {
	if now := stampOf(s.SavePath); now != s.saveStamp && now != (stamp{}) {
		return ""
	}
	return s.SavePath
}

// chosenEnd returns where the axis would end by default if the setup were opened anew; 0
// if that cannot be computed.
func chosenEnd(exp *experiment.Experiment) model.Tokens {
	setup := exp.Setup()
	b, err := model.NewBudget(setup.Budget)
	if err != nil {
		return 0
	}
	return endFor(exp.Whole(), setup.Policy, b)
}
