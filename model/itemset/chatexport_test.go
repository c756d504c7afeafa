package itemset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/pipeline"
	"cupelscope/simulate/export"
)

// chatItem is what a chat says of an item; the arguments of calls are compared as
// JSON, as their white space means nothing.
func chatItem(it model.Item, failures bool) string {
	content := it.Content
	part, _ := it.Metadata["part"].(string)
	if at := strings.IndexByte(content, '{'); part == "toolCall" && at > 0 {
		var v any
		if json.Unmarshal([]byte(content[at:]), &v) == nil {
			compact, _ := json.Marshal(v)
			content = content[:at] + string(compact)
		}
	}
	failed := failures && it.Metadata["isError"] == true
	return fmt.Sprintf("%s %s %q %v", it.Kind, part, content, failed)
}

// What is exported as a chat opens again as the same items, with the same links,
// but for those that the notes name.
func TestChatsOpenAsTheSameItems(t *testing.T) {
	samples, links, same := itemset.ConversationSamples(), 0, 0
	for name, in := range samples {
		for _, vendor := range []export.Vendor{export.OpenAI, export.Anthropic} {
			t.Run(name+" for "+string(vendor), func(t *testing.T) {
				ctx := context.Background()
				l, err := itemset.Read(ctx, "f", []byte(in), itemset.Options{})
				if err != nil {
					t.Fatal(err)
				}
				policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
				policy.Deduplicate = false
				report := all(t, l.Set, policy)
				chat := export.NewChat(report, vendor)
				var out bytes.Buffer
				if err := chat.Write(&out); err != nil {
					t.Fatal(err)
				}
				named := named(chat)
				again, err := itemset.Read(ctx, "g", out.Bytes(), itemset.Options{})
				if err != nil {
					if len(named) >= l.Set.Len() {
						return // nothing could be said
					}
					t.Fatalf("%v\n%s", err, out.String())
				}
				var want, got []string
				for i := range l.Set.Len() {
					if !named[i] {
						want = append(want, chatItem(l.Set.Item(i), vendor == export.Anthropic))
					}
				}
				for i := range again.Set.Len() {
					got = append(got, chatItem(again.Set.Item(i), vendor == export.Anthropic))
				}
				for _, item := range want {
					k := slices.Index(got, item)
					if k < 0 {
						t.Fatalf("%s is not among\n%s\n%s", item, strings.Join(got, "\n"), out.String())
					}
					got = slices.Delete(got, k, k+1)
					same++
				}
				if len(got) > len(named) {
					t.Errorf("there are %d items more, and %d are named:\n%s", len(got), len(named), strings.Join(got, "\n"))
				}
				if len(again.Pairs) != len(l.Pairs) {
					t.Errorf("%d calls are linked to results, %d were", len(again.Pairs), len(l.Pairs))
				}
				for _, p := range again.Pairs {
					id := again.Set.Item(p.Call).Metadata["callId"]
					if p.Result <= p.Call || id == "" || id != again.Set.Item(p.Result).Metadata["callId"] {
						t.Errorf("pair %v", p)
					}
				}
				links += len(again.Pairs)
			})
		}
	}
	if links < 12 || same < 80 {
		t.Errorf("%d items are the same and %d linked: the samples test little", same, links)
	}
}

// all is a report with every item in.
func all(t *testing.T, set *model.Set, policy model.Policy) *model.Report {
	t.Helper()
	pipe, err := pipeline.New(policy)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := pipe.Rank(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.NewBudget(model.BudgetFields{MaxTokens: 10_000_000})
	if err != nil {
		t.Fatal(err)
	}
	report, err := ranking.DryRun(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Included) != set.Len() {
		t.Fatalf("%d of %d items are in", len(report.Included), set.Len())
	}
	return report
}

// named is the items that the notes name.
func named(chat *export.Chat) map[int]bool {
	all := map[int]bool{}
	for _, n := range chat.Notes {
		for word := range strings.FieldsSeq(n) {
			var i int
			if _, err := fmt.Sscanf(word, "#%d", &i); err == nil {
				all[i] = true
			}
		}
	}
	return all
}
