package model

import (
	"runtime/debug"
	"strings"
	"testing"
)

// The list of too many items takes more than a gigabyte of address space, but no
// memory: none of them is looked at.
func TestItemsOfASetAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes much address space")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	_, err := NewSet(make([]Item, MaxItems+1))
	if err == nil || !strings.Contains(err.Error(), "8,388,608 items is too large: at most 8,388,607") {
		t.Errorf("%v", err)
	}
}
