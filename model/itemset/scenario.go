package itemset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/record"
)

// A scenario is everything needed to repeat an experiment. Its items are in it, or
// in a file of any other format beside it; then a hash among the edits tells whether
// that file is still the one that was edited. Because edits name items by index, no
// item of a scenario is skipped: one that cannot be used is an error.

// usualItemBytes is about the length of an item of a scenario in JSON.
const usualItemBytes = 512

// ScenarioFields returns the names of all fields that a scenario may have.
func ScenarioFields() []string {
	return []string{"name", "items", "itemsFile", "itemsFields", "policy", "policyB", "budget", "slackTokens", "axisEnd", "edits", "labels", "missed", "answers", "checks", "screen", "shrink", "shrinkPinned"}
}

// readScenario reads the document as a scenario.
func (b *builder) readScenario(doc record.Document) error {
	fields, err := b.scenarioFields(doc)
	if err != nil {
		return err
	}
	s, err := b.scenarioValues(fields)
	if err != nil {
		return err
	}
	if err := b.scenarioItems(&s, fields["items"], doc.Ends()); err != nil {
		return err
	}
	if err := b.estimate(); err != nil {
		return err
	}
	set, err := b.newSet()
	if err != nil {
		return &ScenarioError{Name: b.name, Field: "items", Err: err}
	}
	if raw := fields["edits"]; raw != nil {
		if set, err = b.applyEdits(set, raw); err != nil {
			return err
		}
	}
	if set, err = b.shrink(set, fields); err != nil {
		return err
	}
	if err := b.scenarioLabels(set.Len(), fields); err != nil {
		return err
	}
	s.Items, s.Labels = set, b.out.Labels
	if err := s.Validate(); err != nil {
		return &ScenarioError{Name: b.name, Field: "scenario", Err: err}
	}
	b.out.Set, b.out.Scenario = set, model.Some(s)
	return nil
}

// scenarioFields returns the raw JSON of the fields of a scenario, nil for null.
func (b *builder) scenarioFields(doc record.Document) (map[string][]byte, error) {
	fail := func(field, reason string) (map[string][]byte, error) {
		return nil, &ScenarioError{Name: b.name, Field: field, Reason: reason}
	}
	data := bytes.Trim(b.data, " \t\r\n")
	if known := doc.Valid && len(doc.Data) == len(data); !known && !jsonwalk.ValidEnds(data, doc.Ends()) {
		return fail("scenario", "is not JSON: "+jsonwalk.Check(b.data).Error())
	}
	fields := map[string][]byte{}
	key, err := eachField(data, doc.Ends(), slices.Concat(ScenarioFields(), b.opts.ExtraFields), func(key string, value []byte) error {
		fields[key] = value
		return nil
	})
	if err != nil {
		return fail(cmp.Or(key, "scenario"), err.Error())
	}
	switch {
	case fields["policy"] == nil && !b.opts.Fallback.Policy.Set:
		return fail("policy", "is required")
	case fields["budget"] == nil && !b.opts.Fallback.Budget.Set:
		return fail("budget", "is required")
	}
	if b.opts.ExtraFields != nil {
		b.out.Fields = fields
	}
	return fields, nil
}

// scenarioValues reads the fields of a scenario other than its items, their edits and
// their labels.
func (b *builder) scenarioValues(fields map[string][]byte) (model.Scenario, error) {
	s := model.Scenario{Policy: b.opts.Fallback.Policy.Value, Budget: b.opts.Fallback.Budget.Value}
	text := func(to *string) func([]byte) (string, error) {
		return func(raw []byte) (reason string, err error) {
			var ok bool
			if *to, ok = jsonwalk.String(raw); !ok {
				reason = "is " + jsonwalk.TypeName(raw) + ", must be a string"
			}
			return reason, nil
		}
	}
	tokens := func(to *model.Tokens) func([]byte) (string, error) {
		return func(raw []byte) (reason string, err error) {
			var ok bool
			if *to, ok = record.Whole(raw); !ok {
				reason = fmt.Sprintf("is %.40s, must be a whole number", raw)
			}
			return reason, nil
		}
	}
	for _, f := range [...]struct {
		name string
		read func(raw []byte) (reason string, err error)
	}{
		{"name", text(&s.Name)},
		{"itemsFile", text(&s.ItemsFile)},
		{"itemsFields", func(raw []byte) (string, error) {
			s.ItemsFields = json.RawMessage(record.Compact(raw))
			return "", b.opts.Fields.parse(raw)
		}},
		{"policy", func(raw []byte) (string, error) { return "", s.Policy.UnmarshalJSON(raw) }},
		{"policyB", func(raw []byte) (string, error) { s.PolicyB.Set = true; return "", s.PolicyB.Value.UnmarshalJSON(raw) }},
		{"budget", func(raw []byte) (string, error) { return "", s.Budget.UnmarshalJSON(raw) }},
		{"slackTokens", tokens(&s.Slack)},
		{"axisEnd", tokens(&s.Ceiling)},
		{"checks", func(raw []byte) (string, error) { s.Checks = json.RawMessage(record.Compact(raw)); return "", nil }},
		{"screen", func(raw []byte) (reason string, err error) {
			if jsonwalk.Type(raw) != '{' {
				reason = "is " + jsonwalk.TypeName(raw) + ", must be an object"
			}
			s.Screen = json.RawMessage(record.Compact(raw))
			return reason, nil
		}},
	} {
		if raw := fields[f.name]; raw != nil {
			if reason, err := f.read(raw); reason != "" || err != nil {
				return s, &ScenarioError{Name: b.name, Field: f.name, Reason: reason, Err: err}
			}
		}
	}
	return s, nil
}

// scenarioLabels reads the labels, as in {"12": 1, "31": 2}, which replace those of
// the items, the grades of needed items that were not found, as in [1, 2], and the
// answers.
func (b *builder) scenarioLabels(items int, fields map[string][]byte) error {
	l := &b.out.Labels
	if missed := fields["missed"]; missed != nil {
		if err := json.Unmarshal(missed, &l.Missed); err != nil {
			return &ScenarioError{Name: b.name, Field: "missed", Reason: "must be an array of whole numbers"}
		}
		if err := (model.Labels{Missed: l.Missed}).Validate(items); err != nil {
			return &ScenarioError{Name: b.name, Field: "missed", Err: err}
		}
	}
	if labels := fields["labels"]; labels != nil {
		grades, err := editMap(labels, func(v []byte) (int, bool) {
			n, ok := record.Whole(v)
			return int(n), ok
		})
		if err == nil {
			err = model.Labels{Grades: grades}.Validate(items)
		}
		if err != nil {
			return &ScenarioError{Name: b.name, Field: "labels", Err: err}
		}
		l.Grades = grades
	}
	if answers := fields["answers"]; answers != nil {
		all, ok := record.Strings(answers)
		if !ok {
			return &ScenarioError{Name: b.name, Field: "answers", Reason: "must be an array of strings"}
		}
		if err := (model.Labels{Answers: all}).Validate(items); err != nil {
			return &ScenarioError{Name: b.name, Field: "answers", Err: err}
		}
		l.Answers = append([]string{}, all...) // none is not the same as not given
	}
	return nil
}

// scenarioItems reads the items from the scenario, or from its itemsFile if items is
// nil. ends are those of the scenario.
func (b *builder) scenarioItems(s *model.Scenario, items []byte, ends *jsonwalk.Ends) error {
	fail := func(field, reason string) error { return &ScenarioError{Name: b.name, Field: field, Reason: reason} }
	switch {
	case items != nil && s.ItemsFile != "":
		return fail("itemsFile", "and items are both given: give one of them")
	case items == nil && s.ItemsFile == "":
		return fail("items", "or itemsFile is required")
	case items != nil && s.ItemsFields != nil:
		return fail("itemsFields", "is for the list in an itemsFile, but items are given")
	case items != nil && jsonwalk.Type(items) != '[':
		return fail("items", "is "+jsonwalk.TypeName(items)+", must be an array")
	case items != nil:
		place := 0
		// About as many as there are, where they are small.
		b.items = slices.Grow(b.items, min(len(items)/usualItemBytes, 4096))
		for raw := range jsonwalk.ElementsTo(items, ends) {
			place++
			if !b.Next() {
				return b.ctx.Err()
			}
			var it cupel.Item
			problem := "is " + jsonwalk.TypeName(raw) + ", must be an object"
			if jsonwalk.Type(raw) == '{' {
				it, problem = cupel.Parse(raw, ends)
			}
			if problem != "" {
				return fail(fmt.Sprintf("items[%d]", place-1), problem)
			}
			it.Give(b, record.Place{N: place})
		}
		return nil
	}
	return b.itemsOf(s.ItemsFile)
}
