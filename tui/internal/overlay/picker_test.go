package overlay

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/work"
)

// The name that is typed in full stands before longer ones, tab takes what is offered also where names have what is
// typed, and a match is marked in its place, whatever other letters become in lower case.
func TestNamesAreFoundAsTheyAreTyped(t *testing.T) {
	p, _ := NewPicker(nil, FileQuestion{Words: []string{"rag"}})
	p.take([]entry{{path: "data.json"}, {path: "rag.json"}, {path: "İstanbul.json"}, {path: "old-data"}, {path: "Data"}, {path: "cafe\u0301.md"}}, false, nil)
	p.paste("data")
	musttest.Is(t, p.found, []int{4, 0, 3})
	p.key(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	p.paste("ra")
	musttest.Is(t, p.current().path, "rag.json")
	p.key(tea.KeyPressMsg{Code: tea.KeyTab})
	musttest.Is(t, [...]any{p.line.Value(), p.isPath()}, [...]any{"rag", true}, "the word that is offered")
	for typed, drawn := range map[string]string{"STAN": " İ[stan]bul.json", "cafe": " [cafe\u0301].md"} {
		p.key(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		p.paste(typed)
		var canvas draw.Canvas
		canvas.Reset(30, 1, theme.New(theme.NoColor, false))
		p.row(&canvas, draw.Rect{W: 30, H: 1}, *p.current(), true)
		row := strings.NewReplacer("\x1b[7m", "[", "\x1b[m", "]").Replace(canvas.String())
		musttest.Says(t, row, drawn, "the match is reversed")
	}
}

// A name that the list does not have, or not yet, is one of the folder that is shown before it is a path from the
// working directory.
func TestATypedNameIsOfTheFolderThatIsShown(t *testing.T) {
	folder, opened := t.TempDir(), ""
	musttest.Do(t, os.WriteFile(filepath.Join(folder, "picker.go"), nil, 0o600)) // the working directory has one too
	p, _ := NewPicker(nil, FileQuestion{Folder: folder, Done: func(path string) (tea.Cmd, error) { opened = path; return nil, errors.New("stay") }})
	p.paste("picker.go") // while the folder is still being read
	p.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	musttest.Is(t, opened, filepath.Join(folder, "picker.go"))
}

// Two dots are the folder above, whatever names have them.
func TestTwoDotsAreTheFolderAbove(t *testing.T) {
	folder := t.TempDir()
	for typed, above := range map[string]string{"..": filepath.Dir(folder), "../": filepath.Dir(folder), "../..": filepath.Dir(filepath.Dir(folder))} {
		p, _ := NewPicker(nil, FileQuestion{Folder: folder, Done: func(path string) (tea.Cmd, error) { return nil, errors.New(path + " is picked") }})
		p.take([]entry{{path: filepath.Join(folder, "a..b"), folder: true}}, false, nil)
		p.paste(typed)
		p.key(tea.KeyPressMsg{Code: tea.KeyEnter})
		musttest.Is(t, [...]any{p.folder, p.line.Value(), p.err}, [...]any{above, "", error(nil)}, typed)
	}
}

// What may be a part of a name is not taken for a path before the names are known.
func TestAPartOfANameWaitsForTheFolder(t *testing.T) {
	picked := ""
	p, _ := NewPicker(nil, FileQuestion{Folder: t.TempDir(), Done: func(path string) (tea.Cmd, error) { picked += path + " "; return nil, errors.New("stay") }})
	says := func(text string) {
		t.Helper()
		var canvas draw.Canvas
		canvas.Reset(300, 1, theme.New(theme.NoColor, false))
		p.below(&canvas, draw.Rect{W: 300, H: 1})
		musttest.Says(t, canvas.String(), text)
	}
	p.paste("pick")().(work.Then)() // suggests what the working directory has
	p.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	musttest.Is(t, picked, "", "while the folder is read")
	says("reading " + p.folder)
	p.paste("/er") // no name has a separator
	p.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	p.key(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	p.paste("pick")
	p.take(nil, false, nil)
	p.key(tea.KeyPressMsg{Code: tea.KeyEnter})
	musttest.Is(t, picked, "pick/er pick ", "what is typed is a path then")
}
