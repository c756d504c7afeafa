package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

// loaded is the session of a log, and its items in short: their first words.
func loaded(t *testing.T, text string) (*History, []string) {
	t.Helper()
	l := musttest.Of(itemset.Read(context.Background(), "log.jsonl", []byte(text), itemset.Options{History: true}))(t)
	s := musttest.Of(FromItems(l.Set, l.Messages))(t)
	words := make([]string, l.Set.Len())
	for i := range words {
		words[i], _, _ = strings.Cut(l.Set.Loaded(i).Content, " ")
	}
	return s, words
}

// available lists what each request may use.
func available(s *History, words []string) []string {
	var all []string
	for _, r := range s.Requests() {
		var items []string
		for _, i := range s.come(r, 0) {
			items = append(items, words[i])
		}
		all = append(all, strings.Join(items, " "))
	}
	return all
}

const claudeRow = `{"type":%q,"uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T03:04:%02dZ","message":{"role":%q,"content":%q%s}}` + "\n"

func TestClaudeSessionsAsOfEachRequest(t *testing.T) {
	second := 0
	user := func(uuid, parent, text string) string {
		second++
		return fmt.Sprintf(claudeRow, "user", uuid, parent, second, "user", text, "")
	}
	answer := func(uuid, parent, text string) string {
		second++
		usage := fmt.Sprintf(`,"id":"id-%s","usage":{"input_tokens":1,"cache_read_input_tokens":%d,"cache_creation_input_tokens":3,"output_tokens":4}`, uuid, second)
		return fmt.Sprintf(claudeRow, "assistant", uuid, parent, second, "assistant", text, usage)
	}
	const boundary = `{"type":"system","subtype":"compact_boundary","uuid":"c","timestamp":"2026-01-02T03:05:00Z"}` + "\n"
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"a compaction counts from its place on", user("1", "", "one") + answer("2", "1", "two") + user("3", "2", "three") + answer("4", "3", "four") + boundary +
			strings.Replace(user("5", "", "summary"), `"type"`, `"isCompactSummary":true,"type"`, 1) + user("6", "5", "six") + answer("7", "6", "seven"),
			[]string{"one", "one two three", "summary six", "summary six seven"}},
		{"what was written over was there until then", user("1", "", "one") + answer("2", "1", "two") + user("3", "2", "three") + answer("4", "3", "four") +
			user("5", "2", "five") + answer("6", "5", "six"),
			[]string{"one", "one two three", "one two five", "one two five six"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, words := loaded(t, c.log)
			musttest.Is(t, available(s, words), c.want, "requests")
			for k, r := range s.Requests() {
				if r.Recorded.Set == r.IsNow() || r.Recorded.Set && (r.Recorded.Value.CacheWrite != 3 || r.Recorded.Value.CacheRead < 2 || r.Recorded.Value.Plain != 1) {
					t.Errorf("request %d: recorded %+v", k, r.Recorded)
				}
			}
		})
	}
}

// A compaction of pi sends a summary, and again what it kept: that is no new answer.
func TestPiSessionsAsOfEachRequest(t *testing.T) {
	second := 0
	row := func(id, role, text string) string {
		second++
		usage := ""
		if role == "assistant" {
			usage = fmt.Sprintf(`,"usage":{"input":1,"output":4,"cacheRead":%d,"cacheWrite":3,"totalTokens":9}`, second)
		}
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":null,"timestamp":"2026-01-02T03:04:%02dZ","message":{"role":%q,"content":[{"type":"text","text":%q}]%s}}`, id, second, role, text, usage) + "\n"
	}
	compacted := func(id, summary, kept string) string {
		return fmt.Sprintf(`{"type":"compaction","id":%q,"timestamp":"2026-01-02T03:05:00Z","summary":%q,"firstKeptEntryId":%q}`, id, summary, kept) + "\n"
	}
	log := row("1", "user", "one") + row("2", "assistant", "two") + row("3", "user", "three") + row("4", "assistant", "four") + row("5", "user", "five") +
		compacted("c", "summary", "3") + row("6", "assistant", "six") + row("7", "user", "seven") + compacted("d", "shorter", "?") + row("8", "user", "eight") + row("9", "assistant", "nine")
	s, words := loaded(t, log)
	want := []string{"one", "one two three", "summary three four five", "shorter eight", "shorter eight nine"}
	if got := available(s, words); !slices.Equal(got, want) {
		t.Fatalf("requests %q, want %q", got, want)
	}
	for k, read := range []int{2, 4, 6, 9} {
		if r := s.Requests()[k].Recorded; !r.Set || int(r.Value.CacheRead) != read || r.Value.Total() != r.Value.CacheRead+4 {
			t.Errorf("request %d: recorded %+v, want %d read", k, r, read)
		}
	}
	if all := s.Compactions(WithinRequests); len(all) != 2 || all[0].Gone != 2 || all[1].Gone != 6 {
		t.Errorf("compactions %+v, want two, of which the first keeps three messages", all)
	}
	l := musttest.Of(itemset.Read(context.Background(), "log.jsonl", []byte(log), itemset.Options{}))(t)
	var live []string
	for i := range l.Set.Len() {
		live = append(live, l.Set.Loaded(i).Content)
	}
	musttest.Is(t, strings.Join(live, " "), want[4], "without the history")
}

func TestCodexSessionsAsOfEachRequest(t *testing.T) {
	row := func(typ, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-02T03:04:05Z","type":%q,"payload":%s}`, typ, payload) + "\n"
	}
	said := func(role, text string) string {
		part := map[string]string{"user": "input_text", "assistant": "output_text"}[role]
		return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, part, text)
	}
	total := 0
	count := func(input, cached int) string {
		total += input + 2
		return row("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":2}}}`, total, input, cached))
	}
	item := func(role, text string) string { return row("response_item", said(role, text)) }
	log := item("user", "one") + item("assistant", "two") + count(10, 0) +
		item("user", "three") + item("assistant", "four") + count(20, 12) +
		row("event_msg", `{"type":"thread_rolled_back","num_turns":1}`) +
		item("user", "five") + item("assistant", "six") + count(30, 8) +
		row("compacted", `{"message":"summary","replacement_history":[`+said("user", "one")+`,`+said("user", "summary")+`]}`) +
		item("user", "seven") + item("assistant", "eight") + count(40, 4)
	s, words := loaded(t, log)
	want := []string{"one", "one two three", "one two five", "one summary seven", "one summary seven eight"}
	if got := available(s, words); !slices.Equal(got, want) {
		t.Fatalf("requests %q, want %q", got, want)
	}
	for k, cached := range []int{0, 12, 8, 4} {
		if r := s.Requests()[k].Recorded; !r.Set || int(r.Value.CacheRead) != cached || int(r.Value.Total()) != 10*(k+1) {
			t.Errorf("request %d: recorded %+v", k, r)
		}
	}
	// The compaction wrote "one" again: the prefix goes on through it.
	windows := musttest.Of(Windows(context.Background(), s, Plan{Strategy: All}, model.Budget{}, Options{}))(t)
	changes := musttest.Of(s.Compare(t.Context(), windows))(t)
	if c := changes[3]; c.Survived == 0 || c.Cause != Left {
		t.Errorf("after the compaction: %+v", c)
	}
}

// Answers that were logged as the provider gave them say what their prompts were:
// OpenAI counts what was cached as a part of the input, Anthropic beside it.
func TestRecordedUsageOfLoggedAnswers(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      []itemset.Prompt
	}{
		{"OpenAI Responses", `{"object":"response","model":"gpt-5","instructions":"be brief","input":[{"role":"user","content":"one"}],
			"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}],
			"usage":{"input_tokens":2000,"input_tokens_details":{"cached_tokens":1024},"output_tokens":5}}`,
			[]itemset.Prompt{{Plain: 976, CacheRead: 1024}}},
		{"OpenAI chat", `{"model":"gpt-4o","messages":[{"role":"user","content":"one"}],"choices":[{"message":{"role":"assistant","content":"two"}}],
			"usage":{"prompt_tokens":2000,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":1920}}}`,
			[]itemset.Prompt{{Plain: 80, CacheRead: 1920}}},
		{"Anthropic", `{"role":"user","content":"one"}
{"id":"m1","type":"message","role":"assistant","content":[{"type":"text","text":"two"}],"usage":{"input_tokens":4,"cache_read_input_tokens":0,"cache_creation_input_tokens":1500,"output_tokens":3}}
{"role":"user","content":"three"}
{"id":"m2","type":"message","role":"assistant","content":[{"type":"text","text":"four"}],"usage":{"input_tokens":5,"cache_read_input_tokens":1500,"cache_creation_input_tokens":100,"output_tokens":3}}`,
			[]itemset.Prompt{{Plain: 4, CacheWrite: 1500}, {Plain: 5, CacheRead: 1500, CacheWrite: 100}}},
	} {
		s, _ := loaded(t, c.log)
		var got []itemset.Prompt
		for _, r := range s.Requests() {
			if r.Recorded.Set {
				got = append(got, r.Recorded.Value)
			}
		}
		musttest.Is(t, got, c.want, c.name, "recorded")
	}
}

// Rollouts tell the usage of an answer behind it, or, of newer versions, before it
// and once more behind what its tools gave. What a tool gave ends an answer.
func TestCodexUsageBehindOrBeforeItsAnswer(t *testing.T) {
	row := func(typ, payload string) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-02T03:04:05Z","type":%q,"payload":%s}`, typ, payload) + "\n"
	}
	asked := row("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}`)
	answer := func(n int) (call, result string) {
		return row("response_item", fmt.Sprintf(`{"type":"reasoning","summary":[{"type":"summary_text","text":"thought %d"}]}`, n)) +
				row("response_item", fmt.Sprintf(`{"type":"function_call","name":"ls","arguments":"{}","call_id":"c%d"}`, n)),
			row("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"files %d"}`, n, n))
	}
	usage := func(n int) string {
		return row("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":2}}}`, 1000*n, 100*n, 10*n))
	}
	const nothing = `{"type":"token_count","info":null}`
	behind, before := asked, asked+row("event_msg", nothing)
	for n := 1; n <= 3; n++ {
		call, result := answer(n)
		behind += call + usage(n) + result
		before += usage(n) + call + result + usage(n)
	}
	for name, log := range map[string]string{"behind": behind, "before": before} {
		s, _ := loaded(t, log)
		var got []itemset.Prompt
		for _, r := range s.Requests() {
			if r.Recorded.Set {
				got = append(got, r.Recorded.Value)
			}
		}
		if want := []itemset.Prompt{{Plain: 90, CacheRead: 10}, {Plain: 180, CacheRead: 20}, {Plain: 270, CacheRead: 30}}; !slices.Equal(got, want) || len(s.Requests()) != 4 {
			t.Errorf("%s: recorded %+v of %d requests, want %+v", name, got, len(s.Requests()), want)
		}
	}
}
