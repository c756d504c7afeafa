package model

import (
	"strings"
	"testing"
)

// TestEverySlicerHasItsWords holds that a slicer that is added says what it does.
func TestEverySlicerHasItsWords(t *testing.T) {
	for _, s := range SlicerTypes() {
		p := Policy{Slicer: s}
		texts := []string{p.SlicerDoes()}
		if s.Divisible() {
			texts = append(texts, p.SlicerFills("each share"), s.Counted())
		}
		for _, text := range texts {
			if text == "" || strings.Contains(text, "%!") {
				t.Errorf("%s: %q", s, text)
			}
		}
	}
}

func TestASizeBelongsToItsSlicer(t *testing.T) {
	p := Policy{Slicer: Knapsack}
	if err := p.SetSize(7); err != nil || p.Bucket() != 7 || p.SlicerName() != "knapsack:7" {
		t.Errorf("%s, %v", p.SlicerName(), err)
	}
	if p.SetSlicer(Knapsack); p.Bucket() != 7 {
		t.Error("the same slicer lost its size")
	}
	if p.SetSlicer(Stream); p.BucketSize != 0 || p.SlicerName() != "stream:32" {
		t.Errorf("%s, buckets of %v", p.SlicerName(), p.BucketSize)
	}
	for n, wrong := range map[Tokens]string{0: "at least 1", maxCount + 1: "at most"} {
		if err := p.SetSize(n); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("a size of %v: %v", n, err)
		}
	}
	p.SetSlicer(Greedy)
	if err := p.SetSize(5); err == nil {
		t.Error("greedy took a size")
	}
}
