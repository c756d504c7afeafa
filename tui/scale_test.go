package tui

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// TestScaleDocument runs the recipes of SCALE.md for a shell as they are written, and
// compares their answers with those of one process.
func TestScaleDocument(t *testing.T) {
	musttest.Alone(t)
	for _, tool := range []string{"bash", "parallel", "sqlite3", "split"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no ", tool)
		}
	}
	self := musttest.Of(os.Executable())(t)
	var cases, labels strings.Builder
	for k := range 200 {
		fmt.Fprintf(&cases, `{"id": "q%d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 300}, "items": [`, k)
		for i := range 9 {
			fmt.Fprintf(&cases, `{"content": "q%d item %d", "tokens": %d, "futureRelevanceHint": 0.%d, "id": "i%d"}`, k, i, 20+(k*7+i*29)%60, (k+i*3)%10, i)
			cases.WriteString(strings.Repeat(", ", min(1, 8-i)))
		}
		cases.WriteString("]}\n")
		fmt.Fprintf(&labels, "q%d 0 i%d 1\n", k, k%9)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cases.jsonl": cases.String(), "qrels.txt": labels.String(),
		"cupelscope": "#!/bin/sh\n" + runAs + "=" + real + " exec '" + self + "' \"$@\"\n",
	} {
		musttest.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	shell := func(script string) string {
		t.Helper()
		c := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
		c.Dir, c.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		var diagnostics strings.Builder
		c.Stderr = &diagnostics
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", script, err, diagnostics.String())
		}
		return string(out)
	}
	var recipes []string
	for _, part := range strings.Split(read(t, "../simulate/command/SCALE.md"), "```sh\n")[1:] {
		recipe, _, _ := strings.Cut(part, "```")
		recipes = append(recipes, recipe)
	}
	if len(recipes) != 3 {
		t.Fatalf("%d recipes", len(recipes))
	}
	whole := shell("cupelscope batch cases.jsonl")
	for _, k := range []int{0, 2} {
		shell(recipes[k])
		if got := read(t, filepath.Join(dir, "answers.jsonl")); got != whole || strings.Count(whole, "\n") != 200 {
			t.Errorf("%s\ngives %.300s", recipes[k], got)
		}
	}
	means := map[string]float64{}
	for row := range strings.Lines(shell(recipes[1])) {
		f := strings.Split(strings.TrimSpace(row), "|")
		mean, err := strconv.ParseFloat(f[2], 64)
		if err != nil || len(f) != 4 || f[3] != "200" {
			t.Fatalf("%q", row)
		}
		means[f[0]+" "+f[1]] = mean
	}
	for row := range strings.Lines(shell("cupelscope evaluate greedy knapsack:1 cases.jsonl --labels qrels.txt --at 100,300 --no-best -o csv | tail -n +2")) {
		f := strings.Split(row, ",") // budget, policy, ours, recall
		want, err := strconv.ParseFloat(f[3], 64)
		if got, ok := means[f[0]+" "+f[1]]; !ok || err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s %s: %v of the parts, %s of all", f[0], f[1], got, f[3])
		}
	}
	musttest.Is(t, len(means), 8, means)
}
