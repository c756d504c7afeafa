package itemset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

func TestWildcard(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a.go", "a.go", true}, {"a.go", "b.go", false}, {"*.go", "x.go", true}, {"*.go", ".go", true}, {"*.go", "d/x.go", false},
		{"?", "a", true}, {"?", "/", false}, {"a?c", "a/c", false}, {"a*c", "abbc", true}, {"a*c", "ab/c", false},
		{"**/a", "a", true}, {"**/a", "x/y/a", true}, {"**/a", "xa", false}, {"a/**", "a/b/c", true}, {"a/**", "a", false},
		{"a/**/b", "a/b", true}, {"a/**/b", "a/x/y/b", true}, {"a/**/b", "a/xb", false}, {"a**b", "axxb", true}, {"a**b", "a/b", false},
		{"**", "a/b", true}, {"***/a", "x/a", true}, {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a-c]x", "dx", true},
		{"[]a]", "]", true}, {"[]-a]", "^", true}, {"[a-]", "-", true}, {"[[:digit:]]", "7", true}, {"[[:digit:]]", "a", false},
		{"[[:what:]]", "a", false}, {"[a", "[a", false}, {"[!a]", "/", false}, {`\*`, "*", true}, {`\*`, "a", false}, {`a\`, `a\`, false},
		{"[\\]]", "]", true}, {"*a*b*", "xxayybzz", true}, {"*/b", "a/b", true}, {"*/b", "a/c/b", false}, {"", "", true},
	} {
		w := newWildcard(c.pattern)
		musttest.Is(t, w.match(c.path), c.want, c.pattern, "on", c.path)
	}
}

// A pattern made to be slow is not: trying one way after the other would not end.
func TestHostilePatternsCostLittle(t *testing.T) {
	musttest.Alone(t)
	for _, p := range []string{strings.Repeat("*a", 1000) + "b", strings.Repeat("**/", 1000) + "b", strings.Repeat("[a-z]*", 500) + "0"} {
		w := newWildcard(p)
		if w.match(strings.Repeat("a", 4096)) {
			t.Errorf("%.20q matches", p)
		}
	}
}

// Braces stand for each of their parts, however they are nested.
func TestBraces(t *testing.T) {
	for pattern, want := range map[string]string{
		"a": "a", "{a,b}": "a b", "x{a,b}y": "xay xby", "{a,{b,c}d}": "a bd a cd", "{a}": "{a}", "{a,b": "{a,b", "{}": "{}", "{,a}x": "x ax", "{a,b}{c,d}": "ac ad bc bd", "}{": "}{",
	} {
		musttest.Is(t, strings.Join(braces(pattern), " "), want, pattern)
	}
	if n := len(braces(strings.Repeat("{a,b}", 60))); n > maxBraces+2 {
		t.Errorf("%d patterns", n)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.o\n!a.o\n/x/\n", "d/a.o")
	f.Add("**/[a-z]*/**\r\n\\#\n#\n", "a/b/c")
	f.Add("\xef\xbb\xbf[[:alpha:]\\", "x")
	f.Fuzz(func(t *testing.T, text, path string) {
		if path == "" || strings.HasPrefix(path, "/") {
			return
		}
		all := ignores{{"", parseIgnore([]byte(text))}}
		all.ignored(path, false)
		all.ignored(path, true)
	})
}

// The rules are git's: in random trees the files that a walk finds are those
// that git itself would add.
func TestIgnoresWhatGitIgnores(t *testing.T) {
	musttest.Alone(t)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git here")
	}
	repository := filepath.Join(t.TempDir(), ".git") // goes from tree to tree
	musttest.Do(t, exec.Command(git, "init", "-q", filepath.Dir(repository)).Run())
	for seed := range randomtest.Rounds(20, 60) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		dir := t.TempDir()
		written := randomTree(t, r, dir)
		run := func(args ...string) string {
			cmd := exec.Command(git, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+dir, "GIT_DIR="+repository, "GIT_WORK_TREE="+dir)
			out := musttest.Of(cmd.Output())(t, "git", args)
			return string(out)
		}
		musttest.Do(t, os.Rename(repository, filepath.Join(dir, ".git")))
		repository = filepath.Join(dir, ".git")
		musttest.Do(t, os.WriteFile(filepath.Join(repository, "info", "exclude"), []byte(randomRules(r)), 0o600))
		var want []string
		for _, name := range strings.Split(run("ls-files", "-z", "--others", "--exclude-standard"), "\x00") {
			if name != "" && filepath.Base(name) != ".gitignore" {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		for _, root := range []string{"", "a", "b"} { // also from within
			var got, expected []string
			walk := tree{
				ctx: context.Background(), hidden: func(string) bool { return false },
				file:    func(_, name string) error { got = append(got, join(root, name)); return nil },
				leftOut: func(string, string, leftReason, error) error { return nil },
			}
			musttest.Do(t, walk.walk(filepath.Join(dir, root)))
			slices.Sort(got)
			for _, name := range want {
				if root == "" || strings.HasPrefix(name, root+"/") {
					expected = append(expected, name)
				}
			}
			if len(expected) == 0 && root != "" {
				continue // a folder that is named is read, though it is ignored
			}
			if !slices.Equal(got, expected) {
				t.Fatalf("seed %d, root %q:\ntoo many %q\ntoo few %q\nrules:\n%s", seed, root, without(got, expected), without(expected, got), run("check-ignore", "-v", without(got, expected)[0])+written)
			}
		}
	}
}

func without(all, those []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(those, s) })
}

var treeNames = []string{"a", "b", "ab", "a.o", "b.o", "c.txt", "foo", "Foo", "x y", "#h", "a[b]"}

func randomTree(t *testing.T, r *rand.Rand, dir string) (rules string) {
	t.Helper()
	var fill func(path, name string, depth int)
	write := func(path, text string) {
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	fill = func(path, name string, depth int) {
		if r.IntN(3) > 0 || depth == 0 {
			text := randomRules(r)
			rules += fmt.Sprintf("-- %s\n%s", name, text)
			write(filepath.Join(path, ".gitignore"), text)
		}
		for _, n := range treeNames {
			at := filepath.Join(path, n)
			switch {
			case r.IntN(3) == 0 && depth < 3 && !strings.Contains(n, "."):
				musttest.Do(t, os.Mkdir(at, 0o700))
				fill(at, join(name, n), depth+1)
			case r.IntN(2) == 0:
				write(at, "text")
			}
		}
	}
	fill(dir, "", 0)
	return rules
}

func randomRules(r *rand.Rand) string {
	pieces := []string{"a", "b", "*", "**", "?", "/", "/", ".o", "foo", "[ab]", "[!a]", "[a-f]", "*.o", "**/", "/**", "\\a", "x y", "[[:upper:]]", "\\#h", "#h", " ", "[", "a[[]b]", "!"}
	var b strings.Builder
	for range 1 + r.IntN(5) {
		if r.IntN(3) == 0 {
			b.WriteByte('!')
		}
		for range 1 + r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		b.WriteString([]string{"\n", "\r\n", "/\n", " \n", "\\ \n"}[r.IntN(5)])
	}
	return b.String()
}
