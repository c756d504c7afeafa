package tui

import (
	"fmt"
	"testing"
)

func TestLook(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 16}} {
		s := begin(t, sampleSession(t, 60), size[0], size[1])
		s.press("jj]")
		fmt.Println(s.text())
		s.press("2")
		fmt.Println(s.text())
	}
}
