package command_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

func TestPolicyIsCupels(t *testing.T) {
	const scenario = `{"items": [], "budget": {"maxTokens": 9}, "policy": {"scorers": [{"type": "decay", "weight": 1, "referenceTime": "2026-01-01T00:00:00Z", "curve": {"type": "step", "windows": [{"maxAgeSeconds": 5, "score": 1}]}},
		{"type": "metadataTrust", "weight": 1}], "countQuotas": [{"kind": "a", "requireCount": 0, "capCount": 1}]}}`
	for _, c := range []struct {
		line, stdin string
		holds       string // the answer
		says        []string
	}{
		{"policy --preset rag", "", `"name": "rag"`, nil},
		{"policy --preset rag --slicer knapsack:7", "", `"knapsackBucketSize": 7`, nil},
		{"policy --fixture agent", "", `"name": "chat"`, nil},
		{"policy --fixture agent --budget", "", `"outputReserve": 8000`, nil},
		{"policy", scenario, `"decay"`, []string{"decay from a policy file: in code it is DecayScorer", "MetadataTrustScorer", "countQuotas from a policy file: in code they are CountQuotaSlice"}},
		{"policy - --slicer knapsack", scenario, `"decay"`, []string{"CountConstrainedKnapsackSlice"}},
		{"policy - --budget", scenario, `"maxTokens": 9`, nil},
	} {
		code, out, diagnostics := clitest.Run(c.stdin, strings.Fields(c.line)...)
		if code != command.Fine || !strings.Contains(out, c.holds) || len(c.says) == 0 && diagnostics != "" {
			t.Errorf("%s: exit %d\n%s%s", c.line, code, out, diagnostics)
		}
		for _, says := range c.says {
			musttest.Says(t, diagnostics, says, c.line)
		}
		if strings.Contains(c.line, "--budget") {
			if err := json.Unmarshal([]byte(out), new(model.Budget)); err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
		} else if _, err := model.ParsePolicy([]byte(out)); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
	}
	if code, out, diagnostics := clitest.Run("", "policy", "--preset", "rag", "--slicer", "rank"); code != command.Input || out != "" || !strings.Contains(diagnostics, "rank") {
		t.Errorf("not Cupel's: exit %d, %s%s", code, out, diagnostics)
	}
	if code, _, diagnostics := clitest.Run("", "policy", "--preset", "rag", "--budget"); code != command.Input || !strings.Contains(diagnostics, "there is no budget") {
		t.Errorf("a budget out of nothing: exit %d, %s", code, diagnostics)
	}
}
