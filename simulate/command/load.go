package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/tokens"
	"cupelscope/pipeline"
	"cupelscope/simulate"
)

// Opened is what was loaded and what was chosen for it: where the report and
// the screen begin alike.
type Opened struct {
	*itemset.Loaded
	simulate.Opening
	// Lesson is one line of what to try; "" unless a fixture was opened.
	Lesson string

	method  method
	counter *tokens.Counter
}

// Open loads the sources or the fixture and chooses what was not asked for.
// Token counts that the sources do not give are estimates; see Count. What was
// loaded is counted in Loaded.Report. Errors are those of flags, sources, policy
// and budget.
func Open(ctx context.Context, o Options, s Streams) (*Opened, error) {
	return open(ctx, o, s, func(context.Context, *Opened) error { return nil })
}

// OpenCounted is Open with exact counts, which the choices then rest on.
func OpenCounted(ctx context.Context, o Options, s Streams) (*Opened, error) {
	return open(ctx, o, s, func(ctx context.Context, opened *Opened) error { return opened.settle(ctx) })
}

func open(ctx context.Context, o Options, s Streams, count func(context.Context, *Opened) error) (*Opened, error) {
	asked, err := o.Asked() // first: a wrong flag is no reason to wait for a long file
	if err != nil {
		return nil, err
	}
	if _, err := o.method(""); err != nil {
		return nil, err
	}
	opened, err := load(ctx, o, s)
	if err != nil {
		return nil, err
	}
	counting, err := o.method(opened.Model)
	if err != nil {
		return nil, err
	}
	if err := opened.prepare(ctx, counting); err != nil {
		return nil, err
	}
	if err := count(ctx, opened); err != nil {
		return nil, err
	}
	opened.Opening, err = simulate.Open(simulate.Source{
		Items:        opened.Set,
		Conversation: opened.Conversation,
		HasScores:    opened.HasScores,
		Window:       Window(cmp.Or(o.Model, opened.Model)),
		Scenario:     opened.Scenario,
	}, asked)
	if err != nil {
		return nil, err
	}
	if note := opened.countNote(); note != "" {
		opened.Warnings = append(opened.Warnings, note)
	}
	return opened, nil
}

// sourced is o with standard input as its source if it has none. Nobody types a
// source, so a terminal is not waited for.
func (o Options) sourced(s Streams) (Options, error) {
	if len(o.Sources) > 0 || o.Fixture != "" {
		return o, nil
	}
	if s.In == nil || s.Typed {
		return o, errors.New("there is no source: give a file, pipe something in, or name a built-in scenario with --fixture (see fixtures)")
	}
	o.Sources = []string{"-"}
	return o, nil
}

func load(ctx context.Context, o Options, s Streams) (*Opened, error) {
	reading, err := o.reading(s)
	if err != nil {
		return nil, err
	}
	if o, err = o.sourced(s); err != nil {
		return nil, err
	}
	if len(o.Sources) > 0 {
		if o.Fixture != "" {
			return nil, fmt.Errorf("--fixture %s and the source %s: give one of them", o.Fixture, o.Sources[0])
		}
		loaded, err := itemset.Load(ctx, o.Sources, reading)
		if err != nil {
			return nil, err
		}
		return &Opened{Loaded: loaded}, nil
	}
	fixture, ok := fixtures.Find(o.Fixture)
	if !ok {
		return nil, unknownFixture(o.Fixture)
	}
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

// Pairing is the calls of tools with their results, by index.
func (o *Opened) Pairing() []simulate.Pair {
	pairs := make([]simulate.Pair, len(o.Pairs))
	for k, p := range o.Pairs {
		pairs[k] = simulate.Pair(p)
	}
	return pairs
}

// rank ranks what was opened under its policy.
func (o *Opened) rank(ctx context.Context, s Streams) (*pipeline.Ranking, error) {
	var options []pipeline.Option
	if s.Now != nil {
		options = append(options, pipeline.WithClock(s.Now))
	}
	pipe, err := pipeline.New(o.Policy, options...)
	if err != nil {
		return nil, err
	}
	return pipe.Rank(ctx, o.Set)
}

// title says in one line what was opened, under which policy.
func (o *Opened) title() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]  %s, %v tokens", o.Name(), o.Format, amount(o.Set.Len(), "item"), o.Set.Total())
	if n := o.Set.Estimates(); n > 0 {
		fmt.Fprintf(&b, " (%s estimated)", amount(n, "count"))
	}
	p := o.Policy
	fmt.Fprintf(&b, "  policy %s: %s", nameOr(p.Name, "without a name"), p.Slicer)
	if p.Slicer == model.Knapsack {
		fmt.Fprintf(&b, " %v", p.Bucket())
	}
	fmt.Fprintf(&b, ", %s, overflow %s", p.Placer, p.Overflow)
	return b.String()
}

func nameOr(name, other string) string {
	if strings.TrimSpace(name) == "" {
		return other
	}
	return name
}

func unknownFixture(name string) error {
	return fmt.Errorf("--fixture: %.40q is not known; known are %s", name, strings.Join(FixtureNames(), ", "))
}
