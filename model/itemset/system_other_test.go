//go:build !unix

package itemset

import "time"

func makePipe(string) bool { return false }

func cpuTime() time.Duration { return 0 }
