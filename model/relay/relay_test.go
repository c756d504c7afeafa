package relay

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAPanicReachesTheOneThatWaits(t *testing.T) {
	err := fmt.Errorf("counting: %w", Catch(func() error { panic("a mistake") }))
	defer func() {
		if told := fmt.Sprint(recover()); !strings.HasPrefix(told, "a mistake\n") || !strings.Contains(told, "relay_test.go") {
			t.Errorf("it panics with %s", told)
		}
	}()
	Release(err)
	t.Error("no panic")
}

func TestAnErrorStaysOne(t *testing.T) {
	want := errors.New("no such file")
	err := Catch(func() error { return want })
	if Release(err); err != want {
		t.Errorf("%v", err)
	}
}
