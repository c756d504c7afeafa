package relay

import (
	"os"
	"runtime"
)

// spare is how many of the threads that run Go code are for keys alone.
var spare = 0

// KeepOneForKeys lets Go run code on one thread more than there are processors, which Workers
// leaves free. Where work in the background has all threads, Go lets a key wait until a stretch
// of 10 ms of that work is over; the system gives a thread that was waiting a processor at once.
// A GOMAXPROCS that the user has set holds instead. It is to be called once, before any work.
func KeepOneForKeys() {
	if os.Getenv("GOMAXPROCS") == "" {
		spare = 1
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spare)
	}
}

// Workers returns how many goroutines work in the background at a time.
func Workers() int { return runtime.GOMAXPROCS(0) - spare }
