//go:build unix

package itemset

import (
	"net"
	"syscall"
)

// madeSpecial is what is at a path, and is neither a file nor a folder.
type madeSpecial struct{ path, is string }

// specials makes one of each kind that can be made here.
func specials(dir string) (made []madeSpecial) {
	if syscall.Mkfifo(dir+"pipe", 0o600) == nil {
		made = append(made, madeSpecial{dir + "pipe", "a pipe"})
	}
	const null = 1<<8 | 3 // on Linux
	if syscall.Mknod(dir+"device", syscall.S_IFCHR|0o600, null) == nil {
		made = append(made, madeSpecial{dir + "device", "a device"})
	}
	if l, err := net.Listen("unix", dir+"socket"); err == nil { // it stays until the test's folder goes
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		l.Close()
		made = append(made, madeSpecial{dir + "socket", "a socket"})
	}
	return made
}
