package explorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
)

// clipboard is what a key sends to the terminal; "" if nothing.
func (s *story) clipboard(key string) string {
	s.t.Helper()
	sent := ""
	hears := func(msg tea.Msg) tea.Cmd {
		if fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			sent = fmt.Sprint(msg)
			return nil
		}
		return s.update(msg)
	}
	queue := []tea.Cmd{s.update(tea.KeyPressMsg{Code: rune(key[0]), Text: key})}
	for len(queue) > 0 {
		queue = append(queue[1:], carriedOut(queue[0], hears)...)
	}
	return sent
}

func bytesSession(t testing.TB) *Workspace {
	s := sampleSession(t, 60)
	items := make([]model.Item, s.Items.Len())
	for i := range items {
		items[i] = s.Items.Item(i)
		items[i].Content = fmt.Sprintf("%d \xff\x1b[31m \u202e世界\r\n", i)
	}
	set := musttest.Of(model.NewSet(items))(t)
	s.Items = set
	return s
}

func TestCopyIsByteExact(t *testing.T) {
	s := begin(t, bytesSession(t), 100, 30).after("gjjy")
	i, _ := s.m.selected()
	s.sees("Copy  a letter chooses, or enter", "i  item #2 ", "J  item #2 as JSON", "w  window as text", "r  report as JSON", "esc close")
	content := s.m.exp.Items().Loaded(i).Content
	musttest.Is(t, s.clipboard("i"), content, "the item")
	s.sees(fmt.Sprintf("sent to the terminal's clipboard: #2's text, %d bytes", len(content)))
	s.do("copy")
	var want bytes.Buffer
	musttest.Do(t, export.Contents(&want, s.m.exp.Outcome(experiment.A).Report))
	musttest.Is(t, s.clipboard("w"), want.String(), "the window")
	s.do("copy")
	var item struct{ Content string }
	if err := json.Unmarshal([]byte(s.clipboard("J")), &item); err != nil || !strings.HasPrefix(item.Content, "2 ") {
		t.Errorf("%v, item %+v", err, item)
	}
	s.do("copy")
	musttest.Is(t, s.clipboard("x"), "", "another key copies")
	s.sees("nothing to copy with x: a letter of the list, or esc", "a letter chooses")
	s.press(":x") // no letter behind one that is none becomes a command
	s.sees("nothing to copy with x", "a letter chooses")
	musttest.Is(t, s.m.exp.Items().Excluded(2), false, "after x behind : in the menu, excluded")
	s.press("<esc>", "cancelled: copy")
	s.press("<tab><enter>100<enter><tab>y", "y: there is no result at this budget")
}

// What is too long for a clipboard is offered as a file.
func TestLongCopiesBecomeFiles(t *testing.T) {
	session := bytesSession(t)
	long := make([]model.Item, 3)
	for i := range long {
		long[i] = model.Item{Content: strings.Repeat(fmt.Sprint(i), 40_000), Tokens: 10}
	}
	set := musttest.Of(model.NewSet(long))(t)
	session.Items = set
	s := begin(t, session, 100, 30)
	path := filepath.Join(t.TempDir(), "w.txt")
	s.do("copy")
	if got := s.clipboard("w"); got != "" {
		t.Errorf("%d bytes were copied", len(got))
	}
	s.sees("write the window's text to:", "more than the 74,994 bytes that terminals take")
	s.press("<ctrl+u>" + path + "<enter>")
	data, err := os.ReadFile(path)
	if err != nil || len(data) != 120_004 {
		t.Errorf("%d bytes, %v; want 120,004", len(data), err)
	}
	s.sees("120,004 bytes")
	s.do("copy")
	musttest.Is(t, len(s.clipboard("i")), 40_000, "bytes of an item were copied")
}

func TestExports(t *testing.T) {
	s := begin(t, bytesSession(t), 100, 30).after(":tool max 90<enter>")
	rep := s.m.exp.Outcome(experiment.A).Report
	dir := t.TempDir()
	for _, c := range []struct {
		key, name string
		check     func(data []byte) error
	}{
		{"w", "window.txt", func(data []byte) error {
			var want bytes.Buffer
			if err := export.Contents(&want, rep); err != nil || !bytes.Equal(want.Bytes(), data) {
				return fmt.Errorf("%v, not byte for byte", err)
			}
			return nil
		}},
		{"r", "report.json", func(data []byte) error {
			var report struct {
				Policy struct {
					Modified   bool
					Definition model.Policy
				}
			}
			err := json.Unmarshal(data, &report)
			if p := report.Policy; err != nil || !p.Modified || !p.Definition.Same(s.m.exp.Setup().Policy[experiment.A]) {
				return fmt.Errorf("%v, the policy is %+v", err, p)
			}
			return nil
		}},
		{"o", "messages.openai.json", func(data []byte) error {
			var all struct {
				Messages []struct{ Role, Content string }
			}
			if err := json.Unmarshal(data, &all); err != nil || len(all.Messages) != len(rep.Included) {
				return fmt.Errorf("%v, %d messages", err, len(all.Messages))
			}
			return nil
		}},
		{"a", "messages.anthropic.json", func(data []byte) error { return json.Unmarshal(data, new(struct{ Messages []any })) }},
		{"c", "report.csv", func(data []byte) error {
			if n := bytes.Count(data, []byte("\n")); n < 61 || !bytes.Contains(data, []byte("message's share is full: needs 2,875; 17 left of its 3,166")) { // as the screen says
				return fmt.Errorf("%d lines:\n%s", n, data)
			}
			return nil
		}},
		{"m", "report.md", nil}, {"t", "report.txt", nil}, {"b", "report.html", nil}, {"h", "window.txt", nil}, {"p", "policy.json", nil},
	} {
		path := filepath.Join(dir, c.key+filepath.Ext(c.name))
		s.do("export", "Export  a letter chooses, or enter; then it asks for a file", "r  report as JSON", "p  policy as Cupel's JSON")
		s.press(c.key, c.name, "Export  a letter chooses") // with what it writes beside the question
		s.press("<ctrl+u>"+path+"<enter>", "written to ")
		s.seesNot("Export  a letter chooses")
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			t.Fatalf("%s: %d bytes, %v", c.name, len(data), err)
		}
		s.sees(plain.Thousands(len(data)) + " bytes") // the line says the file and its size
		if c.check != nil {
			musttest.Is(t, c.check(data), nil, c.name)
		}
	}
	// A file that is there is overwritten only when asked twice.
	path := filepath.Join(dir, "w.txt")
	musttest.Do(t, os.WriteFile(path, []byte("mine"), 0o600))
	s.press("Ew<ctrl+u>"+path+"<enter>", "exists; enter again overwrites it")
	if data, _ := os.ReadFile(path); string(data) != "mine" {
		t.Error("it was overwritten at once")
	}
	s.press("<enter>")
	if data, _ := os.ReadFile(path); string(data) == "mine" {
		t.Error("it was not overwritten")
	}
	s.press("Et<ctrl+u>"+filepath.Join(dir, "no", "such", "folder")+"<enter>", "not written: ")
	// What is no regular file is refused, not offered to be overwritten.
	s.press("Et<ctrl+u>"+dir+"<enter>", "not written: ", "is a folder")
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("unfinished files are left: %v", left)
	}
}

// A chat that is written for a vendor opens again with its calls and results, and
// what is lost is said before it is written and after.
func TestChatExportOpensAgain(t *testing.T) {
	const chat = `{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"look"},
		{"role":"assistant","reasoning_content":"hm","content":"I look","tool_calls":[{"id":"t1","type":"function","function":{"name":"grep","arguments":"{\"p\":\"x\"}"}}]},
		{"role":"tool","tool_call_id":"t1","content":"found"}]}`
	loaded := musttest.Of(itemset.Read(t.Context(), "chat.json", []byte(chat), itemset.Options{}))(t)
	for _, size := range []struct{ w, h int }{{120, 36}, {80, 24}, {60, 16}} {
		for _, key := range []string{"o", "a"} {
			session := sampleSession(t, 60)
			session.Items = loaded.Set
			s := begin(t, session, size.w, size.h)
			path := filepath.Join(t.TempDir(), "m.json")
			s.press("E"+key, "differs: left out, thinking")
			s.press("<ctrl+u>"+path+"<enter>", "written to ")
			data := musttest.Of(os.ReadFile(path))(t)
			again := musttest.Of(itemset.Read(t.Context(), path, data, itemset.Options{}))(t)
			if again.Set.Len() != 5 || len(again.Pairs) != 1 || again.Set.Item(again.Pairs[0].Result).Content != "found" {
				t.Errorf("%s: %d items, pairs %v\n%s", key, again.Set.Len(), again.Pairs, data)
			}
		}
	}
}

// A chat is made in the background: the question comes when what it loses is known, unless the user went on.
func TestAChatIsMadeInTheBackground(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	for _, stays := range []bool{true, false} {
		s.do("export")
		s.held = true
		s.press("o", "making the chat for OpenAI")
		s.seesNot("write the chat")
		if !stays {
			s.press("<esc>")
		}
		s.release()
		musttest.Is(t, strings.Contains(s.text(), "write the chat for OpenAI to: messages.openai.json"), stays, "it asks for a file", s.text())
		s.press("<esc><esc>")
	}
}

// What is told of the size of a thing beforehand is never more than its size.
func TestTheLeastSizeIsNoMoreThanTheSize(t *testing.T) {
	s := begin(t, sampleSession(t, 300), 100, 30)
	rep := s.m.exp.Outcome(experiment.A).Report
	for _, w := range []output{contents(rep, experiment.Sizer{}), s.m.reportJSON()} {
		var b bytes.Buffer
		if err := w.write(t.Context(), &b); err != nil || b.Len() < w.minBytes || w.minBytes == 0 {
			t.Errorf("%s: %d bytes, %v; at least %d were told", w.name, b.Len(), err, w.minBytes)
		}
	}
}

// The menu lists every choice at every size, moves with the arrows and takes the one under the
// cursor with enter.
func TestTheMenuListsEveryChoice(t *testing.T) {
	for _, size := range sizes {
		s := begin(t, bytesSession(t), size[0], size[1])
		s.do("export")
		for _, c := range s.m.exports() {
			s.sees(c.Key + "  " + c.Text)
		}
		s.press("<down><down><up><enter>", "write the report as CSV to: report.csv")
		s.press("<esc>E<esc>", "cancelled: export")
	}
}

// In Window the menu begins with the window, so that enter copies it.
func TestWindowCopiesTheWindow(t *testing.T) {
	s := begin(t, sampleSession(t, 60), 100, 30)
	for _, keys := range []string{"1y", "<esc>4y"} {
		s.press(keys)
		want := "i"
		if s.showing() == "Window" {
			want = "w"
		}
		musttest.Is(t, s.m.copies()[0].Key, want, "the menu of", s.showing(), "begins with")
	}
}

// While an export is being written q asks first, and no more once it is written.
func TestQuittingAsksDuringAnExport(t *testing.T) {
	s := begin(t, agentSession(t), 120, 36)
	s.m.writing = "out.json"
	s.do("quit", "out.json is still being written: q quits without it, any other key stays")
	s.do("export", "not quitting")
	s.press("Er<ctrl+u>"+filepath.Join(t.TempDir(), "out.json")+"<enter>", "written to")
	musttest.Is(t, s.m.writing, "", "is being written")
}

// What an export loses can be read in full.
func TestWhatAnExportLosesIsToldInFull(t *testing.T) {
	for _, s := range agentAtSizes(t, "") {
		s.press("Eo<esc>", "Export") // back to the choices
		s.press("o<ctrl+u>"+filepath.Join(t.TempDir(), "chat.json")+"<enter>", "written to")
		all := s.text()
		s.do("report")
		for range 5 {
			all += s.text()
			s.press("<pgdown>")
		}
		musttest.Says(t, strings.Join(strings.Fields(all), " "), "#15 #30 #33 #36 #43")
	}
}
