package cupel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// The conformance vectors of Cupel as scenarios. A vector is
// one case in TOML: items, what is done with them, and what must come of it (Cupel
// specification, chapter Test Vector Format). A stage says what the case is about:
//
//	pipeline  the whole policy at a budget: opens as it is
//	slicing   a slicer, given scores, a target: the scores become hints under
//	          the reflexive scorer
//	placing   a placer, given scores: as slicing, with a budget that fits all
//	scoring   a scorer: its policy, with a budget that fits all
//
// A key that is not known is an error: it would be something not done. What must
// come of a vector is read by the tests of package pipeline.

// The stages of vectors, spelled as in test.stage.
const (
	scoring  = "scoring"
	slicing  = "slicing"
	placing  = "placing"
	pipeline = "pipeline"
)

// Error says what is wrong in a vector.
type Error struct {
	Name string // name of the source
	Err  error  // the error of the policy, the budget, the items or the TOML
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// file is the layout of a vector, of all stages together.
type file struct {
	Test struct {
		Name, Stage            string
		Scorer, Slicer, Placer string
		ConstructionError      bool `toml:"expect_construction_error"`
	}
	Budget struct {
		Max     *model.Tokens `toml:"max_tokens"`
		Target  *model.Tokens `toml:"target_tokens"`
		Reserve model.Tokens  `toml:"output_reserve"`
		Margin  float64       `toml:"safety_margin_percent"`
		Slots   []struct {
			Kind   model.Kind
			Tokens model.Tokens
		} `toml:"reserved_slots"`
	}
	Config      config
	Items       []item
	ScoredItems []item `toml:"scored_items"`
}

type item struct {
	Content   string
	Tokens    *model.Tokens
	Kind      model.Kind
	Source    model.Source
	Tags      []string
	Priority  *int64
	Timestamp *time.Time
	Hint      *float64 `toml:"futureRelevanceHint"`
	Metadata  map[string]any
	Pinned    bool
	Excluded  bool
	Score     *float64
}

// wanted are the tables that say what must come of a vector.
var wanted = []string{"expected", "expected_output", "tolerance"}

// ReadVector returns the scenario that a vector describes; name is used in errors. Hints
// that are not finite numbers are left out, which changes no score. The sink is told
// about them, and about scores that cannot be hints. The error is an *Error.
func ReadVector(name string, text []byte, sink record.Sink) (model.Scenario, error) {
	s, err := read(text, sink)
	if err != nil {
		return s, &Error{name, err}
	}
	return s, nil
}

func read(text []byte, sink record.Sink) (s model.Scenario, err error) {
	v, err := decode(text)
	if err != nil {
		return s, err
	}
	s.Name = v.Test.Name
	if s.Policy, err = v.policy(); err == nil {
		err = s.Policy.Validate()
	}
	if err != nil {
		return s, fmt.Errorf("config: %w", err)
	}
	items, excluded, err := v.items(sink)
	if err != nil {
		return s, err
	}
	if s.Budget, err = model.NewBudget(v.budget(items, excluded)); err != nil {
		return s, fmt.Errorf("budget: %w", err)
	}
	if s.Items, err = model.NewSet(items); err == nil && len(excluded) > 0 {
		s.Items, err = s.Items.With(model.Edits{Excluded: excluded})
	}
	if err != nil {
		return s, fmt.Errorf("items: %w", err)
	}
	return s, nil
}

func decode(text []byte) (*file, error) {
	if err := bounded(text); err != nil {
		return nil, err
	}
	v := new(file)
	meta, err := toml.Decode(string(text), v)
	if err != nil {
		return nil, reworded(err)
	}
	stages := []string{scoring, slicing, placing, pipeline}
	if !slices.Contains(stages, v.Test.Stage) {
		return nil, fmt.Errorf("test.stage: is %.40q, must be one of %s", v.Test.Stage, strings.Join(stages, ", "))
	}
	for _, key := range meta.Undecoded() {
		// The library forgets that it decoded what lies deep in metadata.
		if !slices.Contains(wanted, key[0]) && !(len(key) > 2 && key[1] == "metadata") {
			return nil, fmt.Errorf("%s: is not known", key)
		}
	}
	withBudget := v.Test.Stage == slicing || v.Test.Stage == pipeline
	for _, table := range [...]struct {
		key     string
		belongs bool
	}{{"scored_items", v.Test.Stage == slicing}, {"items", v.Test.Stage != slicing}, {"budget", withBudget}} {
		if meta.IsDefined(table.key) && !table.belongs {
			return nil, fmt.Errorf("%s: has no meaning in a vector of the stage %s", table.key, v.Test.Stage)
		}
	}
	if withBudget && !meta.IsDefined("budget") {
		return nil, fmt.Errorf("budget: is required in a vector of the stage %s", v.Test.Stage)
	}
	return v, nil
}

// reworded returns an error of the TOML library in the words of this program. A
// mistake of syntax keeps its line and column. For other mistakes the library knows
// only the last key, so the key alone is told.
func reworded(err error) error {
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		key := ""
		if p.LastKey != "" {
			key = p.LastKey + ": "
		}
		return fmt.Errorf("line %d, column %d: %s%s", max(p.Position.Line, 1), max(p.Position.Col, 1), key, p.Message)
	}
	text := strings.TrimPrefix(err.Error(), "toml: ")
	if _, rest, ok := strings.Cut(text, `(last key "`); ok {
		text = strings.Replace(rest, `")`, "", 1)
	}
	return errors.New(text)
}

// items returns the items, and the indexes of those that are excluded.
func (v *file) items(sink record.Sink) ([]model.Item, map[int]bool, error) {
	from, table := v.Items, "items"
	if v.Test.Stage == slicing {
		from, table = v.ScoredItems, "scored_items"
	}
	scored := v.Test.Stage == slicing || v.Test.Stage == placing
	all, excluded := make([]model.Item, len(from)), map[int]bool{}
	for i := range from {
		it := &from[i]
		switch {
		case it.Content == "":
			return nil, nil, fmt.Errorf("%s[%d].content: is required and may not be empty", table, i)
		case it.Tokens == nil:
			return nil, nil, fmt.Errorf("%s[%d].tokens: is required", table, i)
		case scored != (it.Score != nil):
			return nil, nil, fmt.Errorf("%s[%d].score: is for vectors of the stages slicing and placing, which must have it", table, i)
		}
		if it.Excluded {
			excluded[i] = true
		}
		hint := it.Hint
		if scored {
			hint = it.Score
			if !(0 <= *hint && *hint <= 1) {
				sink.Tell(record.Changed, record.Place{N: i + 1}, "scores outside 0 to 1: as hints they count as 0 or 1")
			}
		}
		if hint != nil && (math.IsNaN(*hint) || math.IsInf(*hint, 0)) {
			if !scored {
				sink.Tell(record.Changed, record.Place{N: i + 1}, "future relevance hints that are not finite numbers, left out")
			}
			hint = nil
		}
		all[i] = model.Item{
			Content: it.Content, Tokens: *it.Tokens, Kind: it.Kind, Source: it.Source, Tags: it.Tags, Pinned: it.Pinned,
			Priority: option(it.Priority), FutureRelevanceHint: option(hint),
		}
		if it.Metadata != nil {
			all[i].Metadata, _ = asJSON(it.Metadata).(map[string]any)
		}
		if it.Timestamp != nil {
			at := inUTC(*it.Timestamp)
			if y := at.Year(); y < 1 || y > 9999 { // a time of day has the year 0
				return nil, nil, fmt.Errorf("%s[%d].timestamp: must be a time like 2025-01-31T12:00:00Z, of the years 1 to 9999", table, i)
			}
			all[i].Timestamp = model.Some(at)
		}
	}
	return all, excluded, nil
}

// inUTC returns a time of the TOML library in UTC. A time without a zone is in UTC, as
// in all files that are read; the library takes it to be in the zone of the machine,
// and marks that by the name of the location.
func inUTC(at time.Time) time.Time {
	if strings.HasSuffix(at.Location().String(), "-local") {
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	}
	return at.UTC()
}

// asJSON returns a value of TOML as JSON has it: numbers are json.Number, times and
// numbers that JSON cannot write are text.
func asJSON(value any) any {
	switch v := value.(type) {
	case int64, float64:
		if text := fmt.Sprint(v); json.Valid([]byte(text)) {
			return json.Number(text)
		}
		return fmt.Sprint(v)
	case time.Time:
		if v.Year() == 0 { // a time of day
			return v.Format("15:04:05.999999999")
		}
		return inUTC(v).Format(time.RFC3339Nano)
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, value := range v {
			all[key] = asJSON(value)
		}
		return all
	case []map[string]any:
		return listAsJSON(v)
	case []any:
		return listAsJSON(v)
	}
	return value
}

func listAsJSON[T any](values []T) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = asJSON(value)
	}
	return all
}

// budget returns the fields of the budget. Vectors of the stages scoring and placing
// have no budget and get one that fits all items.
func (v *file) budget(items []model.Item, excluded map[int]bool) model.BudgetFields {
	b := &v.Budget
	f := model.BudgetFields{OutputReserve: b.Reserve, SafetyMargin: b.Margin}
	for _, slot := range b.Slots {
		f.ReservedSlots = append(f.ReservedSlots, model.Slot{Kind: slot.Kind, Tokens: slot.Tokens})
	}
	if b.Max != nil {
		f.MaxTokens = *b.Max
	}
	f.TargetTokens = option(b.Target)
	if v.Test.Stage == scoring || v.Test.Stage == placing {
		for i := range items {
			if t := items[i].Tokens; t > 0 && !excluded[i] {
				f.TargetTokens = model.Some(min(f.Target()+min(t, model.MaxTokens), model.MaxTokens))
			}
		}
	}
	if v.Test.Stage != pipeline {
		f.MaxTokens = f.Target()
		f.TargetTokens = model.Option[model.Tokens]{}
	}
	return f
}

func option[T any](v *T) model.Option[T] {
	if v == nil {
		return model.Option[T]{}
	}
	return model.Some(*v)
}

const (
	// maxBytes bounds a vector, which is one case of a few thousand bytes. The TOML library
	// keeps the whole path of every key, which is quadratic.
	maxBytes = 64 << 10
	// maxDepth bounds the parts of a key and the brackets within each other: more
	// than scorers may be nested, and little enough for a library that calls
	// itself for each.
	maxDepth = 64
)

var (
	// firstLine matches the first line of TOML that says something: the header of a table, or
	// a key, which may be quoted or dotted, with its value.
	firstLine = regexp.MustCompile(`^(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(\[+[\w\-."' :]+\]+[ \t]*(?:#[^\n]*)?|[\w."' :][\w\-."' :]*=[^\n]*)(?:\r?\n|$)`)
	testTable = regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*test[ \t]*\][ \t]*(?:#.*)?\r?$`)
)

// IsVector reports whether a text looks like a vector: its first line that says
// something is TOML and no JSON, and there is a table called test.
func IsVector(text []byte) bool {
	text = text[:min(len(text), maxBytes)]
	first := firstLine.FindSubmatch(text)
	return first != nil && jsonwalk.Check(first[1]) != nil && testTable.Match(text)
}

// bounded refuses a text that is too large or too deep for the TOML library.
func bounded(text []byte) error {
	if len(text) > maxBytes {
		return fmt.Errorf("the vector has %v bytes, must be at most %v", plain.Thousands(len(text)), plain.Thousands(maxBytes))
	}
	quoted := regexp.MustCompile(`(?s)"""(\\.|[^\\])*?"""|'''.*?'''|"(\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*`)
	brackets, dots := 0, 0
	for _, c := range quoted.ReplaceAll(text, nil) {
		switch c {
		case '[', '{':
			brackets, dots = brackets+1, 0
		case ']', '}':
			brackets, dots = max(0, brackets-1), 0
		case ',', '=', '\n':
			dots = 0
		case '.':
			dots++
		}
		if brackets > maxDepth || dots >= maxDepth {
			return fmt.Errorf("the vector is nested more than %d deep", maxDepth)
		}
	}
	return nil
}
