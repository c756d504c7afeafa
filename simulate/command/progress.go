package command

import (
	"fmt"
	"io"
	"time"
)

// progressLine is a line on a terminal that is overwritten in place.
type progressLine struct {
	to    io.Writer
	on    bool
	now   func() time.Time
	next  time.Time
	shown bool
}

func (s Streams) progressLine() *progressLine {
	return &progressLine{to: s.Err, on: s.Progress && s.Now != nil, now: s.Now}
}

// progressEvery is the time between two updates of a progressLine.
const progressEvery = 200 * time.Millisecond

func (l *progressLine) show(text func() string) {
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
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
	}
}
