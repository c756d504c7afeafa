package itemset

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

// growing are files that grow line by line: what agents append to, with rows that
// change what earlier ones mean.
var growing = map[string]string{
	"Claude Code": strings.Join([]string{
		claudeRow("user", "1", "", `"a"`), claudeRow("assistant", "2", "1", `"b"`), claudeRow("user", "3", "2", `"written over"`),
		claudeRow("user", "4", "2", `"new"`), claudeRow("assistant", "5", "4", `[{"type":"tool_use","id":"x","name":"ls","input":{}}]`),
		claudeRow("user", "6", "5", `[{"type":"tool_result","tool_use_id":"x","content":"é and 世界"}]`),
		`{"type":"system","subtype":"compact_boundary","uuid":"7","sessionId":"s","timestamp":"2025-10-01T10:00:00Z","compactMetadata":{"trigger":"auto"}}`,
		strings.Replace(claudeRow("user", "8", "7", `"in short"`), `"type"`, `"isCompactSummary":true,"type"`, 1),
		`{"type":"assistant","uuid":"9","parentUuid":"8","sessionId":"s","timestamp":"2025-10-01T10:01:00Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"one"}],"usage":{"output_tokens":1}}}`,
		`{"type":"assistant","uuid":"10","parentUuid":"9","sessionId":"s","timestamp":"2025-10-01T10:01:01Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"two"}],"usage":{"output_tokens":7}}}`,
	}, "\n") + "\n",
	"Codex": rollout1 + "\n" + `{"timestamp":"2025-10-01T09:00:20Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n" +
		`{"timestamp":"2025-10-01T09:00:21Z","type":"compacted","payload":{"message":"in short","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"in short"}]}]}}`,
	"messages":      `{"role":"system","content":"be brief"}` + "\r\n" + `{"role":"user","content":"hi"}` + "\r\n\r\n" + `{"role":"assistant","content":"ho"}`,
	"items":         `{"content":"a","tokens":1}` + "\n" + `{"content":"b","tokens":2,"kind":"Memory"}` + "\n" + "not JSON\n" + `{"content":"c","tokens":3}` + "\n",
	"with the mark": "\xef\xbb\xbf" + `{"content":"a","tokens":1}` + "\n" + `{"content":"b","tokens":2}`,
	"results":       `{"text":"a","score":3}` + "\n" + `{"text":"b","score":9}` + "\n" + `{"text":"c","score":1}` + "\n",
}

// A file that is cut anywhere, at the end of a line or within one, within a
// character even, gives after each look what its whole lines give, and in the end
// what the whole file gives.
func TestATailGivesWhatTheWholeFileGives(t *testing.T) {
	for name, text := range growing {
		for seed := range uint64(25) {
			rng := rand.New(rand.NewPCG(seed, 4))
			path := filepath.Join(t.TempDir(), "grows.jsonl")
			tail, before := NewTail(path, 0), ""
			for at := 0; at < len(text); {
				next := min(len(text), at+1+rng.IntN(len(text)/3))
				if end := strings.IndexByte(text[at:], '\n') + 1; end > 0 && rng.IntN(2) == 0 {
					next = at + end
				}
				appendTo(t, path, text[at:next])
				at = next
				found := musttest.Of(tail.Poll(context.Background()))(t, name, seed, at)
				lines := text[:strings.LastIndexByte(text[:at], '\n')+1]
				if got := string(tail.Text()); got != lines && got != text[:at] {
					t.Fatalf("%s, seed %d: after %d bytes the whole lines are %q", name, seed, at, got)
				}
				if (found == Grown) != (string(tail.Text()) != before) || found != Grown && found != Unchanged {
					t.Fatalf("%s, seed %d: found %v, %q after %q", name, seed, found, tail.Text(), before)
				}
				before = string(tail.Text())
				if again, err := tail.Poll(context.Background()); again != Unchanged || err != nil {
					t.Fatalf("%s, seed %d: nothing was appended, found %v, %v", name, seed, again, err)
				}
			}
			whole := musttest.Of(Load(context.Background(), []string{path}, Options{}))(t)
			want := []any{outline(whole), whole.Pairs, whole.Pending, whole.Set.Total()}
			l := musttest.Of(Read(context.Background(), path, tail.Text(), Options{}))(t)
			musttest.Is(t, []any{outline(l), l.Pairs, l.Pending, l.Set.Total()}, want, name, "seed", seed, "followed")
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f := musttest.Of(os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600))(t)
	musttest.Of(f.WriteString(text))(t)
	musttest.Do(t, f.Close())
}

// What became of the file is told apart, and each time all of it is read anew.
func TestATailTellsWhatBecameOfTheFile(t *testing.T) {
	const first, more = `{"content":"a"}` + "\n" + `{"content":"b"}` + "\n", `{"content":"c"}` + "\n"
	write := func(path, text string) {
		t.Helper()
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for _, c := range []struct {
		name   string
		change func(path string)
		want   Growth
		text   string
	}{
		{"appended to", func(path string) { appendTo(t, path, more) }, Grown, first + more},
		{"touched", func(path string) {
			musttest.Do(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
		}, Unchanged, first},
		{"half a line", func(path string) { appendTo(t, path, `{"content`) }, Unchanged, first},
		{"cut off", func(path string) { write(path, first[:16]) }, Truncated, first[:16]},
		{"emptied", func(path string) { write(path, "") }, Truncated, ""},
		{"another start", func(path string) { write(path, strings.Replace(first, "a", "x", 1)+more) }, Replaced, strings.Replace(first, "a", "x", 1) + more},
		{"another end", func(path string) { write(path, strings.Replace(first, `"b"`, `"x"`, 1)+more) }, Replaced, strings.Replace(first, `"b"`, `"x"`, 1) + more},
		{"as long as it was", func(path string) {
			write(path, strings.Replace(first, `"b"`, `"x"`, 1))
			musttest.Do(t, os.Chtimes(path, time.Now(), time.Now().Add(time.Hour)))
		}, Replaced, strings.Replace(first, `"b"`, `"x"`, 1)},
		{"another file in its place", func(path string) {
			write(path+".new", first+more)
			musttest.Do(t, os.Rename(path+".new", path))
		}, Replaced, first + more},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "grows.jsonl")
			write(path, first)
			link := path + ".link" // what holds of a file holds through a link to it
			musttest.Do(t, os.Symlink(path, link))
			for _, name := range []string{path, link} {
				write(path, first)
				tail := NewTail(name, 0)
				if found, err := tail.Poll(context.Background()); found != Grown || err != nil {
					t.Fatal(found, err)
				}
				c.change(path)
				if found, err := tail.Poll(context.Background()); found != c.want || err != nil || string(tail.Text()) != c.text {
					t.Errorf("found %v, %v, want %v; %q", found, err, c.want, tail.Text())
				}
			}
		})
	}
}

// Also a change far from both ends of what was read is noticed while the file grows.
func TestATailNoticesAChangeInTheMiddleOfAFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	half := strings.Repeat(`{"content":"a"}`+"\n", 1000)
	appendTo(t, path, half+`{"content":"b"}`+"\n"+half)
	tail := NewTail(path, 0)
	if found, err := tail.Poll(t.Context()); found != Grown || err != nil {
		t.Fatal(found, err)
	}
	want := half + `{"content":"x"}` + "\n" + half + `{"content":"c"}` + "\n"
	musttest.Do(t, os.WriteFile(path, []byte(want), 0o600))
	if found, err := tail.Poll(t.Context()); found != Replaced || err != nil || string(tail.Text()) != want {
		t.Errorf("found %v, %v; the text is new: %v", found, err, string(tail.Text()) == want)
	}
}

// A file that is gone is an error each time, and goes on where it was once it is
// back.
func TestATailOfAFileThatIsGoneForAWhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grows.jsonl")
	appendTo(t, path, `{"content":"a"}`+"\n")
	tail := NewTail(path, 0)
	musttest.Of(tail.Poll(context.Background()))(t)
	musttest.Do(t, os.Rename(path, path+".away"))
	for range 2 {
		if _, err := tail.Poll(context.Background()); !errors.Is(err, fs.ErrNotExist) || len(tail.Text()) == 0 {
			t.Errorf("%v; %q", err, tail.Text())
		}
	}
	musttest.Do(t, os.Rename(path+".away", path))
	appendTo(t, path, `{"content":"b"}`+"\n")
	if found, err := tail.Poll(context.Background()); found != Grown || err != nil || strings.Count(string(tail.Text()), "\n") != 2 {
		t.Errorf("%v, %v; %q", found, err, tail.Text())
	}
}

// What cannot grow line by line is refused with the reason, and bounds hold.
func TestATailOfWhatDoesNotGrow(t *testing.T) {
	folder := t.TempDir()
	for want, text := range map[string]string{
		"it is compressed":                         "\x1f\x8b\x08more",
		"it is not UTF-8 text":                     "\xff\xfe{\x00",
		"its lines are not JSON":                   "# a text\n",
		"it is one JSON value over several lines":  "[\n{\"content\":\"a\"}\n]\n",
		"is larger than 20 bytes":                  `{"content":"long enough"}` + "\n",
		"it is a folder":                           "",
		"no such file":                             "",
		"one JSON value over several lines, which": "{\n\"items\": []\n}\n",
	} {
		path := filepath.Join(folder, strings.ReplaceAll(want, " ", "-"))
		var err error
		switch want {
		case "it is a folder":
			path = folder
		case "no such file":
		default:
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		musttest.Do(t, err)
		tail := NewTail(path, 20)
		if found, err := tail.Poll(context.Background()); found != Unchanged || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", want, found, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(folder, "grows")
	appendTo(t, path, `{"a":1}`+"\n")
	if _, err := NewTail(path, 0).Poll(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
