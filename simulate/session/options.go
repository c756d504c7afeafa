package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/simulate"
)

// Options holds the flags for sources, budget and policy as they were typed.
// An empty string is a flag that was not given.
type Options struct {
	// Sources are paths, or "-" for standard input, which is also read if
	// there are neither Sources nor a Fixture.
	Sources []string
	Fixture string

	Format     string // the format of the sources; see itemset.Formats
	Encoding   string // the encoding to count tokens with where a source has no counts
	Model      string // the model, which determines the encoding and the window if they are not given
	Strict     bool
	Full       bool
	Sidechains bool
	Fields     itemset.Fields // what a source of no known format calls things
	TrustPaths bool           // the itemsFile of a scenario may lead out of its folder
	// Select is the case to read from a source that holds many: its number from 1, or
	// the id of a query of a BEIR folder.
	Select string
	// Follow makes the screen read on as the source grows; see Followable.
	Follow bool
	// Labels is the path of a label file. If it is empty, the labels of the
	// sources are used.
	Labels string
	// Run is the path of a TREC run, for a BEIR folder. If it is empty, BM25 finds
	// the documents of a query.
	Run string

	TokenFactor     string // the factor for counts, or "auto" to measure it in the source
	MessageOverhead string // the number of tokens to add to each message
	Estimate        string // "chars/N": one token for each N characters, in place of an encoding

	// Query is a question that scores the items without a relevance of their own.
	Query string

	Budget map[string]string // the flags of the budget but for the slots, by the field that each sets
	Slots  []string          // KIND=TOKENS

	Slack   string
	Ceiling string // the largest budget to look at

	Policy     string // the path of a policy in JSON
	Preset     string
	Slicer     string
	BucketSize string
	Placer     string
	Overflow   string
	NoDedup    bool
	KeepPairs  bool

	Shrink       []string // KIND=SIZE,..., see model.ParseShrinkRule; or off
	ShrinkPinned bool
}

// overrides parses the flags of budget and policy, and reads the policy file
// if there is one. The error names the flag.
func (o Options) overrides(ctx context.Context) (simulate.Overrides, error) {
	var a simulate.Overrides
	for _, f := range [...]struct {
		flag, text string
		to         *model.Option[model.Tokens]
	}{{"slack", o.Slack, &a.Slack}, {"ceiling", o.Ceiling, &a.Ceiling}, {"bucket", o.BucketSize, &a.BucketSize}} {
		var err error
		if *f.to, err = ParseTokens(f.flag, f.text); err != nil {
			return a, err
		}
	}
	var err error
	if a.Budget, err = o.budget(); err != nil {
		return a, err
	}
	if a.ReservedSlots, err = parseSlots(o.Slots); err != nil {
		return a, err
	}
	if a.Policy, err = o.policy(ctx); err != nil {
		return a, err
	}
	if o.NoDedup {
		a.Deduplicate = model.Some(false)
	}
	a.KeepPairs = o.KeepPairs
	a.ShrinkPinned = o.ShrinkPinned
	if a.Shrink.Set = len(o.Shrink) > 0; a.Shrink.Set {
		if a.Shrink.Value, err = model.ParseShrink(o.Shrink...); err != nil {
			return a, fmt.Errorf("--%w", err)
		}
	}
	if err := o.slicer(&a); err != nil {
		return a, err
	}
	if a.Placer, err = parseName("placer", o.Placer, model.PlacerTypes()); err != nil {
		return a, err
	}
	if a.Overflow, err = parseName("overflow", o.Overflow, model.OverflowStrategies()); err != nil {
		return a, err
	}
	return a, contradictions(a)
}

// slicer reads --slicer, with or without a size behind a colon.
func (o Options) slicer(a *simulate.Overrides) (err error) {
	name, size, sized := strings.Cut(o.Slicer, ":")
	if a.Slicer, err = parseName("slicer", name, model.SlicerTypes()); err != nil || !sized {
		return err
	}
	if o.BucketSize != "" {
		return fmt.Errorf("--slicer %.40q and --bucket both give a size: give one of them", o.Slicer)
	}
	p := model.Policy{Slicer: a.Slicer.Value}
	if err := resize(&p, size); err != nil {
		return fmt.Errorf("--slicer %.40q: %w", o.Slicer, err)
	}
	own, _ := p.Size()
	a.Size = model.Some(own.Value)
	return nil
}

// contradictions finds flags that no source can agree with: a target above the
// maximum, buckets of a slicer that has none. It tries them on an empty set,
// with a policy and a maximum that go with anything where none was asked for.
func contradictions(a simulate.Overrides) error {
	if _, ok := a.Budget[model.FieldMaxTokens]; !ok {
		a.Slack = model.Option[model.Tokens]{}
	}
	_, err := openNothing(a)
	return err
}

func (o Options) policy(ctx context.Context) (model.Option[model.Policy], error) {
	none := model.Option[model.Policy]{}
	switch {
	case o.Policy != "" && o.Preset != "":
		return none, errors.New("--policy and --preset both name a policy: give one of them")
	case o.Preset != "":
		p, ok := model.Preset(o.Preset)
		if !ok {
			return none, fmt.Errorf("--preset: %w", unknown(o.Preset, model.PresetNames()))
		}
		return model.Some(p), nil
	case o.Policy != "":
		p, err := itemset.ReadPolicy(ctx, o.Policy)
		if err != nil {
			return none, fmt.Errorf("--policy: %w%s", err, otherFlag(o.Policy, err))
		}
		return model.Some(p), nil
	}
	return none, nil
}

// otherFlag names the flag that takes a name that was given to --policy, whose file is
// not there.
func otherFlag(name string, err error) string {
	switch {
	case !errors.Is(err, fs.ErrNotExist):
	case slices.Contains(model.PresetNames(), name):
		return "; the preset of that name is --preset " + name
	case slices.Contains(model.Names(model.SlicerTypes()), name):
		return "; the slicer of that name is --slicer " + name
	}
	return ""
}

// ParseTokens parses the number of tokens that a flag gives. The result is not
// set if text is empty. The error names the flag.
func ParseTokens(flag, text string) (model.Option[model.Tokens], error) {
	if text == "" {
		return model.Option[model.Tokens]{}, nil
	}
	n, err := model.ParseTokens(text)
	if err != nil {
		return model.Option[model.Tokens]{}, fmt.Errorf("--%s: %w", flag, err)
	}
	return model.Some(n), nil
}

// parseName finds the name that a flag gives, ignoring case. The result is not
// set if text is empty. The error names the flag and lists what is known.
func parseName[T ~string](flag, text string, known []T) (model.Option[T], error) {
	if text == "" {
		return model.Option[T]{}, nil
	}
	name, err := FindName(text, known)
	if err != nil {
		return model.Option[T]{}, fmt.Errorf("--%s: %w", flag, err)
	}
	return model.Some(name), nil
}

// FindName finds a name, ignoring case. The error lists what is known.
func FindName[T ~string](text string, known []T) (T, error) {
	for _, k := range known {
		if strings.EqualFold(string(k), text) {
			return k, nil
		}
	}
	return "", unknown(text, model.Names(known))
}

// unknown returns the error for a name that is not among the known ones.
func unknown(name string, known []string) error {
	return fmt.Errorf("%.40q is not known; known are %s", name, strings.Join(known, ", "))
}

// selected returns the number that --select gives, or 0 where none is given or it names a
// query.
func (o Options) selected() (int, error) {
	if o.Select == "" || len(o.Sources) == 1 && isBEIR(o.Sources[0]) {
		return 0, nil
	}
	n, err := strconv.ParseUint(strings.TrimSpace(o.Select), 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("--select: %.40q is not the number of a case; they count from 1", o.Select)
	}
	return int(n), nil
}

// reading returns how the sources are to be read.
func (o Options) reading(in Input) (itemset.Options, error) {
	format, err := parseName("format", o.Format, itemset.Formats())
	if err != nil {
		return itemset.Options{}, err
	}
	number, err := o.selected()
	if err != nil {
		return itemset.Options{}, err
	}
	return itemset.Options{
		Format: format.Value, Strict: o.Strict, Full: o.Full, Sidechains: o.Sidechains, TrustPaths: o.TrustPaths, Select: number, Stdin: in.Reader, Fields: o.Fields,
	}, nil
}
