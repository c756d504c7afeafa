package polltest

import (
	"context"
	"errors"
	"testing"

	"cupelscope/model/musttest"
)

func TestAfter(t *testing.T) {
	parent, stop := context.WithCancel(t.Context())
	c := After(parent, 2)
	child, cancel := context.WithCancel(c)
	defer cancel()
	for range 2 {
		musttest.Is(t, errors.Join(c.Err(), child.Err()), nil, "after", c.Polls(), "polls")
	}
	if err := c.Err(); !errors.Is(err, context.Canceled) || !errors.Is(child.Err(), context.Canceled) || c.Polls() != 3 {
		t.Errorf("%v at poll %d; made from it: %v", err, c.Polls(), child.Err())
	}
	stop()
	if err := After(parent, 2).Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that has ended: %v", err)
	}
}
