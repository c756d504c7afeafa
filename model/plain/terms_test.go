package plain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// foreigners holds, for each term, what finds the words that others use for it.
var foreigners = func() (all []*regexp.Regexp) {
	for _, term := range Terms() {
		words := []string{`$.`} // nothing
		for _, not := range term.Not {
			word := regexp.QuoteMeta(not) + `\b`
			if head, ok := strings.CutSuffix(not, "*"); ok {
				word = regexp.QuoteMeta(head) + `\w*`
			}
			words = append(words, word)
		}
		all = append(all, regexp.MustCompile(`\b(?:`+strings.Join(words, "|")+`)`))
	}
	return all
}()

// foreign returns a word of text that the list has another one for, and that one.
func foreign(text string) (word, want string) {
	text = strings.ToLower(text)
	has := func(not string) bool { return strings.Contains(text, strings.TrimSuffix(not, "*")) }
	for i, term := range Terms() {
		if !slices.ContainsFunc(term.Not, has) {
			continue // looked for first, as an expression takes a hundred times as long
		}
		if found := foreigners[i].FindString(text); found != "" {
			return found, term.Name
		}
	}
	return "", ""
}

// texts calls each for every text of a Go file: its string literals, but for the words that
// people may type to find something, whatever they call it, and the names of columns in files.
func texts(t *testing.T, path string, each func(at, text string)) {
	set := token.NewFileSet()
	file := musttest.Of(parser.ParseFile(set, path, nil, 0))(t)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, _ := n.Key.(*ast.Ident)
			name, _ := n.Value.(*ast.BasicLit)
			return key == nil || key.Name != "Words" && (key.Name != "Name" || name == nil || strings.Contains(name.Value, " "))
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "called" {
				ast.Inspect(called.X, func(n ast.Node) bool { return eachText(set, n, each) })
				return false
			}
		}
		return eachText(set, n, each)
	})
}

func eachText(set *token.FileSet, n ast.Node, each func(at, text string)) bool {
	if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
		if text, err := strconv.Unquote(l.Value); err == nil {
			each(set.Position(l.Pos()).String(), text)
		}
	}
	return true
}

// One word, one thing: no text of the program, which are those of the screen, of --help and
// of errors, and no document calls by another name what has one on the list.
func TestOneWordForAThing(t *testing.T) {
	read := map[string]int{}
	each := func(at, text string) {
		if word, want := foreign(text); word != "" {
			t.Errorf("%s: %q; the word is %q", at, word, want)
		}
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || name == "fixtures" || name == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".md"):
			read["documents"]++
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(b), "\n") {
				each(path+":"+strconv.Itoa(i+1), line)
			}
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && path != filepath.Join(root, "model", "plain", "terms.go"):
			rel, _ := filepath.Rel(root, path)
			room, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			read[room]++
			texts(t, path, each)
		}
		return nil
	})
	musttest.Do(t, err)
	for _, room := range []string{"tui", "simulate", "pipeline", "model", "documents"} {
		if read[room] < 8 {
			t.Errorf("%s: %d files were read", room, read[room])
		}
	}
}

// Names of fields are for files and for messages about files: the screen has words for them.
func TestTheScreenNamesNoFields(t *testing.T) {
	field := regexp.MustCompile(`\b(maxTokens|targetTokens|outputReserve|reservedSlots|estimationSafetyMargin\w*|countQuotas|slicerType|placerType|overflowStrategy)\b`)
	read := 0
	musttest.Do(t, filepath.WalkDir(filepath.Join("..", "..", "tui", "internal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		read++
		texts(t, path, func(at, text string) {
			if strings.Contains(text, " ") { // alone it is the name of the field, not a text
				musttest.Is(t, field.FindString(text), "", at, text, "has the field")
			}
		})
		return nil
	}))
	if read < 100 {
		t.Errorf("%d files were read", read)
	}
}

func TestAForeignWordIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"3 % off best": BelowBest, "the Capacity of the window": "room", "#15 was evicted": "displaced by", "12 tok unused": "free",
		"12 tok free": "", BelowBest: "", "inviolable": "", "the room has 12 tokens": "",
	} {
		if word, got := foreign(text); got != want {
			t.Errorf("%q: %q for %q, want %q", text, word, got, want)
		}
	}
	names := map[string]bool{}
	for _, term := range Terms() {
		if names[term.Name] || term.Means == "" {
			t.Errorf("%s is twice on the list, or without a meaning", term.Name)
		}
		names[term.Name] = true
		if word, want := foreign(term.Name + " " + term.Means); word != "" {
			t.Errorf("%s is explained by %q, which is %q", term.Name, word, want)
		}
	}
}
