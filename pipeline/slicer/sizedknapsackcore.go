package slicer

import (
	"context"
	"math"
	"slices"
	"sort"
)

// Few of the sizes are in a best set at any capacity, and a table of these few answers
// every capacity as the table of all sizes does.
//
// Where parts may be taken, a candidate grows from nothing to its sizes by steps of falling
// density, and the densest steps of all fill a capacity C best. Let d be the density of the
// step that fills it. For any set, the values less d for each bucket add up to at most what
// every candidate at its best brings, which is the bound of C less d C. So a set with
// candidate i in size s is below the bound by at least
//
//	cost of s = the most of v - d w over the sizes of i, or 0 for out, less v - d w of s
//
// Let the best set at every capacity be at most a d below its bound: a buckets are lost. Then a
// size whose cost is above a d at every density of a step is in no best set, nor does it
// change which of several best sets is taken, as that is told by what is in them.
//
// How much is lost is not known before a table is filled. So it is guessed, and the table of
// the sizes that the guess needs tells how far its sets are below the bound. If they are no
// farther than the guess, the table is right. Otherwise no more than they lose is lost, because
// these sets can be taken, and the table of the sizes that this loss needs is right.

// guessedLoss is a few times what is lost of realistic candidates in buckets of 100 tokens.
const guessedLoss = 1.0 / 8

// choice is a size of a candidate in the programme.
type choice struct{ weight, value int64 }

// growth is a step of a candidate to a larger size.
type growth struct {
	density       float64
	weight, value int64
}

// densest returns the densest steps up to the one that fills the capacity, densest first;
// nothing if all fit.
func (k *programme) densest(top int64) (all []growth) {
	least := 0.0 // no step of this density is needed
	fill := func() bool {
		sort.Slice(all, func(a, b int) bool { return all[a].density > all[b].density })
		room := top
		for i, g := range all {
			if room -= g.weight; room <= 0 {
				all, least = all[:i+1], g.density
				return true
			}
		}
		return false
	}
	enough := 2 * top
	for i, end := 0, 0; i < len(k.at); i = end {
		if k.sorted && float64(k.value[i]) <= least {
			break // nothing from here on has more a bucket
		}
		end = k.end(i)
		all = k.steps(all, i, end, least)
		if int64(len(all)) >= enough {
			fill()
			enough = int64(len(all)) + top
		}
	}
	if !fill() {
		return nil
	}
	return all
}

// steps appends the steps of the candidate in columns i to end-1 that are denser than least.
func (k *programme) steps(all []growth, i, end int, least float64) []growth {
	for at := (choice{}); ; {
		next := growth{density: least}
		for s := i; s < end; s++ {
			w, v := weight(k.tok[s], k.bucket)-at.weight, k.value[s]-at.value
			if d := float64(v) / float64(w); w > 0 && d > next.density {
				next = growth{d, w, v}
			}
		}
		if next.weight == 0 {
			return all
		}
		all = append(all, next)
		at = choice{at.weight + next.weight, at.value + next.value}
	}
}

// needed marks the columns of sizes that may be in a best set where so many buckets are lost
// and no step is below a density. With v - d w of every size, and 0 of none, it compares what
// is lost: a size is needed where a density meets all of
//
//	v - d w + lost d >= v' - d w'
func (k *programme) needed(least, lost float64) []bool {
	lost += slack
	var needed []bool
	for i, end := 0, 0; i < len(k.at); i = end {
		if k.sorted && lost < 1 && float64(k.value[i]) < least*(1-lost) {
			break // no size from here on is better than none
		}
		end = k.end(i)
		needed = slices.Grow(needed, end-i)[:end]
		for s := i; s < end; s++ {
			from, to := least, math.Inf(1)
			against := func(w, v int64) {
				switch v, w := float64(k.value[s]-v), float64(weight(k.tok[s], k.bucket)-w)-lost; {
				case w > 0:
					to = min(to, v/w)
				case w < 0:
					from = max(from, v/w)
				case v < 0:
					to = 0
				}
			}
			against(0, 0)
			for o := i; o < end && from <= to; o++ {
				against(weight(k.tok[o], k.bucket), k.value[o])
			}
			needed[s] = from <= to
		}
	}
	return needed
}

// slack is more than what floats round off.
const slack = 1e-6

// lost returns how many buckets the best sets lose at most.
func lost(steps []growth, top int64, best func(capacity int64) int64) (most float64) {
	var filled choice
	for c := int64(1); c <= top; c++ {
		for filled.weight+steps[0].weight < c {
			filled = choice{filled.weight + steps[0].weight, filled.value + steps[0].value}
			steps = steps[1:]
		}
		most = max(most, float64(filled.value-best(c))/steps[0].density+float64(c-filled.weight))
	}
	return most
}

// tableUpTo returns the table of the sizes that a best set may have, for every capacity up to
// the capacity of target t. Without cuts, and where all fit, it is newTable. Errors are
// newTable's.
func (k *programme) tableUpTo(ctx context.Context, capacity int64, t Target) (*table, error) {
	top := k.top(capacity, k.bucket)
	var steps []growth
	if k.in.Cuts != nil && top == capacity && top <= k.topLimit() {
		steps = k.densest(top)
	}
	made := &table{k: k, asked: capacity, top: int32(top)}
	for guess, again := guessedLoss, false; len(steps) > 0; again = true {
		rows, words := k.rows(top, k.bucket, k.needed(steps[len(steps)-1].density, guess))
		if !k.fits(words, top) {
			break
		}
		made.rows = rows
		if again {
			words = 0 // progress was told
		}
		best, err := made.fill(ctx, words)
		if err != nil {
			return nil, err
		}
		loss := lost(steps, top, best)
		if loss <= guess {
			return made, nil
		}
		guess = loss
	}
	return k.newTable(ctx, capacity, t)
}
