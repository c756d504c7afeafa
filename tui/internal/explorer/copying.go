package explorer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// openMenu opens a menu of choices.
func (m *Model) openMenu(verb, then string, list func() []overlay.Choice) func() tea.Cmd {
	return screen.Do(func() { m.open(overlay.NewMenu(m.screenApp(), verb, then, list())) })
}

// copies returns what can be copied now, what the view is about first.
func (m *Model) copies() []overlay.Choice {
	var all []overlay.Choice
	add := func(key, text string, w output) {
		all = append(all, overlay.Choice{Key: key, Text: text, First: w.first, Run: func() tea.Cmd { return m.copy(w) }})
	}
	rep := m.exp.Outcome(m.side).Report
	if i, ok := m.selected(); ok {
		items := m.exp.Items()
		add("i", "item "+itemName(i), output{itemName(i) + "'s text", "item.txt", "", func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, items.Loaded(i).Content)
			return err
		}, 0, ""})
		add("J", "item "+itemName(i)+" as JSON", output{itemName(i) + " as JSON", "item.json", "", func(_ context.Context, w io.Writer) error { return export.Item(w, items, i) }, 0, ""})
	}
	add("w", "window as text", contents(rep, m.exp.Sizer()))
	if m.spec().Name == screen.Window {
		last := len(all) - 1
		all = append([]overlay.Choice{all[last]}, all[:last]...)
	}
	add("r", "report as JSON", m.reportJSON())
	return append(all, overlay.Choice{Key: "c", Text: "command line", Run: m.copyCommandLine})
}

// exports returns what can be written now.
func (m *Model) exports() []overlay.Choice {
	var all []overlay.Choice
	add := func(key, text string, w output) {
		all = append(all, overlay.Choice{Key: key, Text: text, Help: w.help, First: w.first, Run: func() tea.Cmd { return m.askFile(w, "") }})
	}
	rep, sizer := m.exp.Outcome(m.side).Report, m.exp.Sizer()
	sheet := func(name, file, help string, form export.Form) output {
		return output{name, file, "an item a row, " + help, m.reported(func(ctx context.Context, w io.Writer, o export.ReportOptions) error {
			return export.Write(ctx, w, form, export.ReportSheet(rep, o))
		}), 0, ""}
	}
	add("r", "report as JSON", m.reportJSON())
	add("c", "report as CSV", sheet("the report as CSV", "report.csv", "for a spreadsheet", export.AsCSV))
	add("m", "report as Markdown", sheet("the report as Markdown", "report.md", "for a document", export.AsMarkdown))
	add("t", "report as a table", sheet("the report", "report.txt", "as the command report prints it", export.AsTable))
	add("b", "report at every budget", output{"the report at every budget", "report.html", "a page for a browser: what is in at each, no texts", m.reported(func(_ context.Context, w io.Writer, o export.ReportOptions) error {
		o.NoContent = true
		return export.Page(w, rep, o)
	}), 0, ""})
	add("w", "window as text", contents(rep, m.exp.Sizer()))
	add("h", "window with headings", output{"the window with headings", "window.txt", "with a line about each item" + cutNote(rep),
		func(_ context.Context, w io.Writer) error { return export.Headed(w, asSent(rep, sizer)) }, 0, ""})
	for _, v := range []struct {
		key    string
		vendor export.Vendor
	}{{"o", export.OpenAI}, {"a", export.Anthropic}} {
		const request = "the window as a request: messages, calls, results"
		chat := func(ctx context.Context) output {
			chat, _ := export.NewChat(ctx, asSent(rep, sizer), v.vendor) // the error comes from ctx, which first tells
			w := output{name: "the chat for " + string(v.vendor), file: "messages." + strings.ToLower(string(v.vendor)) + ".json", note: chat.NotesText(), write: func(_ context.Context, w io.Writer) error { return chat.Write(w) }}
			w.help = cmp.Or(w.note, request+cutNote(rep))
			return w
		}
		all = append(all, overlay.Choice{Key: v.key, Text: "chat for " + string(v.vendor), Help: request,
			First: func(ctx context.Context) string { return chat(ctx).first(ctx) },
			Run: func() tea.Cmd { // the question says what is lost, which takes long to find in a large set
				m.messages.say("making the chat for " + string(v.vendor) + m.theme.Glyphs.Ellipsis)
				from := m.top()
				return func() tea.Msg {
					w := chat(m.ctx)
					return work.Then(func() tea.Cmd {
						if m.top() != from { // the user went on
							return nil
						}
						return m.askFile(w, "")
					})
				}
			}})
	}
	policy := m.exp.Setup().Policy[m.side]
	written := output{write: func(_ context.Context, w io.Writer) error {
		data, err := policy.CupelJSON()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}}
	return append(all, overlay.Choice{Key: "p", Text: "policy as Cupel's JSON", Help: "scorers, weights, quotas, slicer: not the items", First: written.first, Run: m.openSavePolicy})
}

// reportJSON is the report as JSON.
func (m *Model) reportJSON() output {
	rep := m.exp.Outcome(m.side).Report
	return output{"the report as JSON", "report.json", "each item with its state, score and reason",
		m.reported(func(_ context.Context, w io.Writer, o export.ReportOptions) error { return export.JSON(w, rep, o) }), minReportBytes * rep.Items.Len(), ""}
}

// reported returns what writes the report of the result that is shown as the command report does.
func (m *Model) reported(write func(context.Context, io.Writer, export.ReportOptions) error) func(context.Context, io.Writer) error {
	o := m.exp.Outcome(m.side)
	options := export.ReportOptions{
		Basis:  export.Basis{Name: m.workspace.Name, Format: m.workspace.Format, Policy: o.Policy},
		AtRisk: o.Lost, RiskErr: o.SlackErr, Slack: o.Setup.Slack, Profile: o.Profile, ASCII: m.opts.ASCII,
	}
	if o.Setup.Budget.MaxTokens == m.original.Budget.MaxTokens { // a guessed budget is one until the user sets another
		options.Guess = m.workspace.Guess
	}
	return func(ctx context.Context, w io.Writer) error {
		if o.Judge != nil {
			var err error
			if options.Quality, err = export.QualityAt(ctx, o.Quality, o.Setup.Labels, o.Judge, o.Profile, quality.DefaultWanted); err != nil {
				return err
			}
		}
		options.Why = export.Words(ctx, o.Ranking, o.Report, options.ASCII)
		return write(ctx, w, options)
	}
}

// copy sends an output to the terminal's clipboard. If it is longer than terminals
// accept, copy offers to write a file instead. No terminal reports whether it has
// taken the text.
func (m *Model) copy(w output) tea.Cmd {
	text := &bounded{limit: maxClipboard, over: w.minBytes > maxClipboard}
	var err error
	if !text.over {
		err = w.write(context.Background(), text)
	}
	switch {
	case text.over:
		return m.askFile(w, fmt.Sprintf("more than the %v bytes that terminals take; ", plain.Thousands(maxClipboard)))
	case err != nil:
		m.messages.refuse("not copied: " + err.Error())
		return nil
	}
	m.messages.say(fmt.Sprintf("sent to the terminal's clipboard: %s, %v bytes; E writes a file", w.name, plain.Thousands(text.Len())))
	return tea.SetClipboard(text.String())
}

// askFile asks where to write an output, and writes it in the background, because it
// may have many megabytes.
func (m *Model) askFile(w output, why string) tea.Cmd {
	save := m.workspace.SaveFile
	return m.askPath("write "+w.name+" to:", w.file, why+w.help, "", func(path string) (tea.Cmd, error) {
		m.messages.say("writing " + path)
		m.writing = path
		return func() tea.Msg {
			var b bytes.Buffer
			err := w.write(context.Background(), &b)
			if err == nil {
				err = save(path, b.Bytes())
			}
			return work.Then(func() tea.Cmd {
				m.writing = ""
				m.messages.clear() // also the question whether to quit
				if err != nil {
					m.messages.refuse("not written: " + err.Error())
					return nil
				}
				m.messages.say(w.written(path, b.Len()))
				if note := path + ": " + w.note; w.note != "" && !slices.Contains(m.messages.warnings, note) {
					m.messages.warnings = append(m.messages.warnings, note)
				}
				return nil
			})
		}, nil
	})
}
