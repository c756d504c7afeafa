package explorer

import (
	"context"
	"fmt"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/work"
)

// loading is the lane that loads sources. The command writes its progress, which is read when
// the screen is drawn.
type loading struct {
	work.Lane
	source   string // what is being loaded, as given
	progress *atomic.Pointer[itemset.Progress]
	failed   error         // why there is nothing to show
	unchosen *severalError // failed, if none of several runs is chosen
	counted  bool          // the sessions of this machine were counted
}

// start loads in the background, for show to show. If another source is being loaded, that stops.
func (l *loading) start(parent context.Context, source string, open func(context.Context) (*Workspace, error), show func(*Workspace, error) tea.Cmd) tea.Cmd {
	progress := new(atomic.Pointer[itemset.Progress])
	l.source, l.progress, l.failed = source, progress, nil
	return l.Run(parent, func(ctx context.Context) work.Then {
		s, err := open(itemset.WithProgress(ctx, func(p itemset.Progress) { progress.Store(&p) }))
		return func() tea.Cmd { return show(s, err) }
	})
}

// tell shows the progress of loading on the message line.
func (l *loading) tell(m *messages, spin, ellipsis string) {
	if !l.Running() {
		return
	}
	text := spin + " loading " + plain.Line(l.source, 40) + ellipsis
	if done := l.words(); done != "" {
		text += " " + done
	}
	m.tell(text + "; esc stops that")
}

// percent returns the progress of loading in percent, or -1 if the size is not known.
func (l *loading) percent() int {
	if p := l.soFar(); p.Files == 0 && p.Size > 0 {
		return int(100 * p.Bytes / p.Size)
	}
	return -1
}

// soFar returns how far loading is; zero before anything is known.
func (l *loading) soFar() (p itemset.Progress) {
	if l.progress != nil && l.progress.Load() != nil {
		p = *l.progress.Load()
	}
	return p
}

// words returns the progress of loading as text; "" before the first byte.
func (l *loading) words() string {
	p := l.soFar()
	switch {
	case p == itemset.Progress{}:
		return ""
	case p.Files > 0:
		return fmt.Sprintf("%s, %v bytes", plain.Count(p.Files, "file"), plain.Thousands(p.Bytes))
	case p.Records > 0:
		return fmt.Sprintf("%v bytes read, %s so far", plain.Thousands(p.Bytes), plain.Count(p.Records, "record"))
	case p.Size > 0:
		return fmt.Sprintf("%v of %v bytes read", plain.Thousands(p.Bytes), plain.Thousands(p.Size))
	}
	return fmt.Sprintf("%v bytes read, at most %v", plain.Thousands(p.Bytes), plain.Thousands(itemset.DefaultMaxBytes))
}
