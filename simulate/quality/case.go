package quality

import (
	"iter"
	"strconv"

	"cupelscope/model"
)

// Case is one set of items with what was needed of it: a question over a
// conversation, a query over documents.
type Case struct {
	Name string
	// Group names cases that hang together, as questions over one conversation
	// do; they count as one in tests, and are never on both sides of a fold. "":
	// the case is a group of its own.
	Group string
	Items *model.Set
	// Budget is the template whose maxTokens an Amount sets, unless it is Own; its
	// reserve, slots, margin and gap are kept. The zero Budget has none of these.
	Budget model.Budget
	Labels model.Labels
}

// group is the name of the case's group. Names of cases and of groups do not mix.
func (c *Case) group(index int) string {
	if c.Group == "" {
		return "case " + strconv.Itoa(index)
	}
	return "group " + c.Group
}

// Cases is a source of cases. Where a case cannot be had the error ends the
// sequence. Tune runs through it several times, and expects the same cases.
type Cases = iter.Seq2[*Case, error]
