package command

import (
	"context"
	"encoding/json"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// TestComparePairsPinnedUnderOnePolicy: a result that only pairs as one item
// pin counts alike on both sides, so equal selections are worth the same.
func TestComparePairsPinnedUnderOnePolicy(t *testing.T) {
	const pairs = `{"scorers":[{"type":"reflexive","weight":1}],"keepPairs":true}`
	const single = `{"scorers":[{"type":"reflexive","weight":1}]}`
	scenario := func(a, b string) string {
		return `{"items":[
			{"content":"call","tokens":10,"pinned":true,"metadata":{"callId":"c","part":"toolCall"}},
			{"content":"result","tokens":10,"futureRelevanceHint":0.5,"kind":"ToolOutput","metadata":{"callId":"c","part":"toolResult"}},
			{"content":"text","tokens":10,"futureRelevanceHint":0.25}],
			"policy":` + a + `,"policyB":` + b + `,"budget":{"maxTokens":50}}`
	}
	for _, c := range []struct {
		a, b      string
		worthEach float64
	}{{pairs, single, 0.25}, {single, pairs, 0.75}} {
		s, out, _ := streams(scenario(c.a, c.b))
		musttest.Do(t, compare(context.Background(), session.Options{Sources: []string{"-"}}, compareOptions{answerOptions: inJSON, A: "own", B: "own-b"}, s))
		var got compareAnswer
		musttest.Do(t, json.Unmarshal(out.Bytes(), &got))
		at := got.Budgets[0]
		if got.Differing != 0 || at.ValueA != c.worthEach || at.ValueBByA != c.worthEach || at.Better+at.Worse != 0 {
			t.Errorf("equal selections: value A %v, B by A %v, better %d, worse %d; want %v for both", at.ValueA, at.ValueBByA, at.Better, at.Worse, c.worthEach)
		}
	}
}
