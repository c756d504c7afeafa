package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// A policy is named on the command line by
//
//	own                                              the policy of the source
//	own-b                                            the policyB of the scenario
//	greedy  knapsack  knapsack:1  stream  stream:8   another slicer in the policy of the source
//	chat  rag  ...                                   a preset, which keeps pairs if the source does
//	dir/policy.json                                  a file with a policy in Cupel's JSON
//
// in this order: a file called greedy is ./greedy.

const (
	ownPolicy  = "own"
	ownPolicyB = "own-b"
	// Recorded names the result that a selection report of Cupel's holds. It
	// is accepted where a result may stand in place of a policy.
	Recorded = "recorded"
)

// Own holds the policies of a source: those that it names, or the one chosen
// for it.
type Own struct {
	A model.Policy
	B model.Option[model.Policy] // the policyB of a scenario
}

// Own returns the policies of what was opened.
func (o *Opened) Own() Own {
	own := Own{A: o.Policy}
	if o.Scenario.Set {
		own.B = o.Scenario.Value.PolicyB
	}
	return own
}

// PolicyOf returns the policy that a name means for a source.
type PolicyOf func(own Own) (model.Policy, error)

// ParsePolicy parses the name of a policy, and reads the file if the name is a
// path. The error of an unknown name lists what is known.
func ParsePolicy(ctx context.Context, name string) (PolicyOf, error) {
	switch {
	case strings.EqualFold(name, ownPolicy):
		return func(own Own) (model.Policy, error) { return own.A, own.A.Validate() }, nil
	case strings.EqualFold(name, ownPolicyB):
		return func(own Own) (model.Policy, error) {
			if !own.B.Set {
				return model.Policy{}, fmt.Errorf("%s: there is no policyB: only a scenario has one", ownPolicyB)
			}
			return own.B.Value, own.B.Value.Validate()
		}, nil
	}
	if strings.EqualFold(name, Recorded) {
		return nil, errors.New(Recorded + " is the result of one run at one budget, not a policy: compare and report show how a policy differs from it")
	}
	if of, is, err := anotherSlicer(name); is {
		return of, err
	}
	p, ok := model.Preset(name)
	if !ok {
		var err error
		if p, err = itemset.ReadPolicy(ctx, name); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%.40q is not a policy: use own, own-b, a slicer (%s, knapsack:BUCKET, stream:BATCH), a preset (%s) or a file with a policy",
				name, strings.Join(model.Names(model.SlicerTypes()), ", "), strings.Join(model.PresetNames(), ", "))
		} else if err != nil {
			return nil, err
		}
		if strings.TrimSpace(p.Name) == "" {
			p.Name = name
		}
	}
	return func(own Own) (model.Policy, error) {
		if !ok { // a file says itself whether pairs are one item
			return p, nil
		}
		preset := p.Clone()
		preset.KeepPairs = own.A.KeepPairs
		return preset, nil
	}, nil
}

// anotherSlicer returns what SLICER or SLICER:SIZE means: the policy of the source with
// that slicer; is is false for any other name.
func anotherSlicer(name string) (of PolicyOf, is bool, err error) {
	text, size, sized := strings.Cut(name, ":")
	slicer, err := FindName(text, model.SlicerTypes())
	if err != nil {
		return nil, false, nil
	}
	change := func(p *model.Policy) error {
		p.SetSlicer(slicer)
		if sized {
			return resize(p, size)
		}
		return nil
	}
	if err := change(&model.Policy{}); err != nil {
		return nil, true, fmt.Errorf("%.40q: %w", name, err)
	}
	return func(own Own) (model.Policy, error) {
		p := own.A.Clone()
		_ = change(&p) // it worked for another policy, and depends on nothing else
		p.Name = p.SlicerName()
		return p, p.Validate()
	}, true, nil
}

// withPolicy returns o with the flags that lead to the policy of that name. There are
// none for the policyB of a scenario; that leaves o as it is.
func (o Options) withPolicy(name string) Options {
	text, _, sized := strings.Cut(name, ":")
	own, _, _ := strings.Cut(o.Slicer, ":")
	switch slicer, err := FindName(text, model.SlicerTypes()); {
	case strings.EqualFold(name, ownPolicy), strings.EqualFold(name, ownPolicyB), err == nil && !sized && strings.EqualFold(text, own):
		return o
	case err == nil:
		o.Slicer = name
		if sized || !slicer.InBuckets() {
			o.BucketSize = ""
		}
		return o
	}
	o.Policy, o.Preset, o.Slicer, o.BucketSize, o.Placer, o.Overflow, o.NoDedup = "", "", "", "", "", "", false
	if _, preset := model.Preset(name); preset {
		o.Preset = name
	} else {
		o.Policy, o.KeepPairs = name, false // the file says that
	}
	return o
}

// LeadingPolicies returns how many words name policies before the first that does
// not: policies come before sources. A file counts as a policy if it has scorers.
func LeadingPolicies(words []string) int {
	for k, word := range words {
		if !namesPolicy(word) {
			return k
		}
	}
	return len(words)
}

func namesPolicy(word string) bool {
	slicer, _, _ := strings.Cut(word, ":")
	if slices.ContainsFunc(PolicyNames(), func(known string) bool { return strings.EqualFold(known, word) || strings.EqualFold(known, slicer) }) {
		return true
	}
	info, err := os.Stat(word)
	if err != nil || !info.Mode().IsRegular() || info.Size() > itemset.MaxSmallBytes {
		return false
	}
	data, err := os.ReadFile(word)
	return err == nil && itemset.ObjectOf(data).Has("scorers")
}

// NamedPolicy returns the policy that a name means for a source. The error
// comes from ParsePolicy or is about the policy.
func NamedPolicy(ctx context.Context, name string, own Own) (model.Policy, error) {
	of, err := ParsePolicy(ctx, name)
	if err != nil {
		return model.Policy{}, err
	}
	p, err := of(own)
	if err != nil {
		return p, fmt.Errorf("%.40q: %w", name, err)
	}
	return p, nil
}

// resize sets the size behind the colon.
func resize(p *model.Policy, size string) error {
	n, err := model.ParseTokens(size)
	if err != nil {
		return err
	}
	return p.SetSize(n)
}

// PolicyNames returns the names of policies that are not files, for
// completions.
func PolicyNames() []string {
	return slices.Concat([]string{ownPolicy, ownPolicyB}, model.Names(model.SlicerTypes()), model.PresetNames())
}
