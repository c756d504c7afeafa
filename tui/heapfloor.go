package tui

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// heapFloor is the size in bytes that the heap may reach before the collector runs.
	heapFloor = 64 << 20
	// minLiveHeap is the least live heap, in bytes, that Go counts with.
	minLiveHeap = 4 << 20
)

// holdHeapFloor keeps the collector from running while the heap is below heapFloor;
// a heap with more than half of that live is collected at Go's default. A session of
// 10,000 items has 12 MB live and makes as much garbage in a few keys: with the floor a pin
// takes 15 % less processor time, and the slowest of 200 takes 20 to 23 ms instead of 29. A
// GOGC that the user has set holds instead.
func holdHeapFloor() {
	if os.Getenv("GOGC") == "" {
		adjustCollector(0)
	}
}

// adjustCollector sets the GOGC that the live heap asks for, unless it is current, and does the
// same after each collection.
func adjustCollector(current int) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := collectorPercent(live[0].Value.Uint64())
	if percent != current { // setting it stops the program for a moment
		debug.SetGCPercent(percent)
	}
	runtime.AddCleanup(new([64]byte), adjustCollector, percent)
}

// collectorPercent returns the GOGC, in steps of 25 and at least 100, with which a heap
// that had so many bytes live after the last collection may grow to heapFloor.
func collectorPercent(live uint64) int {
	growth := heapFloor - min(heapFloor, live)
	return int(max(100, 100*growth/max(live, minLiveHeap)/25*25))
}
