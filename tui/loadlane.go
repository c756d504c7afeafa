package tui

import (
	"fmt"
	"sync/atomic"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/work"
)

// loading is the lane in which sources are loaded. How far that is, is written
// where it runs, and read when the screen is drawn.
type loading struct {
	work.Lane
	source string // what is being loaded, as given
	far    *atomic.Pointer[itemset.Progress]
	said   string // the message line's words of it
}

// percent is how far loading is; -1 where nobody knows how much there is.
func (l *loading) percent() int {
	if l.far == nil {
		return -1
	}
	if p := l.far.Load(); p != nil && p.Files == 0 && p.Size > 0 {
		return int(100 * p.Bytes / p.Size)
	}
	return -1
}

// words say how far loading is; "" before the first byte.
func (l *loading) words() string {
	if l.far == nil {
		return ""
	}
	p := l.far.Load()
	switch {
	case p == nil:
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
