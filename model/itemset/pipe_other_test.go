//go:build !unix

package itemset

func makePipe(string) bool { return false }
