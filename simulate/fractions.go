package simulate

import (
	"slices"
	"sort"

	"cupelscope/pipeline/order"
)

// fractions is a list of items in descending order of density, with Dantzig's
// bound: the value at each target if the first item that does not fit could be
// taken in part. See Bound.
type fractions struct {
	items  []sizedValue
	used   []int64   // tokens of the first k items
	worth  []float64 // units of the first k items
	coarse []int32   // by target >> coarseBits: at most the number of items that fit
	slack  float64   // more than rounding can take from worth or at
}

const coarseBits = 6

// newFractions sorts the items: O(n).
func newFractions(items []sizedValue) fractions {
	densities := make([]float64, len(items))
	for i, a := range items {
		densities[i] = a.density()
	}
	f := fractions{items: make([]sizedValue, len(items))}
	for k, i := range order.Descending(densities) {
		f.items[k] = items[i]
	}
	f.sum()
	return f
}

func (a sizedValue) density() float64 { return float64(a.units) / float64(a.tokens) }

// sum computes the fields that follow from items.
func (f *fractions) sum() {
	n := len(f.items)
	f.used, f.worth = make([]int64, n+1), make([]float64, n+1)
	for k, a := range f.items {
		f.used[k+1] = f.used[k] + int64(a.tokens)
		f.worth[k+1] = f.worth[k] + float64(a.units)
	}
	// Sums below 2^53 are exact. Larger ones lose up to half a unit in the last
	// place per item.
	f.slack = 8
	if all := f.worth[n]; all >= 1<<53 {
		f.slack += float64(n) * all * (1.0 / (1 << 52))
	}
}

// index builds the coarse index for targets up to upTo.
func (f *fractions) index(upTo int64) {
	f.coarse = make([]int32, min(upTo, f.used[len(f.items)])>>coarseBits+1)
	k := 0
	for b := range f.coarse {
		for k+1 < len(f.used) && f.used[k+1] <= int64(b)<<coarseBits {
			k++
		}
		f.coarse[b] = int32(k)
	}
}

// fitting returns the number of the densest items that together fit a target.
func (f *fractions) fitting(t int64) int {
	if b := t >> coarseBits; b < int64(len(f.coarse)) {
		k := int(f.coarse[b])
		for k+1 < len(f.used) && f.used[k+1] <= t {
			k++
		}
		return k
	}
	return sort.Search(len(f.used), func(k int) bool { return f.used[k] > t }) - 1
}

// at returns the bound at a target, in units.
func (f *fractions) at(t int64) float64 {
	k := f.fitting(t)
	units := f.worth[k]
	if k < len(f.items) {
		units += float64(t-f.used[k]) / float64(f.items[k].tokens) * float64(f.items[k].units)
	}
	return units
}

// marginal returns the density of the first item that does not fit a target, or 0
// if all items fit.
func (f *fractions) marginal(t int64) float64 {
	if k := f.fitting(t); k < len(f.items) {
		return f.items[k].density()
	}
	return 0
}

// drop removes the items for which unneeded returns true. Call index again afterwards.
func (f *fractions) drop(unneeded func(sizedValue) bool) {
	f.items = slices.DeleteFunc(f.items, unneeded)
	f.sum()
}
