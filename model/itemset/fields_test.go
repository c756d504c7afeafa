package itemset

import (
	"strings"
	"testing"
	"time"
)

// The time of a message is found under each key that files have for it.
func TestTimesOfMessages(t *testing.T) {
	for _, member := range []string{
		`"timestamp":"2025-09-04T15:33:20Z"`, `"ts":1757000000000`, `"ts":"1757000000.000200"`, `"date":"2025-09-04T15:33:20Z"`, `"sent_at":"2025-09-04T15:33:20Z"`,
		`"time":1757000000`, `"createdAt":"2025-09-04T15:33:20Z"`, `"createTime":"2025-09-04T15:33:20Z"`, `"created":1757000000`,
	} {
		l := mustRead(t, `[{"role":"user","content":"hi",`+member+`}]`, Options{})
		if at := l.Set.Item(0).Timestamp; !at.Set || at.Value.Truncate(time.Second) != time.Unix(1757000000, 0).UTC() || l.SyntheticTimestamps {
			t.Errorf("%s: %v, made up %v", member, at, l.SyntheticTimestamps)
		}
	}
	l := mustRead(t, `[{"role":"user","content":"hi","time":"breakfast"}]`, Options{})
	if got := l.Report.Summary(); !strings.Contains(got, "message.time") {
		t.Errorf("a text under time that is no time is not told: %s", got)
	}
}

// Along the branch of an export the times never go back, and a message without one has
// that of a message beside it.
func TestTimesOfABranch(t *testing.T) {
	const export = `{"title":"t","current_node":"d","mapping":{
		"a":{"parent":null,"message":{"author":{"role":"user"},"create_time":null,"content":{"parts":["one"]}}},
		"b":{"parent":"a","message":{"author":{"role":"assistant"},"create_time":1757000001.08,"content":{"parts":["two"]}}},
		"c":{"parent":"b","message":{"author":{"role":"user"},"create_time":1757000001,"content":{"parts":["three"]}}},
		"d":{"parent":"c","message":{"author":{"role":"assistant"},"content":{"parts":["four"]}}}}}`
	l := mustRead(t, export, Options{})
	for i := range l.Set.Len() {
		if at := l.Set.Item(i).Timestamp; !at.Set || at.Value.UnixMilli() != 1757000001080 {
			t.Errorf("message %d: %v", i, at)
		}
	}
	for _, told := range []string{"2 messages without a timestamp, given that of the message beside them", "1 timestamp earlier than that of the message before"} {
		if got := strings.Join(l.Report.Lines(), "\n"); !strings.Contains(got, told) {
			t.Errorf("%q is not told:\n%s", told, got)
		}
	}
}
