package quality

import (
	"iter"
	"strconv"

	"cupelscope/model"
)

// Case is one set of items with labels for what was needed of it: for example
// a question about a conversation, or a query over documents.
type Case struct {
	Name     string
	Question string // what it is about, to show; "" where that is not known
	// Group names the cases that depend on each other, as questions about one
	// conversation do. They count as one in tests and are always in the same
	// fold. A case without a Group is a group of its own.
	Group string
	Items *model.Set
	// Budget is the template whose maxTokens an Amount sets, unless it is Own; its
	// reserve, slots, margin and gap are kept. The zero Budget has none of these.
	Budget model.Budget
	Labels model.Labels
	Text   Text // of sizes, see NewJudge; nil where no item may be cut
}

// group returns the name of the case's group. A case without a group is a group of
// its own, named after its index; such names differ from the names of all other groups.
func (c *Case) group(index int) string {
	if c.Group == "" {
		return "case " + strconv.Itoa(index)
	}
	return "group " + c.Group
}

// Cases is a source of cases. If a case cannot be read, the error ends the
// sequence. Tune iterates over it several times and expects the same cases
// each time.
type Cases = iter.Seq2[*Case, error]
