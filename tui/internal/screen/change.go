package screen

import (
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Change is what an action would do to the setup now. Carrying it out, its name in the
// history, the hint, the palette's column and the pane of knobs are all made from it.
type Change struct {
	To    func() experiment.Setup // computed when it is called; nil: not known, as of undo
	Label experiment.Label
	Merge experiment.KnobID // consecutive changes with the same merge become one; "" never merges
	Hint  string            // in place of the action's hint; "": that one
	// Budget is maxTokens afterwards, if the change goes there.
	Budget model.Option[model.Tokens]
	// What is known of the effect without new work: the items that come in and go out at
	// Budget or at the value of Label.To, or else words such as "#15 leaves" and their role.
	In, Out []int32
	Resized []experiment.Resize
	Words   string
	Role    theme.Role
	Tells   string        // what is known of the place that it leads to, a line above the effect in the preview
	Begin   func()        // starts the work after which the action can be planned; To is nil then
	Say     func() string // the message once the change is made; it may be nil
	Show    string        // the name of the view that is shown then
}

// To returns the change to the setup next.
func To(next experiment.Setup, label experiment.Label) Change {
	return Change{To: func() experiment.Setup { return next }, Label: label}
}

// ToBudget returns the change of a setup that sets maxTokens.
func ToBudget(now experiment.Setup, b model.Tokens) Change {
	return Change{
		To:     func() experiment.Setup { return now.WithMax(b) },
		Label:  experiment.Label{Name: string(experiment.MaxTokens), From: now.Budget.MaxTokens.String(), To: b.String()},
		Budget: model.Some(b),
	}
}

// Effect returns what is known of the effect, in a few words: "32,048: + #32 − #15", or else the
// label.
func (c Change) Effect() string {
	parts := []string{c.Words, widget.ResizeText(c.Resized)}
	if c.Changes() {
		parts[0] = widget.Moves(c.In, c.Out, 12)
	}
	words := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
	switch {
	case words == "":
		return c.Label.String()
	case c.Budget.Set:
		return c.Budget.Value.String() + ": " + words
	case c.Changes():
		return c.Label.To + ": " + words
	}
	return words
}

// Changes reports whether it is known which items come in and go out.
func (c Change) Changes() bool { return len(c.In)+len(c.Out) > 0 }

// Idle is why an action does nothing now. Brief is the same in a few words, for a place that
// always has a line for the action; "" if none has.
type Idle struct{ Why, Brief string }

func (i Idle) Error() string { return i.Why }
