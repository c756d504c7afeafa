package itemset

import (
	"fmt"
	"math"

	"cupelscope/model"
)

// A conformance vector of Cupel is one case in TOML: items, what is done with
// them, and what must come of it (Cupel specification, chapter Test Vector
// Format). A stage says what the case is about:
//
//	pipeline  the whole policy at a budget: opens as it is
//	slicing   a slicer, given scores, a target: the scores become hints under
//	          the reflexive scorer
//	placing   a placer, given scores: as slicing, with a budget that fits all
//	scoring   a scorer: its policy, with a budget that fits all
//
// A key that is not known is an error: it would be something not done or not
// checked.

// VectorStage is what a vector is about.
type VectorStage string

// The stages of vectors, spelled as in test.stage.
const (
	VectorScoring  VectorStage = "scoring"
	VectorSlicing  VectorStage = "slicing"
	VectorPlacing  VectorStage = "placing"
	VectorPipeline VectorStage = "pipeline"
)

// VectorStages lists the stages, in the order of the pipeline.
func VectorStages() []VectorStage {
	return []VectorStage{VectorScoring, VectorSlicing, VectorPlacing, VectorPipeline}
}

// Vector is a vector as it was read.
type Vector struct {
	Name  string // test.name
	Stage VectorStage
	Items []model.Item // hints as given, be they no finite numbers
	// Excluded are the items that the user took out.
	Excluded map[int]bool
	// Scores are what the items are to be taken for, by item: any float64. nil
	// in the stages scoring and pipeline, which compute them.
	Scores []float64
	// Budget is the one of the vector; of scoring and placing, which have none,
	// one that fits all items.
	Budget model.BudgetFields
	Want   VectorWant

	source  string
	policy  model.Policy
	invalid error // why there is no policy
}

// VectorError says what is wrong in a vector and where.
type VectorError struct {
	Name         string // of the source
	Line, Column int    // from 1; 0: not known, as of what is no mistake of syntax
	Key          string // the full one: "config.slicer", "items.tokens"; "": not known
	Reason       string
	Err          error // the error of a policy, budget or item; nil otherwise
}

func (e *VectorError) Error() string {
	at := e.Name
	if e.Line > 0 {
		at = fmt.Sprintf("%s: line %d", at, e.Line)
	}
	if e.Column > 0 {
		at = fmt.Sprintf("%s, column %d", at, e.Column)
	}
	switch {
	case e.Err != nil:
		return fmt.Sprintf("%s: %s: %v", at, e.Key, e.Err)
	case e.Key == "":
		return at + ": " + e.Reason
	}
	return fmt.Sprintf("%s: %s: %s", at, e.Key, e.Reason)
}

func (e *VectorError) Unwrap() error { return e.Err }

// ReadVector reads a vector; name is for messages only. The error is a
// *VectorError. That the policy is valid is not checked here: there are vectors
// which expect that it is not (Want.ConstructionFails).
func ReadVector(name string, data []byte) (*Vector, error) {
	raw, err := decodeVector(name, data)
	if err != nil {
		return nil, err
	}
	v := &Vector{Name: raw.Test.Name, Stage: raw.Test.Stage, Excluded: map[int]bool{}, Want: raw.want(), source: name}
	if err := v.takeItems(raw); err != nil {
		return nil, err
	}
	v.takeBudget(raw)
	v.policy, v.invalid = raw.policy()
	return v, nil
}

// Policy is what the vector asks for; placing and scoring get a greedy slicer,
// and slicing and scoring the chronological placer. The error is a
// *VectorError that wraps a *model.PolicyError: the policy is invalid, or no
// policy can say what the vector says.
func (v *Vector) Policy() (model.Policy, error) {
	err := v.invalid
	if err == nil {
		err = v.policy.Validate()
	}
	if err != nil {
		return model.Policy{}, &VectorError{Name: v.source, Key: "config", Err: err}
	}
	return v.policy.Clone(), nil
}

// Set is the items with their exclusions, as given.
func (v *Vector) Set() (*model.Set, error) { return v.setOf(v.Items) }

func (v *Vector) setOf(items []model.Item) (*model.Set, error) {
	set, err := model.NewSet(append([]model.Item(nil), items...))
	if err == nil && len(v.Excluded) > 0 {
		set, err = set.With(model.Edits{Excluded: v.Excluded})
	}
	if err != nil {
		return nil, &VectorError{Name: v.source, Key: v.itemsKey(), Err: err}
	}
	return set, nil
}

func (v *Vector) itemsKey() string {
	if v.Stage == VectorSlicing {
		return "scored_items"
	}
	return "items"
}

// Scenario is the vector as something to explore and to save; see Vector for
// what each stage becomes. Hints that are no finite number are left out, which
// no scorer can tell. Scores become hints; IsFaithful tells whether they can.
func (v *Vector) Scenario() (model.Scenario, error) {
	s := model.Scenario{Name: v.Name}
	var err error
	if s.Policy, err = v.Policy(); err != nil {
		return s, err
	}
	if s.Budget, err = model.NewBudget(v.Budget); err != nil {
		return s, &VectorError{Name: v.source, Key: "budget", Err: err}
	}
	items := append([]model.Item(nil), v.Items...)
	for i := range items {
		if v.Scores != nil {
			items[i].FutureRelevanceHint = model.Some(v.Scores[i])
		}
		if h := items[i].FutureRelevanceHint; h.Set && !isFinite(h.Value) {
			items[i].FutureRelevanceHint = model.Option[float64]{}
		}
	}
	s.Items, err = v.setOf(items)
	return s, err
}

// IsFaithful reports whether the reflexive scorer gives back the scores of the
// vector: it knows none outside 0 to 1. True where there are none.
func (v *Vector) IsFaithful() bool {
	for i := range v.Scores {
		if !v.isReflexive(i) {
			return false
		}
	}
	return true
}

func (v *Vector) isReflexive(i int) bool { return 0 <= v.Scores[i] && v.Scores[i] <= 1 }

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// readVector opens a vector as the scenario that it stands for.
func (b *builder) readVector(data []byte) error {
	v, err := ReadVector(b.name, data)
	if err != nil {
		return err
	}
	s, err := v.Scenario()
	if err != nil {
		return err
	}
	for i := range v.Items {
		if v.Scores != nil && !v.isReflexive(i) {
			b.note(i+1, "scores outside 0 to 1: as hints they count as 0 or 1")
		}
		if h := v.Items[i].FutureRelevanceHint; h.Set && !isFinite(h.Value) {
			b.note(i+1, "future relevance hints that are no finite number, left out")
		}
	}
	b.items = make([]model.Item, s.Items.Len())
	for i := range b.items {
		b.items[i] = *s.Items.Loaded(i)
	}
	b.out.Set, b.out.Scenario = s.Items, model.Some(s)
	return nil
}
