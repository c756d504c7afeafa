package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// samples are files of one format each: 100,000 items of some 700 bytes, and
// conversations of some 10 MB as their programs write them, of real text.
func samples(b *testing.B) map[string]string {
	const items, megabytes = 100_000, 10
	all := map[string]string{}
	words := goldentest.Excerpts(b, "../..")
	text := func() string { return words(500) }
	file := func() string { return words(9000) }
	build := func(head, foot string, record func(b *strings.Builder, i int), more func(b *strings.Builder, i int) bool) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; more(&b, i); i++ {
			record(&b, i)
		}
		b.WriteString(foot)
		return b.String()
	}
	size := func(b *strings.Builder, _ int) bool { return b.Len() < megabytes<<20 }
	all["native"] = build("", "", func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `{"content":"%d %s","tokens":120,"kind":"Document","timestamp":"2024-05-01T10:00:%02dZ","tags":["a","b"],"metadata":{"path":"f%d"},"score":0.5}`+"\n", i, text(), i%60, i)
	}, func(_ *strings.Builder, i int) bool { return i < items })
	all["openai"] = build(`{"model":"m","messages":[{"role":"system","content":"s"}`, "]}", func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `,{"role":"assistant","content":"I read","tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"a%d.go\"}"}}]},{"role":"tool","tool_call_id":"c%d","content":"%s"}`, i, i, i, file())
	}, size)
	all["anthropic"] = build(`{"model":"claude-x","system":"s","messages":[{"role":"user","content":"hi"}`, "]}", func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `,{"role":"assistant","content":[{"type":"text","text":"I read"},{"type":"tool_use","id":"t%d","name":"read","input":{"path":"a%d.go"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":[{"type":"text","text":"%s"}]}]}`, i, i, i, file())
	}, size)
	all["claude"] = build("", "", func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `{"type":"assistant","uuid":"a%d","parentUuid":"u%d","timestamp":"2024-05-01T10:00:00Z","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"path":"x"}}],"usage":{"input_tokens":9,"output_tokens":40}}}`+"\n", i, i-1, i, i)
		one := file()
		fmt.Fprintf(b, `{"type":"user","uuid":"u%d","parentUuid":"a%d","timestamp":"2024-05-01T10:00:00Z","toolUseResult":{"content":"%s"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]}}`+"\n", i, i, one, i, one)
	}, size)
	all["codex"] = build("", "", func(b *strings.Builder, i int) {
		one := file()
		fmt.Fprintf(b, `{"timestamp":"2024-05-01T10:00:00Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c%d"}}`+"\n", i)
		fmt.Fprintf(b, `{"timestamp":"2024-05-01T10:00:00Z","type":"event_msg","payload":{"type":"exec_command_end","stdout":"%s"}}`+"\n", one)
		fmt.Fprintf(b, `{"timestamp":"2024-05-01T10:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c%d","output":"%s"}}`+"\n", i, one)
	}, size)
	all["documents"] = build("[", `{"page_content":"last","metadata":{}}]`, func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `{"page_content":"%d %s","metadata":{"source":"f%d.md","page":%d,"title":"t"}},`, i, text(), i, i%9)
	}, size)
	all["retrieval"] = build(`{"query":"q","source_nodes":[`, `{"node":{"text":"last"},"score":0}],"response":"r"}`, func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `{"node":{"id_":"%d","embedding":null,"metadata":{"file_path":"f%d.md"},"relationships":{},"text":"%d %s","class_name":"TextNode"},"score":0.%d,"class_name":"NodeWithScore"},`, i, i, i, text(), 999-i%900)
	}, size)
	// Many small messages, and one line that is nearly all of the file.
	all["openai-small"] = build("", "", func(b *strings.Builder, i int) {
		fmt.Fprintf(b, `{"role":"%s","content":"message %d, a few words long"}`+"\n", [...]string{"user", "assistant"}[i%2], i)
	}, size)
	all["openai-image"] = `[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + strings.Repeat("QUJD", megabytes<<18) + `"}}]}]`
	all["openai-base64"] = `[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"1","content":"` + strings.Repeat("QUJD123x", megabytes<<17) + `"}]`
	return all
}

// cpuMB/s is the size of the source by the time of the processors, that of the garbage
// collector included: unlike MB/s it does not depend on what else the machine does.
// x-json is how many times as fast that is as encoding/json decodes the same bytes, and
// x-json-felt that of the time that passes, in which several processors read.
func BenchmarkLoad(b *testing.B) {
	all := samples(b)
	for _, name := range []string{"native", "openai", "anthropic", "claude", "codex", "documents", "retrieval", "openai-small", "openai-image", "openai-base64"} {
		data := []byte(all[name])
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			items, before, begun := 0, cpuTime(), time.Now()
			for b.Loop() {
				l := musttest.Of(Read(context.Background(), "f", data, Options{}))(b)
				items = l.Set.Len()
			}
			if used, felt := cpuTime()-before, time.Since(begun); used > 0 {
				b.ReportMetric(float64(len(data))*float64(b.N)/1e6/used.Seconds(), "cpuMB/s")
				before, begun = cpuTime(), time.Now()
				for range b.N {
					musttest.Do(b, plainly[name](data))
				}
				b.ReportMetric((cpuTime()-before).Seconds()/used.Seconds(), "x-json")
				b.ReportMetric(time.Since(begun).Seconds()/felt.Seconds(), "x-json-felt")
			}
			b.ReportMetric(held(data)/float64(items), "heldB/item")
			b.ReportMetric(held(data)/float64(len(data)), "held/input")
		})
	}
}

// plainly decodes the samples with encoding/json into structs as one writes them for the format.
var plainly = map[string]func([]byte) error{
	"native":        perLine[plainItem],
	"openai":        atOnce[struct{ Messages []plainMessage[string] }],
	"anthropic":     atOnce[struct{ Messages []plainMessage[plainContent] }],
	"claude":        perLine[plainRow],
	"codex":         perLine[plainEvent],
	"documents":     atOnce[[]plainPassage],
	"retrieval":     atOnce[plainAnswer],
	"openai-small":  perLine[plainMessage[string]],
	"openai-image":  atOnce[[]plainMessage[[]plainPart[string]]],
	"openai-base64": atOnce[[]plainMessage[string]],
}

type (
	plainItem struct {
		Content   string
		Tokens    int
		Kind      string
		Timestamp time.Time
		Tags      []string
		Metadata  map[string]any
		Score     float64
	}
	plainMessage[C any] struct {
		Role       string
		Content    C
		ToolCallID string `json:"tool_call_id"`
		ToolCalls  []struct {
			ID, Type string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	plainPart[C any] struct {
		Type, Text, ID, Name string
		ToolUseID            string `json:"tool_use_id"`
		Input                map[string]any
		Content              C
		ImageURL             struct{ URL string } `json:"image_url"`
	}
	// plainContent is a text, or parts that hold parts.
	plainContent struct {
		text  string
		parts []plainPart[[]plainPart[string]]
	}
	plainRow struct {
		Type, UUID, ParentUUID string
		Timestamp              time.Time
		ToolUseResult          struct{ Content string }
		Message                struct {
			ID string
			plainMessage[[]plainPart[string]]
			Usage map[string]int
		}
	}
	plainEvent struct {
		Timestamp time.Time
		Type      string
		Payload   struct {
			Type, Name, Arguments, Output, Stdout string
			CallID                                string `json:"call_id"`
		}
	}
	plainPassage struct {
		PageContent string `json:"page_content"`
		Metadata    map[string]any
	}
	plainAnswer struct {
		Query, Response string
		SourceNodes     []struct {
			Node struct {
				ID            string `json:"id_"`
				Embedding     []float64
				Metadata      map[string]any
				Relationships map[string]any
				Text          string
				ClassName     string `json:"class_name"`
			}
			Score     float64
			ClassName string `json:"class_name"`
		} `json:"source_nodes"`
	}
)

func (c *plainContent) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, &c.text)
	}
	return json.Unmarshal(raw, &c.parts)
}

func atOnce[T any](data []byte) error { return json.Unmarshal(data, new(T)) }

func perLine[T any](data []byte) error {
	var all []T
	for line := range bytes.Lines(data) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		all = append(all, one)
	}
	return nil
}

// A folder of 5,000 files of some 2,000 bytes, with rules of what to ignore.
func BenchmarkLoadFolder(b *testing.B) {
	const files, folders = 5000, 50
	dir := b.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		musttest.Do(b, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(b, os.WriteFile(path, []byte(text), 0o600))
	}
	write(".gitignore", "*.log\n/build/\n**/tmp/**\n!keep.log\n[Dd]ebug/\n*.o\n*.a\nnode_modules\n")
	text := strings.Repeat("some words of a file, and so on\n", 64)
	for i := range files {
		write(fmt.Sprintf("d%d/sub/f%d.md", i%folders, i), fmt.Sprintln(i)+text)
	}
	b.SetBytes(files * int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		l, err := Load(context.Background(), []string{dir}, Options{})
		if err != nil || l.Set.Len() != files {
			b.Fatal(err)
		}
	}
}

// held is how many bytes a loaded set keeps in memory, beside its source.
func held(data []byte) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l, err := Read(context.Background(), "f", data, Options{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(l)
	if err != nil {
		return 0
	}
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
