package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/simulate/command/cli"
	"cupelscope/simulate/command/cli/clitest"
	"cupelscope/simulate/session"
)

// blocks are the fenced blocks of the README in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, part := range strings.Split(string(readme), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		all = append(all, block)
	}
	return all
}

// TestReadme runs every command of the README as written, with the files that
// it shows.
func TestReadme(t *testing.T) {
	commands, files := blocks(t, "sh"), blocks(t, "json")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(readme))); n > 1500 {
		t.Errorf("the README has %d words, at most 1,500 are to be", n)
	}
	clitest.Files(t)
	for name, key := range map[string]string{"policy.json": `"slicerType"`, "scenario.json": `"items"`} {
		at := slices.IndexFunc(files, func(text string) bool { return strings.Contains(text, key) })
		if at < 0 {
			t.Fatalf("the README shows no %s", name)
		}
		if err := os.WriteFile(name, []byte(files[at]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, block := range commands {
		for line := range strings.SplitSeq(block, "\n") {
			line, _, _ = strings.Cut(line, "  #")
			args, stdin := clitest.Line(t, line)
			onScreen, shown := len(args) == 0 || strings.HasSuffix(args[0], ".jsonl"), false
			explorer := clitest.Explorer{Flagged: newScreen(), Shown: func(session.Options) error { shown = true; return nil }}
			code, out, diagnostics := explorer.Run(onScreen, stdin, args...)
			if code != cli.Fine || (out == "") != onScreen || shown != onScreen {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands ran", ran)
	}
}

// TestReadmeProgram builds and runs the program of the README in a module of its
// own, made as the README says.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	programs := blocks(t, "go")
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(programs[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("mod", "init", "example")
	run("mod", "edit", "-require", "cupelscope@v0.0.0", "-replace", "cupelscope="+root)
	run("mod", "tidy")
	_, want, _ := strings.Cut(programs[0], "profile.Bands(nil, 1)) // ")
	want, _, _ = strings.Cut(want, "\n")
	if got := strings.TrimSpace(run("run", ".")); got != want || want == "" {
		t.Errorf("it prints %q, the README says %q", got, want)
	}
}
