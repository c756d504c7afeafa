package slicer

import (
	"context"
	"errors"
	"testing"
)

// A profile of more changes than MaxRecords is refused, at that number.
func TestChangesOfAProfileAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes two seconds")
	}
	in := &Input{}
	for k := range 25 { // all that can be had of 25 powers of two: 2^25 less one
		in.Items, in.Kinds = append(in.Items, int32(k)), append(in.Kinds, 0)
		in.Tokens, in.Scores = append(in.Tokens, 1<<(24-k)), append(in.Scores, float64(int64(1)<<(24-k)))
	}
	_, err := Greedy{}.Prepare(in).(*greedy).Profile(context.Background(), 1<<25)
	if full, ok := errors.AsType[*RecordsError](err); !ok || full.Reached != 1<<24 || full.Limit != 1<<24 {
		t.Errorf("2^25 changes: %v", err)
	}
}
