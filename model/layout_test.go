package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// layers are the top folders: each may import those before it. fixtures may import none of them.
var layers = []string{"model", "pipeline", "simulate", "tui"}

// What an outsider may import stays small, and so does the number of packages.
const (
	maxPackages = 55
	maxExported = 1400
)

// checkout is what the files of this module declare and import.
type checkout struct {
	packages map[string]bool            // by folder; false for helpers of tests
	imports  map[string]map[string]bool // by folder, without tests: folders of this module
	exported int                        // names that an outsider may use
}

func readCheckout(t *testing.T, root string) checkout {
	t.Helper()
	c := checkout{packages: map[string]bool{}, imports: map[string]map[string]bool{}}
	line, _, _ := strings.Cut(string(musttest.Of(os.ReadFile(filepath.Join(root, "go.mod")))(t)), "\n")
	module := strings.TrimPrefix(line, "module ") + "/"
	musttest.Do(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		folder := filepath.ToSlash(musttest.Of(filepath.Rel(root, filepath.Dir(file)))(t))
		c.packages[folder] = c.packages[folder] || !strings.HasSuffix(folder, "test")
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if c.imports[folder] == nil {
			c.imports[folder] = map[string]bool{}
		}
		for _, spec := range parsed.Imports {
			if name, ours := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module); ours {
				c.imports[folder][name] = true
			}
		}
		if parsed.Name.Name != "main" && !slices.Contains(strings.Split(folder, "/"), "internal") {
			c.exported += exportedNames(parsed)
		}
		return nil
	}))
	return c
}

// exportedNames counts the types, functions, methods, constants and variables of a file.
func exportedNames(file *ast.File) (n int) {
	count := func(name *ast.Ident) {
		if name.IsExported() {
			n++
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			count(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					count(spec.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						count(name)
					}
				}
			}
		}
	}
	return n
}

// mayImport reports whether a folder of the module may import another.
func mayImport(from, to string) bool {
	top := func(folder string) string { first, _, _ := strings.Cut(folder, "/"); return first }
	if top(from) == "fixtures" {
		return false
	}
	f, t := slices.Index(layers, top(from)), slices.Index(layers, top(to))
	return f < 0 || t <= f // main.go may import all
}

func TestImportsRunOneWay(t *testing.T) {
	c := readCheckout(t, "..")
	seen := map[[2]string]bool{}
	for from, all := range c.imports {
		for to := range all {
			if !mayImport(from, to) {
				t.Errorf("%s imports %s", from, to)
			}
			seen[[2]string{strings.Split(from, "/")[0], strings.Split(to, "/")[0]}] = true
		}
	}
	for k := 1; k < len(layers); k++ {
		if !seen[[2]string{layers[k], layers[k-1]}] {
			t.Errorf("no import of %s in %s was found", layers[k-1], layers[k])
		}
	}
	packages := 0
	for _, counts := range c.packages {
		if counts {
			packages++
		}
	}
	if packages > maxPackages {
		t.Errorf("%d packages, at most %d are allowed", packages, maxPackages)
	}
	if c.exported == 0 || c.exported > maxExported {
		t.Errorf("%d exported names outside of internal folders, at most %d are allowed", c.exported, maxExported)
	}
}
