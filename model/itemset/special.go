package itemset

import (
	"io/fs"
	"os"
	"syscall"
)

// SpecialError says that a source is a pipe, a socket or a device, which is never
// opened because reading it may not end.
type SpecialError struct {
	Name string // name of the source
	Is   string // what it is, with its article, as in "a device"
	File bool   // nothing but a file may be given, not "-" for standard input
}

func (e *SpecialError) Error() string {
	text := e.Name + ": is " + e.Is + ", which is never opened: give a file"
	if !e.File {
		text += ", or - for standard input"
	}
	return text
}

// special returns what a file with a mode is, with its article, if it is neither a
// regular file nor a folder, and "" for those.
func special(mode fs.FileMode) string {
	switch {
	case mode.IsRegular() || mode.IsDir():
		return ""
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "a device"
	}
	return "a special file"
}

// CheckRegular returns a *SpecialError for a pipe, a socket or a device, also for the pipes
// that shells make. It returns nil if there is no file: opening it fails.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // opening it fails with the reason
	}
	if is := special(info.Mode()); is != "" {
		return &SpecialError{Name: path, Is: is, File: true}
	}
	return nil
}

// openRegular opens a regular file. It returns a *SpecialError, without waiting, if
// a pipe or device has taken the place of the file.
func openRegular(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if is := special(info.Mode()); is != "" {
			err = &SpecialError{Name: path, Is: is}
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
