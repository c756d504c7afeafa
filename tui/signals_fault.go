//go:build linux && (amd64 || arm64)

package tui

import (
	"syscall"
	"unsafe"
)

// Go passes SIGSTKFLT to no program, and ends a program that gets it with a trace of all
// goroutines, so that unsaved changes are lost. No kernel sends it, so it is ignored.
func init() {
	const ignore = 1 // SIG_IGN
	action := struct {
		handler, flags, restorer uintptr
		mask                     uint64
	}{handler: ignore}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGSTKFLT),
		uintptr(unsafe.Pointer(&action)), 0, unsafe.Sizeof(action.mask), 0, 0)
}
