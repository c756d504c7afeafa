package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// policyOptions say what the verb policy writes.
type policyOptions struct {
	Scenario string // path of a file with the policy; "": see session.Options
	Budget   bool   // write the budget instead of the policy
}

// policy writes the policy in force, or the budget, as the JSON that Cupel's
// libraries load. It writes to standard error which parts of the policy the .NET
// library does not load, with the type to use in code instead. A preset or a policy
// file needs no source; then only the flags can give a budget. It is an error to
// ask for the budget if there is only a guessed one.
func policy(ctx context.Context, o session.Options, p policyOptions, s Streams) error {
	if p.Scenario != "" && len(o.Sources) > 0 {
		return fmt.Errorf("--scenario %s and the source %s: give one of them", p.Scenario, o.Sources[0])
	}
	if p.Scenario != "" {
		o.Sources = []string{p.Scenario}
	}
	if len(o.Shrink) > 0 || o.ShrinkPinned {
		return errors.New("--shrink is no part of a policy or a budget: it is not Cupel's, and stands in a scenario")
	}
	opening, err := policyAndBudget(ctx, o, s)
	if err != nil {
		return err
	}
	if p.Budget {
		if opening.Guessed {
			return errors.New("there is no budget: give --max-tokens or a scenario")
		}
		text, err := cupelBudget(opening.Budget, model.FieldsOfBudget())
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := json.Indent(&out, text, "", "  "); err != nil {
			return err
		}
		out.WriteByte('\n')
		_, err = s.Out.Write(out.Bytes())
		return err
	}
	text, err := opening.Policy.CupelJSON()
	if err != nil {
		return err
	}
	if _, err = s.Out.Write(text); err == nil {
		s.sayAll(notLoadable(opening.Policy))
	}
	return err
}

// cupelBudget returns the JSON of a budget that Cupel is to load. The error names a field that
// is set and not Cupel's.
func cupelBudget(b model.Budget, fields []model.BudgetField) ([]byte, error) {
	set := b.Fields()
	for _, f := range fields {
		if f.NotCupel && (f.Slots != nil && len(*f.Slots(&set)) > 0 || f.Slots == nil && f.Number(&set) != 0) {
			return nil, fmt.Errorf("%s: not Cupel's, which could not load the budget", f.Name)
		}
	}
	return b.MarshalJSON()
}

func policyAndBudget(ctx context.Context, o session.Options, s Streams) (simulate.Opening, error) {
	if len(o.Sources) == 0 && o.Fixture == "" && (o.Policy != "" || o.Preset != "") {
		return o.OpenNothing(ctx)
	}
	opened, err := session.Open(ctx, o, s.input())
	if err != nil {
		return simulate.Opening{}, err
	}
	return opened.Opening, nil
}

// codeTypes maps the scorers that the policy files of Cupel's .NET library cannot
// name to their types in code.
var codeTypes = map[model.ScorerType]string{
	model.ScoreMetadataTrust: "MetadataTrustScorer",
	model.ScoreMetadataKey:   "MetadataKeyScorer",
	model.ScoreDecay:         "DecayScorer",
	model.ScoreComposite:     "CompositeScorer",
}

// notLoadable returns a line for each part of a policy that the .NET library does
// not load from a file.
func notLoadable(p model.Policy) []string {
	const does = "Cupel's .NET library does not load %s from a policy file: "
	var all []string
	add := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	var visit func(scorers []model.Scorer)
	visit = func(scorers []model.Scorer) {
		for _, sc := range scorers {
			if code, ok := codeTypes[sc.Type]; ok {
				add(does+"in code it is %s", sc.Type, code)
			}
			if sc.Inner != nil {
				visit([]model.Scorer{*sc.Inner})
			}
			visit(sc.Scorers)
		}
	}
	visit(p.Scorers)
	if len(p.CountQuotas) > 0 {
		add(does+"in code they are %s", "countQuotas", p.Slicer.Counted())
	}
	return all
}
