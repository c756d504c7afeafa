package itemset

import "fmt"

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
