package tui

import "syscall"

// badCall is another of endings, because Windows has no signal for a call that the system does
// not know.
const badCall = syscall.SIGSEGV
