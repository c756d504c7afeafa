package explorer

import (
	"cmp"
	"context"
	"path/filepath"
	"reflect"
	"slices"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/experiment"
)

// OpenChosen loads the sources that the flags name and makes a session of them. Token counts
// that the sources do not give stay estimates; Workspace.Count counts them later.
func OpenChosen(ctx context.Context, choices *session.Choices) (*Workspace, error) {
	o := choices.Options
	if o.Follow {
		return openFollowed(ctx, choices)
	}
	var before stamp
	if len(o.Sources) == 1 {
		before = stampOf(o.Sources[0])
	}
	opened, err := choices.Open(ctx)
	if err != nil {
		return nil, several(choices, err)
	}
	session := newWorkspace(choices, opened)
	if opened.Format == itemset.Scenario && o.Fixture == "" && len(o.Sources) == 1 && o.Sources[0] != "-" && o.Select == "" {
		session.SavePath, session.saveStamp = opened.Sources()[0], before // a pattern may have named it
		if session.SavePath != o.Sources[0] {
			session.saveStamp = stampOf(session.SavePath)
		}
	}
	if o.Reloadable() == nil {
		session.Log = logOf(opened, choices, func(ctx context.Context, reading itemset.Options) (*itemset.Loaded, error) {
			return itemset.Load(ctx, o.Sources, reading)
		})
	}
	session.Follow, session.NoFollow = follower(choices, opened)
	return session, nil
}

// both returns the names of two files, if they have two names.
func both(sources []string) string {
	if len(sources) != 2 || slices.Contains(sources, "-") || filepath.Base(sources[0]) == filepath.Base(sources[1]) {
		return ""
	}
	return filepath.Base(sources[0]) + " and " + filepath.Base(sources[1])
}

// newWorkspace makes a workspace of what was opened.
func newWorkspace(choices *session.Choices, opened *session.Opened) *Workspace {
	o := choices.Options
	saver := itemset.Saver{} // of a fixture, whose texts anyone may read
	if o.Fixture == "" {
		saver = opened.Saver()
	}
	report := opened.Loaded.Report
	report.Estimated = 0 // it is of loading; the header and i say how many are estimates now
	session := &Workspace{
		Name:     opened.Name(),
		Both:     both(opened.Names),
		Format:   string(opened.Format),
		Model:    cmp.Or(o.Model, opened.Model),
		Items:    opened.Set,
		Edits:    opened.Set.Edits(),
		Labels:   opened.Labels,
		Recorded: opened.Recorded,
		Policy:   opened.Policy,
		Budget:   opened.Budget,
		Slack:    opened.Slack, SlackGuessed: !opened.Scenario.Set && o.Slack == "",
		Ceiling: opened.Ceiling,
		Sample:  o.Fixture != "",
		Tour:    o.Fixture == fixtures.Names()[0],
		Report:  report.Lines(),
		Save:    saver.WriteScenario,
		Sizer:   experiment.Sizer{Count: opened.CountSizes, Text: opened.SizeText},

		SaveFile:   saver.WriteFile,
		SavePolicy: itemset.WritePolicy,
		LoadPolicy: loadPolicy,
	}
	if session.Name == "-" {
		session.Name = o.SourceName()
	}
	if opened.Scenario.Set {
		sc := opened.Scenario.Value
		session.scenarioBase = sc
		if asSaved := opened.Policy.Same(sc.Policy); asSaved || !opened.Policy.Same(sc.PolicyB.Value) {
			session.PolicyB = sc.PolicyB
		} // else an option has made A the same as B, and B gets the other slicer
		session.start = startOf(sc)
		session.CeilingAsked = sc.Ceiling > 0 && !session.start.Derived
		if opened.Policy.Same(sc.Policy) && reflect.DeepEqual(opened.Budget.Fields(), sc.Budget.Fields()) {
			session.Lesson = opened.Lesson // true of the scenario as it is
		}
		if sc.Name != "" {
			session.Name = sc.Name
		}
	}
	if session.CeilingAsked = session.CeilingAsked || o.Ceiling != ""; !session.CeilingAsked {
		session.Ceiling = max(session.Ceiling, endFor(session.Items, session.setup().Policy, session.Budget))
	}
	session.Told = opened.Messages
	session.Damage, session.Warnings, session.Guess, session.GuessHelp = damage(opened), warnings(opened), opened.GuessNote(), guess(opened)
	if len(tokens.Pending(opened.Set)) > 0 {
		session.Count, session.Encoding = opened.Count, opened.Encoding()
	}
	if o.Reloadable() == nil {
		session.Reopen = func(ctx context.Context) (*Workspace, error) {
			again, err := choices.Again(ctx)
			if err != nil {
				return nil, err
			}
			return OpenChosen(ctx, again)
		}
	}
	session.Tune, session.NoTune = tuner(choices)
	session.CommandLine = commandLine(o, opened, session)
	return session
}

// logOf returns a function that loads what was opened together with the items that
// compactions and rewinds removed; nil if the source does not record them.
func logOf(opened *session.Opened, choices *session.Choices, load func(context.Context, itemset.Options) (*itemset.Loaded, error)) func(context.Context) (experiment.Log, error) {
	if !opened.Format.KeepsHistory() {
		return nil
	}
	return func(ctx context.Context) (experiment.Log, error) {
		reading := choices.Reading
		reading.History = true
		loaded, err := load(ctx, reading)
		if err != nil {
			return experiment.Log{}, err
		}
		all, err := choices.OpenCounted(ctx, loaded)
		if err != nil {
			return experiment.Log{}, err
		}
		return experiment.Log{Items: all.Set, Told: all.Messages}, nil
	}
}

// loadPolicy reads a policy from a regular file. A pipe is for the command line: here the
// person waits, and what writes to it may be this program's own input.
func loadPolicy(ctx context.Context, path string) (model.Policy, error) {
	if err := itemset.CheckRegular(path); err != nil {
		return model.Policy{}, err
	}
	return itemset.ReadPolicy(ctx, path)
}

// damage says that something could not be read; "" if all was.
func damage(opened *session.Opened) string {
	r := opened.Loaded.Report
	if r.Count(itemset.Damaged)+r.Count(itemset.Skipped) == 0 {
		return ""
	}
	r.Estimated, r.Opaque = 0, 0 // counting may have finished when this is read; the load report has all else
	r.Entries = slices.DeleteFunc(slices.Clone(r.Entries), func(e itemset.Entry) bool { return e.Outcome != itemset.Damaged && e.Outcome != itemset.Skipped })
	return plain.Line(r.Summary(), 200)
}

// unscored is the warning that no item has a relevance, with the key that scores them.
const unscored = "nothing says which of these documents matter: Q asks a question and scores them"

// warnings say what was assumed, the most misleading first.
func warnings(opened *session.Opened) []string {
	all := slices.Clone(opened.Warnings)
	if at := slices.Index(all, session.Unscored); at >= 0 {
		all[at] = unscored
	}
	if opened.Conversation && opened.MissingSystemPrompt {
		all = append(all, "this transcript has no system prompt, which takes tokens too: the knob \"held for system prompt\" keeps them free")
	}
	return all
}

// guess says that the budget is guessed, and what to do about it; "" if it is not.
func guess(opened *session.Opened) string {
	note := opened.GuessNote()
	if note == "" || opened.AllFit { // what { does stands below the items
		return note
	}
	return note + "; set yours: : and the number, as in 12000"
}
