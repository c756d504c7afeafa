package explorer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// This file has the keys that write and open files.

// openSave asks where to write the scenario.
func (m *Model) openSave() tea.Cmd {
	return m.askPath("write scenario to:", cmp.Or(m.workspace.SavePath, "scenario.json"), "a JSON file that cupelscope opens again", m.workspace.ownPath(),
		func(path string) (tea.Cmd, error) {
			sc, err := m.workspace.scenarioFor(path, m.exp)
			if err == nil {
				sc.Screen = m.screenJSON()
				err = m.workspace.Save(path, sc)
			}
			if err != nil {
				return nil, err
			}
			m.workspace.scenarioBase = sc
			m.workspace.SavePath, m.saved, m.workspace.saveStamp = path, m.exp.EndSetup(), stampOf(path)
			m.messages.say("written to " + path + ": the scenario" + sizeOf(path))
			return nil, nil
		})
}

// openSavePolicy asks where to write the policy of the side being edited.
func (m *Model) openSavePolicy() tea.Cmd {
	policy := m.exp.Setup().Policy[m.side]
	return m.askPath("write policy "+m.side.String()+" to:", "policy.json", "JSON that Cupel's .NET library loads", "",
		func(path string) (tea.Cmd, error) {
			err := m.workspace.SavePolicy(path, policy)
			if err == nil {
				m.messages.say("policy " + m.side.String() + " written to " + path + sizeOf(path))
			}
			return nil, err
		})
}

// sizeOf returns how large a file is that was written; "" if that is not known.
func sizeOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return ", " + plain.Thousands(int(info.Size())) + " bytes"
}

// policyTyped is the key of the path of a policy that could not be opened, to be corrected.
const policyTyped = "policy"

// openLoadPolicy asks which policy to open for the side being edited.
func (m *Model) openLoadPolicy() tea.Cmd {
	return m.openReading(overlay.NewPicker(m.screenApp(), overlay.FileQuestion{
		Text:   m.typed[policyTyped],
		Title:  "Open a policy for " + m.side.String(),
		Folder: ".",
		Help:   "a file in Cupel's JSON; or type a preset: " + strings.Join(model.PresetNames(), ", "),
		Likely: []string{".json"},
		Words:  model.PresetNames(),
		Done: func(path string) (tea.Cmd, error) {
			delete(m.typed, policyTyped)
			if p, ok := model.Preset(path); ok {
				m.takePolicy(m.side, path, p)
				return nil, nil
			}
			m.typed[policyTyped] = path
			m.messages.tell("opening " + path)
			return m.readPolicy(m.side, path), nil
		},
	}))
}

// readPolicy returns the command that reads the policy of a side. If a policy is still being
// read, that stops.
func (m *Model) readPolicy(side experiment.Side, path string) tea.Cmd {
	load := m.workspace.LoadPolicy
	return m.policy.Run(m.ctx, func(ctx context.Context) work.Then {
		p, err := load(ctx, path)
		return func() tea.Cmd {
			m.messages.endProgress() // what the policy changed is told there
			if err != nil {
				m.messages.refuse("not opened: " + err.Error())
				return nil
			}
			delete(m.typed, policyTyped)
			m.takePolicy(side, path, p)
			return nil
		}
	})
}

// takePolicy gives a side a policy.
func (m *Model) takePolicy(side experiment.Side, from string, p model.Policy) {
	m.carryOut(screen.To(m.exp.Setup().WithPolicy(side, p), experiment.Label{Name: "policy " + side.String() + " from " + from}), nil)
}

// likely are the extensions of the names of files that one opens.
var likely = []string{".json", ".jsonl", ".md", ".txt", ".csv"}

// openFile asks for another source and loads it. The current one stays until that is
// loaded, and also if it cannot be loaded. Text is what is typed already.
func (m *Model) openFile(text string) tea.Cmd {
	const typed = "open" // a path that names no file, to be corrected
	open := m.sure(func(path string) (tea.Cmd, error) {
		delete(m.typed, typed)
		if _, err := os.Stat(path); err != nil {
			m.typed[typed] = path
		}
		return m.startLoad(path, func(ctx context.Context) (*Workspace, error) { return m.opts.OpenOther(ctx, path) }, m.loaded), nil
	})
	name, folder := m.load.source, m.load.source // of what could not be opened
	if m.workspace != nil {
		name, folder = m.workspace.Name, m.workspace.SavePath
	}
	return m.openReading(overlay.NewPicker(m.screenApp(), overlay.FileQuestion{
		Text:    cmp.Or(text, m.typed[typed]),
		Title:   "Open in place of " + plain.Tail(name, 40),
		Folder:  filepath.Dir(folder),
		Help:    "a conversation, an item set, a scenario, or a folder of texts",
		Likely:  likely,
		Folders: true,
		Why:     unreadable,
		What:    m.look,
		Done: func(path string) (tea.Cmd, error) {
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, "*?[") {
				return nil, fmt.Errorf("not opened: %s: no such file or folder", path)
			}
			return open(path)
		},
	}))
}

// unreadable returns what a file is that begins with head, where that cannot be read: "it is binary".
func unreadable(path string, head []byte) string {
	if special, ok := errors.AsType[*itemset.SpecialError](itemset.CheckRegular(path)); ok {
		return "it is " + special.Is
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return "" // gzip, which is unpacked
	}
	_, err := itemset.Read(context.Background(), "", head, itemset.Options{})
	if format, ok := errors.AsType[*itemset.FormatError](err); ok && format.Known {
		return format.Reason
	}
	return ""
}

// askPath asks for the name of a file to write. A regular file that exists is overwritten
// only after a second enter. Own, the file that the scenario came from, needs that only if
// it has changed since it was opened. Write refuses to overwrite anything else.
func (m *Model) askPath(label, path, help, own string, write func(path string) (tea.Cmd, error)) tea.Cmd {
	confirmed := ""
	if typed, ok := m.typed[label]; ok && own == "" {
		path = typed // even if writing fails
	}
	return m.ask(screen.Question{
		Label: label, Help: help,
		Done: func(text string) (tea.Cmd, error) {
			if strings.TrimSpace(text) == "" {
				return nil, errors.New("type the name of a file")
			}
			text, err := overlay.Home(text)
			if err != nil {
				return nil, err
			}
			if info, err := os.Stat(text); err == nil && info.Mode().IsRegular() && text != own && confirmed != text {
				confirmed = text
				if text == m.workspace.SavePath && m.workspace.ownPath() == "" {
					return nil, errors.New("it has changed on disk since it was opened: enter again overwrites it; esc, then r, reads it again")
				}
				return nil, fmt.Errorf("%s exists; enter again overwrites it", text)
			}
			m.typed[label] = text
			cmd, err := write(text)
			if err != nil {
				return nil, fmt.Errorf("not written: %w", err)
			}
			if menu, is := m.at(screen.Over).(*overlay.Menu); is { // its preview stood beside the question
				m.close(menu)
			}
			return cmd, nil
		},
		Path: true,
		Text: path,
	})
}

// stamp is the size and modification time of a file, to detect changes. The zero stamp
// stands for no file.
type stamp struct {
	size int64
	time int64
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}
}
