package explorer

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	uv "github.com/charmbracelet/ultraviolet"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// BenchmarkInstead measures what is drawn by hand beside what Lip Gloss and
// Bubbles have for it, at 120x36: the figures of the package's table.
func BenchmarkInstead(b *testing.B) {
	const w, h = 120, 36
	look := theme.New(theme.Dark, false)
	bold := lipgloss.NewStyle().Bold(true)
	styles := [3]lipgloss.Style{lipgloss.NewStyle(), bold.Foreground(lipgloss.Color("#8a8f9e")), bold.Foreground(lipgloss.Color("#ffb454"))}
	row := func(i int) [3]string {
		return [3]string{fmt.Sprint(i), fmt.Sprintf("item %d of a set that is long enough to be cut", i), "needs 1,200, 300 left"}
	}
	b.Run("frame/canvas", func(b *testing.B) {
		var c draw.Canvas
		for b.Loop() {
			c.Reset(w, h, look)
			for y := range h {
				c.Text(0, y, 40, row(y)[1], theme.Plain)
				c.Text(40, y, 40, row(y)[1], theme.Dim)
				c.Text(80, y, 40, row(y)[2], theme.Risk)
			}
			_ = c.String()
		}
	})
	b.Run("frame/screen buffer", func(b *testing.B) {
		buf := uv.NewScreenBuffer(w, h)
		looks := [3]uv.Style{{}, {Attrs: uv.AttrFaint}, {Attrs: uv.AttrBold}}
		for b.Loop() {
			buf.Clear()
			for y := range h {
				for k, s := range [3]string{row(y)[1], row(y)[1], row(y)[2]} {
					for x, r := range s {
						if x < 40 {
							buf.SetCell(40*k+x, y, &uv.Cell{Content: string(r), Width: 1, Style: looks[k]})
						}
					}
				}
			}
			_ = buf.Render()
		}
	})
	b.Run("frame/compositor", func(b *testing.B) {
		for b.Loop() {
			var columns [3]strings.Builder
			for y := range h {
				for k, s := range [3]string{row(y)[1], row(y)[1], row(y)[2]} {
					columns[k].WriteString(styles[k].Render(s[:min(len(s), 40)]) + "\n")
				}
			}
			c := lipgloss.NewCompositor()
			for k := range columns {
				c.AddLayers(lipgloss.NewLayer(columns[k].String()).X(40 * k))
			}
			_ = c.Render()
		}
	})
	b.Run("frame/style a cell", func(b *testing.B) {
		style := styles[2]
		for b.Loop() {
			for range w * h {
				_ = style.Render("x")
			}
		}
	})
	b.Run("rows of 10k/lipgloss table", func(b *testing.B) {
		t := table.New().Headers("#", "item", "why").Width(w).Height(h)
		for i := range 10_000 {
			r := row(i)
			t.Row(r[:]...)
		}
		for b.Loop() {
			_ = t.YOffset(5000).String()
		}
	})
	text := strings.Repeat("A line of a long text that is read on the screen, and is broken where it ends.\n", 1<<20/80)
	b.Run("1 MB/wrap and draw a page", func(b *testing.B) {
		for b.Loop() {
			_ = plain.Wrap(text, w, h)
		}
	})
	b.Run("1 MB/viewport", func(b *testing.B) {
		v := viewport.New(viewport.WithWidth(w), viewport.WithHeight(h))
		v.SoftWrap = true
		v.SetContent(text)
		for b.Loop() {
			v, _ = v.Update(tea.KeyPressMsg{Code: tea.KeyPgDown})
			_ = v.View()
		}
	})
	page := func(first int) string {
		var c draw.Canvas
		c.Reset(w, h, look)
		for y := range h {
			c.Text(0, y, 40, row(first + y)[1], theme.Plain)
			c.Text(40, y, 40, row(first + y)[1], theme.Dim)
			c.Text(80, y, 40, row(first + y)[2], theme.Risk)
		}
		return c.String()
	}
	pages := [2]string{page(0), page(h)}
	b.Run("frame on the terminal/display", func(b *testing.B) {
		d := newDisplay(nowhere{})
		d.heed(tea.WindowSizeMsg{Width: w, Height: h})
		d.alternate = true
		for n := 0; b.Loop(); n++ {
			d.frame.Content = pages[n%2]
			_ = d.write()
		}
	})
	b.Run("frame on the terminal/renderer", func(b *testing.B) {
		cells, changes := uv.NewScreenBuffer(w, h), uv.NewTerminalRenderer(nowhere{}, nil)
		changes.SetFullscreen(true)
		for n := 0; b.Loop(); n++ {
			uv.NewStyledString(pages[n%2]).Draw(cells, cells.Bounds())
			changes.Render(cells.RenderBuffer)
			_ = changes.Flush()
		}
	})
}

// nowhere is a terminal that takes all and shows nothing.
type nowhere struct{ emulated }

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
