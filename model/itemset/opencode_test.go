package itemset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// opencodeFiles are the files of a session of opencode below its storage.
var opencodeFiles = map[string]string{
	"session/p/ses_1.json":     `{"id":"ses_1","projectID":"p","directory":"/w","title":"t","time":{"created":1757000000000}}`,
	"message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1757000000000}}`,
	"message/ses_1/msg_2.json": `{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":1757000001000}}`,
	"message/ses_1/msg_3.json": `{"id":"msg_3","sess`,
	"message/ses_1/notes.txt":  `not of it`,
	"message/ses_2/msg_4.json": `{"id":"msg_4","sessionID":"ses_2","role":"user"}`,
	"part/msg_1/prt_1.json":    `{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"hi"}`,
	"part/msg_2/prt_2.json":    `{"id":"prt_2","sessionID":"ses_1","messageID":"msg_2","type":"step-start"}`,
	"part/msg_2/prt_3.json":    `{"id":"prt_3","sessionID":"ses_1","messageID":"msg_2","type":"tool","callID":"c","tool":"f","state":{"status":"completed","input":{"p":1},"output":"done"}}`,
	"part/msg_2/prt_4.json":    `{"id":"prt_4","sessionID":"ses_1","messageID":"msg_2","type":"text","text":"ho"}`,
	"part/msg_4/prt_5.json":    `{"id":"prt_5","sessionID":"ses_2","messageID":"msg_4","type":"text","text":"another"}`,
	"session/p/ses_3.json":     `{"id":"ses_3","projectID":"p"}`,
	"session/p/ses_4.json":     `{"id":"ses_1","projectID":"p","content":"named otherwise"}`,
}

// A session of opencode opens with the files of its messages and their parts.
func TestOpencodeStorage(t *testing.T) {
	root := t.TempDir()
	for path, text := range opencodeFiles {
		path = filepath.Join(root, filepath.FromSlash(path))
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	session := filepath.Join(root, "session", "p", "ses_1.json")
	load := func(path string, opts Options) (*Loaded, error) { return Load(t.Context(), []string{path}, opts) }
	l := musttest.Of(load(session, Options{}))(t)
	musttest.Is(t, outline(l), "Message: hi\nMessage/toolCall: f {\"p\":1}\nToolOutput/toolResult: done\nMessage: ho")
	musttest.Says(t, strings.Join(l.Report.Lines(), "\n"), "skipped 1: not JSON (file "+filepath.Join(root, "message", "ses_1", "msg_3.json")+")", "the report says")
	t.Chdir(filepath.Dir(session)) // the storage is found from a bare name too
	if bare := musttest.Of(load("ses_1.json", Options{}))(t); outline(bare) != outline(l) {
		t.Errorf("in its folder it opens as\n%s", outline(bare))
	}
	if l := musttest.Of(load("ses_4.json", Options{}))(t); outline(l) != "Message: named otherwise" {
		t.Errorf("a file of another id opens as\n%s", outline(l))
	}
	for _, c := range []struct {
		path string
		opts Options
		want string // in the error
	}{
		{session, Options{Strict: true}, "msg_3.json: no usable item: not JSON"},
		{"ses_3.json", Options{}, "without messages, which it keeps in storage/message/ses_3"},
		{session, Options{MaxBytes: 500}, "holds more than 500 bytes"},
	} {
		musttest.Says(t, refusal(load(c.path, c.opts)), c.want, c.path, c.opts)
	}
}
