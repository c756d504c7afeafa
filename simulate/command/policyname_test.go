package command

import (
	"context"
	"encoding/json"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// TestOwnPolicies: a scenario's two policies are compared as the screen does.
// Two policies of one name are told apart by how they were asked for.
func TestOwnPolicies(t *testing.T) {
	s, out, _ := streams("")
	musttest.Do(t, compare(context.Background(), session.Options{Fixture: "agent"}, compareOptions{answerOptions: inJSON, A: "own", B: "own-b"}, s))
	var got compareAnswer
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.A != "chat (own)" || got.B != "chat (own-b)" || got.Cases != 1 {
		t.Errorf("%v, %+v", err, got)
	}
}

// A side is called by the name of its policies where all have the same, else as
// it was asked for.
func TestCompareNamesPolicies(t *testing.T) {
	line := func(name string) string {
		return `{"items": [{"content": "a", "tokens": 5}], "policy": {"name": "` + name + `", "scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}` + "\n"
	}
	for _, c := range []struct{ name, in, want string }{
		{"one name", line("mine") + line("mine"), "mine"},
		{"two names", line("mine") + line("yours") + line("mine"), "own"},
		{"some without one", line("mine") + line(""), "own"},
		{"none", line(""), "own"},
	} {
		s, out, _ := streams(c.in)
		if err := compare(context.Background(), session.Options{Sources: []string{"-"}}, compareOptions{answerOptions: inJSON, A: "own", B: "rag"}, s); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var got struct{ A, B string }
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.A != c.want || got.B != "rag" {
			t.Errorf("%s: %q and %q, want %q and rag; %v", c.name, got.A, got.B, c.want, err)
		}
	}
}
