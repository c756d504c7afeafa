package session

import (
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// A slot that holds tokens for no item is said.
func TestIdleSlotsAreSaid(t *testing.T) {
	const says = `no item has the kind "Memry", for which the budget holds 1,000 tokens`
	slots := []model.Slot{{Kind: "memory", Tokens: 5}, {Kind: "Memry", Tokens: 1000}, {Kind: "None", Tokens: 0}}
	items := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 1, Kind: model.Memory}}))(t)
	musttest.Is(t, idleKinds(items, slots), []string{says})
	if got := idleKinds(items, nil); len(got) > 0 {
		t.Errorf("without slots: %q", got)
	}
}

// The warning that no relevance was given says under which policy, and that its slicer is another one
// than that of other sources.
func TestUnscoredNamesThePolicy(t *testing.T) {
	p, ok := model.Preset("document-qa")
	if want := "the preset " + p.Name + ", whose slicer is " + string(p.Slicer); !ok || !strings.Contains(Unscored, want) {
		t.Errorf("%q does not say %q", Unscored, want)
	}
}
