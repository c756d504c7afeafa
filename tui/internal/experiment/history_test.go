package experiment

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// same is Equal and, beyond the meaning, the same numbers.
func same(a, b Setup) bool {
	return a.Equal(b) && a.Ceiling == b.Ceiling && reflect.DeepEqual(a.Budget, b.Budget)
}

func TestUndoingEverythingGivesTheFirstSetup(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for range 150 {
		e, first := start(t, sample(t, rng, 1+rng.IntN(20)))
		var states []Setup // after each change that is a step of its own
		for range rng.IntN(40) {
			e.EndRun()
			if edit(t, rng, e, first) {
				states = append(states, e.Setup())
			}
			if rng.IntN(6) == 0 && len(states) > 0 { // wander in the history
				e.Undo()
				states = states[:len(states)-1]
			}
		}
		for k := len(states) - 1; k >= 0; k-- {
			if !same(e.Setup(), states[k]) {
				t.Fatalf("after undoing to change %d the setup is\n%+v\nwant\n%+v", k, e.Setup(), states[k])
			}
			if _, ok := e.Undo(); !ok {
				t.Fatalf("change %d cannot be undone", k)
			}
		}
		if !same(e.Setup(), first) || e.CanUndo() {
			t.Fatalf("after undoing everything the setup is\n%+v\nwant\n%+v", e.Setup(), first)
		}
		if !reflect.DeepEqual(e.Items().Edits(), first.Edits) && !e.Items().Edits().IsZero() {
			t.Fatalf("after undoing everything the items have edits: %+v", e.Items().Edits())
		}
		if _, ok := e.Undo(); ok {
			t.Fatal("more was undone than was done")
		}
		for k, want := range states {
			if _, ok := e.Redo(); !ok || !same(e.Setup(), want) {
				t.Fatalf("redoing change %d gives\n%+v\nwant\n%+v", k, e.Setup(), want)
			}
		}
		// What was undone while wandering may still be there to be made again.
		if len(states) > 0 && !e.CanUndo() {
			t.Fatal("nothing can be undone after redoing")
		}
	}
}

func TestStepsOfOneKnobAreOneChange(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 5))
	step := func(id KnobID, dir int) {
		t.Helper()
		k := knob(t, e, first, id)
		next := musttest.Of(k.Step(dir, false))(t)
		musttest.Do(t, e.Apply(next, Label{k.Label, k.Value, next.Budget.MaxTokens.String()}, k.ID))
	}
	undo := func(want string) {
		t.Helper()
		if got, ok := e.Undo(); !ok || got != want {
			t.Fatalf("undid %q, want %q", got, want)
		}
	}
	step(MaxTokens, 1)
	step(MaxTokens, 1)
	step(MaxTokens, 1)
	undo(string(MaxTokens) + " 3,000 → 3,300")
	if !same(e.Setup(), first) {
		t.Fatal("undoing a run does not lead to its beginning")
	}
	if got, ok := e.Redo(); !ok || got != string(MaxTokens)+" 3,000 → 3,300" || e.Setup().Budget.MaxTokens != 3300 {
		t.Fatalf("redid %q to %v", got, e.Setup().Budget.MaxTokens)
	}
	step(MaxTokens, 1) // after an undo a run begins anew
	undo(string(MaxTokens) + " 3,300 → 3,400")

	step(MaxTokens, 1)
	e.EndRun()
	step(MaxTokens, 1)
	undo(string(MaxTokens) + " 3,400 → 3,500")
	undo(string(MaxTokens) + " 3,300 → 3,400")

	step(MaxTokens, 1) // another knob in between
	step(OutputReserve, 1)
	step(MaxTokens, 1)
	undo(string(MaxTokens) + " 3,400 → 3,500")
}

func TestANewChangeForgetsWhatWasUndone(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 5))
	musttest.Do(t, e.Apply(first.WithMax(4000), Label{Name: "one"}, ""))
	e.Undo()
	musttest.Do(t, e.Apply(first.WithMax(5000), Label{Name: "two"}, ""))
	if _, ok := e.Redo(); ok || e.CanRedo() {
		t.Error("a change that was undone can be redone after another one")
	}
}

func TestAnEditThatIsNotPossibleChangesNothing(t *testing.T) {
	e, first := start(t, sample(t, rand.New(rand.NewPCG(1, 1)), 5))
	settle(t, e)
	bad := first
	bad.Edits = model.Edits{Excluded: map[int]bool{99: true}}
	if err := e.Apply(bad, Label{Name: "bad"}, ""); err == nil {
		t.Fatal("an item that is not there was excluded")
	}
	if !same(e.Setup(), first) || e.CanUndo() {
		t.Error("an edit that was refused has changed something")
	}
	if _, pending := e.Request(A); pending {
		t.Error("an edit that was refused asks for work")
	}
}

func TestEditsOfItems(t *testing.T) {
	items := musttest.Of(model.NewSet([]model.Item{
		{Content: "a", Tokens: 1, FutureRelevanceHint: model.Some(0.5)}, {Content: "b", Tokens: 7, Pinned: true}, {Content: "c", Tokens: 7, Count: model.Estimated},
	}))(t)
	var s Setup
	pinned := s.WithPinned(items, []int{0}, true)
	released := s.WithPinned(items, []int{1}, false)
	excluded := s.WithExcluded([]int{0, 2}, true)
	longer := s.WithTokens(items, []int{0, 1, 2}, model.Some[model.Tokens](7))
	liked := s.WithHint(items, []int{0, 1}, model.Some(0.5))
	for _, c := range []struct {
		name string
		s    Setup
		want model.Edits
	}{
		{"pin", pinned, model.Edits{Pinned: map[int]bool{0: true}}},
		{"release what was loaded pinned", released, model.Edits{Pinned: map[int]bool{1: false}}},
		{"exclude", excluded, model.Edits{Excluded: map[int]bool{0: true, 2: true}}},
		{"pin what was loaded pinned", s.WithPinned(items, []int{0, 1}, true), model.Edits{Pinned: map[int]bool{0: true}}},
		{"pin and release is no edit", pinned.WithPinned(items, []int{0}, false), model.Edits{}},
		{"release and pin is no edit", released.WithPinned(items, []int{1}, true), model.Edits{}},
		{"exclude and take back is no edit", excluded.WithExcluded([]int{2, 0}, false), model.Edits{}},
		{"tokens, of which one has as many and one only as an estimate", longer, model.Edits{Tokens: map[int]model.Tokens{0: 7, 2: 7}}},
		{"tokens back to what was loaded", longer.WithTokens(items, []int{0, 1, 2}, model.Option[model.Tokens]{}), model.Edits{}},
		{"a hint, which one has", liked, model.Edits{Hints: map[int]float64{1: 0.5}}},
		{"hints back to what was loaded", liked.WithHint(items, []int{0, 1}, model.Option[float64]{}), model.Edits{}},
	} {
		if !c.s.Edits.Equal(c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, c.s.Edits, c.want)
		}
	}
	if !s.Edits.IsZero() || len(pinned.Edits.Pinned) != 1 || len(excluded.Edits.Excluded) != 2 || len(longer.Edits.Tokens) != 2 || len(liked.Edits.Hints) != 1 {
		t.Error("an edit changed the setup that it began with")
	}
}
