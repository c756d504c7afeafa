package plain

import (
	"slices"
	"sort"
	"strings"
)

// Nearest returns the n of known that take the fewest slips of the fingers from word, the
// nearest first and equal ones in the order of known; all if there are fewer. Case does
// not count. O(len(word) * length of known).
func Nearest(word string, known []string, n int) []string {
	known = slices.Clone(known)
	sort.SliceStable(known, func(a, b int) bool { return Slips(word, known[a]) < Slips(word, known[b]) })
	return known[:min(n, len(known))]
}

// Slips returns how many bytes to add, to leave out or to change make b of a, where case
// does not count.
func Slips(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1) // row[j]: from what was read of a to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// OneSlip reports whether a and b are equal, or differ in one byte that is
// missing, too many or another, or in two neighbours that changed places.
func OneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	if len(a) < len(b) {
		return a == b[1:]
	}
	return a == "" || a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
