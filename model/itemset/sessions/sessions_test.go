package sessions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

// machine is a home folder with a project in it.
type machine struct {
	t          testing.TB
	home, work string
	env        map[string]string
	clock      time.Time // of the newest file
}

func newMachine(t testing.TB) *machine {
	home := t.TempDir()
	m := &machine{t: t, home: home, work: filepath.Join(home, "src", "harbor"), env: map[string]string{}, clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for _, folder := range []string{".git", "cmd"} {
		musttest.Do(t, os.MkdirAll(filepath.Join(m.work, folder), 0o700))
	}
	return m
}

func (m *machine) places() Places {
	return Places{Home: m.home, Folder: filepath.Join(m.work, "cmd"), Env: func(name string) string { return m.env[name] }}
}

// write writes a file below the home folder, an hour newer than the one before.
func (m *machine) write(path, text string) string {
	m.t.Helper()
	path = filepath.Join(m.home, filepath.FromSlash(path))
	musttest.Do(m.t, os.MkdirAll(filepath.Dir(path), 0o700))
	m.clock = m.clock.Add(time.Hour)
	musttest.Do(m.t, os.WriteFile(path, []byte(text), 0o600))
	musttest.Do(m.t, os.Chtimes(path, m.clock, m.clock))
	return path
}

func (m *machine) find() *Found {
	m.t.Helper()
	return musttest.Of(Find(m.t.Context(), m.places()))(m.t)
}

func (m *machine) looked() *Found {
	f := m.find()
	f.Look(m.t.Context(), 0, len(f.Sessions))
	return f
}

// everyAgent writes a session of each agent about the project, oldest first, and returns
// what is to be found, in that order.
func everyAgent(m *machine) []string {
	work := filepath.ToSlash(m.work)
	in := func(text string) string { return strings.ReplaceAll(text, "WORK", work) }
	code := "Code/User/globalStorage/"
	for _, s := range [][2]string{
		{".claude/projects/" + slug(m.work) + "/a1.jsonl", `{"type":"summary","summary":"x","leafUuid":"l"}
{"type":"user","isMeta":true,"cwd":"WORK","message":{"role":"user","content":"Caveat: The messages below were made by the user"},"uuid":"0"}
{"type":"user","cwd":"WORK","message":{"role":"user","content":"<command-name>/clear</command-name> <command-args></command-args>"},"uuid":"1"}
{"type":"user","cwd":"WORK","sessionId":"a1","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>be brief</system-reminder>\nmend the watcher"}]},"uuid":"2","timestamp":"2026-01-01T00:00:00Z"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"done"}]},"uuid":"3","timestamp":"2026-01-01T00:00:01Z"}
`},
		{".codex/sessions/2026/03/01/rollout-1.jsonl", `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c","cwd":"WORK/cmd","originator":"cli","instructions":"` + strings.Repeat("long ", 8000) + `"}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for x"}]}}
{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>shell</environment_context>"}]}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"raise the shard limit"}]}}
{"timestamp":"2026-01-01T00:00:03Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"raised"}]}}
`},
		{".codex/archived_sessions/rollout-0.jsonl", `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c","cwd":"/elsewhere"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"event_msg","payload":{"type":"user_message","message":"an old one"}}
{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"an old one"}]}}
`},
		{".gemini/tmp/harbor/chats/session-1.json", `{
  "sessionId": "g", "projectHash": "h",
  "messages": [
    {"id": "1", "timestamp": "2026-01-01T00:00:00Z", "type": "user", "content": "translate the notes"},
    {"id": "2", "timestamp": "2026-01-01T00:00:01Z", "type": "gemini", "content": "` + strings.Repeat("translated ", 4000) + `"}
  ]
}`},
		{".gemini/tmp/harbor/chats/session-2.jsonl", `{"sessionId":"g2","projectHash":"h","startTime":"2026-01-01T00:00:00Z","lastUpdated":"2026-01-01T00:00:00Z"}
{"id":"1","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"translate again"}]}
{"id":"2","timestamp":"2026-01-01T00:00:01Z","type":"gemini","content":"yes"}
`},
		{".qwen/projects/" + slug(m.work) + "/chats/q1.jsonl", `{"uuid":"1","parentUuid":null,"sessionId":"q","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"WORK","version":"1","message":{"role":"user","parts":[{"text":"draw the map"}]}}
{"uuid":"2","parentUuid":"1","sessionId":"q","timestamp":"2026-01-01T00:00:01Z","type":"assistant","cwd":"WORK","version":"1","message":{"role":"model","parts":[{"text":"drawn"}]}}
`},
		{".local/share/opencode/storage/session/p/ses_1.json", `{"id":"ses_1","projectID":"p","directory":"WORK","title":"sort the imports","time":{"created":1,"updated":2}}`},
		{".local/share/opencode/storage/message/ses_1/msg_1.json", `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}`},
		{".local/share/opencode/storage/part/msg_1/prt_1.json", `{"id":"prt_1","messageID":"msg_1","type":"text","text":"sort the imports"}`},
		{".config/" + code + "saoudrizwan.claude-dev/tasks/1/api_conversation_history.json", `[{"role":"user","content":[{"type":"text","text":"<task>\nadd a test\n</task>"},{"type":"text","text":"<environment_details>\n# Current Working Directory (WORK) Files\nmain.go\n</environment_details>"}]},{"role":"assistant","content":[{"type":"text","text":"` + strings.Repeat("added ", 4000) + `"}]}]`},
		{".config/" + code + "rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json", `[{"role":"user","content":[{"type":"text","text":"<user_message>\nname the roles\n</user_message>"},{"type":"text","text":"<environment_details>\n# Current Workspace Directory (/elsewhere) Files\n</environment_details>"}],"ts":1},{"role":"assistant","content":[{"type":"text","text":"named"}],"ts":2}]`},
		{".copilot/session-state/1/events.jsonl", `{"type":"session.start","data":{"sessionId":"1","context":{"cwd":"WORK"}},"id":"0","timestamp":"2026-01-01T00:00:00Z","parentId":null}
{"type":"user.message","data":{"content":"fix the build"},"id":"1","timestamp":"2026-01-01T00:00:01Z","parentId":"0"}
`},
		{".cursor/projects/" + strings.TrimLeft(slug(m.work), "-") + "/agent-transcripts/1/1.jsonl", `{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>now</timestamp>\n<user_query>\nrename the store\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"renamed"}]}}
`},
		{".cursor/projects/other/agent-transcripts/2.jsonl", `{"role":"user","message":{"content":[{"type":"text","text":"a flat one"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"yes"}]}}
`},
		{"src/harbor/.aider.chat.history.md", "\n# aider chat started at 2026-01-01 00:00:00\n\n> Aider v1\n\n#### shorten the log\n\nDone.\n"},
		{"src/harbor/.specstory/history/1.md", "<!-- Generated by SpecStory -->\n\n## 2026-01-01\n\n_**User (2026-01-01 00:00:00Z)**_\n\nexplain the cache\n\n---\n\n_**Agent (model x)**_\n\nIt is one.\n"},
	} {
		m.write(s[0], in(s[1]))
	}
	musttest.Do(m.t, os.WriteFile(filepath.Join(m.home, ".gemini", "tmp", "harbor", ".project_root"), []byte(m.work), 0o600))
	return []string{
		"claude-code|WORK|mend the watcher|here", "codex|WORK/cmd|raise the shard limit|here", "codex|/elsewhere|an old one|",
		"gemini-cli|WORK|translate the notes|here", "gemini-cli|WORK|translate again|here", "qwen-code|WORK|draw the map|here",
		"opencode|WORK|sort the imports|here", "cline|WORK|add a test|here", "roo|/elsewhere|name the roles|", "copilot-cli|WORK|fix the build|here",
		"cursor|SLUG|rename the store|here", "cursor|other|a flat one|", "aider|WORK|shorten the log|here", "specstory|WORK|explain the cache|here",
	}
}

// shown are the sessions in one line each, newest first.
func (m *machine) shown(f *Found) []string {
	var all []string
	for _, s := range f.Sessions {
		here := ""
		if s.Here {
			here = "here"
		}
		line := strings.Join([]string{s.Agent, filepath.ToSlash(s.Project), s.Request, here}, "|")
		line = strings.ReplaceAll(line, filepath.ToSlash(m.work), "WORK")
		all = append(all, strings.ReplaceAll(line, strings.TrimLeft(slug(m.work), "-"), "SLUG"))
	}
	return all
}

// Every agent's sessions are found, newest first, with their project and first request.
func TestEveryAgent(t *testing.T) {
	m := newMachine(t)
	want := everyAgent(m)
	slices.Reverse(want) // newest first
	f := m.looked()
	if got := m.shown(f); !slices.Equal(got, want) || len(f.Errors) > 0 {
		t.Errorf("got\n%s\nwant\n%s\nerrors %v", strings.Join(got, "\n"), strings.Join(want, "\n"), f.Errors)
	}
	named := map[string]bool{}
	for _, s := range f.Sessions {
		named[s.Agent] = true
	}
	for _, a := range agents {
		if !named[a.name] {
			t.Errorf("no sample of %s", a.name)
		}
	}
	if s, ok := f.Newest(t.Context(), false); !ok || s.Agent != "specstory" {
		t.Errorf("the newest is %+v", s)
	}
	if s, ok := f.Newest(t.Context(), true); !ok || s.Agent != "cursor" { // Markdown does not grow by rows
		t.Errorf("the newest that grows is %+v", s)
	}
}

// What is found can be opened.
func TestWhatIsFoundOpens(t *testing.T) {
	m := newMachine(t)
	everyAgent(m)
	for _, s := range m.looked().Sessions {
		musttest.Is(t, musttest.Refusal(itemset.Load(t.Context(), []string{s.Path}, itemset.Options{})), nil, s.Agent)
	}
}

// An environment variable names another folder, and the folder of before is not read.
func TestVariables(t *testing.T) {
	m := newMachine(t)
	for variable, paths := range map[string][2]string{
		"CLAUDE_CONFIG_DIR": {".claude/projects/p/1.jsonl", "alt/projects/p/1.jsonl"},
		"CODEX_HOME":        {".codex/sessions/1/2/3/rollout-1.jsonl", "alt/sessions/1/2/3/rollout-1.jsonl"},
		"GEMINI_CLI_HOME":   {".gemini/tmp/p/chats/session-1.json", "alt/.gemini/tmp/p/chats/session-1.json"},
		"QWEN_RUNTIME_DIR":  {".qwen/projects/q/chats/1.jsonl", "alt/projects/q/chats/1.jsonl"},
		"QWEN_HOME":         {".qwen/projects/q/chats/1.jsonl", "alt/projects/q/chats/1.jsonl"},
		"XDG_DATA_HOME":     {".local/share/opencode/storage/session/p/ses_1.json", "alt/opencode/storage/session/p/ses_1.json"},
		"COPILOT_HOME":      {".copilot/session-state/1/events.jsonl", "alt/session-state/1/events.jsonl"},
	} {
		m := newMachine(t)
		m.write(paths[0], "{}")
		want := m.write(paths[1], "{}")
		m.env[variable] = filepath.Join(m.home, "alt")
		if f := m.find(); len(f.Sessions) != 1 || f.Sessions[0].Path != want {
			t.Errorf("%s: %+v", variable, f.Sessions)
		}
	}
	if f := m.find(); len(f.Sessions) > 0 || len(f.Errors) > 0 {
		t.Errorf("an empty home: %+v", f)
	}
	if f, err := Find(t.Context(), Places{}); err != nil || len(f.Sessions) > 0 {
		t.Errorf("no places: %+v, %v", f, err)
	}
}

// A project is also known by the folder of its sessions, where no row names it.
func TestProjectByItsFolder(t *testing.T) {
	m := newMachine(t)
	row := `{"type":"user","message":{"role":"user","content":"x"}}`
	m.write(".claude/projects/"+slug(m.work)+"/1.jsonl", row)
	m.write(".claude/projects/"+slug(m.work)+"-other/1.jsonl", row)
	m.write(".gemini/tmp/"+strings.Repeat("0", 64)+"/chats/session-1.json", `{"messages":[]}`)
	here := 0
	for _, s := range m.looked().Sessions {
		if s.Here {
			here++
		}
	}
	musttest.Is(t, here, 1, "are of the project")
	m.work = m.home
	if projectFolder(m.home, m.home) != m.home {
		t.Error("the home folder is a project if one works in it")
	}
}

// Files that are broken, cut, empty, enormous, hostile or no files do no harm.
func TestHostileFiles(t *testing.T) {
	m := newMachine(t)
	at := ".claude/projects/p/"
	for name, text := range map[string]string{
		"empty": "", "binary": "\x00\xff\xfe{", "cut": `{"type":"user","message":{"content":"a`, "deep": strings.Repeat("[", 100_000), "deeper": strings.Repeat(`{"a":`, 100_000),
		"escape":  `{"type":"user","message":{"role":"user","content":"\u001b]0;owned\u0007 \u202e red"}}`,
		"long":    `{"type":"user","cwd":"` + strings.Repeat("/x", 5000) + `","message":{"role":"user","content":"` + strings.Repeat("é", 5000) + `"}}`,
		"oneline": `{"type":"user","message":{"role":"user","content":"` + strings.Repeat("x", 1<<20) + `"}}`,
		"types":   `{"type":"user","message":{"role":"user","content":{"a":1}}}` + "\n" + `{"type":7,"message":[]}` + "\n" + `null` + "\n" + `{"type":"user","message":{"content":"late"}}`,
		"open<":   `{"type":"user","message":{"role":"user","content":"<a <b> is it?"}}`,
		"unended": `{"type":"user","message":{"role":"user","content":"<div> why?"}}`,
	} {
		m.write(at+name+".jsonl", text)
	}
	f := m.looked()
	musttest.Is(t, len(f.Sessions), 10, "sessions; an empty file is none")
	for _, s := range f.Sessions {
		want, checked := map[string]string{"open<": "<a <b> is it?", "unended": "<div> why?", "oneline": "", "cut": ""}[strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")]
		if len(s.Request) > maxRequest || len(s.Project) > maxRequest || s.Err != nil || checked && s.Request != want {
			t.Errorf("%s: request %.80q, project of %d bytes, %v", filepath.Base(s.Path), s.Request, len(s.Project), s.Err)
		}
	}
}

// A link to a file is a session, one to a folder leads on; one that leads round or nowhere
// ends. What cannot be read is told, and the rest is found.
func TestLinksAndUnreadableFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	m := newMachine(t)
	row := `{"type":"user","message":{"role":"user","content":"x"}}`
	file := m.write("kept/1.jsonl", row)
	projects := filepath.Join(m.home, ".claude", "projects")
	m.write(".claude/projects/p/2.jsonl", row)
	for name, to := range map[string]string{"p/link.jsonl": file, "q": filepath.Dir(file), "round": projects, "p/nowhere.jsonl": "/nonexistent", "p/device.jsonl": "/dev/zero", "p/folder.jsonl": projects} {
		musttest.Do(t, os.Symlink(to, filepath.Join(projects, filepath.FromSlash(name))))
	}
	if f := m.looked(); len(f.Sessions) != 3 || f.Sessions[0].Request != "x" {
		t.Errorf("%+v", f.Sessions)
	}
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	closed := m.write(".claude/projects/closed/1.jsonl", row)
	musttest.Do(t, os.Chmod(filepath.Dir(closed), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(closed), 0o700) })
	if f := m.looked(); len(f.Sessions) != 3 || len(f.Errors) != 1 {
		t.Errorf("%d sessions, errors %v", len(f.Sessions), f.Errors)
	}
}

// A file in place of a folder is told, and what disappears after it was found has an error.
func TestWhatIsNotThere(t *testing.T) {
	m := newMachine(t)
	m.write(".claude/projects", "a file")
	gone := m.write(".qwen/projects/p/chats/1.jsonl", "{}")
	f := m.find()
	musttest.Is(t, len(f.Errors), 1, "errors", f.Errors)
	musttest.Do(t, os.Remove(gone))
	f.Look(t.Context(), 0, 1)
	if f.Sessions[0].Err == nil {
		t.Error("a session that is gone has no error")
	}
}

// A search that is given up ends.
func TestCancelled(t *testing.T) {
	m := newMachine(t)
	m.write(".qwen/projects/p/chats/1.jsonl", "{}")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, m.places()); err == nil {
		t.Error("it did not end")
	}
}

func FuzzRows(f *testing.F) {
	for _, seed := range []string{`{"type":"user","message":{"content":"<a>b</a>c"}}`, `[{"role":"user","content":["a"]},`, `{"messages":[{"type":"user","content":"x"},{`, "{}\n{", `{"a":`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		for i := range agents {
			a := &agents[i]
			s := Session{Agent: a.name, Path: "/h/p/q/r/s", agent: a}
			if a.name == "gemini-cli" {
				s.Project = "p" // which it reads in another file
			}
			s.take(head)
			if len(s.Request) > maxRequest {
				t.Errorf("%s: %d bytes", a.name, len(s.Request))
			}
		}
	})
}

// BenchmarkFind lists 10,000 sessions, and looks at all of them: held is what the list keeps
// of a session, in bytes.
func BenchmarkFind(b *testing.B) {
	m := newMachine(b)
	text := `{"type":"user","cwd":"/w","message":{"role":"user","content":"mend the watcher"},"uuid":"2"}` + "\n" + strings.Repeat(`{"type":"assistant","message":{"role":"assistant","content":"`+strings.Repeat("word ", 100)+`"}}`+"\n", 60)
	for i := range 10_000 {
		m.write(fmt.Sprintf(".claude/projects/p%d/%d.jsonl", i%100, i), text)
	}
	b.Run("names", func(b *testing.B) {
		for b.Loop() {
			if f := m.find(); len(f.Sessions) != 10_000 {
				b.Fatal(len(f.Sessions))
			}
		}
	})
	b.Run("first rows too", func(b *testing.B) {
		for b.Loop() {
			if f := m.looked(); f.Sessions[9999].Request == "" {
				b.Fatal("no request")
			}
		}
		before := heap()
		f := m.looked()
		b.ReportMetric(float64(heap()-before)/10_000, "held/session")
		runtime.KeepAlive(f)
	})
}

// heap returns the bytes that are held.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
