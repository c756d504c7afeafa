package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strings"

	"cupelscope/model/itemset/internal/record"
)

// agent is a row of the table of agents: where one keeps its sessions, and how a
// session tells its project and its first request.
type agent struct {
	name string
	// bases are folders below the home folder, written with slashes; "" is the home
	// folder itself. inFolder means the root of the project that is open.
	bases    []string
	inFolder bool
	// variables are environment variables that name a folder in place of all bases. The
	// first that is set counts.
	variables []string
	// patterns lead from a base to the files, patterns of path.Match between slashes.
	patterns []string
	// project returns the folder in which the session ran, or "" if row, which is one of
	// the first of the file, does not say it. It is asked without a row first.
	project func(s *Session, row record.Object) string
	// request returns the text of the user in a row, or "" if there is none.
	request func(row record.Object) string
	// heading begins the line of Markdown that the request stands on, if it ends with a
	// blank, or else below. "": the file has rows.
	heading string
	// here reports whether the path of the file says that the session is about the
	// project in the folder root. nil: it does not say.
	here func(path, root string) bool
}

// agents is the table. The layouts are facts of the agents' own sources and of the reports
// of those who read them:
//
//   - Claude Code: projects/<working directory with - for all but letters and
//     digits>/<id>.jsonl; rows name cwd. Side chains lie deeper and are no sessions.
//   - Codex: sessions/YYYY/MM/DD/rollout-*.jsonl, archived ones flat; the first row,
//     session_meta, names cwd (openai/codex, codex-rs/rollout).
//   - Gemini CLI: tmp/<project>/chats/session-*.json, now .jsonl; <project> is the SHA-256
//     of the folder or a name whose .project_root holds it. GEMINI_CLI_HOME stands in for
//     the home folder (google-gemini/gemini-cli, chatRecordingService.ts,
//     projectRegistry.ts).
//   - Qwen Code: projects/<folder as for Claude Code>/chats/<id>.jsonl; QWEN_RUNTIME_DIR,
//     then QWEN_HOME (QwenLM/qwen-code, pull requests 2127 and 2953).
//   - opencode: storage/session/<project>/ses_*.json holds directory and title; the loader
//     finds the messages beside it. Later versions use a database, which is not read.
//   - Cline, Roo: tasks/<id>/api_conversation_history.json in the global storage of an
//     editor, whose name is the first part of the pattern; the first message names the
//     working directory.
//   - Copilot CLI: session-state/<id>/events.jsonl; session.start names context.cwd
//     (microsoft/vscode, pull request 314917).
//   - Cursor: projects/<folder with - for /, without the first>/agent-transcripts/<id>/
//     <id>.jsonl, or without the folder <id>; nothing else names the project.
//   - Aider, SpecStory: Markdown in the folder of the project.
var agents = []agent{
	{
		name: "claude-code", bases: []string{".claude"}, variables: []string{"CLAUDE_CONFIG_DIR"}, patterns: []string{"projects/*/*.jsonl"},
		project: workingDirectory, request: userText, here: inSlug,
	},
	{
		name: "codex", bases: []string{".codex"}, variables: []string{"CODEX_HOME"}, patterns: []string{"sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"},
		project: workingDirectory, request: userText,
	},
	{
		name: "gemini-cli", bases: []string{""}, variables: []string{"GEMINI_CLI_HOME"}, patterns: []string{".gemini/tmp/*/chats/session-*.json", ".gemini/tmp/*/chats/session-*.jsonl"},
		project: projectRoot, request: userText, here: inHash,
	},
	{
		name: "qwen-code", bases: []string{".qwen"}, variables: []string{"QWEN_RUNTIME_DIR", "QWEN_HOME"}, patterns: []string{"projects/*/chats/*.jsonl"},
		project: workingDirectory, request: userText, here: inSlug,
	},
	{
		name: "opencode", bases: []string{".local/share"}, variables: []string{"XDG_DATA_HOME"}, patterns: []string{"opencode/storage/session/*/ses_*.json"},
		project: workingDirectory, request: func(row record.Object) string { return row.Text("title") },
	},
	{
		name: "cline", bases: editors, patterns: []string{"*/User/globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"},
		project: toldDirectory, request: userText,
	},
	{
		name: "cline", bases: []string{".cline"}, patterns: []string{"data/tasks/*/api_conversation_history.json"},
		project: toldDirectory, request: userText,
	},
	{
		name: "roo", bases: editors, patterns: []string{"*/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json"},
		project: toldDirectory, request: userText,
	},
	{
		name: "copilot-cli", bases: []string{".copilot"}, variables: []string{"COPILOT_HOME"}, patterns: []string{"session-state/*/events.jsonl"},
		project: workingDirectory, request: userText,
	},
	{
		name: "cursor", bases: []string{".cursor"}, patterns: []string{"projects/*/agent-transcripts/*/*.jsonl", "projects/*/agent-transcripts/*.jsonl"},
		project: func(s *Session, _ record.Object) string { return belowProjects(s.Path) }, request: userText, here: inSlug,
	},
	{name: "aider", inFolder: true, patterns: []string{".aider.chat.history.md"}, heading: "#### "},
	{name: "specstory", inFolder: true, patterns: []string{".specstory/history/*.md"}, heading: "_**User"},
}

// editors are the folders in which editors made from VS Code keep theirs, on Linux, macOS
// and Windows, and on a machine that one works on from afar.
var editors = []string{".config", "Library/Application Support", "AppData/Roaming", ".vscode-server"}

// workingDirectory is where a row says that the agent runs.
func workingDirectory(_ *Session, row record.Object) string {
	for _, o := range [...]record.Object{row, row.Open("payload"), row.Open("data").Open("context")} {
		if cwd := o.Text("cwd", "directory"); cwd != "" {
			return cwd
		}
	}
	return ""
}

// toldDirectory is the working directory that the prompts of Cline and Roo tell the model.
func toldDirectory(_ *Session, row record.Object) string {
	for _, heading := range [...]string{"# Current Working Directory (", "# Current Workspace Directory ("} {
		for text := range texts(row.Raw("content")) {
			if _, rest, ok := strings.Cut(text, heading); ok {
				path, _, _ := strings.Cut(rest, ") Files")
				return path
			}
		}
	}
	return ""
}

// projectRoot is the folder that Gemini CLI notes beside its chats.
func projectRoot(s *Session, _ record.Object) string {
	root := ""
	note := filepath.Join(filepath.Dir(filepath.Dir(s.Path)), ".project_root")
	err := new(reader).read(note, func(text []byte) bool {
		root = strings.TrimSpace(string(text))
		return true
	})
	if err != nil {
		return ""
	}
	return limited(root)
}

// belowProjects is the name of the folder of a file that lies in one called projects: what the
// agent calls the project.
func belowProjects(path string) string {
	for above := filepath.Dir(path); filepath.Base(above) != "projects" && above != path; above = filepath.Dir(path) {
		path = above
	}
	return filepath.Base(path)
}

// inSlug reports whether the agent calls the project by the slug of its folder.
func inSlug(path, root string) bool {
	name, want := strings.TrimLeft(belowProjects(path), "-"), strings.TrimLeft(slug(root), "-")
	return want != "" && strings.EqualFold(name, want)
}

// slug is a path with - for all but letters and digits.
func slug(path string) string { return noSlug.ReplaceAllString(path, "-") }

var noSlug = regexp.MustCompile(`[^0-9A-Za-z]`)

// inHash reports whether the folder of a session of Gemini CLI is named by the SHA-256 of
// the folder of the project.
func inHash(path, root string) bool {
	sum := sha256.Sum256([]byte(root))
	return filepath.Base(filepath.Dir(filepath.Dir(path))) == hex.EncodeToString(sum[:])
}
