// Package musttest ends a test with the error of what it needs before it can begin, and runs
// the tests of a package.
package musttest

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package that leave much behind and end soon: collecting it more
// rarely takes a fifth off their processor time. Benchmarks have the pace that users have, and
// what memory a test judges, it judges at a pace of its own.
func Main(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// Of returns a function that returns v, and that ends the test instead if err is set, as in
// musttest.Of(model.NewSet(items))(t).
func Of[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
		return v
	}
}

// Do ends the test if err is set.
func Do(t testing.TB, err error) {
	if err != nil {
		t.Helper() // it costs much where nothing fails
		t.Fatal(err)
	}
}
