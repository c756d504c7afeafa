//go:build unix

package itemset

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// names returns how many names a file has.
func names(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink) // narrower on some systems
	}
	return 1
}

// keepOwner gives a new file the owner and the group of the file that it replaces. The error
// names both by number.
func keepOwner(f *os.File, old fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := old.Sys().(*syscall.Stat_t)
	has, known := now.Sys().(*syscall.Stat_t)
	if !ok || !known || want.Uid == has.Uid && want.Gid == has.Gid {
		return nil
	}
	if f.Chown(int(want.Uid), int(want.Gid)) != nil {
		return fmt.Errorf("belongs to user %d, group %d: give another name", want.Uid, want.Gid)
	}
	return nil
}
