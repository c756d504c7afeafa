// Package randomtest makes the random cases of tests: budgets, policies and sets of which
// every field gets set, each part from a stream of random numbers of its own. It is no part of the
// library: the tests of other folders use it too.
package randomtest

import "os"

// Rounds returns how many cases a test tries: long where the environment has
// CUPELSCOPE_ROUNDS=long, as in .ci/long, else usual.
func Rounds(usual, long int) int {
	if os.Getenv("CUPELSCOPE_ROUNDS") == "long" {
		return long
	}
	return usual
}
