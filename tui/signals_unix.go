//go:build unix

package tui

import "syscall"

// badCall is the signal of a call that the system does not know.
const badCall = syscall.SIGSYS
