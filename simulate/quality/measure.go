package quality

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Measure is the quality of one result. The package documentation defines each
// measure.
type Measure struct {
	Recall      model.Option[float64] // 0 to 1, of what is in, in any size but the note; not set: nothing was needed
	WholeRecall model.Option[float64] // the same of what is in whole
	Complete    model.Option[bool]    // not set: nothing was needed
	Answered    model.Option[bool]    // of the texts as sent; not set: the labels have no answers, or a text is not known
	ShareNeeded model.Option[float64] // 0 to 1; not set: nothing was needed, or the result has no tokens
	Needed      int                   // number of items with a grade above 0, found or not
	In          int                   // number of the needed items that are in
	Tokens      model.Tokens          // of the result, pinned items included
	Value       float64               // of the result: Report.Value
}

// Judge measures the results of a ranking by labels. A Judge is immutable and
// safe for concurrent use.
type Judge struct {
	needed  []need
	grades  int      // of all needed items together
	answers *answers // nil: none is known
	hold    []int    // items that stand for one whose whole text has an answer
}

// need is an item that is needed, or the survivor that it is a duplicate of, or notFound.
type need struct{ item, grade int }

// notFound stands for an item that is needed and not in the set.
const notFound = -1

// NewJudge returns a Judge of a ranking by the labels of its set. The error is
// the one of model.Labels.Validate. It takes a pass over the contents of all
// items if the labels have answers. text makes the texts of cuts and notes; if it is nil,
// they are not known.
func NewJudge(r *pipeline.Ranking, l model.Labels, text Text) (*Judge, error) {
	if err := l.Validate(r.Items().Len()); err != nil {
		return nil, err
	}
	return newJudge(r, l, newAnswers(r.Items(), l.Answers, text)), nil
}

// newJudge is NewJudge for valid labels and their answers.
func newJudge(r *pipeline.Ranking, l model.Labels, a *answers) *Judge {
	survivor := func(item int) int {
		if all := r.Survivors(); all != nil && all[item] >= 0 {
			return int(all[item])
		}
		return item
	}
	j := &Judge{answers: a}
	for _, needed := range l.Needed() {
		item := int(needed)
		j.needed = append(j.needed, need{survivor(item), l.Grades[item]})
		j.grades += l.Grades[item]
	}
	for _, grade := range l.Missed {
		j.needed = append(j.needed, need{notFound, grade})
		j.grades += grade
	}
	if a != nil {
		for _, item := range a.whole {
			j.hold = append(j.hold, survivor(item))
		}
	}
	return j
}

// Measure measures a report of the ranking. A nil report stands for a budget
// at which the pipeline does not run: nothing is in.
func (j *Judge) Measure(report *model.Report) Measure {
	if report == nil {
		return j.measure(&step{}, 0)
	}
	var s step
	counted := make(map[int]bool, len(j.needed))
	for _, n := range j.needed {
		if n.item == notFound || !report.In(n.item) {
			continue
		}
		s.needed++
		s.grades += n.grade
		if report.Size(n.item) == 0 {
			s.whole += n.grade
		}
		if !counted[n.item] { // two needed items may have one survivor
			counted[n.item] = true
			s.tokens += report.Taken(n.item)
		}
	}
	if j.answers != nil {
		s.answers, s.unknown = j.held(report)
	}
	m := j.measure(&s, report.Kept)
	m.Value = report.Value
	return m
}

// measure returns the measures, without Value, of a result of so many tokens with the
// needed items and answers of s.
func (j *Judge) measure(s *step, tokens model.Tokens) Measure {
	m := Measure{Tokens: tokens, Needed: len(j.needed), In: s.needed}
	if m.Needed > 0 {
		m.Recall = model.Some(float64(s.grades) / float64(j.grades))
		m.Complete = model.Some(m.In == m.Needed)
		m.WholeRecall = model.Some(float64(s.whole) / float64(j.grades))
		if tokens > 0 {
			m.ShareNeeded = model.Some(float64(s.tokens) / float64(tokens))
		}
	}
	if j.answers != nil {
		m.Answered = answered(s.answers, s.unknown)
	}
	return m
}

// held returns how many of the texts that a report sends hold an answer, at most 1, and how
// many are not known, as far as it matters.
func (j *Judge) held(report *model.Report) (answers, unknown int) {
	if slices.ContainsFunc(j.hold, func(item int) bool { return report.In(item) && report.Size(item) == 0 }) {
		return 1, 0
	}
	for _, i := range report.Placed() {
		size := report.Size(int(i))
		if size == 0 {
			continue
		}
		switch is := j.answers.inCut(int(i), size); {
		case !is.Set:
			unknown++
		case is.Value:
			return 1, unknown
		}
	}
	return 0, unknown
}

// answered reports whether an answer is in, given how many of the texts that are in hold one,
// and how many are not known.
func answered(known, unknown int) model.Option[bool] {
	if known == 0 && unknown > 0 {
		return model.Option[bool]{}
	}
	return model.Some(known > 0)
}

// Share returns 1 for true and 0 for false, so that means can be taken; the
// result is not set if yes is not.
func Share(yes model.Option[bool]) (share model.Option[float64]) {
	share.Set = yes.Set
	if yes.Value {
		share.Value = 1
	}
	return share
}
