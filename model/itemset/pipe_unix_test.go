//go:build unix

package itemset

import "syscall"

// makePipe makes a named pipe; false: it cannot.
func makePipe(path string) bool { return syscall.Mkfifo(path, 0o600) == nil }
