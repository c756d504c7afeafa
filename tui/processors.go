package tui

import (
	"os"
	"runtime"
)

// keepOneForKeys lets Go run code on one thread more than there are processors. Where work in
// the background has all of them, Go lets a key wait until a stretch of 10 ms of that work is
// over; the system gives a thread that was waiting a processor at once. A GOMAXPROCS that the
// user has set holds instead.
func keepOneForKeys() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
}
