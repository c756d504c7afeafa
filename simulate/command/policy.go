package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// PolicyOptions say what the verb policy prints.
type PolicyOptions struct {
	Scenario string // a file whose policy is meant; "": see session.Options
	Budget   bool   // the budget in place of the policy
}

// Policy prints the policy in force as Cupel's JSON, or the budget: files that
// the libraries load. What the .NET library would not load of it is said on
// standard error, with the type that stands for it in code. A preset or a
// policy's file needs no source; then there is no budget but that of the flags.
func Policy(ctx context.Context, o session.Options, p PolicyOptions, s Streams) error {
	if p.Scenario != "" {
		o.Sources = append(slices.Clone(o.Sources), p.Scenario)
	}
	opening, err := policyAndBudget(ctx, o, s)
	if err != nil {
		return err
	}
	if p.Budget {
		if opening.Guessed {
			return fmt.Errorf("there is no budget: give --max-tokens or a scenario")
		}
		text, err := opening.Budget.MarshalJSON()
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
	if _, err := s.Out.Write(text); err != nil {
		return err
	}
	for _, line := range notLoadable(opening.Policy) {
		if err := say(s.Err, "%s", line); err != nil {
			return err
		}
	}
	return nil
}

func policyAndBudget(ctx context.Context, o session.Options, s Streams) (simulate.Opening, error) {
	asked, err := o.Overrides()
	if err != nil {
		return simulate.Opening{}, err
	}
	if len(o.Sources) == 0 && o.Fixture == "" && asked.Policy.Set {
		empty, err := model.NewSet(nil)
		if err != nil {
			return simulate.Opening{}, err
		}
		return simulate.Open(simulate.Source{Items: empty}, asked)
	}
	opened, err := session.Open(ctx, o, s.input())
	if err != nil {
		return simulate.Opening{}, err
	}
	return opened.Opening, nil
}

// codeTypes are the types of Cupel's .NET library that stand for scorers which
// its policy files cannot name.
var codeTypes = map[model.ScorerType]string{
	model.ScoreMetadataTrust: "MetadataTrustScorer",
	model.ScoreMetadataKey:   "MetadataKeyScorer",
	model.ScoreDecay:         "DecayScorer",
	model.ScoreComposite:     "CompositeScorer",
}

// notLoadable says what of a policy the .NET library does not load from a file.
func notLoadable(p model.Policy) []string {
	const does = "Cupel's .NET library does not load %s from a policy file: "
	var all []string
	add := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	var look func(scorers []model.Scorer)
	look = func(scorers []model.Scorer) {
		for _, sc := range scorers {
			if code, ok := codeTypes[sc.Type]; ok {
				add(does+"in code it is %s", sc.Type, code)
			}
			if sc.Inner != nil {
				look([]model.Scorer{*sc.Inner})
			}
			look(sc.Scorers)
		}
	}
	look(p.Scorers)
	if len(p.CountQuotas) > 0 {
		code := "CountQuotaSlice"
		if p.Slicer == model.Knapsack {
			code = "CountConstrainedKnapsackSlice"
		}
		add(does+"in code they are %s", "countQuotas", code)
	}
	return all
}
