package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/relevance"
	"cupelscope/simulate/session"
)

// The items of the tests: greedy prefers a, so b is in at 50, out at 100 and
// in again at 150.
const (
	twoItems  = `"items":[{"content":"a","tokens":100,"futureRelevanceHint":0.5},{"content":"b","tokens":50,"futureRelevanceHint":0.1}]`
	reflexive = `"policy":{"scorers":[{"type":"reflexive","weight":1}]}`
	hundred   = `"budget":{"maxTokens":100}`
	rest      = twoItems + "," + reflexive + "," + hundred
)

// runBatch runs lines through batch; it fails if that fails.
func runBatch(t *testing.T, o session.Options, b batchOptions, in string) (out, diagnostics string) {
	t.Helper()
	stdout, stderr, err := ran(answerBatch, in, o, b)
	if err != nil && !ends(err, Failed) {
		t.Fatal(err)
	}
	return brief(stdout), stderr
}

// brief is answers without the fields that every answer has, and some numbers; they
// stand in the schema, against which every answer is held elsewhere.
func brief(answers string) string { return inAll.ReplaceAllString(answers, "") }

var inAll = regexp.MustCompile(`,"(schema|estimatedCounts|value|filled|line)":("[^"]*"|[^,}\]]*)`)

func TestBatchAnswers(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a dry run is the default", `{"id":1,` + rest + `}`,
			`{"id":1,"budget":{"maxTokens":100,"targetTokens":100},"effective":{"maxTokens":100,"targetTokens":100},` +
				`"included":[{"index":0,"score":0.5,"reason":"Scored"}],` +
				`"excluded":[{"index":1,"score":0.1,"reason":"BudgetExceeded","itemTokens":50,"availableTokens":0}],` +
				`"totalTokens":100,"totalCandidates":2,"totalTokensConsidered":150,"utilization":1,` +
				`"stages":[{"stage":"Classify","itemsIn":2,"itemsOut":2},{"stage":"Score","itemsIn":2,"itemsOut":2},` +
				`{"stage":"Deduplicate","itemsIn":2,"itemsOut":2},{"stage":"Slice","itemsIn":2,"itemsOut":1},` +
				`{"stage":"Place","itemsIn":1,"itemsOut":1}],"shortfalls":[]}`},
		{"no items", `{"id":1,"query":null,"items":[],` + reflexive + `,"budget":{"maxTokens":0}}`,
			`{"id":1,"budget":{"maxTokens":0,"targetTokens":0},"effective":{"maxTokens":0,"targetTokens":0},"included":[],"excluded":[],` +
				`"totalTokens":0,"totalCandidates":0,"totalTokensConsidered":0,"utilization":0,` +
				`"stages":[{"stage":"Classify","itemsIn":0,"itemsOut":0},{"stage":"Score","itemsIn":0,"itemsOut":0},` +
				`{"stage":"Deduplicate","itemsIn":0,"itemsOut":0},{"stage":"Slice","itemsIn":0,"itemsOut":0},` +
				`{"stage":"Place","itemsIn":0,"itemsOut":0}],"shortfalls":[]}`},
		{"marginal", `{"id":"m","query":{"op":"marginal","slackTokens":1},` + rest + `}`, `{"id":"m","marginal":[0]}`},
		{"marginal with no slack", `{"id":"m","query":{"op":"marginal","slackTokens":0},"slackTokens":1,` + rest + `}`, `{"id":"m","marginal":[]}`},
		{"marginal with the scenario's slack", `{"id":"m","query":{"op":"marginal"},"slackTokens":1,` + rest + `}`, `{"id":"m","marginal":[0]}`},
		{"the search is wrong, the profile is not", `{"id":"b","query":{"op":"minBudget","itemIndex":1,"searchCeiling":200},` + rest + `}`,
			`{"id":"b","binarySearch":150,"firstIn":50,"staysFrom":150,"bands":[[50,99],[150,200]]}`},
		{"minBudget below all", `{"id":"b","query":{"op":"minBudget","itemIndex":1.0,"searchCeiling":1e2,"bare":false},` + rest + `}`,
			`{"id":"b","binarySearch":50,"firstIn":50,"staysFrom":null,"bands":[[50,99]]}`},
		{"minBudget of an item that is never in", `{"id":"b","query":{"op":"minBudget","itemIndex":0,"searchCeiling":100,"bare":true},` +
			`"edits":{"excluded":[0]},` + rest + `}`, `{"id":"b","binarySearch":null,"firstIn":null,"staysFrom":null,"bands":[]}`},
		{"minBudget under a template", `{"id":"b","query":{"op":"minBudget","itemIndex":0,"searchCeiling":200},` + twoItems + `,` + reflexive +
			`,"budget":{"maxTokens":100,"targetTokens":90,"outputReserve":20,"reservedSlots":{"Memory":5}}}`,
			`{"id":"b","binarySearch":125,"firstIn":125,"staysFrom":125,"bands":[[125,200]]}`},
		{"the bare one of it", `{"id":"b","query":{"op":"minBudget","itemIndex":0,"searchCeiling":200,"bare":true},` + twoItems + `,` + reflexive +
			`,"budget":{"maxTokens":100,"targetTokens":90,"outputReserve":20,"reservedSlots":{"Memory":5}}}`,
			`{"id":"b","binarySearch":100,"firstIn":100,"staysFrom":100,"bands":[[100,200]]}`},
		{"profile", `{"id":"p","query":{"op":"profile","ceiling":200},` + rest + `}`, `{"id":"p","bands":[[[100,200]],[[50,99],[150,200]]]}`},
		{"profile of nothing", `{"id":"p","query":{"op":"profile","ceiling":0},` + rest + `}`, `{"id":"p","bands":[[],[]]}`},
		{"an id with spaces and escapes", `{"query":{"op":"marginal","slackTokens":0},` + rest + `,"id": { "a" : [ 1.0, "\u0041 b", null ] } }`,
			`{"id":{"a":[1.0,"\u0041 b",null]},"marginal":[]}`},
		{"an id of many digits", `{"id":12345678901234567890.50,"query":{"op":"marginal","slackTokens":0},` + rest + `}`,
			`{"id":12345678901234567890.50,"marginal":[]}`},
		{"an id that is no UTF-8", "{\"id\":\"\xff\"," + `"query":{"op":"marginal","slackTokens":0},` + rest + `}`, "{\"id\":\"\ufffd\",\"marginal\":[]}"},
		{"no id", `{"query":{"op":"marginal","slackTokens":0},` + rest + `}`, `{"id":null,"marginal":[]}`},
		{"tokens are counted where they are missing", `{"id":1,"query":{"op":"minBudget","itemIndex":0,"searchCeiling":9},"items":[{"content":"hello world"}],` +
			reflexive + `,` + hundred + `}`, `{"id":1,"binarySearch":2,"firstIn":2,"staysFrom":2,"bands":[[2,9]]}`},
	} {
		if out, diagnostics := runBatch(t, session.Options{}, batchOptions{Jobs: 1}, c.line+"\n"); out != c.want+"\n" || strings.Contains(diagnostics, "with errors") {
			t.Errorf("%s:\n%s\nwant\n%s\ndiagnostics %q", c.name, out, c.want, diagnostics)
		}
	}
}

func TestBatchErrors(t *testing.T) {
	query := func(q string) string { return `{"id":7,"query":` + q + `,` + rest + `}` }
	item := func(it string) string { return `{"id":7,"items":[` + it + `],` + reflexive + `,` + hundred + `}` }
	policy := func(p string) string { return `{"id":7,` + twoItems + `,"policy":` + p + `,` + hundred + `}` }
	budget := func(b string) string { return `{"id":7,` + twoItems + `,` + reflexive + `,"budget":` + b + `}` }
	const scorers = `"scorers":[{"type":"reflexive","weight":1}]`
	quotas := `{` + scorers + `,"quotas":[{"kind":"Message","maxPercent":50}]}`
	counts := `{` + scorers + `,"countQuotas":[{"kind":"Message","requireCount":3,"capCount":3}],"scarcityBehavior":"throw"}`
	for _, c := range []struct {
		name, line string
		code       errorCode
		says       string
	}{
		{"not JSON, the id is readable", `{"id":7,"items":[`, invalidInput, "the line is not JSON"},
		{"two values", `{"id":7,` + rest + `} {}`, invalidInput, "the line is not JSON"},
		{"an unknown field", `{"id":7,"item":[],` + rest + `}`, invalidInput, "item is not known; known are name, items"},
		{"an unknown field before the id", `{"item":[],"id":7,` + rest + `}`, invalidInput, "item is not known"},
		{"an id twice", `{"id":7,"id":8,` + rest + `}`, invalidInput, "id appears twice"},
		{"no items", `{"id":7,` + reflexive + `,` + hundred + `}`, invalidInput, "items or itemsFile is required"},
		{"items that are none", `{"id":7,"items":{},` + reflexive + `,` + hundred + `}`, invalidInput, "items is an object"},
		{"a file of standard input", `{"id":7,"itemsFile":"a.json",` + reflexive + `,` + hundred + `}`, invalidInput, "itemsFile cannot be resolved"},
		{"edits of other items", `{"id":7,"edits":{"hash":"x"},` + rest + `}`, invalidInput, "edits.hash does not match"},

		{"an item that is text", item(`"a"`), invalidItem, "items[0] is a string"},
		{"an item without content", item(`{"content":"x"},{"tokens":1}`), invalidItem, "items[1] without content"},
		{"tokens beyond the bound", item(`{"content":"x","tokens":1099511627777}`), invalidItem, "items[0] tokens are beyond 1,099,511,627,776"},
		{"half a token", item(`{"content":"x","tokens":1.5}`), invalidItem, "tokens are not a whole number"},
		{"an edit of no item", `{"id":7,"edits":{"excluded":[2]},` + rest + `}`, invalidItem, "there are 2 items"},

		{"no budget", `{"id":7,` + twoItems + `,` + reflexive + `}`, invalidBudget, "budget is required"},
		{"an invalid budget", budget(`{"maxTokens":10,"outputReserve":11}`), invalidBudget, "outputReserve is 11, must be 0 to maxTokens, which is 10"},
		{"an unknown field of it", budget(`{"max":10}`), invalidBudget, "max: is not known"},
		{"a slack beyond the target", `{"id":7,"slackTokens":101,` + rest + `}`, invalidBudget, "slackTokens is 101"},
		{"a slack that is not a number", `{"id":7,"slackTokens":"1",` + rest + `}`, invalidBudget, "slackTokens is"},

		{"no policy", `{"id":7,` + twoItems + `,` + hundred + `}`, invalidPolicy, "policy is required"},
		{"an invalid policy", policy(`{"scorers":[]}`), invalidPolicy, "scorers"},
		{"an invalid second policy", `{"id":7,"policyB":{},` + rest + `}`, invalidPolicy, "policyB: "},

		{"a query that is text", query(`"dryRun"`), invalidQuery, "query is a string, must be an object"},
		{"an unknown op", query(`{"op":"sweep"}`), invalidQuery, "query.op \"sweep\" is not known; known are dryRun"},
		{"an op that is no text", query(`{"op":1}`), invalidQuery, "query.op 1 is not known"},
		{"a field of another op", query(`{"slackTokens":5}`), invalidQuery, "query.slackTokens is not known for op dryRun"},
		{"a field twice", query(`{"op":"profile","ceiling":5,"ceiling":5}`), invalidQuery, "query.ceiling appears twice"},
		{"no ceiling", query(`{"op":"profile","ceiling":null}`), invalidQuery, "query.ceiling is required for op profile"},
		{"a ceiling below 0", query(`{"op":"profile","ceiling":-1}`), invalidQuery, "query.ceiling must be 0 to 1,099,511,627,776"},
		{"a ceiling beyond all budgets", query(`{"op":"profile","ceiling":1e300}`), invalidQuery, "query.ceiling must be"},
		{"half a ceiling", query(`{"op":"profile","ceiling":0.5}`), invalidQuery, "query.ceiling is 0.5, must be a whole number"},
		{"no slack", query(`{"op":"marginal"}`), invalidQuery, "query.slackTokens is required"},
		{"a slack below 0", query(`{"op":"marginal","slackTokens":-1}`), invalidQuery, "query.slackTokens is -1, must be 0 to targetTokens, which is 100"},
		{"a slack that leaves less than the reserve", `{"id":7,"query":{"op":"marginal","slackTokens":60},` + twoItems + `,` + reflexive +
			`,"budget":{"maxTokens":100,"outputReserve":50}}`, invalidQuery, "query.slackTokens is 60, which leaves an invalid budget: outputReserve is 50"},
		{"no item", query(`{"op":"minBudget","searchCeiling":100}`), invalidQuery, "query.itemIndex is required"},
		{"an item that is not there", query(`{"op":"minBudget","itemIndex":2,"searchCeiling":100}`), invalidQuery, "targetItem must be an element of items: there are 2 items, numbered from 0"},
		{"an item before the first", query(`{"op":"minBudget","itemIndex":-1,"searchCeiling":100}`), invalidQuery, "targetItem must be an element of items"},
		{"a ceiling below the item", query(`{"op":"minBudget","itemIndex":0,"searchCeiling":99}`), invalidQuery, "searchCeiling must be >= targetItem.Tokens, which is 100"},
		{"bare that is a number", query(`{"op":"minBudget","itemIndex":0,"searchCeiling":100,"bare":1}`), invalidQuery, "query.bare is a number"},

		{"pinned items", item(`{"content":"x","tokens":101,"pinned":true}`), pinnedExceeds, "pinned items need 101 tokens, the budget leaves 100"},
		{"pinned items above the target", `{"id":7,"items":[{"content":"x","tokens":60,"pinned":true}],` + reflexive + `,"budget":{"maxTokens":100,"targetTokens":50}}`,
			overflowsTarget, "require 60 tokens, exceeding target budget of 50"},
		{"scarcity", policy(counts), scarce, `count quota for kind "Message" requires at least 3 items, but the set has 2`},
		{"a table", `{"id":7,"items":[{"content":"a","tokens":1e12,"futureRelevanceHint":1},{"content":"b","tokens":1e11,"futureRelevanceHint":1}],"policy":{` + scorers +
			`,"slicerType":"knapsack","knapsackBucketSize":1},"budget":{"maxTokens":1e12}}`, tableTooLarge, "a bucket size of"},
		{"a search with quotas", `{"id":7,"query":{"op":"minBudget","itemIndex":9,"searchCeiling":0},` + twoItems + `,"policy":` + quotas + `,` + hundred + `}`,
			notMonotonic, "FindMinBudgetFor requires monotonic item inclusion."},
		{"a search with count quotas", `{"id":7,"query":{"op":"minBudget","itemIndex":9,"searchCeiling":0},` + twoItems + `,"policy":` + counts + `,` + hundred + `}`,
			notMonotonic, "FindMinBudgetFor requires monotonic item inclusion."},
		{"less with quotas", `{"id":7,"query":{"op":"marginal","slackTokens":-1},` + twoItems + `,"policy":` + quotas + `,` + hundred + `}`,
			notMonotonic, "GetMarginalItems requires monotonic item inclusion."},
	} {
		out, diagnostics := runBatch(t, session.Options{}, batchOptions{Jobs: 1}, c.line) // no newline at the end
		got := musttest.JSON[struct {
			ID    int
			Error struct {
				Code    errorCode
				Message string
			}
		}](t, out)
		if got.ID != 7 || got.Error.Code != c.code || !strings.Contains(got.Error.Message, c.says) {
			t.Errorf("%s: %s, want 7, %s: %s", c.name, out, c.code, c.says)
		}
		musttest.Is(t, diagnostics, "cupelscope: 1 line answered, 1 of them with errors: 1 "+string(c.code)+"\n", c.name, "diagnostics")
	}
}

// Lines that are wrong in any way cost only themselves.
func TestBatchGoesOn(t *testing.T) {
	fine := `{"id":"ok","query":{"op":"marginal","slackTokens":1},` + rest + `}`
	in := "\ufeff" + fine + "\r\n\n \t\r\nnull\n[]\n\x00\n" + fine + "\n" + strings.Repeat(`{"a":`, 20_000) + "\n" + fine
	out, diagnostics := runBatch(t, session.Options{}, batchOptions{Jobs: 3}, in)
	ok, bad := `{"id":"ok","marginal":[0]}`, `{"id":null,"error":{"code":"invalid-input","message":"the line is `
	for i, want := range []string{ok, bad + `null, must be an object"}}`, bad + `an array, must be an object"}}`, bad + "not JSON", ok, bad + "not JSON", ok} {
		line, more, _ := strings.Cut(out, "\n")
		if !strings.HasPrefix(line, want) {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
		out = more
	}
	musttest.Is(t, out, "", "more")
	musttest.Is(t, diagnostics, "cupelscope: 7 lines answered, 4 of them with errors: 4 invalid-input\n", "diagnostics")
	if err := answerBatch(context.Background(), session.Options{}, batchOptions{}, Streams{Out: new(bytes.Buffer)}); err == nil {
		t.Error("no error without an input")
	}
}

func TestBatchFlags(t *testing.T) {
	const bare = `{"id":1,` + twoItems + `}`
	for _, c := range []struct {
		name    string
		options session.Options
		line    string
		want    string // part of the answer
	}{
		{"policy and budget for lines without", session.Options{Preset: "rag", Budget: maximum("60")}, bare, `"included":[{"index":1,"score":0.125,`},
		{"a budget needs its maximum", session.Options{Preset: "rag", Budget: map[string]string{model.FieldTargetTokens: "60"}}, bare, "budget is required"},
		{"flags replace what lines say", session.Options{Budget: map[string]string{model.FieldMaxTokens: "150", model.FieldOutputReserve: "9"}}, `{"id":1,` + rest + `}`,
			`"budget":{"maxTokens":150,"targetTokens":150,"outputReserve":9}`},
		{"the gap of a line stays", session.Options{Budget: maximum("150")}, `{"id":1,` + twoItems + `,` + reflexive + `,"budget":{"maxTokens":100,"targetTokens":90}}`,
			`"budget":{"maxTokens":150,"targetTokens":140}`},
		{"buckets of a line that has none", session.Options{BucketSize: "5"}, `{"id":1,` + rest + `}`, `"code":"invalid-policy"`},
		{"a slicer with buckets", session.Options{Slicer: "knapsack", BucketSize: "75"}, `{"id":1,` + rest + `}`, `"included":[{"index":1,`},
		{"a slack for queries without", session.Options{Slack: "1"}, `{"id":1,"query":{"op":"marginal"},` + rest + `}`, `"marginal":[0]`},
		{"a query's own slack", session.Options{Slack: "1"}, `{"id":1,"query":{"op":"marginal","slackTokens":0},` + rest + `}`, `"marginal":[]`},
		{"a slack that is too much for a line", session.Options{Slack: "500"}, `{"id":1,` + rest + `}`, `"totalTokens":100`},
		{"counts under another encoding", session.Options{Encoding: "r50k_base"},
			`{"id":1,"items":[{"content":"                x"}],` + reflexive + `,` + hundred + `}`, `"totalTokens":16`},
	} {
		out, _ := runBatch(t, c.options, batchOptions{}, c.line)
		musttest.Says(t, out, c.want, c.name)
	}
}

func TestBatchOfAFile(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	put("two.json", `[{"content":"x","tokens":3},{"content":"y","tokens":4}]`)
	put("broken.jsonl", "{\"content\":\"x\",\"tokens\":3}\n{\"tokens\":4}\n")
	line := func(file string) string {
		return `{"id":"` + file + `","query":{"op":"profile","ceiling":5},"itemsFile":"` + file + `",` + reflexive + `,` + hundred + "}\n"
	}
	path := put("batch.jsonl", line("two.json")+line("broken.jsonl")+line("none.json"))
	out, diagnostics := runBatch(t, session.Options{Sources: []string{path}}, batchOptions{Verbose: true}, "")
	lines := strings.Split(out, "\n")
	if len(lines) != 4 || lines[0] != `{"id":"two.json","bands":[[[3,5]],[]]}` ||
		!strings.Contains(lines[1], `"code":"invalid-item"`) || !strings.Contains(lines[1], "line 2: item without content") ||
		!strings.Contains(lines[2], `"code":"invalid-input"`) {
		t.Errorf("%s", out)
	}
	musttest.Is(t, diagnostics, "cupelscope: 3 lines answered, 2 of them with errors: 1 invalid-input, 1 invalid-item\n", "diagnostics")
}

// An error says which line it is about, blank lines counted.
func TestBatchErrorsNameTheirLine(t *testing.T) {
	out := printed(t, answerBatch, "\n"+`{"id":1,`+rest+"}\n\nbroken\n"+`{"id":2}`+"\n", session.Options{}, batchOptions{})
	var lines []int
	for text := range strings.Lines(out) {
		answer := musttest.JSON[struct{ Error struct{ Line int } }](t, text)
		lines = append(lines, answer.Error.Line)
	}
	musttest.Is(t, lines, []int{0, 4, 5}, "errors are said to be in lines", out)
}

func TestBatchSummary(t *testing.T) {
	line := func(item string) string { return `{"id":1,"items":[` + item + `],` + reflexive + `,` + hundred + "}\n" }
	good := line(`{"content":"x","tokens":3}`)
	for _, c := range []struct {
		name    string
		in      string
		verbose bool
		want    string
	}{
		{"nothing to say", good, false, ""},
		{"asked to", good, true, "cupelscope: 1 line answered\n"},
		{"something is lost", good + line(`{"content":"x","tokens":3,"timestamp":"soon"}`), false,
			"cupelscope: 2 lines answered; 1 timestamp not understood, left out (first in line 2)\n"},
		{"a slip of the fingers", good + good + line(`{"content":"x","token":3}`), false,
			`cupelscope: 3 lines answered; 1 item with the key "token", kept as metadata: did you mean tokens? (first in line 3)` + "\n"},
	} {
		_, got := runBatch(t, session.Options{}, batchOptions{Verbose: c.verbose}, c.in)
		musttest.Is(t, got, c.want, c.name)
	}
}

// A message is bounded, however long the name is that it is about.
func TestBatchMessagesAreBounded(t *testing.T) {
	out, _ := runBatch(t, session.Options{}, batchOptions{}, `{"`+strings.Repeat("é", 1<<20)+`":1}`)
	if len(out) > maxMessageLength+100 || !json.Valid([]byte(out)) || strings.Contains(out, "\ufffd") {
		t.Errorf("%d bytes: %.2000q", len(out), out)
	}
}

// Lines of a batch are counted by the model that they are for.
func TestBatchCountsByModel(t *testing.T) {
	const line = `{"id":1,"items":[{"content":"안녕하세요 세계"}],"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":100}}` + "\n"
	total := func(o session.Options) string {
		t.Helper()
		out := printed(t, answerBatch, line, o, batchOptions{})
		_, after, _ := strings.Cut(out, `"totalTokens":`)
		n, _, _ := strings.Cut(after, ",")
		return n
	}
	if a, b, c, d := total(session.Options{}), total(session.Options{Model: "gpt-4"}), total(session.Options{Model: "claude", TokenFactor: "3"}), total(session.Options{MessageOverhead: "4"}); a != "3" || b != "9" || c != "9" || d != "7" {
		t.Errorf("%s, as gpt-4 %s, threefold %s, with overhead %s", a, b, c, d)
	}
}

// A line that is too long is answered with its own id, as far as that is whole; an id within an item is none.
func TestTooLongKeepsItsID(t *testing.T) {
	for beginning, id := range map[string]string{
		`{"id":"x","items":[{"content":"aaa`:                        `"x"`,
		`{"items":[{"metadata":{"id":2}}],"id":1,"name":"a`:         `1`,
		`{"items":[{"metadata":{"id":2},"content":"\"},\"id\":3,`:   `null`,
		`{"id":1,"items":[{"content":"a","id":2}],"id":3,"name":"a`: `1`,
		`{"items":[{"id":"x","content":"a"},{"id":"y"}],"id":`:      `null`,
		`{"id":"x`: `null`,
		`{"id":12`: `null`, // of which more may follow
	} {
		out, report := tooLong(12, []byte(beginning), nil)
		want := fmt.Sprintf(`{"id":%s,"schema":"cupelscope/batch/2","error":{"code":"invalid-input","message":"the line is longer than %d bytes","line":12}}`+"\n", id, len(beginning))
		musttest.Is(t, string(out), want, beginning)
		musttest.Is(t, report.failed, invalidInput, beginning)
	}
}

// A compressed batch is answered as it is.
func TestBatchUnpacks(t *testing.T) {
	const line = `{"id": 1, "query": {"op": "profile", "ceiling": 9}, "items": [{"content": "a", "tokens": 5}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}` + "\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, line)
	w.Close()
	for _, o := range []session.Options{{}, {Sources: []string{musttest.File(t, "batch.jsonl.gz", packed.String())}}} {
		if out, diagnostics, err := ran(answerBatch, packed.String(), o, batchOptions{}); err != nil || brief(out) != `{"id":1,"bands":[[[5,9]]]}`+"\n" {
			t.Errorf("%v: %s%s", err, out, diagnostics)
		}
	}
}

// A question scores the items of a line that have no relevance as BM25 does, and
// --query, which is one for all lines, counts before it.
func TestBatchQuestions(t *testing.T) {
	const line = `{"id": 1, %s"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [` +
		`{"content": "a cat and a dog", "tokens": 5}, {"content": "a dog", "tokens": 5}, {"content": "a boat", "tokens": 5, "futureRelevanceHint": 0.3}]}` + "\n"
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "a cat and a dog", Tokens: 5}, {Content: "a dog", Tokens: 5}, {Content: "a boat", Tokens: 5, FutureRelevanceHint: model.Some(0.3)},
	}))(t)
	for _, c := range []struct{ field, flag, question string }{
		{`"question": "cat", `, "", "cat"},
		{`"question": " dog ", `, "", "dog"},
		{`"question": "dog", `, "cat", "cat"},
		{"", "dog", "dog"},
		{`"question": "", `, "", ""},
		{`"question": null, `, "", ""},
	} {
		out, told, err := ran(answerBatch, fmt.Sprintf(line, c.field), session.Options{Query: c.flag}, batchOptions{})
		musttest.Do(t, err)
		got := musttest.JSON[struct {
			Included []struct {
				Index int
				Score float64
			}
		}](t, out)
		musttest.Is(t, len(got.Included), 3, c.field, out, told)
		want := []float64{0, 0, 0.3}
		if c.question != "" {
			q := musttest.Of(relevance.Ask(context.Background(), set, c.question))(t)
			scored := musttest.Of(set.With(set.Edits().WithQuery(q)))(t)
			for i := range want {
				want[i] = scored.Hint(i)
			}
			if want[0] == want[1] || want[2] != 0.3 {
				t.Fatalf("%q scores %v", c.question, want)
			}
		}
		for _, in := range got.Included {
			musttest.Is(t, in.Score, want[in.Index], c.field, "--query", c.flag, "item", in.Index)
		}
	}
	for field, says := range map[string]string{
		`"question": 7, `: "question must be a string",
		`"question": "` + strings.Repeat("word ", 1<<13) + `", `: "question",
	} {
		if out, _, err := ran(answerBatch, fmt.Sprintf(line, field), session.Options{}, batchOptions{}); err == nil || !strings.Contains(out, `"code":"invalid-input"`) || !strings.Contains(out, says) {
			t.Errorf("%.30s: %v, %.300s", field, err, out)
		}
	}
}

// A line of a batch that is longer than flow.MaxLine gets an error as its answer, and the
// line after it its own.
func TestALineOfABatchIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it holds 256 MB")
	}
	const line = `{"items":[{"content":"a","tokens":6,"metadata":{"id":2}}],"id":1,"policy":{"scorers":[{"type":"reflexive","weight":1}]},"budget":{"maxTokens":9}}`
	var out, said bytes.Buffer
	in := io.MultiReader(io.LimitReader(blanks{}, flow.MaxLine+1-int64(len(line))), strings.NewReader(line+"\n"+line+"\n"))
	musttest.Do(t, answerBatch(t.Context(), session.Options{Sources: []string{"-"}}, batchOptions{Jobs: 1}, Streams{In: in, Out: &out, Err: &said}))
	first, second, _ := strings.Cut(out.String(), "\n")
	if !strings.HasPrefix(first, `{"id":1,"schema":"cupelscope/batch/2","error"`) || !strings.HasPrefix(second, `{"id":1,`) || strings.Contains(second, `"error"`) {
		t.Errorf("%s", &out)
	}
}

// The lines of a batch that are answered at a time take no more than CONTRIBUTING.md says,
// with those that wait. The collector works often here, so that its pace decides nothing.
func TestMemoryOfABatch(t *testing.T) {
	musttest.Alone(t)
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	values := ""
	for i := range 20 {
		values += fmt.Sprintf(`,"v%d":%d`, i, i)
	}
	const jobs, lines, size = 4, 16, 1 << 20
	for _, c := range []struct {
		name, item string
		values     int // in the metadata of an item
	}{
		{"texts", `{"content":"` + strings.Repeat("words of an output, ", 27) + `","tokens":120,"kind":"Document"}`, 0},
		{"small items", `{"content":"words of an output, ","tokens":12}`, 0},
		{"items with 20 values", `{"content":"1","tokens":1` + values + `}`, 20},
	} {
		items := size / len(c.item)
		line := `{"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":9},"items":[` +
			strings.TrimSuffix(strings.Repeat(c.item+",", items), ",") + "]}\n"
		in := strings.Repeat(line, lines)
		var now, base runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&base)
		s := Streams{In: strings.NewReader(in), Out: io.Discard, Err: io.Discard}
		done := make(chan error)
		go func() {
			done <- answerBatch(t.Context(), session.Options{Sources: []string{"-"}}, batchOptions{Jobs: jobs}, s)
		}()
		var highest uint64
		for answered := false; !answered; {
			runtime.ReadMemStats(&now)
			highest = max(highest, now.HeapAlloc)
			select {
			case err := <-done:
				musttest.Do(t, err)
				answered = true
			case <-time.After(2 * time.Millisecond):
			}
		}
		most := jobs * (20*len(line) + items*(1000+120*c.values))
		got := int(highest - base.HeapAlloc)
		t.Logf("%s: %.1f times the size of %d lines, at most %.1f", c.name, float64(got)/float64(jobs*len(line)), jobs, float64(most)/float64(jobs*len(line)))
		if got > most {
			t.Errorf("%s: %d bytes, want at most %d", c.name, got, most)
		}
	}
}

// blanks is white space without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// FORMATS.md gives the bounds of what the verbs read.
func TestFormatsDocumentHasTheBoundsOfVerbs(t *testing.T) {
	text := musttest.Of(os.ReadFile("../../model/itemset/FORMATS.md"))(t)
	for _, row := range []string{
		fmt.Sprintf("| a line of a batch | %d MiB |", flow.MaxLine>>20),
		fmt.Sprintf("| the file of a policy or of checks | %d MiB |", itemset.MaxSmallBytes>>20),
		fmt.Sprintf("| changes of a profile | 2^%d |", bits.Len(slicer.MaxRecords)-1),
	} {
		musttest.Says(t, string(text), "\n"+row, "FORMATS.md", row)
	}
}
