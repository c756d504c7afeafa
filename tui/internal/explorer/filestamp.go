package explorer

import "os"

// stamp is the size and modification time of a file, to detect changes. The zero stamp
// stands for no file.
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
