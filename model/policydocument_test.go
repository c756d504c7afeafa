package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// TestPolicyDocument draws POLICY.md and the JSON Schema of policies from the tables that
// policies are read by: go test ./model -run PolicyDocument -update writes both.
func TestPolicyDocument(t *testing.T) {
	document := policyDocument(t)
	_, example, _ := strings.Cut(document, "```json\n")
	example, _, _ = strings.Cut(example, "```")
	musttest.Is(t, musttest.Refusal(ParsePolicy([]byte(example))), nil, "the example")
	goldentest.Check(t, "POLICY.md", document)
	schema := ordered{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", "urn:cupelscope:policy:1"}, {"title", "A policy, in Cupel's JSON"},
		{"$ref", "#/$defs/policy"},
		{"$defs", ordered{
			{"policy", tableSchema(policyTable(new(Policy), 0), "")},
			{"scorer", typesSchema(scorerTable(new(Scorer), 0), ScorerTypes())},
		}},
	}
	text := musttest.Of(json.MarshalIndent(schema, "", "  "))(t)
	goldentest.Check(t, filepath.Join("..", "simulate", "export", "schema", "policy.json"), string(text)+"\n")
}

// ordered is a JSON object whose members keep their order.
type ordered []named

type named struct {
	name  string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		before := ","
		if i == 0 {
			before = "{"
		}
		fmt.Fprintf(&b, "%s%q:%s", before, m.name, value)
	}
	return append(b.Bytes(), '}'), nil
}

// tableSchema is the schema of the objects of a table that have the type is.
func tableSchema(t table, is string) ordered {
	var properties ordered
	var required []string
	for _, m := range t.rows {
		if m.owners != nil {
			*t.is = is
		}
		if !t.has(m) {
			continue
		}
		schema := m.value.(described).schema()
		if m.name == "type" && is != "" {
			schema = ordered{{"const", is}}
		}
		if m.presence < present { // null is as missing
			schema = orNull(schema)
		} else {
			required = append(required, m.name)
		}
		if about := cmp.Or(m.about, m.help); about != "" {
			schema = append(ordered{{"description", about}}, schema...)
		}
		properties = append(properties, named{m.name, schema})
	}
	schema := ordered{{"type", "object"}, {"properties", properties}}
	if required != nil {
		schema = append(schema, named{"required", required})
	}
	return append(schema, named{"additionalProperties", false})
}

// typesSchema is the schema of the objects of a table: one for each type.
func typesSchema[T ~string](t table, types []T) ordered {
	var all []ordered
	for _, name := range types {
		all = append(all, tableSchema(t, string(name)))
	}
	return ordered{{"oneOf", all}}
}

func orNull(schema ordered) ordered {
	for i, m := range schema {
		switch v := m.value.(type) {
		case string:
			if m.name == "type" {
				schema[i].value = []string{v, "null"}
			}
		case []any:
			schema[i].value = append(v, nil)
		}
	}
	return schema
}

// described is a value with a schema, and its values in words.
type described interface {
	schema() ordered
	words() string
}

func (v text[T]) schema() ordered { return ordered{{"type", "string"}} }
func (v text[T]) words() string   { return "text" }

func (v word[T]) schema() ordered {
	var all []any
	for _, name := range v.known {
		all = append(all, name)
	}
	return ordered{{"enum", all}}
}

func (v word[T]) words() string {
	var all []string
	for _, name := range v.known {
		all = append(all, "`"+string(name)+"`")
	}
	return strings.Join(all, ", ")
}

func (v real) schema() ordered {
	number := ordered{{"type", "number"}}
	switch v.bounds {
	case aboveZero, secondsAbove0:
		return append(number, named{"exclusiveMinimum", 0})
	case atLeastZero:
		return append(number, named{"minimum", 0})
	case zeroToOne:
		return append(number, named{"minimum", 0}, named{"maximum", 1})
	case zeroToHundred:
		return append(number, named{"minimum", 0}, named{"maximum", 100})
	}
	return number
}
func (v real) words() string { return string(v.bounds) }

func (v optionalReal) schema() ordered { return real{bounds: v.bounds}.schema() }
func (v optionalReal) words() string   { return string(v.bounds) }

func (v whole[T]) schema() ordered {
	return ordered{{"type", "integer"}, {"minimum", v.min}, {"maximum", v.max}}
}
func (v whole[T]) words() string { return fmt.Sprintf("a whole number, %v to %v", v.min, v.max) }

func (v truth) schema() ordered { return ordered{{"type", "boolean"}} }
func (v truth) words() string   { return "`true`, `false`" }

func (v instant) schema() ordered { return ordered{{"type", "string"}} }
func (v instant) words() string   { return "a time, as in 2026-03-01T09:00:00Z" }

func (v entries[E]) schema() ordered {
	_, value := v.parts(new(E))
	return ordered{{"type", "object"}, {"additionalProperties", value.(described).schema()}}
}

func (v entries[E]) words() string {
	_, value := v.parts(new(E))
	return "an object of names, each with " + value.(described).words()
}

func (v object[T]) schema() ordered {
	switch to := any(new(T)).(type) {
	case *DecayCurve:
		return typesSchema(curveTable(to, 0), CurveTypes())
	default:
		return ordered{{"$ref", "#/$defs/scorer"}}
	}
}

func (v object[T]) words() string {
	if _, curve := any(new(T)).(*DecayCurve); curve {
		return "an object: see curves"
	}
	return "a scorer"
}

func (v list[T]) schema() ordered {
	var of ordered
	switch to := any(new(T)).(type) {
	case *Scorer:
		return ordered{{"type", "array"}, {"minItems", 1}, {"items", ordered{{"$ref", "#/$defs/scorer"}}}}
	case *Quota:
		of = tableSchema(quotaTable(to, 0), "")
	case *CountQuota:
		of = tableSchema(countQuotaTable(to, 0), "")
	case *DecayWindow:
		return ordered{{"type", "array"}, {"minItems", 1}, {"items", tableSchema(windowTable(to, 0), "")}}
	}
	return ordered{{"type", "array"}, {"items", of}}
}

func (v list[T]) words() string {
	if _, scorers := any(new(T)).(*Scorer); scorers {
		return "a list of scorers, at least one"
	}
	return "a list of objects"
}

// meanings are the words of the values that have no table of their own.
var meanings = map[string]string{
	string(Chronological): "oldest first, then the items without a time",
	string(UShaped):       "the best items at both ends, the worst in the middle",
	string(Throw):         "is an error",
	string(Truncate):      "goes through the result and drops each item that no longer fits, never a pinned one",
	string(Proceed):       "keeps everything, and records by how much it is over",
	string(Degrade):       "selects all items of the kind, and the report has the rest as a shortfall",
}

func policyDocument(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`# Policies

Drawn from the tables that policies are read by. A policy says how items are scored, selected and placed. It is Cupel's JSON:
` + "`--policy FILE`" + ` reads it, ` + "`cupelscope policy`" + ` prints the one in force, and ` + "`cupelscope schema policy`" + ` prints its JSON Schema.

` + "```json" + `
{
  "name": "by relevance",
  "scorers": [
    {"type": "reflexive", "weight": 3},
    {"type": "metadataKey", "weight": 1, "key": "source", "value": "handbook", "boost": 1.5}
  ],
  "slicerType": "knapsack",
  "knapsackBucketSize": 50,
  "quotas": [{"kind": "ToolOutput", "maxPercent": 40}]
}
` + "```" + `

Names are case-sensitive. What is not known, what is given twice and what does not belong together is an error that names the field.
A field that is null is as if it were missing.

## Fields

`)
	rows := func(of table, is string) {
		b.WriteString("| field | values | if missing | is |\n|---|---|---|---|\n")
		for _, m := range of.rows {
			if is != "" && (m.owners == nil || !slices.Contains(m.owners, is)) {
				continue
			}
			missing := "refused"
			if m.presence < present {
				missing = missingWords(m)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.name, m.value.(described).words(), missing, cmp.Or(m.about, m.help))
		}
	}
	p := NewPolicy()
	rows(policyTable(&p, 0), "")
	b.WriteString("\n`quotas` and `countQuotas` exclude each other, and neither goes with `stream`. `keepPairs` goes with neither, nor with `stream`.\n\n## Scorers\n\n" +
		"A scorer has a `type` and a `weight`, a finite number above 0. Weights count by their share of the sum.\n\n| type | score of an item |\n|---|---|\n")
	for _, s := range scorerTypes(new(Scorer), 0, Beginning{}) {
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", s.name, notCupel(s.ours), s.does)
	}
	table := scorerTable(new(Scorer), 0)
	for _, name := range ScorerTypes() {
		if len(name.row().parameters) > 0 {
			fmt.Fprintf(&b, "\n`%s`:\n\n", name)
			rows(table, string(name))
		}
	}
	b.WriteString("\nKinds without weights of their own have ")
	for i, w := range DefaultKindWeights() {
		fmt.Fprintf(&b, "%s%s %v", [...]string{"", ", "}[min(i, 1)], w.Kind, w.Weight)
	}
	b.WriteString(".\n\n### Curves of decay\n")
	for _, curve := range CurveTypes() {
		fmt.Fprintf(&b, "\n`%s`:\n\n", curve)
		rows(curveTable(new(DecayCurve), 0), string(curve))
	}
	b.WriteString("\nA window has:\n\n")
	rows(windowTable(new(DecayWindow), 0), "")
	b.WriteString("\n## Slicers\n\nWhat a slicer does with the items and the room that pinned items leave:\n\n| slicerType | |\n|---|---|\n")
	for _, s := range SlicerTypes() {
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", s, notCupel(s.Ours()), Policy{Slicer: s}.SlicerDoes())
	}
	b.WriteString("\n## Quotas\n\nEach of `quotas` has at least one of the two bounds; the minima add up to 100 at most:\n\n")
	rows(quotaTable(new(Quota), 0), "")
	b.WriteString("\nEach of `countQuotas` has both bounds:\n\n")
	rows(countQuotaTable(new(CountQuota), 0), "")
	for _, group := range []struct {
		heading string
		names   []string
	}{{"placerType", Names(PlacerTypes())}, {"overflowStrategy", Names(OverflowStrategies())}, {"scarcityBehavior", Names(Scarcities())}} {
		b.WriteString("\n| " + group.heading + " | |\n|---|---|\n")
		for _, name := range group.names {
			if meanings[name] == "" {
				t.Errorf("%s %s has no meaning", group.heading, name)
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, meanings[name])
		}
	}
	b.WriteString("\n## Presets\n\n`--preset NAME` takes one of Cupel's named policies. All of them drop duplicates, and a result above the target is an error.\n\n" +
		"| preset | for | scorers and weights | slicer | placer |\n|---|---|---|---|---|\n")
	for _, p := range Presets() {
		var scorers []string
		for _, s := range p.Scorers {
			scorers = append(scorers, fmt.Sprintf("%s %v", s.Type, s.Weight))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.Description, strings.Join(scorers, ", "), p.SlicerName(), p.Placer)
	}
	return b.String()
}

// missingWords says what stands for a member that may be missing.
func missingWords(m member) string {
	switch v := m.value.(type) {
	case optionalReal:
		if v.bounds == zeroToOne {
			return fmt.Sprint(v.otherwise)
		}
	case entries[KindWeight]:
		return "as below"
	}
	switch m.name {
	case bucketSize.Field:
		return bucketSize.usual.String()
	case batchSize.Field:
		return batchSize.usual.String()
	case "scarcityBehavior":
		return "`" + string(Degrade) + "`"
	}
	var w writer
	m.write(&w)
	if text := strings.Trim(w.String(), `"`); m.presence == always && text != "" {
		return "`" + text + "`"
	}
	return "none"
}

func notCupel(ours bool) string {
	if ours {
		return " (not Cupel's)"
	}
	return ""
}
