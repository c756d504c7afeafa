package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
)

// turnsOptions say which plans to take a session through, and what a cache costs.
type turnsOptions struct {
	answerOptions
	PolicyB  string         // another policy, see session.ParsePolicy; "": none
	Plans    []string       // what agents do, see turns.ParsePlan
	Strategy turns.Strategy // whose requests are listed; "": stateless
	Low      float64        // percent of the room that a full window is cut to; 0: turns.DefaultLow
	Compact  bool           // also list what came again after the compactions of one session
	Map      string         // keys of a rule whose values are tried, see turns.ParseAxes; "": no map
	At       string         // budget, see quality.ParseAmount; "": its own
	Sweep    bool           // also try the watermark at other low marks
	Included bool           // in CSV, also list the items of each request

	Cache       string                // name of a preset; "": the first
	CacheRead   model.Option[float64] // price of a token that is read, relative to input; not set in this and the next three: the preset's
	CacheWrite  model.Option[float64]
	CacheMin    model.Option[model.Tokens] // length of the shortest prefix that is cached
	CacheStep   model.Option[model.Tokens] // by which longer prefixes grow
	Price       string                     // price of a million input tokens
	OutputRatio model.Option[float64]      // price of a token that the model writes; not set: turns.DefaultOutput
	Fixed       model.Option[model.Tokens] // the fixed part of every prompt; not set: the record says it

	Jobs int // number of sessions worked on at a time; 0: the number of processors
}

func (t *turnsOptions) verbFlags() []session.Flag {
	names, presets := turns.CacheNames(), plain.Texts(turns.Presets(), func(p turns.Preset) string { return p.Name })
	return append(t.answerFlags("verbose", "timings"),
		session.Flag{Name: "policy-b", Text: &t.PolicyB, Offers: session.PolicyNames(), Files: true, Usage: "another `POLICY` to compare with: a slicer, a preset or a file"},
		session.Flag{Name: "plan", Texts: &t.Plans, Offers: turns.PlanNames(), Usage: "also a `PLAN` of an agent, as in clear:trigger=30k,keep=3,at-least=20k,each=once; clear, drop or summarise, or one of " + strings.Join(presets, ", ") + "; may be repeated"},
		session.Flag{Name: "strategy", Read: named(&t.Strategy, turns.Strategies()), Offers: model.Names(turns.Strategies()), Usage: "list the requests of this `STRATEGY`: stateless, watermark, sliding, all, or clear, drop or summarise for the first such --plan (default stateless)"},
		session.Flag{Name: "low", Read: percentAboveZero(&t.Low), Usage: "`PERCENT` of the room to which watermark and sliding cut a full window (default 60)"},
		session.Flag{Name: "at", Text: &t.At, Usage: "the `BUDGET`: tokens, a percentage of all tokens of a session as in 50%, or own (default own)"},
		session.Flag{Name: "sweep", Bool: &t.Sweep, Usage: "also print what the watermark costs if it cuts to 30, 35 ... 100 percent of the room"},
		session.Flag{Name: "map", Text: &t.Map, Offers: []string{"trigger,at-least", "trigger,keep", "trigger,keep-tokens"}, Usage: "also print what the first --plan (default clear) costs over two of its `KEYS`, as in trigger,at-least or trigger=20k+40k,keep=0+3; in CSV only that"},
		session.Flag{Name: "included", Bool: &t.Included, Usage: "in CSV of one source, also list the items of each request, and the cleared and cut ones, by index"},
		session.Flag{Name: "compactions", Bool: &t.Compact, Usage: "also print what the recorded compactions of one source took out, and what came again within the next 20 requests"},
		session.Flag{Name: "cache", Text: &t.Cache, Offers: names, Usage: "prices of a prompt `CACHE`: " + strings.Join(names, ", ") + ", or the name of a model, as in claude-opus-4-5 (default: the one of the session's model, else " + names[0] + ")"},
		session.Flag{Name: "cache-read", Read: numberTo(&t.CacheRead), Usage: "`PRICE` of a token read from the cache; an input token costs 1"},
		session.Flag{Name: "cache-write", Read: numberTo(&t.CacheWrite), Usage: "`PRICE` of a token written to the cache"},
		session.Flag{Name: "cache-min", Read: tokensTo(&t.CacheMin), Usage: "the shortest prefix that is cached, in `TOKENS`"},
		session.Flag{Name: "cache-step", Read: tokensTo(&t.CacheStep), Usage: "longer prefixes are cached in steps of `TOKENS`"},
		session.Flag{Name: "price", Text: &t.Price, Usage: "`PRICE` of a million input tokens in dollars (default: the model's, if known; else costs are in input tokens)"},
		session.Flag{Name: "output-ratio", Read: t.readOutputRatio, Usage: "`PRICE` of a token that the model writes, for the summaries of plans; an input token costs 1 (default 5)"},
		session.Flag{Name: "fixed-prefix", Read: tokensTo(&t.Fixed), Usage: "`TOKENS` of system prompt and tools that every prompt begins with but the log does not hold (default: from recorded usage, else 0)"},
		session.Flag{Name: "jobs", Letter: "j", Int: &t.Jobs, Usage: "`NUMBER` of sessions worked on at a time (default: as many as processors)"},
	)
}

// writeTurns writes what a policy costs over sessions: what each request would have
// carried, how much of the prompt's prefix survives to the next request, and what a
// prompt cache bills. It does so for the policy, for PolicyB, and for simple
// baselines. A single session has a row for each request; several have totals. CSV
// has a line for each request of one source, with its items only if Included asks for
// them, as all of them grow with the square of the session; and a line for each session
// and plan of several sources. It keeps only the sessions that are being worked on in
// memory.
func writeTurns(ctx context.Context, o session.Options, t turnsOptions, s Streams) error {
	w, err := newTurner(ctx, o, t, s)
	if err != nil {
		return err
	}
	w.csv = t.Output == export.AsCSV
	if t.Included && !(w.csv && w.listing && w.mapped == nil) {
		return errors.New("--included is for -o csv of one source without --map; JSON always lists the items of its requests")
	}
	sum := &turnTotals{turner: w}
	var csv []byte
	switch {
	case w.csv && w.mapped != nil: // the map alone, at the end
	case w.csv && w.listing:
		csv = export.CSVHeadings(listedColumns(t.Included))
	case w.csv:
		csv = export.CSVHeadings(sessionColumns())
	}
	var unwritten error
	err = w.answerAll(ctx, t.Jobs, csv, w.answer, func(p *flow.Parcel) {
		for _, r := range p.Payload.([]sessionResult) {
			sum.add(r)
			if w.csv && w.listing && w.mapped == nil && r.err == nil && unwritten == nil {
				unwritten = r.writeRequests(until(ctx, s.Out), t.Included)
			}
		}
	}, func() string { return plain.Count(sum.sessions, "session") })
	if err := cmp.Or(err, unwritten); err != nil {
		return err
	}
	if err := sum.failures.conclude(s, sum.sessions, "session", "left out", "there is no session"); err != nil || w.csv && w.mapped == nil {
		return err
	}
	w.mapped.above(sum.fixed.least())
	return s.write(ctx, t.Output, sum.sheets(t.Output)...)
}

// plansOf returns the plans of --plan, which must differ.
func (t turnsOptions) plansOf() ([]turns.Plan, error) {
	var plans []turns.Plan
	for _, text := range t.Plans {
		p, err := turns.ParsePlan(text)
		if err != nil {
			return nil, fmt.Errorf("--plan: %w", err)
		}
		if slices.ContainsFunc(plans, func(o turns.Plan) bool { return o.Name == p.Name }) {
			return nil, fmt.Errorf("--plan: %.80q is given twice", text)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

func (t *turnsOptions) readOutputRatio(text string) error {
	if err := numberTo(&t.OutputRatio)(text); err != nil || !(t.OutputRatio.Value >= 0 && t.OutputRatio.Value <= 1000) {
		return fmt.Errorf("%.40q must be a number from 0 to 1000", text)
	}
	return nil
}

// cacheOf returns the cache of the preset or else of the session's model, changed by the
// flags.
func (t turnsOptions) cacheOf(named string) (turns.Cache, error) {
	c, known := turns.CacheOfModel(named)
	if !known {
		c = turns.Caches()[0]
	}
	if t.Cache != "" {
		var ok bool
		if c, ok = turns.FindCache(t.Cache); !ok {
			return c, fmt.Errorf("--cache: %.40q is not known; known are %s, and models by name, as in claude-opus-4-5", t.Cache, strings.Join(turns.CacheNames(), ", "))
		}
	}
	if t.CacheRead.Set || t.CacheWrite.Set || t.CacheMin.Set || t.CacheStep.Set { // the preset's source does not apply to the user's numbers
		c.Source, c.Date, c.Unverified = "", "", ""
	}
	c.Read, c.Write = t.CacheRead.Or(c.Read), t.CacheWrite.Or(c.Write)
	c.Minimum, c.Step = t.CacheMin.Or(c.Minimum), t.CacheStep.Or(c.Step)
	return c, c.Validate()
}

// maxWindowItems bounds the numbers of items that the windows of one plan hold: 512 MB.
const maxWindowItems = 128 << 20

// maxForecasts is the largest number of sessions that the answer names because the
// prediction differs from the record.
const maxForecasts = 5

// namedForecast is the forecast of a session.
type namedForecast struct {
	name string
	turns.Forecast
}
