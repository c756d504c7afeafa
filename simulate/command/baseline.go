package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
)

// A ratchet compares the figures of a result with those recorded for another one:
// a figure may get better, and must not get worse by more than a tolerance.

// baseSchema is the name and version of the file that --record writes.
const baseSchema = "cupelscope/base/1"

// base is the content of the file that --record writes.
type base struct {
	Schema    string             `json:"schema"`
	Name      string             `json:"name"`
	MaxTokens model.Tokens       `json:"maxTokens"`
	Figures   map[string]float64 `json:"figures"`
}

// The kinds of rows about figures: compared with a file, or recorded.
const (
	againstBase model.CheckKind = "against"
	recordBase  model.CheckKind = "record"
)

// figure is a number that says how good a result is.
type figure struct {
	name string
	less bool // less is better
	of   func(j *judge, ctx context.Context) (model.Option[float64], error)
}

// figures lists the figures that are recorded. All except splitPairs are shares
// from 0 to 1, to which the tolerance applies.
var figures = []figure{
	{"recall", false, ofMeasure(func(m quality.Measure) model.Option[float64] { return m.Recall })},
	{"complete", false, ofMeasure(func(m quality.Measure) model.Option[float64] { return quality.Share(m.Complete) })},
	{"answered", false, ofMeasure(func(m quality.Measure) model.Option[float64] { return quality.Share(m.Answered) })},
	{"shareNeeded", false, ofMeasure(func(m quality.Measure) model.Option[float64] { return m.ShareNeeded })},
	{belowTheBest, true, func(j *judge, ctx context.Context) (model.Option[float64], error) {
		report, err := j.report(ctx)
		if err != nil {
			return model.Option[float64]{}, err
		}
		best, err := simulate.NewOptimum(ctx, j.ranking, j.target(report))
		if _, large := errors.AsType[*simulate.OptimumError](err); large {
			return model.Option[float64]{}, nil
		} else if err != nil {
			return model.Option[float64]{}, err
		}
		return best.BelowBest(report.Value, j.target(report)), nil
	}},
	{splitPairs, true, func(j *judge, ctx context.Context) (model.Option[float64], error) {
		report, err := j.report(ctx)
		if err != nil || len(report.Items.Pairs()) == 0 {
			return model.Option[float64]{}, err
		}
		return model.Some(float64(len(report.Split()))), nil
	}},
}

const splitPairs, belowTheBest = "splitPairs", "belowBest"

// ofMeasure returns what computes a figure from the quality of the result.
func ofMeasure(of func(quality.Measure) model.Option[float64]) func(*judge, context.Context) (model.Option[float64], error) {
	return func(j *judge, ctx context.Context) (model.Option[float64], error) {
		m, err := j.measured(ctx)
		return of(m), err
	}
}

// readBase reads the file of --against.
func readBase(ctx context.Context, path string) (*base, error) {
	data, err := itemset.ReadSmall(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	var b base
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("--against %s: not what --record writes: %w", path, err)
	}
	if b.Schema != baseSchema {
		return nil, fmt.Errorf("--against %s: its schema is %.40q, must be %s", path, b.Schema, baseSchema)
	}
	for name, value := range b.Figures {
		i := slices.IndexFunc(figures, func(f figure) bool { return f.name == name })
		if i < 0 || value < 0 || name != splitPairs && value > 1 {
			known := strings.Join(plain.Texts(figures, func(f figure) string { return f.name }), ", ")
			return nil, fmt.Errorf("--against %s: the figure %.40q is %v: known are %s, shares from 0 to 1 but for %s", path, name, value, known, splitPairs)
		}
	}
	if len(b.Figures) == 0 {
		return nil, fmt.Errorf("--against %s: there are no figures in it", path)
	}
	return &b, nil
}

// say returns the value x of the figure as a person reads it.
func (f figure) say(x float64) string {
	switch f.name {
	case splitPairs:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case belowTheBest:
		return belowBest(x)
	}
	return fmt.Sprintf("%.2f %%", 100*x)
}

// ratchet adds a verdict for each figure that was recorded; against may be nil.
func (j *judge) ratchet(ctx context.Context, against *base, tolerance float64) error {
	if against == nil {
		return nil
	}
	const rounding = 1e-9
	for _, f := range figures {
		recorded, ok := against.Figures[f.name]
		if !ok {
			continue
		}
		now, err := f.of(j, ctx)
		if err != nil {
			return fmt.Errorf("--against: %s: %w", f.name, err)
		}
		v := verdict{check: model.Check{Kind: againstBase, Name: f.name}, verdict: holding, measured: now}
		worse, allowed := recorded-now.Value, tolerance
		if f.less {
			worse = -worse
		}
		if f.name == splitPairs {
			allowed = 0
		}
		v.limit = model.Some(recorded - allowed)
		if f.less {
			v.limit.Value = recorded + allowed
		}
		v.says = fmt.Sprintf("%s, was %s", f.say(now.Value), f.say(recorded))
		switch {
		case !now.Set:
			v.verdict, v.says = undecidable, "cannot be told, was "+f.say(recorded)
		case worse > allowed+rounding:
			v.verdict = failing
		}
		j.verdicts = append(j.verdicts, v)
	}
	return nil
}

// recordable returns the figures of the result that are known. With rows it adds a verdict
// for each; --against has them already.
func (j *judge) recordable(ctx context.Context, rows bool) (*base, error) {
	b := &base{Schema: baseSchema, Name: j.Name(), MaxTokens: j.Budget.MaxTokens(), Figures: map[string]float64{}}
	for _, f := range figures {
		now, err := f.of(j, ctx)
		if err != nil {
			return nil, fmt.Errorf("--record: %s: %w", f.name, err)
		}
		if now.Set {
			b.Figures[f.name] = now.Value
		}
		if now.Set && rows {
			j.verdicts = append(j.verdicts, verdict{check: model.Check{Kind: recordBase, Name: f.name}, verdict: holding, measured: now, says: f.say(now.Value)})
		}
	}
	return b, nil
}

// write writes the file of --record.
func (b *base) write(j *judge, path string) error {
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	if err := j.Saver().WriteFile(path, append(text, '\n')); err != nil {
		return err
	}
	j.flow.say("wrote %s: %s", path, strings.Join(slices.Sorted(maps.Keys(b.Figures)), ", "))
	return nil
}
