package itemset

import (
	"fmt"
	"reflect"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// What is saved of a loaded conversation opens again as the same items: texts,
// kinds, times, where the counts come from, which result belongs to which call.
func TestConversationsAreSavedWhole(t *testing.T) {
	counted := `{"messages":[{"role":"user","content":[{"type":"text","text":"\u001b[31m\u202ex\u0000<&>"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
		{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"42"}],
		"choices":[{"message":{"role":"assistant","content":"that is the answer"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`
	for name, in := range map[string]string{"claude-code": session1, "codex": rollout1, "openai": counted} {
		l := mustRead(t, in, Options{})
		saved := musttest.Of(MarshalScenario(model.Scenario{Items: l.Set, Policy: model.Presets()[0], Budget: mustBudget(1000)}))(t)
		again := mustRead(t, string(saved), Options{Strict: true})
		if again.Format != Scenario || again.Set.Len() != l.Set.Len() || !reflect.DeepEqual(again.Pairs, l.Pairs) || !reflect.DeepEqual(again.Pending, l.Pending) {
			t.Errorf("%s: %d items, pairs %v, pending %v", name, again.Set.Len(), again.Pairs, again.Pending)
		}
		kinds := map[model.Provenance]int{}
		for i := range l.Set.Len() {
			was, is := l.Set.Item(i), again.Set.Item(i)
			if fmt.Sprintf("%#v", was) != fmt.Sprintf("%#v", is) {
				t.Errorf("%s: item %d was\n%#v\nand is\n%#v", name, i, was, is)
			}
			kinds[is.Count]++
		}
		if kinds[model.Estimated] == 0 || kinds[model.Opaque] == 0 || name == "openai" && kinds[model.FromUsage] != 1 {
			t.Errorf("%s: counts %v", name, kinds)
		}
	}
}
