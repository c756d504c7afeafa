package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/simulate/command/cli"
	"cupelscope/simulate/command/cli/clitest"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// TestGoldenAnswers holds answers to files that are named after the command
// line. After a change: go test ./simulate/command/cli -run Golden -update, and read the difference.
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
		"sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --against knapsack:1",
		"marginal --fixture agent -o json",
	} {
		t.Run(line, func(t *testing.T) {
			code, got, diagnostics := clitest.Run("", strings.Fields(line)...)
			if code != cli.Fine || diagnostics != "" {
				t.Fatalf("exit %d, diagnostics %q", code, diagnostics)
			}
			path := filepath.Join("testdata", strings.NewReplacer(" ", "_", "#", "", ":", "-", ",", "-", "%", "p").Replace(line)+".golden")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant, as in %s\n%s", got, path, want)
			}
		})
	}
}
