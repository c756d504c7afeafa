package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestGoldenAnswers holds answers to files that are named after the command
// line. After a change: go test ./simulate/command -run Golden -update, and read the difference.
func TestGoldenAnswers(t *testing.T) {
	for _, line := range []string{
		"report --fixture nonmonotone -o csv",
		"report --fixture nonmonotone -o markdown",
		"min-budget --fixture nonmonotone",
		"min-budget --fixture nonmonotone -o json",
		"min-budget --fixture agent --only-differing",
		"min-budget --fixture retrieval -o csv",
		"profile --fixture nonmonotone -o csv",
		"profile --fixture nonmonotone -o json",
		"profile --fixture retrieval",
		"marginal --fixture agent",
		"check --fixture agent --require kind:system --stable 1k --min-filled 80 --no-split-pairs",
		"check --fixture retrieval --first-in-by 2k --for #33 --forbid is:dup -o json",
		"fixtures -o markdown",
		"compare greedy knapsack:1 --fixture coarse-knapsack",
		"compare own debugging --fixture agent --at 16k,32k,50% -o json",
		"sweep --fixture nonmonotone",
		"tokens --fixture retrieval --compare all",
		"tokens --fixture agent --by kind --model gpt-4",
		"tokens --fixture nonmonotone -o json",
		"sweep --fixture agent --step 4k --item is:risk",
		"sweep --fixture agent --from 20k --to 22k -o csv",
		"sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --policy-b knapsack:1",
		"marginal --fixture agent -o json",
		"sweep --fixture agent --over weight:recency",
		"sweep --fixture agent --over output-reserve --from 7k --to 9k -o csv",
		"profile --fixture nonmonotone --over safety-margin -o json",
	} {
		t.Run(line, func(t *testing.T) {
			code, got, diagnostics := clitest.Run("", strings.Fields(line)...)
			if code != command.Fine || diagnostics != "" {
				t.Fatalf("exit %d, diagnostics %q", code, diagnostics)
			}
			name := strings.NewReplacer(" ", "_", "#", "", ":", "-", ",", "-", "%", "p").Replace(line)
			goldentest.Check(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}
