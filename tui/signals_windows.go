package tui

import "syscall"

// badCall stands for the signal of a call that the system does not know, which there is none
// of: it is one that ends the program anyway.
const badCall = syscall.SIGSEGV
