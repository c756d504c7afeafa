package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// shell runs lines in a folder as a person would type them.
func shell(t *testing.T, folder, lines string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	for _, tool := range []string{"bash", "git", "perl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no ", tool)
		}
	}
	c := exec.Command("bash", "-ec", lines)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", lines, err, out)
	}
	return string(out)
}

// The archives have the licence of each module that go.mod requires for the program.
func TestLicencesAreThoseOfTheProgram(t *testing.T) {
	musttest.Alone(t)
	musttest.Says(t, read(t, "../.goreleaser.yaml"), `bash .ci/licences > dist-docs/LICENCES`, "the archives have no licences")
	got := shell(t, "..", "bash .ci/licences")
	for _, name := range []string{"the standard library of Go", "charm.land/bubbletea/v2 ", "charm.land/bubbles/v2 ", "charm.land/lipgloss/v2 ", "github.com/pkoukk/tiktoken-go ", "github.com/spf13/cobra "} {
		_, text, ok := strings.Cut(got, "==== "+name)
		text, _, _ = strings.Cut(text, "\n==== ")
		if !ok || !strings.Contains(text, "Copyright") {
			t.Errorf("no licence of %s", name)
		}
	}
}

// A program that is built from an archive of the sources says of which commit.
func TestAnArchiveSaysItsCommit(t *testing.T) {
	musttest.Is(t, archivedVersion(archived), "built from source", "a checkout says")
	folder := t.TempDir()
	for _, name := range []string{".gitattributes", "tui/archiveversion.txt"} {
		path := filepath.Join(folder, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(read(t, "../"+name)), 0o600))
	}
	shell(t, folder, "git init -q .; git add .; git -c user.name=a -c user.email=b commit -qm c --date 2026-01-02T03:04:05Z")
	content := func() string { return shell(t, folder, "git archive HEAD tui/archiveversion.txt | tar -xO") }
	commit := strings.TrimSpace(shell(t, folder, "git rev-parse --short HEAD"))
	if got, want := archivedVersion(content()), "built from source, commit "+commit+" of "; !strings.HasPrefix(got, want) {
		t.Errorf("an archive says %q, want %q and a date", got, want)
	}
	shell(t, folder, "git tag v1.2.3")
	musttest.Is(t, archivedVersion(content()), "v1.2.3", "an archive of a tag says")
}

// The lines of CONTRIBUTING give the module another path: every import leads to a package
// of it, and none to one of the old.
func TestTheModuleCanBeRenamed(t *testing.T) {
	musttest.Alone(t)
	text := read(t, "../.github/CONTRIBUTING.md")
	_, text, _ = strings.Cut(text, "the path of the module\n")
	_, text, _ = strings.Cut(text, "```sh\n")
	lines, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("CONTRIBUTING has no lines that rename the module")
	}
	folder := t.TempDir()
	shell(t, "..", "git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "+folder)
	shell(t, folder, "git init -q .; git add -N .")
	shell(t, folder, lines)
	packages := strings.Fields(shell(t, folder, "go list -deps -test ./..."))
	ours := 0
	for _, name := range packages {
		if strings.HasPrefix(name, "cupelscope") {
			t.Errorf("%s is imported still", name)
		}
		if strings.HasPrefix(name, "example.com/you/cupelscope") {
			ours++
		}
	}
	if ours < 50 {
		t.Errorf("%d packages have the new path", ours)
	}
	musttest.Says(t, read(t, filepath.Join(folder, "README.md")), `"example.com/you/cupelscope/model"`, "the README imports the old path")
}
