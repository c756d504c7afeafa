//go:build unix

package itemset

import (
	"syscall"
	"time"
)

// makePipe makes a named pipe; false: it cannot.
func makePipe(path string) bool { return syscall.Mkfifo(path, 0o600) == nil }

// cpuTime returns how long the processors have worked for this process; 0: it is not known.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
