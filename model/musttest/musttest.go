// Package musttest ends a test with the error of what it needs before it can begin, compares
// what it gets with what it wants, and runs the tests of a package. It is no part of the
// library: the tests of all folders use it.
package musttest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// Main runs the tests of a package with the garbage collector at 400 % instead of 100 %, which
// takes a fifth off their processor time. Benchmarks keep 100 %, as users have it. A test that
// measures memory sets its own percentage.
func Main(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// Alone leaves a test out of short runs, such as those under the race detector, which takes ten
// times as long: the test takes long, and no goroutine meets another in it that does not in a
// shorter test.
func Alone(t testing.TB) {
	if testing.Short() {
		t.Skip("takes long, and no goroutines meet in it alone")
	}
}

// Of returns a function that returns v, and that ends the test instead if err is set, as in
// musttest.Of(model.NewSet(items))(t). The message begins with about.
func Of[T any](v T, err error) func(t testing.TB, about ...any) T {
	return func(t testing.TB, about ...any) T {
		if err != nil {
			t.Helper()
			t.Fatalf("%s%v", before(about), err)
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

// JSON returns the value of a text in JSON. It ends the test if the text has no value of type
// T.
func JSON[T any, S ~string | ~[]byte](t testing.TB, text S) (v T) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Helper()
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// File writes a file into a folder of its own, and returns its path.
func File[S ~string | ~[]byte](t testing.TB, name string, text S) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Refusal returns the error of a call and ignores its value.
func Refusal[T any](_ T, err error) error { return err }

// As returns the error of a type that err is or wraps, and ends the test if there is none.
func As[E error](t testing.TB, err error, about ...any) E {
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Helper()
		t.Fatalf("%s%v is no %T", before(about), err, e)
	}
	return e
}

// Fails fails the test unless err is set.
func Fails(t testing.TB, err error, about ...any) {
	if err == nil {
		t.Helper()
		t.Errorf("%sno error", before(about))
	}
}

// Within returns a context that ends after five minutes, so that a test that hangs fails.
func Within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// Is fails the test unless got equals want, or is an error that wraps it. The message begins
// with about.
func Is[T any](t testing.TB, got, want T, about ...any) {
	failed, _ := any(got).(error)
	wanted, _ := any(want).(error)
	if !reflect.DeepEqual(got, want) && (wanted == nil || !errors.Is(failed, wanted)) {
		t.Helper()
		t.Errorf("%sgot %s, want %s", before(about), shown(got), shown(want))
	}
}

// Says fails the test unless a text, or the text of an error, contains words. A nil error fails
// it.
func Says(t testing.TB, said any, words string, about ...any) {
	if err, ok := said.(error); ok {
		said = err.Error()
	}
	if text, ok := said.(string); !ok || !strings.Contains(text, words) {
		t.Helper()
		t.Errorf("%s%s does not say %q", before(about), shown(said), words)
	}
}

func before(about []any) string {
	if len(about) == 0 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintln(about...), "\n") + ": "
}

// shown returns a value as a failed test shows it: a text of several lines unquoted.
func shown(v any) string {
	switch text, ok := v.(string); {
	case ok && strings.Contains(text, "\n"):
		return "\n" + text + "\n"
	case ok:
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("%+v", v)
}
