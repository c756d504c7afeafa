package turns

import (
	"testing"

	"cupelscope/model/musttest"
)

// What a plan costs under several caches names the smaller difference first, and each word once.
func TestARangeOfCosts(t *testing.T) {
	for want, ratios := range map[string][2]float64{
		"37 % to 46 % less than A":       {.54, .63},
		"5.0 % to 12 % more than A":      {1.05, 1.12},
		"5.0 % less to 12 % more than A": {.95, 1.12},
		"up to 12 % more than A":         {1, 1.12},
		"up to 20 % less than A":         {.8, 1},
		"20 % less than A":               {.8, .8},
		"as much as A":                   {1, 1},
	} {
		musttest.Is(t, sayRange(ratios[0], ratios[1], "A"), want, ratios)
	}
}
