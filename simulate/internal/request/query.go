package request

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset"
)

// Op names what a line of a batch asks for.
type Op string

const (
	OpDryRun    Op = "dryRun"    // a report; the default
	OpMarginal  Op = "marginal"  // which items go out at a budget smaller by the slack
	OpMinBudget Op = "minBudget" // from which budget an item is in
	OpProfile   Op = "profile"   // at which budgets all items are in
	OpCompare   Op = "compare"   // what policy and policyB have in common, and what not
	OpQuality   Op = "quality"   // how much of what was needed is in
)

// Ops lists what a query may ask for.
func Ops() []Op { return []Op{OpDryRun, OpMarginal, OpMinBudget, OpProfile, OpCompare, OpQuality} }

// Query is what a line of a batch asks for. Only the fields of its Op are set;
// their bounds are checked where it is answered.
type Query struct {
	Op            Op
	Slack         model.Option[model.Tokens] // marginal
	ItemIndex     int                        // minBudget
	SearchCeiling model.Tokens               // minBudget
	Bare          bool                       // minBudget: without the template
	Ceiling       model.Tokens               // profile, quality
	Wanted        model.Option[float64]      // quality: the recall for which budgets are asked
}

// QueryError says which field of a query is wrong.
type QueryError struct {
	Field  string // "query", "query.op", ...
	Reason string
}

func (e *QueryError) Error() string { return e.Field + " " + e.Reason }

// queryFields returns the fields that a query with an op may have, and those it must have.
func queryFields(op Op) (fields []string, required []string) {
	switch op {
	case OpMarginal:
		return []string{"op", "slackTokens"}, nil
	case OpMinBudget:
		return []string{"op", "itemIndex", "searchCeiling", "bare"}, []string{"itemIndex", "searchCeiling"}
	case OpProfile:
		return []string{"op", "ceiling"}, []string{"ceiling"}
	case OpQuality:
		return []string{"op", "wanted", "ceiling"}, []string{"ceiling"}
	}
	return []string{"op"}, nil
}

// parseQuery reads a valid JSON value; nil is the default.
func parseQuery(raw []byte) (Query, error) {
	q := Query{Op: OpDryRun}
	if raw == nil {
		return q, nil
	}
	if is := itemset.TypeName(raw); is != "an object" {
		return Query{}, &QueryError{"query", fmt.Sprintf("is %s, must be an object", is)}
	}
	given := itemset.ObjectOf(raw)
	if err := q.parseOp(given); err != nil {
		return Query{}, err
	}
	if err := q.parseFields(given); err != nil {
		return Query{}, err
	}
	return q, nil
}

func wrong(field, format string, args ...any) error {
	return &QueryError{"query." + field, fmt.Sprintf(format, args...)}
}

// parseOp sets the op, and checks that the query has the fields of it and no
// others.
func (q *Query) parseOp(given itemset.Object) error {
	for i, m := range given {
		if given[:i].Has(m.Key) {
			return wrong(m.Key, "appears twice")
		}
	}
	if raw := given.Raw("op"); raw != nil {
		if q.Op = Op(given.Text("op")); !slices.Contains(Ops(), q.Op) {
			return wrong("op", "%.40s is not known; known are dryRun, marginal, minBudget, profile, compare, quality", raw)
		}
	}
	fields, required := queryFields(q.Op)
	for _, m := range given {
		if !slices.Contains(fields, m.Key) {
			return wrong(m.Key, "is not known for op %s; known are %s", q.Op, strings.Join(fields, ", "))
		}
	}
	for _, key := range required {
		if given.Raw(key) == nil {
			return wrong(key, "is required for op %s", q.Op)
		}
	}
	return nil
}

// parseFields sets all fields but the op.
func (q *Query) parseFields(given itemset.Object) error {
	for _, f := range [...]struct {
		key string
		set func(model.Tokens)
	}{
		{"slackTokens", func(n model.Tokens) { q.Slack = model.Some(n) }},
		{"itemIndex", func(n model.Tokens) { q.ItemIndex = int(n) }},
		{"searchCeiling", func(n model.Tokens) { q.SearchCeiling = n }},
		{"ceiling", func(n model.Tokens) { q.Ceiling = n }},
	} {
		raw := given.Raw(f.key)
		if raw == nil {
			continue
		}
		n, ok := itemset.Whole(raw)
		if !ok {
			return wrong(f.key, "is %.40s, must be a whole number", raw)
		}
		f.set(n)
	}
	if raw := given.Raw("wanted"); raw != nil {
		wanted, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || !(wanted > 0 && wanted <= 1) {
			return wrong("wanted", "is %.40s, must be above 0 and at most 1", raw)
		}
		q.Wanted = model.Some(wanted)
	}
	if raw := given.Raw("bare"); raw != nil && itemset.TypeName(raw) != "a boolean" {
		return wrong("bare", "is %s, must be true or false", itemset.TypeName(raw))
	}
	q.Bare = given.Is("bare")
	return nil
}
