package tui

import "os"

// stamp tells whether a file is as it was: its size and time of change. The
// zero stamp is that of no file.
type stamp struct {
	size int64
	time int64
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}
}
