package command

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"cupelscope/pipeline/slicer"
)

// progressLine is a line on a terminal that is overwritten in place. It is safe for
// concurrent use.
type progressLine struct {
	to  io.Writer
	on  bool
	now func() time.Time

	mu    sync.Mutex
	next  time.Time
	shown bool
	begun bool // a case was answered or a part of the answer written: percentages mean nothing any more
}

// progressLine returns the line of the verb that runs, or a new one.
func (s Streams) progressLine() *progressLine {
	if s.line != nil {
		return s.line
	}
	return &progressLine{to: s.Err, on: s.Progress && s.Now != nil, now: s.Now}
}

// telling returns ctx and s for a verb that may take long over its first answer: what is
// computed under ctx reports how far it is, in percent, on a line of progress. What is
// written to s takes the place of that line. Call end when the verb has ended.
func (s Streams) telling(ctx context.Context) (telling context.Context, to Streams, end func()) {
	line := s.progressLine()
	if !line.on {
		return ctx, s, func() {}
	}
	s.line = line
	s.Out, s.Err = line.instead(s.Out, true), line.instead(s.Err, false)
	return slicer.WithProgress(ctx, line.percent), s, line.clear
}

// instead returns a writer to w whose text takes the place of the line; answers says
// whether it is a part of the answer.
func (l *progressLine) instead(w io.Writer, answers bool) io.Writer {
	return writer(func(text []byte) (int, error) {
		l.clear()
		if answers {
			l.mu.Lock()
			l.begun = true
			l.mu.Unlock()
		}
		return w.Write(text)
	})
}

// progressEvery is the time between two updates of a progressLine.
const progressEvery = 200 * time.Millisecond

// percent shows how far the first answer is.
func (l *progressLine) percent(done, total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun {
		l.write(func() string { return fmt.Sprintf("%d %%", 100*done/max(1, total)) })
	}
}

// show shows how many answers there are.
func (l *progressLine) show(text func() string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun = true
	l.write(text)
}

func (l *progressLine) write(text func() string) {
	if !l.on {
		return
	}
	if now := l.now(); now.After(l.next) {
		if !l.next.IsZero() { // short work shows nothing
			fmt.Fprintf(l.to, "\r%s\x1b[K", text()) // if it cannot be shown, the work goes on
			l.shown = true
		}
		l.next = now.Add(progressEvery)
	}
}

func (l *progressLine) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
	}
	l.shown = false
}
