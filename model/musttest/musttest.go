// Package musttest ends a test with the error of what it needs before it can begin.
package musttest

import "testing"

// Of returns a function that returns v, and that ends the test instead if err is set, as in
// musttest.Of(model.NewSet(items))(t).
func Of[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Do ends the test if err is set.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
