package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

// read returns the text of a file.
func read(t *testing.T, path string) string {
	t.Helper()
	content := musttest.Of(os.ReadFile(path))(t)
	return string(content)
}

// blocks are the fenced blocks of the README in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var all []string
	for _, part := range strings.Split(read(t, "../README.md"), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		all = append(all, block)
	}
	return all
}

// TestReadmeBegins: the first block of the README is how the program is run and how its
// tests are, and what must hold before a change is kept runs the tests by that command.
func TestReadmeBegins(t *testing.T) {
	var first []string
	for line := range strings.SplitSeq(blocks(t, "sh")[0], "\n") {
		command, does, _ := strings.Cut(line, "  #")
		if strings.TrimSpace(does) == "" {
			t.Errorf("the README does not say what %q does", command)
		}
		first = append(first, strings.TrimSpace(command))
	}
	if want := []string{program, "go test ./..."}; !slices.Equal(first, want) {
		t.Fatalf("the README begins with %q, want %q", first, want)
	}
	readme, run := read(t, "../README.md"), read(t, "../.ci/run")
	if at := strings.Index(readme, "```"); !strings.HasPrefix(readme[at:], "```sh\n"+program) {
		t.Errorf("another block is before the commands: %q", readme[at:at+40])
	}
	musttest.Says(t, run, "\nstep \"tests\" "+first[1]+"\n", "ci/run")
}

// program runs the explorer from a checkout.
const program = "go run ."

// TestReadme runs every command of the README as written, with the files that
// it shows.
func TestReadme(t *testing.T) {
	musttest.Alone(t)
	commands, files := blocks(t, "sh"), blocks(t, "json")
	if n := len(strings.Fields(read(t, "../README.md"))); n > 1300 {
		t.Errorf("the README has %d words, at most 1,300 are to be", n)
	}
	cookbook := read(t, "../simulate/command/COOKBOOK.md")
	clitest.Files(t)
	for _, name := range []string{"policy.json", "scenario.json"} {
		if !slices.Contains(files, strings.TrimSuffix(read(t, name), "\n")) {
			t.Errorf("the README does not show the %s that fixtures --write makes", name)
		}
	}
	commands = append(commands, publicCommands(t, cookbook)...)
	ran := 0
	for _, block := range commands {
		for line := range strings.SplitSeq(block, "\n") {
			line, _, _ = strings.Cut(line, "  #")
			if strings.HasPrefix(line, "go test ") {
				continue // these tests
			}
			if rest, ok := strings.CutPrefix(line, program); ok {
				line = "cupelscope" + rest
			}
			args, stdin := clitest.Line(t, line)
			onScreen, shown := len(args) == 0 || strings.HasSuffix(args[0], ".jsonl"), false
			explorer := clitest.Explorer{Flagged: newScreen().screen(), Shown: func(session.Options) error { shown = true; return nil }}
			code, out, diagnostics := explorer.Run(onScreen, stdin, args...)
			answered := out != "" || strings.Contains(diagnostics, "wrote ")
			if code != command.Fine || answered == onScreen || shown != onScreen {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands ran", ran)
	}
}

// publicCommands returns the commands of COOKBOOK.md about public data, and writes a few
// cases of the same form under the names that they read.
func publicCommands(t *testing.T, cookbook string) (commands []string) {
	t.Helper()
	var queries, labels strings.Builder
	for k := range 32 {
		fmt.Fprintf(&queries, `{"_id": "%d", "text": "mill number %[1]d"}`+"\n", k)
		fmt.Fprintf(&labels, "%d\td%d\t1\n", k, k%2)
	}
	for name, text := range map[string]string{
		"locomo10.json": `[{"sample_id": "a", "qa": [{"question": "Where is Ann?", "answer": "Paris", "evidence": ["D1:2"], "category": 1}, {"question": "Who is Bob?", "answer": "a friend", "evidence": ["D1:1"], "category": 4}],
			"conversation": {"speaker_a": "Ann", "speaker_b": "Bob", "session_1_date_time": "1:00 pm on 8 May, 2023", "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Hi Bob, friend"}, {"speaker": "Bob", "dia_id": "D1:2", "text": "Hi Ann in Paris"}]}}]`,
		"hotpot_dev_distractor_v1.json": `[{"question": "Who built the mill?", "answer": "Jonas", "supporting_facts": {"title": ["Mill"], "sent_id": [0]}, "context": {"title": ["Mill", "Boat"], "sentences": [["Jonas built the mill."], ["A boat floats."]]}},
			{"question": "What floats?", "answer": "a boat", "supporting_facts": {"title": ["Boat"], "sent_id": [0]}, "context": {"title": ["Mill", "Boat"], "sentences": [["Jonas built the mill."], ["A boat floats."]]}}]`,
		"cranfield/corpus.jsonl":   `{"_id": "d0", "title": "", "text": "a mill"}` + "\n" + `{"_id": "d1", "title": "", "text": "a number of boats"}` + "\n",
		"cranfield/queries.jsonl":  queries.String(),
		"cranfield/qrels/test.tsv": "query-id\tcorpus-id\tscore\n" + labels.String(),
	} {
		musttest.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	_, policy, ok := strings.Cut(cookbook, "echo '")
	policy, rest, found := strings.Cut(policy, "' > by-score.json\n")
	if !ok || !found {
		t.Fatal("COOKBOOK.md shows no by-score.json")
	}
	musttest.Do(t, os.WriteFile("by-score.json", []byte(policy), 0o600))
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.HasPrefix(line, "cupelscope evaluate ") || strings.HasPrefix(line, "cupelscope tune ") {
			commands = append(commands, line)
		}
	}
	if len(commands) < 3 {
		t.Errorf("COOKBOOK.md has %d commands about public data", len(commands))
	}
	return commands
}

// TestReadmeProgram builds and runs the program of the README in a module of its
// own, made as the README says.
func TestReadmeProgram(t *testing.T) {
	musttest.Alone(t)
	programs := blocks(t, "go")
	root := musttest.Of(filepath.Abs(".."))(t)
	dir := t.TempDir()
	musttest.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(programs[0]), 0o600))
	run := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	_, want, _ := strings.Cut(programs[0], "profile.Bands(nil, 1)) // ")
	want, _, _ = strings.Cut(want, "\n")
	prints := func(how string) {
		if got := strings.TrimSpace(run("run", ".")); got != want || want == "" {
			t.Errorf("%s: it prints %q, the README says %q", how, got, want)
		}
	}
	run("mod", "init", "example")
	run("work", "init", ".", root)
	prints("in a workspace")
	musttest.Do(t, os.Remove(filepath.Join(dir, "go.work")))
	run("mod", "edit", "-require", "cupelscope@v0.0.0", "-replace", "cupelscope="+root)
	run("mod", "tidy")
	prints("with replace")
}

// TestLinksOfDocumentsLead: each link in a document to a file of the checkout.
func TestLinksOfDocumentsLead(t *testing.T) {
	links, ran := regexp.MustCompile(`\]\(([^)#:]+)\)|(?:src|srcset)="([^":]+)"`), 0
	for _, path := range []string{"README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", ".github/CHANGELOG.md", "model/itemset/FORMATS.md", "model/POLICY.md", "simulate/command/COMMANDS.md", "simulate/command/COOKBOOK.md"} {
		path = filepath.Join("..", path)
		for _, link := range links.FindAllStringSubmatch(read(t, path), -1) {
			musttest.Is(t, musttest.Refusal(os.Stat(filepath.Join(filepath.Dir(path), link[1]+link[2]))), nil, path)
			ran++
		}
	}
	if ran < 20 {
		t.Errorf("only %d links", ran)
	}
}
