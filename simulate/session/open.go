package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/relevance"
)

// Input describes standard input.
type Input struct {
	Reader io.Reader // read for the source "-", and if there is no source; nil if there is no standard input
	Typed  bool      // it is a terminal, which is read only for the source "-"
}

// Opened holds what was loaded and what was chosen for it. The verbs and the
// screen start from it.
type Opened struct {
	*itemset.Loaded
	simulate.Opening
	Choices *Choices // it was opened with
	// Warnings say, in a line each, which assumptions may mislead.
	Warnings []string
	// Lesson is one line about what to try with a fixture, and "" for sources.
	Lesson string
	// Method is how texts without a count are counted.
	Method method

	labelled  bool     // with the file of --labels, if there is one
	names     []string // by which labels may refer to the case; nil: by the names of the source
	note      string   // a warning about the choice of the case; "": none
	counter   *tokens.Counter
	ownShrink model.Shrink // the rules without --shrink
	ownQuery  string       // the query without --query; "": none
	scored    bool         // by a query, when it was opened
	window    model.Tokens // of windowOf, the model that is named; 0: unknown
	windowOf  string
}

// GuessNote returns one line with the guessed budget and why it is that, or "" if the budget
// is not a guess.
func (o *Opened) GuessNote() string {
	guessed := fmt.Sprintf("guessed budget: %v", o.Budget.MaxTokens())
	known := o.Budget.MaxTokens() == o.window
	if known {
		guessed += ", the window of " + plain.Line(o.windowOf, 40)
	}
	switch {
	case !o.Guessed:
		return ""
	case o.AllFit:
		return guessed + ", enough for all items"
	case !known:
		guessed += ", too little for all items"
	}
	return guessed
}

// Open loads the sources or the fixture and chooses what the flags leave open.
// Token counts that the sources do not give are estimates; Opened.Count counts
// them. Loaded.Report says what was loaded. The error is about a flag, a
// source, each of which must be usable, the policy or the budget.
func Open(ctx context.Context, o Options, in Input) (*Opened, error) {
	return o.open(ctx, in, false)
}

// OpenCounted is like Open, but counts the tokens before it returns.
func OpenCounted(ctx context.Context, o Options, in Input) (*Opened, error) {
	return o.open(ctx, in, true)
}

func (o Options) open(ctx context.Context, in Input, count bool) (*Opened, error) {
	c, err := o.Choices(ctx, in) // first: a wrong flag is no reason to wait for a long file
	if err != nil {
		return nil, err
	}
	c.Reading.Named = true
	return c.open(ctx, count)
}

// Choices holds flags that were parsed once, for one source or many. It is
// safe for concurrent use.
type Choices struct {
	Options   Options // with a source or a fixture
	Overrides simulate.Overrides
	Reading   itemset.Options

	// LabelsByName says that labels belong to the source with the name of their case, though
	// the file has one case alone.
	LabelsByName bool

	labels   *quality.LabelFile // nil: the sources say what was needed
	run      []byte             // the file of --run; nil: none
	counters *tokens.Counters
	notes    *caseNotes
}

// Choices parses the flags, and reads the files of policy, labels and run: only here, as
// one may be a pipe. The error names the flag, or a source that is missing, or says that
// there is no source. The sources are not read.
func (o Options) Choices(ctx context.Context, in Input) (*Choices, error) {
	c, err := o.choices(ctx, in)
	if err == nil {
		c.Options, err = o.sourced(in)
	}
	return c, err
}

// OpenNothing is Open for flags that name a policy and no source: there are no items.
func (o Options) OpenNothing(ctx context.Context) (simulate.Opening, error) {
	c, err := o.choices(ctx, Input{})
	if err != nil {
		return simulate.Opening{}, err
	}
	return openNothing(c.Overrides)
}

func openNothing(a simulate.Overrides) (simulate.Opening, error) {
	empty, err := model.NewSet(nil)
	if err != nil {
		return simulate.Opening{}, err
	}
	return simulate.Open(simulate.Source{Items: empty}, a)
}

// Again is Choices once more, for sources that are not standard input. If a file of the
// flags is a pipe, which has been read to its end, Again returns a copy of c.
func (c *Choices) Again(ctx context.Context) (*Choices, error) {
	if slices.ContainsFunc([]string{c.Options.Policy, c.Options.Labels, c.Options.Run}, isPipe) {
		again := *c
		return &again, nil
	}
	return c.Options.Choices(ctx, Input{})
}

// isPipe reports whether the file of a flag can be read only once.
func isPipe(path string) bool { return path != "" && itemset.CheckRegular(path) != nil }

// Elsewhere returns the choices for another source, without those that are about the
// source before. The error says why it cannot be opened.
func (c *Choices) Elsewhere(path string) (*Choices, error) {
	other := *c
	other.Options.Sources, other.Options.Fixture, other.Options.Ceiling, other.Options.Follow = []string{path}, "", "", false
	other.Options.Select, other.Options.Labels, other.Options.Run = "", "", ""
	other.Overrides.Ceiling.Set, other.Reading.Select, other.labels, other.run = false, 0, nil, nil
	return &other, itemset.CheckSources(other.Options.Sources)
}

// choices is Choices, for flags that may lack a source.
func (o Options) choices(ctx context.Context, in Input) (*Choices, error) {
	asked, err := o.overrides(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := o.method(""); err != nil {
		return nil, err
	}
	if err := relevance.Check(o.Query); err != nil {
		return nil, fmt.Errorf("--query: %w", err)
	}
	reading, err := o.reading(in)
	if err != nil {
		return nil, err
	}
	if o.Fixture != "" && len(o.Sources) > 0 {
		return nil, fmt.Errorf("--fixture %s and the source %s: give one of them", o.Fixture, o.Sources[0])
	}
	if _, ok := fixtures.Find(o.Fixture); o.Fixture != "" && !ok {
		return nil, fmt.Errorf("--fixture: %w", unknown(o.Fixture, fixtures.Names()))
	}
	if err := itemset.CheckSources(o.Sources); err != nil {
		return nil, err
	}
	if o.Run != "" && !slices.ContainsFunc(o.Sources, isBEIR) {
		return nil, errNoFolder
	}
	c := &Choices{Options: o, Overrides: asked, Reading: reading, counters: new(tokens.Counters), notes: newCaseNotes()}
	if o.Labels != "" {
		if c.labels, err = readLabels(ctx, o.Labels); err != nil {
			return nil, err
		}
	}
	if o.Run != "" {
		if c.run, err = itemset.ReadNamed(ctx, o.Run, itemset.DefaultMaxBytes); err != nil {
			return nil, fmt.Errorf("--run: %w", err)
		}
	}
	return c, nil
}

// Fallback returns what stands in for the policy and the budget that a recorded scenario
// lacks: what the flags give.
func (c *Choices) Fallback() itemset.Fallback {
	f := itemset.Fallback{Policy: c.Overrides.Policy}
	if n, ok := c.Overrides.Tokens(model.FieldMaxTokens); ok {
		f.Budget.Value, _ = model.BudgetOf(n) // Overrides checked it
		f.Budget.Set = true
	}
	return f
}

// Open is like the function Open, with flags that are parsed already.
func (c *Choices) Open(ctx context.Context) (*Opened, error) { return c.open(ctx, false) }

func (c *Choices) open(ctx context.Context, count bool) (*Opened, error) {
	opened, err := c.Load(ctx)
	if err != nil {
		return nil, err
	}
	return c.choose(ctx, opened, count)
}

// OpenText is like Open for a source whose text was read already, for example
// by an itemset.Tail.
func (c *Choices) OpenText(ctx context.Context, path string, text []byte) (*Opened, error) {
	loaded, err := itemset.Read(ctx, path, text, c.Reading)
	if err != nil {
		return nil, err
	}
	return c.choose(ctx, &Opened{Loaded: loaded}, false)
}

// OpenCounted is like the function OpenCounted for a source that is loaded
// already.
func (c *Choices) OpenCounted(ctx context.Context, l *itemset.Loaded) (*Opened, error) {
	return c.choose(ctx, &Opened{Loaded: l}, true)
}

// choose makes the choices. A budget is guessed from estimates, also where they
// are counted afterwards, so that the screen, which counts later, guesses alike.
func (c *Choices) choose(ctx context.Context, opened *Opened, count bool) (*Opened, error) {
	opened.Choices = c
	counting, err := c.Options.method(opened.Model)
	if err != nil {
		return nil, err
	}
	if err := opened.prepare(ctx, counting, c.counters); err != nil {
		return nil, err
	}
	if err := opened.ask(ctx, strings.TrimSpace(c.Options.Query)); err != nil {
		return nil, err
	}
	if err := opened.shrink(c.Overrides); err != nil {
		return nil, err
	}
	if opened.Opening, err = simulate.Open(opened.source(c.Options), c.Overrides); err != nil {
		return nil, err
	}
	idle := idleKinds(opened.Set, c.Overrides.ReservedSlots)
	c.notes.add(idle)
	c.notes.read(opened.Loaded)
	if count && len(opened.Pending) > 0 {
		if err := opened.settle(ctx); err != nil {
			return nil, err
		}
		source := opened.source(c.Options)
		if opened.Guessed {
			source.Guess = opened.Budget.MaxTokens()
		}
		if opened.Opening, err = simulate.Open(source, c.Overrides); err != nil {
			return nil, err
		}
	}
	if opened.Unscored {
		opened.Warnings = append(opened.Warnings, Unscored)
	}
	opened.Warnings = append(opened.Warnings, idle...)
	if count {
		counts, err := opened.CountSizes(ctx, opened.Set)
		if err != nil {
			return nil, err
		}
		if len(counts) > 0 {
			opened.take(opened.Set.WithSizeCounts(counts))
		}
	}
	if count || len(opened.Pending) == 0 {
		opened.Warnings = append(opened.Warnings, idleSizes(opened.Set)...)
	}
	if c.labels != nil {
		if err := opened.label(c.labels, c.LabelsByName); err != nil {
			return nil, err
		}
	}
	if opened.scored {
		opened.Warnings = append(opened.Warnings, QueryNote(opened.Set, opened.Set.Edits().Query, opened.Policy))
	}
	if opened.note != "" {
		opened.Warnings = append(opened.Warnings, opened.note)
	}
	if note := opened.CountNote(); note != "" {
		opened.Warnings = append(opened.Warnings, note)
	}
	return opened, nil
}

// source describes what was loaded, for simulate.Open.
func (o *Opened) source(asked Options) simulate.Source {
	o.windowOf = cmp.Or(asked.Model, o.Model)
	family, _ := tokens.FindModel(o.windowOf)
	o.window = family.Window
	return simulate.Source{
		Items: o.Set, Conversation: o.Conversation, HasScores: o.HasScores || !o.Set.Edits().Query.IsZero(), Window: family.Window, Scenario: o.Scenario,
	}
}

// sourced returns o with standard input as its source if it has none. A terminal
// is not read: users do not type a source.
func (o Options) sourced(in Input) (Options, error) {
	if len(o.Sources) > 0 || o.Fixture != "" {
		return o, nil
	}
	if in.Reader == nil || in.Typed {
		return o, errors.New("there is no source: give a file, pipe one in, or name a built-in scenario with --fixture (see fixtures)")
	}
	o.Sources = []string{"-"}
	return o, nil
}

// Load loads the sources or the fixture without choosing anything.
func (c *Choices) Load(ctx context.Context) (*Opened, error) {
	o, reading := c.Options, c.Reading
	if len(o.Sources) > 0 {
		one, err := c.selectCase(ctx)
		if err == nil && one.Loaded == nil {
			one.Loaded, err = itemset.Load(ctx, o.Sources, reading)
		}
		return one, err
	}
	fixture, _ := fixtures.Find(o.Fixture) // which choices has checked
	data, err := fixture.Bytes()
	if err != nil {
		return nil, err
	}
	reading.Format = itemset.Scenario
	loaded, err := itemset.Read(ctx, fixture.Name, data, reading)
	if err != nil {
		return nil, fmt.Errorf("fixture %s: %w", fixture.Name, err)
	}
	return &Opened{Loaded: loaded, Lesson: fixture.Lesson}, nil
}
