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

// A scenario is everything needed to repeat an experiment. Its items are in it, or in a file of
// any other format beside it. A hash among the edits then tells whether that file has changed
// since it was edited. Because edits name items by index, no item of a scenario is skipped: one
// that cannot be used is an error.

// usualItemBytes is about the length of an item of a scenario in JSON.
const usualItemBytes = 512

// ScenarioFields returns the names of all fields that a scenario may have.
func ScenarioFields() []string {
	return []string{"name", "items", "itemsFile", "itemsFields", "policy", "policyB", "budget", "slackTokens", "axisEnd", "edits", "labels", "missed", "answers", "checks", "screen", "shrink", "shrinkPinned"}
}

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
		return b.wrong("items", err)
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
	switch { // once what is given is known to be right
	case fields["policy"] == nil && !b.opts.Fallback.Policy.Set:
		return b.wrong("policy", reason("is required"))
	case fields["budget"] == nil && !b.opts.Fallback.Budget.Set:
		return b.wrong("budget", reason("is required"))
	}
	s.Items, s.Labels = set, b.out.Labels
	if err := s.Validate(); err != nil {
		return b.wrong("scenario", err)
	}
	b.out.Set, b.out.Scenario = set, model.Some(s)
	return nil
}

// scenarioFields returns the raw JSON of the fields of a scenario, nil for null.
func (b *builder) scenarioFields(doc record.Document) (map[string][]byte, error) {
	fail := func(field, why string) (map[string][]byte, error) { return nil, b.wrong(field, reason(why)) }
	data := bytes.Trim(b.data, " \t\r\n")
	if known := doc.Valid && len(doc.Data) == len(data); !known && !jsonwalk.ValidEnds(data, doc.Ends()) {
		return fail("scenario", "is not JSON: "+jsonwalk.Check(b.data).Error())
	}
	fields := map[string][]byte{}
	key, err := jsonwalk.Fields(data, doc.Ends(), slices.Concat(ScenarioFields(), b.opts.ExtraFields), func(key string, value []byte) error {
		fields[key] = value
		return nil
	})
	if err != nil {
		return fail(cmp.Or(key, "scenario"), err.Error())
	}
	if b.opts.ExtraFields != nil {
		b.out.Fields = fields
	}
	return fields, nil
}

// fieldReader reads a field of a scenario.
type fieldReader struct {
	name string
	read func(raw []byte) error
}

// readFields reads the fields that are given.
func (b *builder) readFields(fields map[string][]byte, readers ...fieldReader) error {
	for _, f := range readers {
		if raw := fields[f.name]; raw != nil {
			if err := f.read(raw); err != nil {
				return b.wrong(f.name, err)
			}
		}
	}
	return nil
}

// into returns what reads a value that must be of a type.
func into[T any](to *T, read func([]byte) (T, bool), must string) func([]byte) error {
	return func(raw []byte) error {
		value, ok := read(raw)
		*to = value
		if ok {
			return nil
		}
		is := fmt.Sprintf("%.40s", raw)
		if c := jsonwalk.Type(raw); c == '{' || c == '[' {
			is = jsonwalk.TypeName(raw)
		}
		return reason("is " + is + ", must be " + must)
	}
}

// scenarioValues reads the fields of a scenario other than its items, their edits and
// their labels.
func (b *builder) scenarioValues(fields map[string][]byte) (model.Scenario, error) {
	s := model.Scenario{Policy: b.opts.Fallback.Policy.Value, Budget: b.opts.Fallback.Budget.Value}
	err := b.readFields(fields,
		fieldReader{"name", into(&s.Name, jsonwalk.String, "a string")},
		fieldReader{"itemsFile", into(&s.ItemsFile, jsonwalk.String, "a string")},
		fieldReader{"itemsFields", func(raw []byte) error {
			s.ItemsFields = json.RawMessage(record.Compact(raw))
			return b.opts.Fields.parse(raw)
		}},
		fieldReader{"policy", s.Policy.UnmarshalJSON},
		fieldReader{"policyB", func(raw []byte) error { s.PolicyB.Set = true; return s.PolicyB.Value.UnmarshalJSON(raw) }},
		fieldReader{"budget", s.Budget.UnmarshalJSON},
		fieldReader{"slackTokens", into(&s.Slack, record.Whole, "a whole number")},
		fieldReader{"axisEnd", into(&s.Ceiling, record.Whole, "a whole number")},
		fieldReader{"checks", func(raw []byte) error { s.Checks = json.RawMessage(record.Compact(raw)); return nil }},
		fieldReader{"screen", into(&s.Screen, func(raw []byte) (json.RawMessage, bool) {
			return json.RawMessage(record.Compact(raw)), jsonwalk.Type(raw) == '{'
		}, "an object")},
	)
	return s, err
}

// scenarioLabels reads the answers, the labels, as in {"12": 1, "31": 2}, which replace the
// labels of the items, and the grades of needed items that were not found, as in [1, 2].
func (b *builder) scenarioLabels(items int, fields map[string][]byte) error {
	l := &b.out.Labels
	valid := func(read func([]byte) error) func([]byte) error {
		return func(raw []byte) error {
			if err := read(raw); err != nil {
				return err
			}
			return l.Validate(items)
		}
	}
	return b.readFields(fields,
		fieldReader{"answers", valid(func(raw []byte) error {
			all, ok := record.Strings(raw)
			l.Answers = append([]string{}, all...)
			if !ok { // none is not the same as not given
				return reason("must be an array of strings")
			}
			return nil
		})},
		fieldReader{"missed", valid(func(raw []byte) error {
			if json.Unmarshal(raw, &l.Missed) != nil {
				return reason("must be an array of whole numbers")
			}
			return nil
		})},
		fieldReader{"labels", valid(func(raw []byte) (err error) {
			l.Grades, err = editMap(raw, func(v []byte) (int, bool) { n, ok := record.Whole(v); return int(n), ok })
			return err
		})},
	)
}

// scenarioItems reads the items from the scenario, or from its itemsFile if items is nil. ends
// is from the check of the scenario.
func (b *builder) scenarioItems(s *model.Scenario, items []byte, ends *jsonwalk.Ends) error {
	fail := func(field, why string) error { return b.wrong(field, reason(why)) }
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

// ScenarioError says which field of a scenario is wrong.
type ScenarioError struct {
	Name   string // name of the source
	Field  string // path of the field, as in "policy" or "items[3]"
	Reason string // what is wrong with it; "" if Err is set
	Err    error  // the error of a policy, budget, item or file; nil if Reason is set
}

func (e *ScenarioError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Name, e.Field, e.Err)
	}
	return fmt.Sprintf("%s: %s %s", e.Name, e.Field, e.Reason)
}

func (e *ScenarioError) Unwrap() error { return e.Err }

// reason is what is wrong with a field, as what follows its name.
type reason string

func (r reason) Error() string { return string(r) }

// wrong returns the error for a field of the scenario that is read.
func (b *builder) wrong(field string, err error) error {
	if why, ok := err.(reason); ok {
		return &ScenarioError{Name: b.name, Field: field, Reason: string(why)}
	}
	return &ScenarioError{Name: b.name, Field: field, Err: err}
}
