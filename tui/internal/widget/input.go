package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// maxInput bounds what can be typed or pasted, in characters.
const maxInput = 4096

// Input is a line of text that is typed: prompts, the filter, searches, file names. The
// text, the cursor, the keys and the suggestions come from Bubbles' text input. It is
// drawn here, because that input's own view would let through what pasted text and names
// of files may hold: characters that turn the direction of text or that nobody sees. The
// zero value takes no keys; see NewInput.
type Input struct {
	model   textinput.Model
	suggest Suggest
	folders *folders // nil if the line is not a path
	offered bool     // the text is a proposal, which the first character typed replaces
}

// NewInput returns a line that holds text, with the cursor at its end. It suggests what
// suggest returns for the text so far; a nil suggest suggests nothing.
func NewInput(text string, suggest Suggest) Input {
	m := textinput.New()
	m.Prompt, m.CharLimit, m.ShowSuggestions = "", maxInput, true
	m.SetVirtualCursor(false)
	// Pasted text comes from the terminal. Bubbles would run programs to read the clipboard.
	m.KeyMap.Paste.SetEnabled(false)
	m.Focus()
	m.SetValue(text)
	m.CursorEnd()
	l := Input{model: m, suggest: suggest}
	l.renew()
	return l
}

// NewPathInput is a line that a path is typed into: it suggests words, and what the
// folders hold that Look has read.
func NewPathInput(text string, words ...string) Input {
	f := &folders{}
	l := NewInput(text, func(text string) []string { return append(slices.Clone(words), f.suggest(text)...) })
	l.folders = f
	return l
}

// Offer makes the text a proposal: what is typed or pasted first replaces it, and any other
// key keeps it.
func (l *Input) Offer()        { l.offered = l.Value() != "" }
func (l *Input) Value() string { return l.model.Value() }

// Key handles a key press, with the editing keys of shells, and reports whether that
// changed the text. It ignores keys that have no meaning here.
func (l *Input) Key(msg tea.KeyPressMsg) (changed bool) {
	before := l.Value()
	if msg.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper) != 0 {
		msg.Text = "" // a key with ctrl or alt types nothing
	}
	if l.offered = l.offered && msg.Text != ""; l.offered {
		l.offered = false
		l.model.SetValue("")
	}
	left := utf8.RuneCountInString(l.Value()) - l.model.Position()
	keys, offers := &l.model.KeyMap, len(l.model.MatchedSuggestions()) > 0
	keys.NextSuggestion.SetEnabled(offers)
	keys.PrevSuggestion.SetEnabled(offers)
	// A suggestion is accepted only with the cursor at the end of the text.
	keys.AcceptSuggestion.SetKeys("tab", "right")
	keys.AcceptSuggestion.SetEnabled(offers && left == 0)
	// With one character left Bubbles 2.2.1 looks for the next word behind the
	// end and panics.
	keys.DeleteWordForward.SetEnabled(left != 1)
	keys.DeleteCharacterForward.SetKeys("delete", "ctrl+d")
	if left == 1 {
		keys.DeleteCharacterForward.SetKeys("delete", "ctrl+d", "alt+d", "alt+delete", "ctrl+delete")
	}
	return l.update(msg, before)
}

// Paste puts text before the cursor, on one line and cleaned: what is seen is
// what is there. It reports whether the text changed.
func (l *Input) Paste(text string) (changed bool) {
	n := 0
	for i := range text {
		if n++; n > maxInput {
			text = text[:i]
			break
		}
	}
	before := l.Value()
	if l.offered {
		l.offered = false
		l.model.SetValue("")
	}
	return l.update(tea.PasteMsg{Content: plain.Line(text, 2*maxInput)}, before) // wide characters take two cells
}

func (l *Input) update(msg tea.Msg, before string) (changed bool) {
	l.model, _ = l.model.Update(msg)
	if l.Value() == before {
		return false
	}
	l.renew()
	return true
}

// renew finds the suggestions again. Bubbles ignores case; here a suggestion must begin
// exactly like the text, because its rest is found by counting characters.
func (l *Input) renew() {
	if l.suggest == nil {
		return
	}
	text := l.Value()
	var all []string
	for _, s := range l.suggest(text) {
		if len(s) > len(text) && strings.HasPrefix(s, text) {
			all = append(all, s)
		}
	}
	l.model.SetSuggestions(all)
}

// Suggestions are the texts that the line may become, and which of them is
// accepted by tab, or by right at the end of the text.
func (l *Input) Suggestions() (all []string, at int) {
	return l.model.MatchedSuggestions(), l.model.CurrentSuggestionIndex()
}

// Draw draws the line in the first row of r and puts the terminal's cursor into
// it. A text that is too long is drawn from where the cursor stays in sight.
func (l *Input) Draw(c *draw.Canvas, r draw.Rect) {
	if r.Empty() {
		return
	}
	runes := []rune(l.Value())
	at := min(l.model.Position(), len(runes))
	head := plain.Line(string(runes[:at]), 2*maxInput)
	for over := draw.Width(head) - (r.W - 1); head != ""; {
		_, size := utf8.DecodeRuneInString(head)
		w := draw.Width(head[:size])
		if over <= 0 && w > 0 {
			break // combining marks stay with their character
		}
		over -= w
		head = head[size:]
	}
	role := theme.Input
	if l.offered {
		role = theme.Match
	}
	x := r.X + c.Text(r.X, r.Y, r.W, head, role)
	c.PlaceCursor(x, r.Y)
	room := r.X + r.W - x
	x += c.Text(x, r.Y, room, plain.Line(string(runes[at:]), room), theme.Input)
	if all, n := l.Suggestions(); at == len(runes) && n < len(all) {
		room := r.X + r.W - x
		c.Text(x, r.Y, room, plain.Line(all[n][len(l.Value()):], room), theme.Dim)
	}
}

// DrawSuggestions draws in the first row of r what the line may become, with a mark on what
// tab takes, and reports whether there is anything. Of the text that all of them begin with,
// only the last word, or the last part of the path, is drawn.
func (l *Input) DrawSuggestions(c *draw.Canvas, r draw.Rect) bool {
	all, at := l.Suggestions()
	if len(all) == 0 || r.Empty() {
		return false
	}
	from := strings.LastIndexAny(l.Value(), `/\ `) + 1
	x, end := r.X, r.X+r.W
	x += c.Text(x, r.Y, end-x, "tab ", theme.Key)
	for i := at; i < len(all) && x < end; i++ { // the chosen one first: ctrl+n chooses the next
		role := theme.Plain
		if i == at {
			role = theme.Match
		}
		x += c.Text(x, r.Y, end-x, plain.Line(all[i][from:], end-x), role)
		x += c.Text(x, r.Y, end-x, "  ", theme.Plain)
	}
	return true
}
