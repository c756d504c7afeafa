package tui

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
	"cupelscope/simulate/turns"
)

// compacted is a session of Claude Code that a compaction took apart: items 0 and
// 1 of the screen are what stayed.
func compacted() string {
	second := 0
	row := func(role, uuid, parent, text, more string) string {
		second++
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"timestamp":"2026-01-02T03:04:%02dZ","message":{"role":%q,"content":%q%s}}`+"\n",
			role, uuid, parent, second, role, strings.Repeat(text+" ", 20), more)
	}
	answer := func(uuid, parent, text string) string {
		return row("assistant", uuid, parent, text, fmt.Sprintf(`,"id":"id-%s","usage":{"input_tokens":10,"cache_read_input_tokens":%d,"cache_creation_input_tokens":30,"output_tokens":20}`, uuid, second*10))
	}
	return row("user", "1", "", "one", "") + answer("2", "1", "two") + row("user", "3", "2", "three", "") + answer("4", "3", "four") +
		`{"type":"system","subtype":"compact_boundary","uuid":"c","timestamp":"2026-01-02T03:05:00Z"}` + "\n" +
		strings.Replace(row("user", "5", "", "summary", ""), `"type"`, `"isCompactSummary":true,"type"`, 1) +
		row("user", "6", "5", "six", "") + answer("7", "6", "seven")
}

// Turns looks at what a compaction took out too, as the verb does; the other views
// follow to those requests that the items of the screen are all of.
func TestTurnsOfACompactedSession(t *testing.T) {
	for _, full := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "session.jsonl")
		write(t, path, compacted())
		ctx := context.Background()
		opened, err := Open(ctx, session.Options{Sources: []string{path}, MaxTokens: "500", Full: full}, session.Input{})
		if err != nil {
			t.Fatal(err)
		}
		choices, err := session.Options{Sources: []string{path}, MaxTokens: "500"}.Choices(session.Input{})
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := itemset.Load(ctx, []string{path}, itemset.Options{History: true})
		if err != nil {
			t.Fatal(err)
		}
		all, err := choices.OpenCounted(ctx, loaded)
		if err != nil {
			t.Fatal(err)
		}
		log, err := turns.FromItems(all.Set, simulate.NewPairs(all.Set.Len(), all.Pairing()), all.Turns)
		if err != nil {
			t.Fatal(err)
		}
		courses, err := turns.Run(ctx, log, []turns.Plan{{Strategy: turns.Stateless, Policy: opened.Policy}}, opened.Budget, turns.Caches()[0], turns.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := begin(t, opened, 120, 36)
		s.press("8g")
		s.sees("request 1 of 4")
		for k, w := range courses[1].Windows {
			if k == 3 {
				break // now
			}
			r := log.Requests()[k].Recorded.Value
			s.sees(fmt.Sprintf("Request %d", k+1), w.Tokens.String()+" tok", fmt.Sprintf("recorded: %v tok, %v read, %v written, %v plain", r.Total(), r.CacheRead, r.CacheWrite, r.Plain))
			if c := courses[1].Changes[k]; c.Cause != turns.NoBreak && !full {
				s.sees("The prefix breaks: an item that has gone since left, msg one")
			}
			shown := s.m.exp.Items().Len()
			switch alone := strings.Contains(s.text(), "in Turns alone"); {
			case full && alone != (k == 2), !full && alone != (k < 2): // with everything on the screen, the last request could use less
				t.Errorf("full %v, request %d: alone %v", full, k+1, alone)
			case !alone && shown != log.Requests()[k].Before && full, !full && !alone && shown != 2:
				t.Errorf("full %v, request %d: %d items", full, k+1, shown)
			}
			s.press("l")
		}
		s.sees("Now, not sent yet", "recorded for 3 requests:")
		s.press("hh1")
		if !full {
			s.sees("request 2 of 4, in Turns alone; esc: back to the end", "Some of what request 2 could use was taken out since")
		}
		s.press("gx8") // an edit is one of the log too
		requests, err := s.m.turns.Session()
		if err != nil {
			t.Fatal(err)
		}
		excluded := 0
		for i := range requests.Items().Len() {
			if requests.Items().Excluded(i) {
				excluded++
				if item, ok := requests.Item(int32(i)); !ok || item != 0 {
					t.Errorf("excluded is item %d of the log, on the screen %d, %v", i, item, ok)
				}
			}
		}
		if excluded != 1 {
			t.Errorf("%d excluded", excluded)
		}
	}
}
