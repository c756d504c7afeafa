package experiment

import (
	"regexp"
	"strconv"
)

// Label describes a change: a name, and the values before and after, which may be empty.
type Label struct{ Name, From, To string }

func (l Label) String() string {
	if l.From == "" && l.To == "" {
		return l.Name
	}
	return l.Name + " " + l.From + " → " + l.To
}

// change is one step of the history.
type change struct {
	label         Label
	before, after Setup
	merge         KnobID // a run of steps of one knob is one change; "" never merges
}

// Apply makes next, which has the numbers of Items, the setup, as a change that can be
// undone. Edits and labels of items that are not shown stay. Consecutive changes with
// the same merge become one change; "" never merges. The error says why the edits of
// next do not fit the items, or which policy does not take items that may be cut.
func (e *Experiment) Apply(next Setup, label Label, merge KnobID) error {
	was := *e
	next = e.numbers.kept(next, e.setup)
	c := change{label: label, before: e.setup, after: next, merge: merge}
	if err := e.move(next); err != nil {
		return err
	}
	if err := e.sizesFit(&was); err != nil {
		*e = was
		return err
	}
	if n := len(e.undo); merge != "" && n > 0 && e.undo[n-1].merge == merge && len(e.redo) == 0 {
		e.undo[n-1].after, e.undo[n-1].label.To = next, label.To
		if e.undo[n-1].before.Equal(next) { // the run came back to where it began
			e.undo = e.undo[:n-1]
		}
	} else {
		e.undo = append(e.undo, c)
	}
	e.redo = nil
	e.begin(label.String())
	return nil
}

// eachInHistory calls do with every setup that undo and redo lead to.
func (e *Experiment) eachInHistory(do func(*Setup)) {
	for _, history := range [...][]change{e.undo, e.redo} {
		for i := range history {
			do(&history[i].before)
			do(&history[i].after)
		}
	}
}

// itemNumber is the name of an item in a label.
var itemNumber = regexp.MustCompile(`#\d+`)

// NameAnew replaces the numbers of items in the labels of the history by the numbers that the items
// have now; index returns the number of an item now, or false if it is gone.
func (e *Experiment) NameAnew(index func(i int) (int, bool)) {
	for _, history := range [...][]change{e.undo, e.redo} {
		for i := range history {
			name := &history[i].label.Name
			*name = itemNumber.ReplaceAllStringFunc(*name, func(number string) string {
				if was, err := strconv.Atoi(number[1:]); err == nil {
					if now, ok := index(was); ok {
						return "#" + strconv.Itoa(now)
					}
				}
				return "an item that is gone"
			})
		}
	}
}

// EndRun makes the next change a step of its own, even if it is of the same knob.
func (e *Experiment) EndRun() {
	if n := len(e.undo); n > 0 {
		e.undo[n-1].merge = ""
	}
}

// Undo reverts the newest change and returns its label; false if there is none.
func (e *Experiment) Undo() (string, bool) { return e.travel(&e.undo, &e.redo, true) }

// Redo makes the change that was undone last again.
func (e *Experiment) Redo() (string, bool) { return e.travel(&e.redo, &e.undo, false) }

// travel takes the newest change of one history to the other, back or forth.
func (e *Experiment) travel(from, to *[]change, back bool) (string, bool) {
	n := len(*from)
	if n == 0 {
		return "", false
	}
	c := (*from)[n-1]
	next, told := c.after, "redo "+c.label.String()
	if back {
		c.merge = ""
		next, told = c.before, "undo "+Label{c.label.Name, c.label.To, c.label.From}.String()
	}
	if e.move(next) != nil {
		return "", false
	}
	*from, *to = (*from)[:n-1], append(*to, c)
	e.begin(told)
	return c.label.String(), true
}

// Undoes returns the label of the change that Undo would revert, and Redoes the label of the change
// that Redo would make; "" if there is none.
func (e *Experiment) Undoes() string { return newest(e.undo) }
func (e *Experiment) Redoes() string { return newest(e.redo) }

func newest(history []change) string {
	if len(history) == 0 {
		return ""
	}
	return history[len(history)-1].label.String()
}

// Made returns the labels of the changes that undo would revert, the oldest first, without
// the first n. Undone says that some of these n were reverted.
func (e *Experiment) Made(n int) (labels []string, undone bool) {
	for k := n; k < len(e.undo); k++ {
		labels = append(labels, e.undo[k].label.String())
	}
	return labels, n > len(e.undo)
}

func (e *Experiment) CanUndo() bool { return len(e.undo) > 0 }
func (e *Experiment) CanRedo() bool { return len(e.redo) > 0 }
